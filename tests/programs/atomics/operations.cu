// Every atomic on one word of global and one of shared memory; lanes are taken in ascending order.
__global__ void kernel(int* g, unsigned* u, int* out) {
  __shared__ int s[8];
  int t = threadIdx.x;
  if (t < 8) s[t] = 100;
  __syncthreads();
  out[t] = atomicAdd(&g[0], t);
  atomicSub(&g[1], 2);
  atomicMin(&g[2], 50 - t);
  atomicMax(&g[3], t);
  atomicAnd(&g[4], ~(1 << (t & 15)));
  atomicOr(&g[5], 1 << (t & 31));
  atomicXor(&g[6], t);
  out[64 + t] = atomicExch(&g[7], t);
  out[128 + t] = atomicCAS(&g[8], t, t + 1);
  out[192 + t] = atomicInc(&u[0], 9);
  atomicDec(&u[1], 9);
  atomicMin(&u[2], 0xffffffffu - t);
  out[256 + t] = atomicAdd(&s[t & 3], 1);
  atomicMax(&s[4], 2 * t);
  atomicExch(&s[5], t);
  __syncthreads();
  if (t < 8) g[9 + t] = s[t];
}
