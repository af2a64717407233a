//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "int:96", k = 3 }
//@ variants = [{ PLACE = "p->a" }, { PLACE = "p[t].a" }]
struct Pair {
  int a[2];
  int b;
};
__global__ void kernel(int *out, int k) {
  Pair *p = (Pair *)out;
  int t = threadIdx.x;
#ifdef BUG
  *(PLACE + k - 1 + (t >> 5)) = t;  // here
#else
  *(PLACE + (k & 1)) = p == nullptr ? t : 1;
#endif
}
