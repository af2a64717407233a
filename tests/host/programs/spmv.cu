#include <cstdio>
#include <vector>

template <typename T>
__global__ void spmvCsrVector(int rows, const int *__restrict__ offsets, const int *__restrict__ columns, const T *__restrict__ values, const T *__restrict__ x, T *__restrict__ y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows) return;
    T sum = 0;
    for (int e = offsets[row] + lane; e < offsets[row + 1]; e += 32) sum += values[e] * x[columns[e]];
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}

template <class T> T *upload(const std::vector<T> &v) {
    T *p = nullptr;
    cudaMalloc(&p, sizeof(T) * v.size());
    cudaMemcpy(p, v.data(), sizeof(T) * v.size(), cudaMemcpyHostToDevice);
    return p;
}

int main() {
    const int rows = 500, cols = 400;
    std::vector<int> offsets{0}, columns;
    std::vector<double> values, x(cols), y(rows);
    for (int i = 0; i < cols; ++i) x[i] = i % 5 - 1;
    for (int r = 0; r < rows; ++r) {
        for (int c = r % 7; c < cols; c += 3 + r % 19) columns.push_back(c), values.push_back((r + c) % 4);
        offsets.push_back((int)columns.size());
    }
    int *dO = upload(offsets), *dC = upload(columns);
    double *dV = upload(values), *dX = upload(x), *dY = upload(y);
    spmvCsrVector<<<(rows * 32 + 127) / 128, 128>>>(rows, dO, dC, dV, dX, dY);
    cudaMemcpy(y.data(), dY, rows * sizeof(double), cudaMemcpyDeviceToHost);
    int wrong = 0;
    double total = 0;
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int e = offsets[r]; e < offsets[r + 1]; ++e) sum += values[e] * x[columns[e]];
        wrong += sum != y[r];
        total += y[r];
    }
    printf("%zu entries, total %.1f, y[123] = %.1f, %d wrong\n", columns.size(), total, y[123], wrong);
    cudaFree(dO); cudaFree(dC); cudaFree(dV); cudaFree(dX); cudaFree(dY);
    return wrong;
}
