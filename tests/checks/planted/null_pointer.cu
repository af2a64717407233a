//@ kinds = ["null pointer"]
//@ block = 32
//@ args = { out = "int:32", links = "long long:1" }
//@ variants = [{ F = "first" }, { F = "second" }]
struct Node { int first, second; };
__global__ void kernel(int *out, Node **links) {
#ifdef BUG
  out[threadIdx.x] = links[0]->F;  // here
#else
  out[threadIdx.x] = links[0] ? links[0]->F : 0;
#endif
}
