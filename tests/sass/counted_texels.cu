// One warp a launch: texture and surface accesses at places that a file-free generator gives. Prints values.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
const int W = 256, H = 64, PATTERNS = 40, D = 8;
#define K(NAME, V, FETCH, SUM) __global__ void NAME(cudaTextureObject_t t, const float4 *at, float *to) { \
  int i = threadIdx.x; if (at[i].w < 0) return; float x = at[i].x, y = at[i].y, z = at[i].z; int l = (int)z; V v = FETCH; to[i] = SUM; }
K(p1, float, tex2D<float>(t, x, y), v)
K(p2, float2, tex2D<float2>(t, x, y), v.x + 2 * v.y)
K(p4, float4, tex2D<float4>(t, x, y), v.x + 2 * v.y + 4 * v.z + 8 * v.w)
K(q1, float, tex3D<float>(t, x, y, z), v)
K(q4, float4, tex3D<float4>(t, x, y, z), v.x + 2 * v.y + 4 * v.z + 8 * v.w)
K(l4, float4, (tex2DLayered<float4>(t, x, y, l)), v.x + 2 * v.y + 4 * v.z + 8 * v.w)
K(d1, float, tex1D<float>(t, x), v)
K(e1, unsigned char, tex1Dfetch<unsigned char>(t, (int)x + 256 * (int)y), v)
K(e2, float2, tex1Dfetch<float2>(t, (int)x + 256 * (int)y & 8191), v.x + 2 * v.y)
K(c1, float, texCubemap<float>(t, (x - 32) / 32, (y - 32) / 32, 1.0f), v)
K(g4, float4, tex2Dgather<float4>(t, x, y, 2), v.x + 2 * v.y + 4 * v.z + 8 * v.w)
#define S(NAME, T, GET) __global__ void NAME##_read(cudaSurfaceObject_t s, const float4 *at, float *to) { \
  int i = threadIdx.x; if (at[i].w < 0) return; T v = surf2Dread<T>(s, (int)sizeof(T) * (int)at[i].x, (int)at[i].y); to[i] = v GET; } \
  __global__ void NAME##_write(cudaSurfaceObject_t s, const float4 *at, float *to) { \
  int i = threadIdx.x; if (at[i].w < 0) return; T v; memset(&v, 0, sizeof v); v GET = to[i]; surf2Dwrite<T>(v, s, (int)sizeof(T) * (int)at[i].x, (int)at[i].y); }
S(s1, unsigned char, )
S(s2, unsigned short, )
S(s8, float2, .x)
S(s16, float4, .x)

