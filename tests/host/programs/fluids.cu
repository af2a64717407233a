// Fields in time: lattice Boltzmann (D2Q9, two arrays swapped), waves with constant stencils, multigrid, cyclic reduction.
#include <cstdio>
#include <cmath>
#include <utility>
#include <vector>
#include <string>
#include <array>
using real = float;
constexpr int Q = 9, NX = 48, NY = 32;
__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int opp[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ real wt[Q] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
enum Cell : char { FLUID, WALL, INLET };
struct Field { real *f; __device__ __host__ Field(real *f) : f(f) {} __device__ real &operator()(int q, int x, int y) { return f[(q * NY + y) * NX + x]; } __device__ real operator()(int q, int x, int y) const { return f[(q * NY + y) * NX + x]; } };
__device__ real feq(int q, real rho, real ux, real uy) { real cu = 3 * (cx[q] * ux + cy[q] * uy); return wt[q] * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy)); }
__global__ void init(Field f, const Cell *type) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x < NX && y < NY) for (int q = 0; q < Q; ++q) f(q, x, y) = feq(q, 1.0f, type[y * NX + x] == WALL ? 0 : 0.08f, 0); }
__global__ void step(const Field src, Field dst, const Cell *type, float2 *u, real omega) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= NX || y >= NY) return;
    Cell me = type[y * NX + x]; real f[Q], rho = 0, ux = 0, uy = 0;
    if (me == WALL) return;
#pragma unroll
    for (int q = 0; q < Q; ++q) { int sx = (x - cx[q] + NX) % NX, sy = (y - cy[q] + NY) % NY; f[q] = type[sy * NX + sx] == WALL ? src(opp[q], x, y) : src(q, sx, sy); rho += f[q]; ux += f[q] * cx[q]; uy += f[q] * cy[q]; }
    ux /= rho; uy /= rho; if (me == INLET) { rho = 1; ux = 0.08f; uy = 0; }
