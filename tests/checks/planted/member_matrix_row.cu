//@ kinds = ["out of bounds"]
//@ block = 4
//@ args = { out = "TYPE:64", in = "int:4:iota" }
//@ variants = [{ TYPE = "int" }, { TYPE = "float" }]
struct Tile {
  TYPE m[4][4];
};
__global__ void kernel(Tile *out, const int *in) {
  int row = threadIdx.x;
  TYPE *all = out[0].m[0];
  all[4 * row] = 1;
#ifdef BUG
  for (int k = in[0]; k <= 4; ++k)
#else
  for (int k = in[0]; k < 4; ++k)
#endif
    out[1].m[row][k] = k;  // here
}
