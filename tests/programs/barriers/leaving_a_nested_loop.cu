// As leaving_the_loop, with a loop in an arm: from CC 7.0 on the groups go on, also behind the arm.
__global__ void kernel(int* out, int* turns, int* limits) {
  int t = threadIdx.x, lane = t % 32;
  if (lane < 24) {
    for (int k = 0; k < 6; k++) {
      if (k % 2 == 1) __syncthreads();
      if (lane >= limits[k]) break;
      turns[t]++;
    }
    if (lane % 3 == 0) turns[t] *= 10;
  }
  out[t] = turns[t] + 100;
}