static unsigned int state = 12345;
static unsigned int next() { return state = state * 1664525u + 1013904223u, state >> 8; }
static void pattern(int p, int *x, int *y, int *on) {
  for (int i = 0; i < 32; ++i) {
    on[i] = 1;
    int q = i / 4;
    switch (p) {
      case 0: x[i] = i, y[i] = 0; break;
      case 1: x[i] = i % 8, y[i] = i / 8; break;
      case 2: x[i] = i % 16, y[i] = i / 16; break;
      case 3: x[i] = i % 4, y[i] = i / 4; break;
      case 4: x[i] = i % 2, y[i] = i / 2; break;
      case 5: x[i] = 0, y[i] = i; break;
      case 6: x[i] = 5, y[i] = 5; break;
      case 7: x[i] = 2 * i, y[i] = 0; break;
      case 8: x[i] = 4 * i, y[i] = 0; break;
      case 9: x[i] = i, y[i] = i; break;
      case 10: x[i] = q % 8 * 2 + (i & 1), y[i] = q / 8 * 2 + (i >> 1 & 1); break;
      case 11: x[i] = i + 3, y[i] = 5; break;
      case 12: x[i] = 8 * i, y[i] = 0; break;
      case 13: x[i] = i / 4, y[i] = 0; break;
      case 14: x[i] = i / 4 * 8, y[i] = i / 4; break;
      case 15: x[i] = 0, y[i] = 2 * i; break;
      case 16: x[i] = 31 - i, y[i] = 3; break;
      case 17: x[i] = i ^ 1, y[i] = 1; break;
      case 18: x[i] = i, y[i] = 0, on[i] = i < 4; break;
      case 19: x[i] = i, y[i] = 0, on[i] = i == 7; break;
      case 20: x[i] = i, y[i] = 0, on[i] = i % 4 == 0; break;
      case 21: x[i] = i, y[i] = 0, on[i] = i % 8 == 0; break;
      case 22: x[i] = i % 2 * 32, y[i] = 0; break;
      case 23: x[i] = i % 4 * 64, y[i] = 0; break;
      case 24: x[i] = (int)(next() % 16), y[i] = (int)(next() % 16); break;
      case 25: x[i] = (int)(next() % 8), y[i] = (int)(next() % 8); break;
      case 26: x[i] = (int)(next() % 32), y[i] = 0; break;
      case 27: x[i] = 0, y[i] = (int)(next() % 32); break;
      case 28: x[i] = (int)(next() % W), y[i] = (int)(next() % H), on[i] = next() % 2; break;
      default: {
        int range = 1 << (p % 4 + 1), at = (int)(next() % 32);
        x[i] = (int)(next() % (range * (1 + p % 3))) + (p % 2 ? 16 : 0), y[i] = (int)(next() % range) + p % 5;
        if (p > 34 && at < 8) on[i] = 0;
      }
    }
  }
}
static cudaArray_t filled(cudaChannelFormatDesc f, int bytes, int width, int height, int depth, int flags) {
  cudaArray_t a;
  std::vector<unsigned char> v((size_t)width * (height ? height : 1) * bytes * (depth ? depth : 1));
  if (f.f == cudaChannelFormatKindFloat && f.x == 32) for (size_t k = 0; k < v.size() / 4; ++k) ((float *)v.data())[k] = (float)(k % 8191);
  else for (auto &b : v) b = (unsigned char)(next() % 64);
  cudaMalloc3DArray(&a, &f, make_cudaExtent(width, height, depth), flags);
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(v.data(), width * bytes, width, height ? height : 1); p.dstArray = a;
  p.extent = make_cudaExtent(width, height ? height : 1, depth ? depth : 1);
  p.kind = cudaMemcpyHostToDevice; cudaMemcpy3D(&p);
  return a;
}
static cudaTextureObject_t sampled(cudaArray_t a, bool linear, bool normalized_float) {
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
  cudaTextureDesc d = {}; for (int k = 0; k < 3; ++k) d.addressMode[k] = cudaAddressModeClamp;
  d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  d.readMode = normalized_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  cudaTextureObject_t t = 0; cudaError_t e = cudaCreateTextureObject(&t, &r, &d, nullptr);
  if (e) printf("ERROR %s\n", cudaGetErrorName(e));
  return t;
}
template <class F> static void run(const char *name, F kernel, unsigned long long object, float offset, int only = PATTERNS) {
  float4 *d_at; float *d_to; cudaMalloc(&d_at, 512); cudaMalloc(&d_to, 128);
  state = 777;
  for (int p = 0; p < only; ++p) {
    int x[32], y[32], on[32]; float4 at[32]; float to[32];
    pattern(p, x, y, on);
    for (int i = 0; i < 32; ++i) at[i] = make_float4(x[i] + offset, y[i] + offset, i % D + offset, on[i] ? 1 : -1), to[i] = i;
    cudaMemcpy(d_at, at, 512, cudaMemcpyHostToDevice); cudaMemcpy(d_to, to, 128, cudaMemcpyHostToDevice);
    kernel<<<1, 32>>>(object, d_at, d_to);
    cudaMemcpy(to, d_to, 128, cudaMemcpyDeviceToHost);
    cudaError_t e = cudaGetLastError();
    printf("%s %d", name, p); if (e) printf(" ERROR %s", cudaGetErrorName(e));
    for (int i = 0; i < 32; ++i) printf(" %g", to[i]); printf("\n");
  }
}
int main() {
  auto F = cudaCreateChannelDesc<float>(), F2 = cudaCreateChannelDesc<float2>(), F4 = cudaCreateChannelDesc<float4>();
  auto U1 = cudaCreateChannelDesc<unsigned char>(), S2 = cudaCreateChannelDesc<short2>(), S4 = cudaCreateChannelDesc<short4>(), U2 = cudaCreateChannelDesc<unsigned short>();
  auto H4 = cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
  const int N = 29;
  cudaArray_t f2 = filled(F2, 8, W, H, 0, 0), h4 = filled(H4, 8, W, H, 0, 0), s4 = filled(S4, 8, W, H, 0, 0), s2 = filled(S2, 4, W, H, 0, 0);
  run("float2_point", p2, sampled(f2, false, false), 0.5f, N);
  run("float2_linear", p2, sampled(f2, true, false), 0.75f, N);
  run("half4_linear", p4, sampled(h4, true, false), 0.75f, N);
  run("short4_linear", p4, sampled(s4, true, true), 0.75f, N);
  run("short2_linear", p2, sampled(s2, true, true), 0.75f, 20);
  run("volume4_point", q4, sampled(filled(F4, 16, W, H, D, 0), false, false), 0.5f, 20);
  run("volume4_linear", q4, sampled(filled(F4, 16, W, H, D, 0), true, false), 0.75f, 20);
  run("volume_flat_linear", q1, sampled(filled(F, 4, W, H, 2, 0), true, false), 0.75f, 20);
  run("uchar_linear", p1, sampled(filled(U1, 1, W, H, 0, 0), true, true), 0.75f, 20);
  run("layer4_linear", l4, sampled(filled(F4, 16, W, H, D, cudaArrayLayered), true, false), 0.75f, 10);
  run("line_point", d1, sampled(filled(F, 4, W, 0, 0, 0), false, false), 0.5f, N);
  run("line_linear", d1, sampled(filled(F, 4, W, 0, 0, 0), true, false), 0.75f, 20);
  run("small_point", p1, sampled(filled(F, 4, 6, 10, 0, 0), false, false), 0.5f, 20);
  run("cube_point", c1, sampled(filled(F, 4, 64, 64, 6, cudaArrayCubemap), false, false), 0.5f, 20);
  run("gather4", g4, sampled(filled(F4, 16, W, H, 0, cudaArrayTextureGather), false, false), 0.75f, 20);
  unsigned char *lin; size_t bytes = 1 << 20; cudaMalloc(&lin, bytes); cudaMemset(lin, 1, bytes);
  cudaResourceDesc r = {}; cudaTextureDesc d = {}; r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = lin;
  r.res.linear.desc = U1; r.res.linear.sizeInBytes = 16384; cudaTextureObject_t t1 = 0, t2 = 0, tp = 0, tpl = 0;
  cudaCreateTextureObject(&t1, &r, &d, nullptr);
  r.res.linear.desc = F2; r.res.linear.sizeInBytes = 65536; cudaCreateTextureObject(&t2, &r, &d, nullptr);
  run("fetch_uchar", e1, t1, 0.5f, N);
  run("fetch2", e2, t2, 0.5f, N);
  r = {}; r.resType = cudaResourceTypePitch2D; r.res.pitch2D.devPtr = lin; r.res.pitch2D.desc = F; r.res.pitch2D.width = W;
  r.res.pitch2D.height = H; r.res.pitch2D.pitchInBytes = 4 * W + 32;
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  cudaCreateTextureObject(&tp, &r, &d, nullptr); d.filterMode = cudaFilterModeLinear; cudaCreateTextureObject(&tpl, &r, &d, nullptr);
  run("pitch_point", p1, tp, 0.5f, N);
  run("pitch_linear", p1, tpl, 0.75f, 20);
  cudaChannelFormatDesc formats[4] = {U1, U2, F2, F4}; int sizes[4] = {1, 2, 8, 16}; cudaSurfaceObject_t so[4];
  for (int k = 0; k < 4; ++k) { cudaResourceDesc rs = {}; rs.resType = cudaResourceTypeArray;
    rs.res.array.array = filled(formats[k], sizes[k], W, H, 0, cudaArraySurfaceLoadStore); cudaCreateSurfaceObject(&so[k], &rs); }
  run("surface1_read", s1_read, so[0], 0.5f, 20); run("surface1_write", s1_write, so[0], 0.5f, 20);
  run("surface2_read", s2_read, so[1], 0.5f, 20); run("surface2_write", s2_write, so[1], 0.5f, 20);
  run("surface8_read", s8_read, so[2], 0.5f, 20); run("surface8_write", s8_write, so[2], 0.5f, 20);
  run("surface16_read", s16_read, so[3], 0.5f, 20); run("surface16_write", s16_write, so[3], 0.5f, 20);
  return 0;
}
