// Float and double sums round at each step, in the order of the lanes; 64-bit counters.
__global__ void kernel(float* f, double* d, unsigned long long* w, const float* in) {
  int t = threadIdx.x;
  atomicAdd(f, in[t]);
  atomicAdd(d, in[t] * 1e-9);
  atomicAdd(w, (unsigned long long)t << 31);
  atomicMax(w + 1, (unsigned long long)t << 40);
  atomicCAS(w + 2, (unsigned long long)t, (unsigned long long)t + (1ull << 32 & 0) + 1);
}
