//@ kinds = ["uninitialised read"]
//@ block = 32
//@ args = { out = "float:32", f = 2.0 }
//@ variants = [{ M = "x" }, { M = "z" }]
struct Point { float x, y, z; };
__global__ void kernel(float *out, float f) {
  Point p;
  p.y = f;
#ifndef BUG
  p.x = p.z = 1;
#endif
  out[threadIdx.x] = p.M + p.y;  // here
}
