// A product of matrices with shared memory is compared with cuBLAS; power iteration and least squares on vectors.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cublas_v2.h>

#define TILE 16

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / TILE; ++t) {
        sa[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
        sb[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += sa[threadIdx.y][k] * sb[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void double_all(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

int main() {
    const int n = 64;
    std::vector<float> a(n * n), b(n * n), own(n * n), theirs(n * n);
    for (int i = 0; i < n * n; ++i) a[i] = (i * 7 % 13) / 8.0f - 0.5f, b[i] = (i * 5 % 11) / 4.0f - 1.0f;
    float *da, *db, *dc, *dd;
    for (float **p : {&da, &db, &dc, &dd}) cudaMalloc((void **)p, n * n * sizeof(float));
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return EXIT_FAILURE;
    cublasSetMatrix(n, n, sizeof(float), a.data(), n, da, n);
    cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
    // Row by row as our kernel has them, so the operands change places.
    const float one = 1.0f, zero = 0.0f;
    cublasStatus_t status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, db, n, da, n, &zero, dd, n);
    cudaMemcpy(own.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(theirs.data(), dd, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    float worst = 0;
    for (int i = 0; i < n * n; ++i) worst = fmaxf(worst, fabsf(own[i] - theirs[i]));
    printf("status %d, differs by less than 1e-3: %d, c[5][7] = %.3f\n", status, worst < 1e-3f, theirs[5 * n + 7]);

    // Transposed operands, and half of the result kept.
    const float half = 0.5f;
    cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, da, n, db, n, &half, dd, n);
    cudaMemcpy(theirs.data(), dd, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.3f %.3f\n", theirs[0], theirs[n * n - 1]);

    float sum, norm, product;
    int largest, least;
    cublasSasum(handle, n * n, da, 1, &sum);
    cublasSnrm2(handle, n, da, n, &norm);
    cublasSdot(handle, n, da, 1, db, -2, &product);
    cublasIsamax(handle, n * n, db, 1, &largest);
    printf("asum %.3f, nrm2 %.4f, dot %.4f, largest at %d, %s\n", sum, norm, product, largest,
           cublasIsamin(handle, n, da, 3, &least) ? "error" : "no error");
    const float third = 1.0f / 3;
    cublasSscal(handle, n, &third, da, 1);
    cublasSaxpy(handle, n, &one, db, 2, da, 1);
    double_all<<<1, 64>>>(da, n);
    cublasSgemv(handle, CUBLAS_OP_T, n, n, &one, db, n, da, 1, &zero, dc, 1);
    cublasSger(handle, n, n, &half, da, 1, dc, 1, db, n);
    cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, db, n, &zero, db, n, dd, n);
    std::vector<float> y(n), z(n * n);
    cublasGetVector(n, sizeof(float), dc, 1, y.data(), 1);
    cublasGetMatrix(n, n, sizeof(float), dd, n, z.data(), n);
    printf("%.3f %.3f, %.3f %.3f\n", y[0], y[n - 1], z[1], z[n]);

    // Results and factors on the device, in a stream.
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cublasSetStream(handle, stream);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    float *scalar, on_host;
    cudaMalloc(&scalar, sizeof(float));
    cublasSdot(handle, n, dc, 1, dc, 1, scalar);
    cublasSscal(handle, n, scalar, dc, 1);
    cudaMemcpyAsync(&on_host, dc, sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%.3e\n", on_host);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);

    double *x, h[32];
    cudaMalloc(&x, sizeof h);
    for (int i = 0; i < 32; ++i) h[i] = 1.0 / (1 + (i * 5) % 8);
    cublasSetVector(32, sizeof(double), h, 1, x, 1);
    const double alpha = 2, beta = 0;
    cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &alpha, x, 2, 4, x, 2, 4, &beta, x + 16, 2, 4, 4);
    cublasGetVector(32, sizeof(double), x, 1, h, 1);
    printf("%.4f %.4f %.4f\n", h[16], h[21], h[31]);
    cublasDestroy(handle);
    cudaStreamDestroy(stream);
    cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dd), cudaFree(scalar), cudaFree(x);
    return 0;
}
