#include <cstdio>
#include <cstdlib>
#include <cmath>

struct Matrix {
    int width, height;
    float *elements;
};

__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
    float value = 0;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= A.height || col >= B.width) return;
    for (int e = 0; e < A.width; ++e) value += A.elements[row * A.width + e] * B.elements[e * B.width + col];
    C.elements[row * C.width + col] = value;
}

static Matrix toDevice(const Matrix M, bool copy) {
    Matrix D = {M.width, M.height, nullptr};
    size_t size = M.width * M.height * sizeof(float);
    cudaMalloc(&D.elements, size);
    if (copy) cudaMemcpy(D.elements, M.elements, size, cudaMemcpyHostToDevice);
    return D;
}

void MatMul(const Matrix A, const Matrix B, Matrix C) {
    Matrix dA = toDevice(A, true), dB = toDevice(B, true), dC = toDevice(C, false);
    dim3 dimBlock(16, 16);
    dim3 dimGrid((B.width + dimBlock.x - 1) / dimBlock.x, (A.height + dimBlock.y - 1) / dimBlock.y);
    MatMulKernel<<<dimGrid, dimBlock>>>(dA, dB, dC);
    cudaMemcpy(C.elements, dC.elements, C.width * C.height * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(dA.elements);
    cudaFree(dB.elements);
    cudaFree(dC.elements);
}

Matrix filled(int h, int w, int seed) {
    Matrix M = {w, h, (float *)malloc(w * h * sizeof(float))};
    for (int i = 0; i < w * h; ++i) M.elements[i] = (i * seed) % 9 - 4;
    return M;
}

int main() {
    Matrix A = filled(70, 90, 3), B = filled(90, 50, 5), C = filled(70, 50, 0);
    MatMul(A, B, C);
    int wrong = 0;
    double trace = 0;
    for (int i = 0; i < 70; ++i)
        for (int j = 0; j < 50; ++j) {
            float sum = 0;
            for (int k = 0; k < 90; ++k) sum += A.elements[i * 90 + k] * B.elements[k * 50 + j];
            wrong += fabsf(sum - C.elements[i * 50 + j]) > 1e-4f;
            if (i == j) trace += C.elements[i * 50 + j];
        }
    printf("C(0,0) = %g, C(69,49) = %g, trace = %g, wrong = %d\n", C.elements[0], C.elements[70 * 50 - 1], trace, wrong);
    free(A.elements);
    free(B.elements);
    free(C.elements);
    return wrong != 0;
}
