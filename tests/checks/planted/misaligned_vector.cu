//@ kinds = ["misaligned access"]
//@ block = 16
//@ args = { out = "float:80", in = "float:80" }
//@ variants = [{ V = "float2", D = 1 }, { V = "float2", D = 3 }, { V = "float2", D = 5 }]
__global__ void kernel(float *out, const float *in) {
#ifdef BUG
  const V *p = (const V *)(in + D);
#else
  const V *p = (const V *)in;
#endif
  V v = p[threadIdx.x];  // here
  out[threadIdx.x] = v.x + v.y;
}
