// Bytes and halves of one word that belong to different warps: neighbours do not race, the same byte does.
__global__ void kernel(int* out) {
  __shared__ unsigned char s[128];
  __shared__ unsigned short h[128];
  int t = threadIdx.x, byte = (t & 31) * 4 + t / 32;
  s[byte] = t;
  h[(t & 31) * 4 + t / 32] = 2 * t;
  __syncthreads();
  out[t] = s[byte] + h[byte];
  s[byte] += 1;
  __syncthreads();
  out[t] += s[127 - byte];
}
