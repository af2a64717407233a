// Dot products of four bytes, signed and unsigned, added to a sum.
__global__ void kernel(const unsigned* a, const unsigned* b, int* signed_sums, unsigned* sums) {
  int t = threadIdx.x;
  signed_sums[t] = __dp4a((int)a[t], (int)b[t], -t);
  sums[t] = __dp4a(a[t], b[t], 5u);
}