#pragma unroll
    for (int q = 0; q < Q; ++q) dst(q, x, y) = me == INLET ? feq(q, rho, ux, uy) : f[q] + omega * (feq(q, rho, ux, uy) - f[q]);
    u[y * NX + x] = make_float2(ux, uy);
}
__constant__ float coef[5];
template <int R> __global__ void wave(const float *__restrict__ p, float *__restrict__ q, int nx, int ny, float c2) {
    __shared__ float s[16 + 2 * R][32 + 2 * R];
    int gx = blockIdx.x * 32 + threadIdx.x, gy = blockIdx.y * 16 + threadIdx.y, lx = threadIdx.x + R, ly = threadIdx.y + R;
    auto at = [&](int x, int y) -> float { return x < 0 || y < 0 || x >= nx || y >= ny ? 0.f : p[y * nx + x]; };
    s[ly][lx] = at(gx, gy);
    if (threadIdx.x < R) { s[ly][threadIdx.x] = at(gx - R, gy); s[ly][lx + 32] = at(gx + 32, gy); }
    if (threadIdx.y < R) { s[threadIdx.y][lx] = at(gx, gy - R); s[ly + 16][lx] = at(gx, gy + 16); }
    __syncthreads();
    if (gx >= nx || gy >= ny) return;
    float l = 2 * coef[0] * s[ly][lx];
#pragma unroll
    for (int r = 1; r <= R; ++r) l += coef[r] * (s[ly][lx - r] + s[ly][lx + r] + s[ly - r][lx] + s[ly + r][lx]);
    q[gy * nx + gx] = 2 * s[ly][lx] - q[gy * nx + gx] + c2 * l;
}
__global__ void smooth(double *u, const double *f, int n, double h2, int colour) { int i = blockIdx.x * blockDim.x + threadIdx.x + 1; if (i < n && (i & 1) == colour) u[i] = 0.5 * (u[i - 1] + u[i + 1] + h2 * f[i]); }
__global__ void restrict_(const double *u, const double *f, double *fc, double *uc, int nc, double h2) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > nc) return; uc[i] = 0; auto r = [&](int k) { return f[k] + (u[k - 1] - 2 * u[k] + u[k + 1]) / h2; }; fc[i] = i == 0 || i == nc ? 0 : 0.25 * (r(2 * i - 1) + 2 * r(2 * i) + r(2 * i + 1)); }
__global__ void prolong(double *u, const double *uc, int nc) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= nc) return; u[2 * i] += uc[i]; u[2 * i + 1] += 0.5 * (uc[i] + uc[i + 1]); }
void vcycle(std::vector<double *> &u, std::vector<double *> &f, int level, int n) {
    double h2 = 1.0 / n / n; int b = (n + 63) / 64;
    auto sm = [&](int k) { while (k--) for (int c : {1, 0}) smooth<<<b, 64>>>(u[level], f[level], n, h2, c); };
    if (n <= 2) { sm(2); return; }
    sm(2); restrict_<<<n / 128 + 1, 64>>>(u[level], f[level], f[level + 1], u[level + 1], n / 2, h2); vcycle(u, f, level + 1, n / 2); prolong<<<n / 128 + 1, 64>>>(u[level], u[level + 1], n / 2); sm(2);
}
__global__ void pcr(const float *a, const float *b, const float *c, const float *d, float *x, int n) {
    extern __shared__ float sh[]; float *sa = sh, *sb = sa + n, *sc = sb + n, *sd = sc + n; int i = threadIdx.x;
    sa[i] = a[i]; sb[i] = b[i]; sc[i] = c[i]; sd[i] = d[i]; __syncthreads();
    for (int s = 1; s < n; s *= 2) {
        float na = 0, nb = sb[i], nc = 0, nd = sd[i];
        if (i - s >= 0) { float k = sa[i] / sb[i - s]; na = -sa[i - s] * k; nb -= sc[i - s] * k; nd -= sd[i - s] * k; }
        if (i + s < n) { float k = sc[i] / sb[i + s]; nc = -sc[i + s] * k; nb -= sa[i + s] * k; nd -= sd[i + s] * k; }
        __syncthreads(); sa[i] = na; sb[i] = nb; sc[i] = nc; sd[i] = nd; __syncthreads();
    }
    x[i] = sd[i] / sb[i];
}
int main() {
    std::vector<Cell> type(NX * NY, FLUID); for (int x = 0; x < NX; ++x) type[x] = type[(NY - 1) * NX + x] = WALL; for (int y = 1; y < NY - 1; ++y) type[y * NX] = INLET;
    for (int y = 0; y < NY; ++y) for (int x = 0; x < NX; ++x) if ((x - 12) * (x - 12) + (y - 15) * (y - 15) < 20) type[y * NX + x] = WALL;
    Cell *dt; real *a, *b; float2 *u; cudaMalloc(&dt, NX * NY); cudaMemcpy(dt, type.data(), NX * NY, cudaMemcpyHostToDevice); cudaMalloc(&a, Q * NX * NY * sizeof(real)); cudaMalloc(&b, Q * NX * NY * sizeof(real)); cudaMalloc(&u, NX * NY * 8); cudaMemset(u, 0, NX * NY * 8); cudaMemset(b, 0, Q * NX * NY * sizeof(real));
    dim3 blk(16, 8), grd(NX / 16, NY / 8); init<<<grd, blk>>>(a, dt); init<<<grd, blk>>>(b, dt);
    for (int t = 0; t < 12; ++t, std::swap(a, b)) step<<<grd, blk>>>(a, b, dt, u, 1.2f);
    std::vector<float2> hu(NX * NY); cudaMemcpy(hu.data(), u, NX * NY * 8, cudaMemcpyDeviceToHost); for (int x = 2; x < NX; x += 9) printf("(%.4f %.4f) ", hu[10 * NX + x].x, hu[10 * NX + x].y); puts("");
    float hc[5] = {-2.5f, 4.f / 3, -1.f / 12, 0, 0}; cudaMemcpyToSymbol(coef, hc, sizeof hc); const int nx = 70, ny = 45; std::vector<float> p(nx * ny); for (int y = 0; y < ny; ++y) for (int x = 0; x < nx; ++x) p[y * nx + x] = expf(-0.05f * ((x - 30) * (x - 30) + (y - 20) * (y - 20)));
    float *w0, *w1; cudaMalloc(&w0, nx * ny * 4); cudaMalloc(&w1, nx * ny * 4); cudaMemcpy(w0, p.data(), nx * ny * 4, cudaMemcpyHostToDevice); cudaMemcpy(w1, w0, nx * ny * 4, cudaMemcpyDeviceToDevice);
    for (int t = 0; t < 15; ++t, std::swap(w0, w1)) wave<2><<<dim3((nx + 31) / 32, (ny + 15) / 16), dim3(32, 16)>>>(w0, w1, nx, ny, 0.2f);
    cudaMemcpy(p.data(), w0, nx * ny * 4, cudaMemcpyDeviceToHost); for (int i = 20 * nx + 30; i < 20 * nx + 60; i += 6) printf("%.4f ", p[i]); puts("");
    std::vector<double *> us, fs; for (int n = 256; n >= 2; n /= 2) { double *x, *y; cudaMallocManaged(&x, (n + 1) * 8); cudaMallocManaged(&y, (n + 1) * 8); cudaMemset(x, 0, (n + 1) * 8); cudaMemset(y, 0, (n + 1) * 8); us.push_back(x); fs.push_back(y); } cudaDeviceSynchronize();
    for (int i = 0; i <= 256; ++i) fs[0][i] = M_PI * M_PI * sin(M_PI * i / 256); for (int k = 0; k < 6; ++k) vcycle(us, fs, 0, 256); cudaDeviceSynchronize(); double err = 0; for (int i = 0; i <= 256; ++i) err = fmax(err, fabs(us[0][i] - sin(M_PI * i / 256))); printf("multigrid error %.2e, middle %.6f\n", err, us[0][128]);
    const int n = 128; std::array<std::vector<float>, 4> tri; for (auto &v : tri) v.resize(n); for (int i = 0; i < n; ++i) { tri[0][i] = i ? -1 : 0; tri[1][i] = 4; tri[2][i] = i < n - 1 ? -1 : 0; tri[3][i] = i % 7; } float *dv[5]; for (int k = 0; k < 5; ++k) { cudaMalloc(&dv[k], n * 4); if (k < 4) cudaMemcpy(dv[k], tri[k].data(), n * 4, cudaMemcpyHostToDevice); }
    pcr<<<1, n, 4 * n * sizeof(float)>>>(dv[0], dv[1], dv[2], dv[3], dv[4], n); std::vector<float> x(n); cudaMemcpy(x.data(), dv[4], n * 4, cudaMemcpyDeviceToHost); float worst = 0; for (int i = 0; i < n; ++i) { float r = 4 * x[i] - (i ? x[i - 1] : 0) - (i < n - 1 ? x[i + 1] : 0) - tri[3][i]; worst = fmaxf(worst, fabsf(r)); } printf("tridiagonal residual below 1e-5: %d, %.4f\n", worst < 1e-5f, x[60]);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
