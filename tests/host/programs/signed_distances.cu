// Ray marching of signed distance fields with operator overloads; camera class, materials, polymorphism by tagged union and variadic CSG.
#include <cstdio>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iomanip>
#include <chrono>
#include <vector>
using namespace std;

__host__ __device__ inline float3 operator+(const float3 &a, const float3 &b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__host__ __device__ inline float3 operator-(const float3 &a, const float3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__host__ __device__ inline float3 operator*(float s, const float3 &a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__host__ __device__ inline float3 operator*(const float3 &a, float s) { return s * a; }
__host__ __device__ inline float3 &operator+=(float3 &a, const float3 &b) { return a = a + b; }
__host__ __device__ inline float3 operator-(float3 a) { return -1.f * a; }
__host__ __device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__host__ __device__ inline float3 normalize(float3 a) { return a * (1.f / length(a)); }
__host__ __device__ inline float3 cross(float3 a, float3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
template <class T> __host__ __device__ constexpr T clampTo(T v, T lo, T hi) { return v < lo ? lo : v > hi ? hi : v; }

struct Sphere { float3 c; float r; __device__ float operator()(float3 p) const { return length(p - c) - r; } };
struct Plane { float h; __device__ float operator()(float3 p) const { return p.y - h; } };
struct Box { float3 c, b;
  __device__ float operator()(float3 p) const {
    float3 q = p - c; q = make_float3(fabsf(q.x) - b.x, fabsf(q.y) - b.y, fabsf(q.z) - b.z);
    float3 m = make_float3(fmaxf(q.x, 0.f), fmaxf(q.y, 0.f), fmaxf(q.z, 0.f));
    return length(m) + fminf(fmaxf(q.x, fmaxf(q.y, q.z)), 0.f); } };

template <class A, class B> struct SmoothUnion { A a; B b; float k;
  __device__ float operator()(float3 p) const { float x = a(p), y = b(p), h = clampTo(.5f + .5f * (y - x) / k, 0.f, 1.f); return y + (x - y) * h - k * h * (1 - h); } };
template <class A, class B> struct Difference { A a; B b; __device__ float operator()(float3 p) const { return fmaxf(a(p), -b(p)); } };
template <class... S> struct Union;
template <class S> struct Union<S> { S s; int id; __device__ float operator()(float3 p, int &hit) const { hit = id; return s(p); } };
template <class S, class... R> struct Union<S, R...> { S s; int id; Union<R...> rest;
  __device__ float operator()(float3 p, int &hit) const { int o; float d = s(p), e = rest(p, o); if (d < e) { hit = id; return d; } hit = o; return e; } };
template <class A, class B> __host__ __device__ Difference<A, B> operator/(A a, B b) { return {a, b}; }

struct Camera {
  float3 eye, u, v, w;
  __host__ Camera(float3 e, float3 at, float fov, float aspect) : eye(e) {
    w = normalize(at - e); u = normalize(cross(w, make_float3(0, 1, 0))); v = cross(u, w);
    float t = tanf(fov * 3.14159265f / 360.f); u = (t * aspect) * u; v = t * v; }
  __device__ float3 ray(float s, float t) const { return normalize(w + s * u + t * v); }
};
struct alignas(16) Pixel { float r, g, b; int steps; };

template <class Scene>
__global__ void render(Pixel *img, int W, int H, const Camera cam, const Scene scene, float3 light) {
  int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x >= W || y >= H) return;
  auto dist = [&](float3 p) { int dummy; return scene(p, dummy); };
  float3 d = cam.ray(2.f * (x + .5f) / W - 1, 1 - 2.f * (y + .5f) / H), p = cam.eye;
  float t = 0; int id = -1, i = 0;
  for (; i < 64; ++i) { float s = scene(p, id); if (s < 1e-3f) break; t += s; if (t > 30.f) { id = -1; break; } p = cam.eye + t * d; }
  Pixel out{0.2f, 0.3f, 0.5f, i};
  if (id >= 0 && i < 64) {
    const float e = 1e-3f;
    float3 n = normalize(make_float3(dist(p + make_float3(e, 0, 0)) - dist(p - make_float3(e, 0, 0)),
                                     dist(p + make_float3(0, e, 0)) - dist(p - make_float3(0, e, 0)),
                                     dist(p + make_float3(0, 0, e)) - dist(p - make_float3(0, 0, e))));
    float sh = 1.f, tt = .02f;
    while (tt < 5.f) { float s = dist(p + tt * light); if (s < 1e-3f) { sh = 0; break; } sh = fminf(sh, 8.f * s / tt); tt += s; }
    float l = fmaxf(dot(n, light), 0.f) * sh + .1f;
    static const __device__ float colors[3][3] = {{1, .3f, .2f}, {.2f, 1, .4f}, {.8f, .8f, .8f}};
    out.r = colors[id][0] * l; out.g = colors[id][1] * l; out.b = colors[id][2] * l;
  }
  img[y * W + x] = out;
}

int main() {
  constexpr int W = 48, H = 32;
  auto blob = SmoothUnion<Sphere, Sphere>{{make_float3(-1, .6f, 0), .6f}, {make_float3(-.2f, 1.f, 0), .5f}, .4f};
  auto cut = Box{{1.2f, .5f, 0}, {.5f, .5f, .5f}} / Sphere{{1.2f, .9f, .4f}, .5f};
  using Scene = Union<decltype(blob), decltype(cut), Plane>;
  Scene scene{blob, 0, {cut, 1, {Plane{0.f}, 2}}};
  Pixel *img; cudaMallocManaged(&img, W * H * sizeof(Pixel));
  Camera cam(make_float3(0, 2, 5), make_float3(0, .5f, 0), 45, float(W) / H);
  auto t0 = chrono::steady_clock::now();
  render<<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(img, W, H, cam, scene, normalize(make_float3(1, 2, 1.5f)));
  if (auto e = cudaDeviceSynchronize()) { cerr << cudaGetErrorString(e) << endl; return 1; }
  chrono::duration<double, milli> ms = chrono::steady_clock::now() - t0; (void)ms;
  double s[4] = {}; int mx = 0;
  for (int i = 0; i < W * H; i++) { s[0] += img[i].r; s[1] += img[i].g; s[2] += img[i].b; s[3] += img[i].steps; mx = max(mx, img[i].steps); }
  cout << fixed << setprecision(2) << s[0] << ' ' << s[1] << ' ' << s[2] << " steps " << setw(8) << s[3] / (W * H) << " max " << mx << '\n';
  const char *ramp = " .:-=+*#%@";
  for (int y = 0; y < H; y += 2) { for (int x = 0; x < W; x++) { float l = .3f * img[y * W + x].r + .6f * img[y * W + x].g + .1f * img[y * W + x].b; cout << ramp[min(9, int(l * 9.5f))]; } cout << '\n'; }
  cudaFree(img);
}
