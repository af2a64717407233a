#include <cstdio>

#define CHECK(x) check((x), #x, __LINE__)
static void check(cudaError_t e, const char *what, int line) {
    if (e == cudaSuccess) return;
    printf("line %d: %s: %s\n", line, what, cudaGetErrorString(e));
    std::exit(1);
}

__global__ void square(float *data, int offset) {
    int i = offset + blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = data[i] * data[i];
}

int main() {
    const int nStreams = 4, n = 1 << 16, chunk = n / nStreams;
    float *a, *d;
    CHECK(cudaMallocHost((void **)&a, n * sizeof(float)));
    CHECK(cudaMalloc((void **)&d, n * sizeof(float)));
    for (int i = 0; i < n; ++i) a[i] = i % 1000;
    cudaStream_t stream[nStreams];
    for (auto &s : stream) CHECK(cudaStreamCreate(&s));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin, 0));
    for (int i = 0; i < nStreams; ++i) {
        int offset = i * chunk;
        CHECK(cudaMemcpyAsync(&d[offset], &a[offset], chunk * sizeof(float), cudaMemcpyHostToDevice, stream[i]));
        square<<<chunk / 256, 256, 0, stream[i]>>>(d, offset);
        CHECK(cudaMemcpyAsync(&a[offset], &d[offset], chunk * sizeof(float), cudaMemcpyDeviceToHost, stream[i]));
    }
    CHECK(cudaEventRecord(end, 0));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += a[i] != float(i % 1000) * float(i % 1000);
    printf("%d wrong of %d, the time is %s\n", wrong, n, ms > 0 ? "positive" : "not positive");
    for (auto s : stream) CHECK(cudaStreamDestroy(s));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(a));
    return wrong != 0;
}
