// Arrays of each thread's own, indexed at run time.
__global__ void kernel(const int* in, int* out) {
  int t = threadIdx.x;
  int own[8];
  short narrow[5];
  for (int k = 0; k < 8; ++k) own[k] = t * 10 + k;
  for (int k = 0; k < 5; ++k) narrow[k] = -k;
  own[in[t] & 7] += 1000;
  out[t] = own[in[t] & 7] + own[(t + 3) & 7] + narrow[in[t] % 5];
}
