//@ kinds = ["race"]
//@ grid = 4
//@ block = 32
//@ args = { count = "int:1" }
//@ variants = [{ F = "Add" }, { F = "Max" }, { F = "Or" }]
#define JOIN(a, b, c) a##b##c
#define NAME(f, s) JOIN(atomic, f, s)
__global__ void kernel(int *count) {
#ifdef BUG
  NAME(F, _block)(count, 1);  // here
#else
  NAME(F, )(count, 1);
#endif
}
