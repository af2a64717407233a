//@ kinds = ["uninitialised read"]
//@ block = 32
//@ args = { out = "int:32", in = "int:256:iota" }
//@ variants = [{ N = 8 }, { N = 3 }]
__global__ void kernel(int *out, const int *in) {
  int least, i = threadIdx.x;
#ifndef BUG
  least = in[i];
#endif
  for (int k = 0; k < N; ++k)
    if (in[i + 32 * k] < least)  // here
      least = in[i + 32 * k];    // here
  out[i] = least;  // here
}
