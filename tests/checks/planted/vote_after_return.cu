//@ kinds = ["member mask"]
//@ block = 64
//@ args = { out = "unsigned:64", n = "N" }
//@ variants = [{ N = 40 }, { N = 10 }]
__global__ void kernel(unsigned *out, int n) {
  int t = threadIdx.x;
#ifdef BUG
  if (t >= n) return;  // here
  out[t] = __ballot_sync(0xffffffff, t % 2);  // here
#else
  unsigned votes = __ballot_sync(0xffffffff, t < n && t % 2);
  if (t < n) out[t] = votes;
#endif
}
