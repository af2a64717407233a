// The warp-synchronous end of a reduction: volatile keeps every read and write where it stands.
__global__ void kernel(const int* in, int* out) {
  extern __shared__ int shared[];
  volatile int* s = shared;
  int t = threadIdx.x;
  s[t] = in[t] + in[t + 32];
  if (t < 16) s[t] += s[t + 16];
  if (t < 8) s[t] += s[t + 8];
  if (t < 4) s[t] += s[t + 4];
  if (t < 2) s[t] += s[t + 2];
  if (t < 1) s[t] += s[t + 1];
  if (t == 0) *out = s[0];
}
