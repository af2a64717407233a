// Lattice Boltzmann D2Q9, lid-driven cavity, struct of arrays, pull scheme.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <string>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                        \
  do {                                                                          \
    cudaError_t err__ = (call);                                                 \
    if (err__ != cudaSuccess) {                                                 \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__,                   \
              cudaGetErrorString(err__), cudaGetErrorName(err__));              \
      std::exit(EXIT_FAILURE);                                                  \
    }                                                                           \
  } while (0)

enum class Cell : unsigned char { Fluid = 0, Wall, Lid };

constexpr int Q = 9;
__constant__ int   cx[Q], cy[Q], opp[Q];
__constant__ float w[Q];

template <typename T>
struct DeviceArray {
  T *p = nullptr;
  size_t n = 0;
  explicit DeviceArray(size_t n_) : n(n_) { CUDA_CHECK(cudaMalloc(&p, n * sizeof(T))); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  DeviceArray(DeviceArray &&o) noexcept : p(o.p), n(o.n) { o.p = nullptr; o.n = 0; }
  ~DeviceArray() { if (p) cudaFree(p); }
  operator T *() { return p; }
  void upload(const std::vector<T> &h) { CUDA_CHECK(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice)); }
  std::vector<T> download() const {
    std::vector<T> h(n);
    CUDA_CHECK(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
  }
};

struct Params { int nx, ny; float omega, ulid; };

__device__ __forceinline__ int at(const Params &p, int q, int x, int y) { return (q * p.ny + y) * p.nx + x; }

__global__ void init(float *f, Params p) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= p.nx || y >= p.ny) return;
#pragma unroll
  for (int q = 0; q < Q; ++q) f[at(p, q, x, y)] = w[q];
}

__global__ void __launch_bounds__(256) stepKernel(const float *__restrict__ src, float *__restrict__ dst,
                                                  const Cell *__restrict__ cells, const Params p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= p.nx || y >= p.ny) return;
  if (cells[y * p.nx + x] != Cell::Fluid) return;
  float f[Q];
  float rho = 0.f, ux = 0.f, uy = 0.f;
#pragma unroll
  for (int q = 0; q < Q; ++q) {
    int sx = x - cx[q], sy = y - cy[q];
    Cell c = cells[sy * p.nx + sx];
    switch (c) {
      case Cell::Fluid: f[q] = src[at(p, q, sx, sy)]; break;
      case Cell::Wall: f[q] = src[at(p, opp[q], x, y)]; break;
      case Cell::Lid: f[q] = src[at(p, opp[q], x, y)] + 6.f * w[q] * cx[q] * p.ulid; break;
    }
    rho += f[q]; ux += f[q] * cx[q]; uy += f[q] * cy[q];
  }
  ux /= rho; uy /= rho;
  const float usq = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int q = 0; q < Q; ++q) {
    float cu = 3.f * (cx[q] * ux + cy[q] * uy);
    float feq = w[q] * rho * (1.f + cu + .5f * cu * cu - usq);
    dst[at(p, q, x, y)] = f[q] + p.omega * (feq - f[q]);
  }
}

__global__ void velocity(const float *f, const Cell *cells, float2 *u, Params p) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= p.nx || y >= p.ny) return;
  float r = 0, a = 0, b = 0;
  for (int q = 0; q < Q; q++) { float v = f[at(p, q, x, y)]; r += v; a += v * cx[q]; b += v * cy[q]; }
  u[y * p.nx + x] = cells[y * p.nx + x] == Cell::Fluid ? make_float2(a / r, b / r) : make_float2(0, 0);
}

int main(int argc, char **argv) {
  Params p{48, 40, 1.2f, 0.1f};
  int steps = argc > 1 ? std::stoi(argv[1]) : 30;
  const int hcx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, hcy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const int hopp[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const float hw[Q] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
  CUDA_CHECK(cudaMemcpyToSymbol(cx, hcx, sizeof hcx));
  CUDA_CHECK(cudaMemcpyToSymbol(cy, hcy, sizeof hcy));
  CUDA_CHECK(cudaMemcpyToSymbol(opp, hopp, sizeof hopp));
  CUDA_CHECK(cudaMemcpyToSymbol(w, hw, sizeof hw));
  std::vector<Cell> cells(p.nx * p.ny, Cell::Fluid);
  for (int x = 0; x < p.nx; x++) { cells[x] = Cell::Wall; cells[(p.ny - 1) * p.nx + x] = Cell::Lid; }
  for (int y = 0; y < p.ny; y++) cells[y * p.nx] = cells[y * p.nx + p.nx - 1] = Cell::Wall;
  DeviceArray<Cell> dcells(cells.size());
  dcells.upload(cells);
  DeviceArray<float> a(Q * cells.size()), b(Q * cells.size());
  DeviceArray<float2> u(cells.size());
  dim3 block(32, 8), grid((p.nx + 31) / 32, (p.ny + 7) / 8);
  init<<<grid, block>>>(a, p);
  init<<<grid, block>>>(b, p);
  float *src = a, *dst = b;
  for (int i = 0; i < steps; i++) { stepKernel<<<grid, block>>>(src, dst, dcells, p); std::swap(src, dst); }
  velocity<<<grid, block>>>(src, dcells, u, p);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  auto h = u.download();
  double sum = 0, peak = 0;
  for (auto &v : h) { sum += v.x; peak = std::fmax(peak, std::hypot(v.x, v.y)); }
  printf("steps %d  sum ux %.5f  peak %.4f\n", steps, sum, peak);
  for (int y = p.ny - 2; y > 0; y -= 6) {
    for (int x = 4; x < p.nx; x += 10) printf("(%7.4f,%7.4f) ", h[y * p.nx + x].x, h[y * p.nx + x].y);
    printf("\n");
  }
}
