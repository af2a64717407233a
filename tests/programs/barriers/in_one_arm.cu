// Half of each warp waits at a barrier that the other half never reaches: before CC 7.0 barriers count warps.
// From CC 7.0 on the other half goes on without them, and threads that have ended are not waited for.
__global__ void kernel(int* out) {
  int t = threadIdx.x;
  if (t % 32 < 16) {
    out[t] = 1;
    __syncthreads();
  }
  out[t] += 2;
}
