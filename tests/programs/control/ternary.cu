// Nested conditional expressions, with effects in one arm only.
__global__ void kernel(int* out) {
  int t = threadIdx.x, effects = 0;
  int v = t < 8 ? (effects++, t & 1 ? 11 : 22) : t < 16 ? 33 : (effects += 2, t > 20) ? 44 : 55;
  float f = t % 2 ? 1 : 2.5f;
  out[t] = v * 100 + effects * 10 + (int)(f * 2);
}
