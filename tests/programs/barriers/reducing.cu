// Barriers that count, or, and and a predicate over the block.
__global__ void kernel(int* out) {
  int t = threadIdx.x;
  int count = __syncthreads_count(t % 3 == 0);
  int all = __syncthreads_and(t < 80);
  int any = __syncthreads_or(t == 79);
  out[t] = count * 100 + all * 10 + any;
}
