// A reduction in the last warp, with __syncwarp between what lanes read and write; a full-mask barrier joins both arms.
__global__ void kernel(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t * t;
  s[t + 32] = t;
  __syncwarp();
  int v = s[t];
  for (int k = 16; k > 0; k /= 2) {
    v += s[(t + k) & 31];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (t & 1) s[t + 32] *= 2;
  __syncwarp();
  if (t < 10) {
    s[t] += 1;
    __syncwarp(0x3ff);
    v += s[9 - t] * 0;
  }
  out[t] = v + s[63 - t];
}
