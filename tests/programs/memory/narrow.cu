// Loads and stores of 8 and 16 bits extend by the sign of their type and wrap.
__global__ void kernel(signed char* a, unsigned char* b, short* c, unsigned short* d, int* out) {
  __shared__ signed char s[64];
  int t = threadIdx.x;
  out[t] = a[t] + b[t] + c[t] + d[t];
  a[t] = a[t] * 3;
  b[t] += 200;
  c[t] <<= 1;
  d[t] = ~d[t];
  s[63 - t] = a[t];
  __syncthreads();
  out[t] += s[t] * 100000;
}
