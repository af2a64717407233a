// One warp a launch: texture and surface accesses at places that a file-free generator gives. Prints values.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
const int W = 256, H = 64, PATTERNS = 40, D = 8;
__global__ void p_float(cudaTextureObject_t t, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; to[i] = tex2D<float>(t, at[i].x, at[i].y); }
__global__ void p_float4(cudaTextureObject_t t, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; float4 v = tex2D<float4>(t, at[i].x, at[i].y);
  to[i] = v.x + 2 * v.y + 4 * v.z + 8 * v.w; }
__global__ void p_uchar(cudaTextureObject_t t, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; to[i] = tex2D<unsigned char>(t, at[i].x, at[i].y); }
__global__ void p_fetch(cudaTextureObject_t t, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; to[i] = tex1Dfetch<float>(t, (int)at[i].x + W * (int)at[i].y); }
__global__ void p_fetch4(cudaTextureObject_t t, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; float4 v = tex1Dfetch<float4>(t, ((int)at[i].x + W * (int)at[i].y) & 4095);
  to[i] = v.x + 2 * v.y + 4 * v.z + 8 * v.w; }
__global__ void p_volume(cudaTextureObject_t t, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; to[i] = tex3D<float>(t, at[i].x, at[i].y, at[i].z); }
__global__ void p_layer(cudaTextureObject_t t, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; to[i] = tex2DLayered<float>(t, at[i].x, at[i].y, (int)at[i].z); }
__global__ void p_gather(cudaTextureObject_t t, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; float4 v = tex2Dgather<float4>(t, at[i].x, at[i].y, 0);
  to[i] = v.x + 2 * v.y + 4 * v.z + 8 * v.w; }
__global__ void p_read(cudaSurfaceObject_t s, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; to[i] = surf2Dread<float>(s, 4 * (int)at[i].x, (int)at[i].y); }
__global__ void p_write(cudaSurfaceObject_t s, const float4 *at, float *to) {
  int i = threadIdx.x; if (at[i].w < 0) return; surf2Dwrite<float>(to[i], s, 4 * (int)at[i].x, (int)at[i].y); }

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
static cudaArray_t filled(cudaChannelFormatDesc f, int bytes, int depth, int flags) {
  cudaArray_t a;
  std::vector<unsigned char> v((size_t)W * H * bytes * (depth ? depth : 1));
  if (f.f == cudaChannelFormatKindFloat) for (size_t k = 0; k < v.size() / 4; ++k) ((float *)v.data())[k] = (float)(k % 8191);
  else for (auto &b : v) b = (unsigned char)next();
  if (depth) {
    cudaMalloc3DArray(&a, &f, make_cudaExtent(W, H, depth), flags);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(v.data(), W * bytes, W, H); p.dstArray = a; p.extent = make_cudaExtent(W, H, depth);
    p.kind = cudaMemcpyHostToDevice; cudaMemcpy3D(&p);
  } else {
    cudaMallocArray(&a, &f, W, H, flags);
    cudaMemcpy2DToArray(a, 0, 0, v.data(), W * bytes, W * bytes, H, cudaMemcpyHostToDevice);
  }
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
  cudaArray_t f = filled(cudaCreateChannelDesc<float>(), 4, 0, 0), f4 = filled(cudaCreateChannelDesc<float4>(), 16, 0, 0);
  cudaArray_t c = filled(cudaCreateChannelDesc<unsigned char>(), 1, 0, 0), c4 = filled(cudaCreateChannelDesc<uchar4>(), 4, 0, 0);
  cudaArray_t v = filled(cudaCreateChannelDesc<float>(), 4, D, 0), l = filled(cudaCreateChannelDesc<float>(), 4, D, cudaArrayLayered);
  cudaArray_t g = filled(cudaCreateChannelDesc<float>(), 4, 0, cudaArrayTextureGather);
  cudaArray_t s = filled(cudaCreateChannelDesc<float>(), 4, 0, cudaArraySurfaceLoadStore);
  float *lin; cudaMalloc(&lin, W * H * 4); std::vector<float> z(W * H); for (int k = 0; k < W * H; ++k) z[k] = (float)k;
  cudaMemcpy(lin, z.data(), W * H * 4, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {}; cudaTextureDesc d = {}; r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = lin;
  r.res.linear.desc = cudaCreateChannelDesc<float>(); r.res.linear.sizeInBytes = W * H * 4;
  cudaTextureObject_t tl, tl4; cudaCreateTextureObject(&tl, &r, &d, nullptr);
  r.res.linear.desc = cudaCreateChannelDesc<float4>(); cudaCreateTextureObject(&tl4, &r, &d, nullptr);
  cudaSurfaceObject_t so; cudaResourceDesc rs = {}; rs.resType = cudaResourceTypeArray; rs.res.array.array = s;
  cudaCreateSurfaceObject(&so, &rs);
  run("float_point", p_float, sampled(f, false, false), 0.5f);
  run("float_linear_half", p_float, sampled(f, true, false), 0.5f);
  run("float_linear", p_float, sampled(f, true, false), 0.75f);
  run("uchar_point", p_uchar, sampled(c, false, false), 0.5f);
  run("uchar4_point", p_float4, sampled(c4, false, true), 0.5f);
  run("uchar4_linear", p_float4, sampled(c4, true, true), 0.75f);
  run("float4_point", p_float4, sampled(f4, false, false), 0.5f);
  run("float4_linear", p_float4, sampled(f4, true, false), 0.75f);
  run("fetch", p_fetch, tl, 0.5f);
  run("fetch4", p_fetch4, tl4, 0.5f, 20);
  run("volume_point", p_volume, sampled(v, false, false), 0.5f, 20);
  run("volume_linear", p_volume, sampled(v, true, false), 0.75f, 20);
  run("layer_point", p_layer, sampled(l, false, false), 0.5f, 20);
  run("gather", p_gather, sampled(g, false, false), 0.75f, 20);
  run("surface_read", p_read, so, 0.5f);
  run("surface_write", p_write, so, 0.5f, 29);
  return 0;
}
