// Vector types move in one access, and a struct of three words in three.
struct Point { float x, y, z; };
__global__ void kernel(const float4* in, float4* out, const Point* points, float2* pairs) {
  int t = threadIdx.x;
  float4 v = in[t];
  v.x += v.w;
  v.w = 1.0f;
  out[t] = v;
  Point p = points[t];
  pairs[t] = make_float2(p.x + p.z, p.y);
}
