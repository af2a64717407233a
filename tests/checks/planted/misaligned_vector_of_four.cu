//@ kinds = ["misaligned access"]
//@ block = 16
//@ args = { out = "float:80", in = "float:80" }
//@ variants = [{ V = "float4", D = 1 }, { V = "float4", D = 2 }]
__global__ void kernel(float *out, const float *in) {
#ifdef BUG
  const V *p = (const V *)(in + D);
#else
  const V *p = (const V *)in;
#endif
  V v = p[threadIdx.x];  // here
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
