// Mipmapped textures, texel offsets and gathers with offsets: test_mipmaps.py compares the results with an H200's.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#ifndef POINTS
#define POINTS 256  // of each launch: those that were recorded
#endif
static unsigned int state = 12345;
static unsigned int next() { return state = state * 1664525u + 1013904223u, state >> 8; }
static float between(float low, float high) { return low + (high - low) * (next() & 0xffffff) / 16777216.0f; }
struct Point { float x, y, z, lod; float dx[4], dy[4]; int layer, pad[3]; };
#define K(NAME, EXPRESSION) __global__ void NAME(cudaTextureObject_t t, const Point *at, float *to, int n) { \
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; Point p = at[i]; to[i] = EXPRESSION; }
#define G2(p) make_float2(p.dx[0], p.dx[1]), make_float2(p.dy[0], p.dy[1])
#define G4(p) make_float4(p.dx[0], p.dx[1], p.dx[2], 0), make_float4(p.dy[0], p.dy[1], p.dy[2], 0)
K(lod1, tex1DLod<float>(t, p.x, p.lod))
K(lod2, tex2DLod<float>(t, p.x, p.y, p.lod))
K(lod3, tex3DLod<float>(t, p.x, p.y, p.z, p.lod))
K(lod1l, tex1DLayeredLod<float>(t, p.x, p.layer, p.lod))
K(lod2l, tex2DLayeredLod<float>(t, p.x, p.y, p.layer, p.lod))
K(lodc, texCubemapLod<float>(t, 2 * p.x - 1, 2 * p.y - 1, 2 * p.z - 1, p.lod))
K(lod24, tex2DLod<float4>(t, p.x, p.y, p.lod).y)
K(plain2, tex2D<float>(t, p.x, p.y))
K(plain1, tex1D<float>(t, p.x))
K(grad1, tex1DGrad<float>(t, p.x, p.dx[0], p.dy[0]))
K(grad2, tex2DGrad<float>(t, p.x, p.y, G2(p)))
K(grad3, tex3DGrad<float>(t, p.x, p.y, p.z, G4(p)))
K(grad2l, tex2DLayeredGrad<float>(t, p.x, p.y, p.layer, G2(p)))
K(sparse2, tex2D<float>(t, p.x, p.y))
template <int X, int Y> static __device__ float offset2(cudaTextureObject_t t, float x, float y) {
  float a, b, c, d;
  asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3},[%4,{%5,%6}],{%7,%8};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "f"(y), "n"(X), "n"(Y));
  return a;
}
template <int X, int Y> static __device__ float offset2lod(cudaTextureObject_t t, float x, float y, float l) {
  float a, b, c, d;
  asm volatile("tex.level.2d.v4.f32.f32 {%0,%1,%2,%3},[%4,{%5,%6}],%9,{%7,%8};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "f"(y), "n"(X), "n"(Y), "f"(l));
  return a;
}
template <int X> static __device__ float offset1(cudaTextureObject_t t, float x) {
  float a, b, c, d;
  asm volatile("tex.1d.v4.f32.f32 {%0,%1,%2,%3},[%4,{%5}],{%6};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "n"(X));
  return a;
}
template <int X, int Y, int Z> static __device__ float offset3(cudaTextureObject_t t, float x, float y, float z) {
  float a, b, c, d;
  asm volatile("tex.3d.v4.f32.f32 {%0,%1,%2,%3},[%4,{%5,%6,%7,%7}],{%8,%9,%10,%10};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "f"(y), "f"(z), "n"(X), "n"(Y), "n"(Z));
  return a;
}
template <int X, int Y> static __device__ float gather2(cudaTextureObject_t t, float x, float y) {
  float a, b, c, d;
  asm volatile("tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3},[%4,{%5,%6}],{%7,%8};" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(t), "f"(x), "f"(y), "n"(X), "n"(Y));
  return a + 3 * b + 9 * c + 27 * d;
}
K(off2a, (offset2<3, -2>(t, p.x, p.y)))
K(off2b, (offset2<-8, 7>(t, p.x, p.y)))
K(off2l, (offset2lod<3, -2>(t, p.x, p.y, p.lod)))
K(off1, (offset1<5>(t, p.x)))
K(off3, (offset3<1, -3, 2>(t, p.x, p.y, p.z)))
K(gat0, (gather2<0, 0>(t, p.x, p.y)))
K(gat1, (gather2<3, -2>(t, p.x, p.y)))
struct Made { cudaResourceDesc resource; std::string name; int dims; };
static Made mipmapped(const char *name, cudaChannelFormatDesc format, int bytes, int w, int h, int d, int flags, int levels, int mode) {
  Made made; made.name = name; memset(&made.resource, 0, sizeof made.resource);
  cudaMipmappedArray_t mip = 0; cudaError_t e = cudaMallocMipmappedArray(&mip, &format, make_cudaExtent(w, h, d), levels, flags);
  if (e) printf("ERROR %s %s\n", name, cudaGetErrorName(e));
  for (int l = 0; l < levels; ++l) {
    const bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
    int lw = w >> l, lh = h >> l, ld = layered ? d : d >> l; if (!lw) lw = 1; if (h && !lh) lh = 1; if (d && !ld) ld = 1;
    cudaArray_t a; e = cudaGetMipmappedArrayLevel(&a, mip, l); if (e) printf("ERROR %s level %d %s\n", name, l, cudaGetErrorName(e));
    std::vector<unsigned char> v((size_t)lw * (h ? lh : 1) * (d ? ld : 1) * bytes);
    if (format.f == cudaChannelFormatKindFloat && format.x == 32)
      for (size_t k = 0; k < v.size() / 4; ++k) ((float *)v.data())[k] = mode == 1 ? (float)l : between(-4, 4);
    else if (format.f == cudaChannelFormatKindFloat) for (size_t k = 0; k < v.size() / 2; ++k) ((unsigned short *)v.data())[k] = next() % 0x4800 | (next() & 1) << 15;
    else for (auto &b : v) b = (unsigned char)next();
    cudaMemcpy3DParms p = {}; p.srcPtr = make_cudaPitchedPtr(v.data(), (size_t)lw * bytes, lw, h ? lh : 1); p.dstArray = a;
    p.extent = make_cudaExtent(lw, h ? lh : 1, d ? ld : 1); p.kind = cudaMemcpyHostToDevice; e = cudaMemcpy3D(&p);
    if (e) printf("ERROR copy %s level %d %s\n", name, l, cudaGetErrorName(e));
  }
  made.resource.resType = cudaResourceTypeMipmappedArray; made.resource.res.mipmap.mipmap = mip;
  return made;
}
struct Sampling { int filter, mip, address, floats; float bias, low, high; int normalized; };
static cudaTextureObject_t textured(const Made &made, Sampling s) {
  cudaTextureDesc d = {}; for (int k = 0; k < 3; ++k) d.addressMode[k] = (cudaTextureAddressMode)s.address;
  d.filterMode = (cudaTextureFilterMode)s.filter; d.mipmapFilterMode = (cudaTextureFilterMode)s.mip;
  d.readMode = s.floats ? cudaReadModeNormalizedFloat : cudaReadModeElementType; d.normalizedCoords = s.normalized;
  d.mipmapLevelBias = s.bias; d.minMipmapLevelClamp = s.low; d.maxMipmapLevelClamp = s.high;
  d.borderColor[0] = 0.625f;
  cudaTextureObject_t t = 0; cudaError_t e = cudaCreateTextureObject(&t, &made.resource, &d, nullptr);
  if (e) printf("ERROR texture %s normalized %d filter %d %s\n", made.name.c_str(), s.normalized, s.filter, cudaGetErrorName(e));
  return t;
}
// Fetches at the first points; who runs the program reads the results from the buffer.
template <class F> static void run(F f, const Made &made, Sampling s, const std::vector<Point> &points) {
  cudaTextureObject_t t = textured(made, s);
  int n = points.size() < POINTS ? (int)points.size() : POINTS; Point *at; float *to; cudaMalloc(&at, n * sizeof(Point)); cudaMalloc(&to, n * 4);
  cudaMemcpy(at, points.data(), n * sizeof(Point), cudaMemcpyHostToDevice); cudaMemset(to, 0xff, n * 4);
  f<<<(n + 127) / 128, n < 128 ? 32 : 128>>>(t, at, to, n);
  cudaError_t e = cudaDeviceSynchronize(); if (e) printf("ERROR %s\n", cudaGetErrorName(e));
  cudaFree(at); cudaFree(to); cudaDestroyTextureObject(t);
}
#define RUN(KERNEL, MADE, SAMPLING, POINTS) run(KERNEL, MADE, SAMPLING, POINTS)
int main() {
  auto F = cudaCreateChannelDesc<float>(), U4 = cudaCreateChannelDesc<uchar4>(), S2 = cudaCreateChannelDesc<short2>(), F4 = cudaCreateChannelDesc<float4>();
  auto H = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
  const int LAYERED = cudaArrayLayered, CUBE = cudaArrayCubemap;
  Made plane = mipmapped("plane", F, 4, 64, 32, 0, 0, 7, 0), level = mipmapped("level", F, 4, 64, 32, 0, 0, 7, 1), square = mipmapped("square", F, 4, 64, 64, 0, 0, 7, 1);
  Made odd = mipmapped("odd", F, 4, 50, 30, 0, 0, 5, 0), line = mipmapped("line", F, 4, 64, 0, 0, 0, 7, 0), volume = mipmapped("volume", F, 4, 16, 8, 8, 0, 5, 0);
  Made lines = mipmapped("lines", F, 4, 64, 0, 3, LAYERED, 7, 0), planes = mipmapped("planes", F, 4, 32, 16, 3, LAYERED, 6, 0), cube = mipmapped("cube", F, 4, 16, 16, 6, CUBE, 5, 0);
  Made bytes4 = mipmapped("bytes4", U4, 4, 64, 32, 0, 0, 7, 0), shorts = mipmapped("shorts", S2, 4, 64, 32, 0, 0, 7, 0), halves = mipmapped("halves", H, 2, 64, 32, 0, 0, 7, 0);
  Made levelv = mipmapped("levelv", F, 4, 32, 32, 32, 0, 6, 1), levell = mipmapped("levell", F, 4, 64, 0, 0, 0, 7, 1), levelc = mipmapped("levelc", F, 4, 32, 32, 6, CUBE, 6, 1);
  Made single = mipmapped("single", F, 4, 64, 32, 0, 0, 1, 0), gatherable = mipmapped("gatherable", F, 4, 64, 32, 0, cudaArrayTextureGather, 1, 0), deep = mipmapped("deep", F, 4, 16, 8, 8, 0, 1, 0), flat = mipmapped("flat", F, 4, 64, 0, 0, 0, 1, 0);
  Made wide = mipmapped("wide", F4, 16, 64, 32, 0, 0, 7, 0);
  std::vector<Point> random(2048), sweep(8192), slopes(4096), steep(4096), axis(4096);
  auto filled = [](Point &p) { memset(&p, 0, sizeof p); p.x = between(-0.5f, 1.5f), p.y = between(-0.5f, 1.5f), p.z = between(-0.5f, 1.5f), p.lod = between(-1, 8), p.layer = next() % 4; };
  auto slope = [](float *d, int low, int high) { for (int k = 0; k < 3; ++k) d[k] = ldexpf(between(-1, 1), low + (int)(next() % (high - low))); };
  for (auto &p : random) filled(p), slope(p.dx, -8, 2), slope(p.dy, -8, 2);
  for (int k = 0; k < 8192; ++k) filled(sweep[k]), sweep[k].lod = -0.5f + k / 2048.0f;
  for (auto &p : slopes) filled(p), slope(p.dx, -7, 1), slope(p.dy, -7, 1);
  for (auto &p : steep) { filled(p); p.dx[0] = ldexpf(between(0.5f, 1), -(int)(next() % 6)); if (next() % 2) p.dy[1] = p.dx[0] * between(0, 1); }
  for (int k = 0; k < 4096; ++k) filled(axis[k]), axis[k].dx[0] = ldexpf(1 + (k & 1023) / 1024.0f, (k >> 10) - 6);
  const float TOP = 100;
  Sampling limits[3] = {{0, 0, 1, 0, 0, 0, TOP, 1}, {0, 0, 0, 0, 0.7f, 0, TOP, 1}, {0, 0, 3, 0, -0.5f, 0.5f, 2.25f, 1}};
  for (auto base : limits) for (int filter = 0; filter < 2; ++filter) for (int mip = 0; mip < 2; ++mip) {
    Sampling s = base; s.filter = filter, s.mip = mip;
    RUN(lod2, plane, s, random); RUN(grad2, plane, s, random); RUN(plain2, plane, s, random); RUN(lod2, odd, s, random);
    RUN(lod1, line, s, random); RUN(lod3, volume, s, random); RUN(lod1l, lines, s, random); RUN(lod2l, planes, s, random); RUN(lodc, cube, s, random);
    RUN(lod2, halves, s, random); RUN(lod2, level, s, sweep); RUN(plain1, line, s, random); RUN(off2l, plane, s, random);
    s.floats = 1; RUN(lod24, bytes4, s, random); RUN(lod2, shorts, s, random);
  }
  for (int filter = 0; filter < 2; ++filter) {
    Sampling s{filter, 1, 1, 0, 0, 0, TOP, 1};
    RUN(grad2, level, s, slopes); RUN(grad2, square, s, slopes); RUN(grad2, square, s, steep); RUN(grad2, square, s, axis); RUN(grad1, levell, s, slopes); RUN(grad1, levell, s, axis);
    RUN(grad3, levelv, s, slopes); RUN(grad3, levelv, s, axis); RUN(grad2l, planes, s, random);
    RUN(sparse2, plane, s, random);
  }
  for (int address = 0; address < 4; ++address) for (int filter = 0; filter < 2; ++filter) {
    Sampling s{filter, 0, address, 0, 0, 0, 0, 1};
    RUN(off2a, single, s, random); RUN(off2b, single, s, random); RUN(off1, flat, s, random); RUN(off3, deep, s, random); RUN(gat0, gatherable, s, random); RUN(gat1, gatherable, s, random);
  }
  RUN(lod2, plane, (Sampling{1, 1, 1, 0, 0, 0, TOP, 0}), random);
  return 0;
}
