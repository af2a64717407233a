#include <cstdio>
#include <cmath>
#include <vector>
#include <cufft.h>
#define CUFFT_CHECK(call) do { cufftResult r_ = (call); if (r_ != CUFFT_SUCCESS) { printf("cuFFT error %d at line %d\n", (int)r_, __LINE__); return 1; } } while (0)
__global__ void multiply(cufftComplex *a, const cufftComplex *b, int n, float scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { cufftComplex x = a[i], y = b[i]; a[i].x = scale * (x.x * y.x - x.y * y.y); a[i].y = scale * (x.x * y.y + x.y * y.x); }
}
__global__ void poisson(cufftDoubleComplex *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, half = n / 2 + 1;
    if (i < half && j < n) { double kx = i, ky = j < n / 2 ? j : j - n, k2 = kx * kx + ky * ky; double s = k2 == 0 ? 0 : -1.0 / (k2 * n * n); f[j * half + i].x *= s; f[j * half + i].y *= s; }
}
int main() {
    const int n = 1000;
    std::vector<cufftComplex> h(n);
    for (int i = 0; i < n; i++) h[i] = {(float)std::sin(0.1 * i) + (i % 10 == 0), 0.5f * (i % 3)};
    std::vector<cufftComplex> k(n, cufftComplex{0, 0}); k[0].x = 0.5f; k[1].x = k[n - 1].x = 0.25f;
    cufftComplex *d, *e; cudaMalloc(&d, n * sizeof *d); cudaMalloc(&e, n * sizeof *e);
    cudaMemcpy(d, h.data(), n * sizeof *d, cudaMemcpyHostToDevice); cudaMemcpy(e, k.data(), n * sizeof *d, cudaMemcpyHostToDevice);
    cufftHandle plan; CUFFT_CHECK(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
    CUFFT_CHECK(cufftExecC2C(plan, d, d, CUFFT_FORWARD)); CUFFT_CHECK(cufftExecC2C(plan, e, e, CUFFT_FORWARD));
    multiply<<<(n + 255) / 256, 256>>>(d, e, n, 1.0f / n);
    CUFFT_CHECK(cufftExecC2C(plan, d, d, CUFFT_INVERSE));
    std::vector<cufftComplex> r(n); cudaMemcpy(r.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost);
    float worst = 0; for (int i = 0; i < n; i++) { int l = (i + n - 1) % n, q = (i + 1) % n; worst = fmaxf(worst, fabsf(r[i].x - (0.5f * h[i].x + 0.25f * (h[l].x + h[q].x)))); worst = fmaxf(worst, fabsf(r[i].y - (0.5f * h[i].y + 0.25f * (h[l].y + h[q].y)))); }
    printf("filter %s %.3f %.3f\n", worst < 1e-5 ? "agrees" : "differs", r[10].x, r[11].y);
    CUFFT_CHECK(cufftDestroy(plan));
    const int m = 32; double *field; cufftDoubleComplex *spec;
    cudaMallocManaged(&field, m * m * 8); cudaMalloc(&spec, m * (m / 2 + 1) * sizeof *spec);
    for (int y = 0; y < m; y++) for (int x = 0; x < m; x++) field[y * m + x] = -5 * sin(2 * M_PI * x / m) * cos(2 * M_PI * 2 * y / m);
    cufftHandle fwd, inv; CUFFT_CHECK(cufftPlan2d(&fwd, m, m, CUFFT_D2Z)); CUFFT_CHECK(cufftPlan2d(&inv, m, m, CUFFT_Z2D));
    cudaStream_t s; cudaStreamCreate(&s); cufftSetStream(fwd, s); cufftSetStream(inv, s);
    CUFFT_CHECK(cufftExecD2Z(fwd, field, spec));
    poisson<<<dim3(2, 4), dim3(16, 8), 0, s>>>(spec, m);
    CUFFT_CHECK(cufftExecZ2D(inv, spec, field)); cudaStreamSynchronize(s);
    double err = 0; for (int y = 0; y < m; y++) for (int x = 0; x < m; x++) err = fmax(err, fabs(field[y * m + x] - sin(2 * M_PI * x / m) * cos(2 * M_PI * 2 * y / m)));
    printf("poisson %s %.4f\n", err < 1e-12 ? "solved" : "differs", field[3 * m + 5]);
    int dims[1] = {64}; cufftHandle many; size_t size = 0;
    CUFFT_CHECK(cufftPlanMany(&many, 1, dims, NULL, 1, 64, NULL, 1, 33, CUFFT_R2C, 4)); cufftGetSize(many, &size);
    float *rows; cufftComplex *out; cudaMallocManaged(&rows, 4 * 64 * 4); cudaMallocManaged(&out, 4 * 33 * sizeof *out);
    for (int b = 0; b < 4; b++) for (int i = 0; i < 64; i++) rows[b * 64 + i] = cosf(2 * (float)M_PI * (b + 1) * i / 64) + b;
    CUFFT_CHECK(cufftExecR2C(many, rows, out)); cudaDeviceSynchronize();
    for (int b = 0; b < 4; b++) printf("%.2f %.2f ", out[b * 33].x, out[b * 33 + b + 1].x); printf("\n");
    // Columns of a matrix: strided
    int cdim[1] = {16}, embed[1] = {16};
    cufftHandle cols; CUFFT_CHECK(cufftPlanMany(&cols, 1, cdim, embed, 8, 1, embed, 8, 1, CUFFT_Z2Z, 8));
    cufftDoubleComplex *z; cudaMallocManaged(&z, 16 * 8 * sizeof *z);
    for (int i = 0; i < 128; i++) z[i] = {(double)(i * i % 17), (double)(i % 5)};
    CUFFT_CHECK(cufftExecZ2Z(cols, z, z, CUFFT_FORWARD)); cudaDeviceSynchronize();
    printf("%.4f %.4f %.4f %.4f\n", z[0].x, z[9].y, z[70].x, z[127].y);
    int version; cufftGetVersion(&version); printf("%d\n", version > 10000);
    printf("%d %d\n", (int)cufftPlan1d(&plan, 0, CUFFT_C2C, 1), (int)cufftExecC2C(999, d, d, CUFFT_FORWARD));
    cufftDestroy(fwd); cufftDestroy(inv); cufftDestroy(many); cufftDestroy(cols);
}
