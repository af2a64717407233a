#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
struct Work { int id; int *data; int n; long sum; };
void CUDART_CB add_up(void *user) {
    Work *w = (Work *)user;
    w->sum = 0;
    for (int i = 0; i < w->n; ++i) w->sum += w->data[i];
}
void CUDART_CB finished(cudaStream_t stream, cudaError_t status, void *user) {
    Work *w = (Work *)user;
    printf("stream %d finished: %s, sum %ld\n", w->id, cudaGetErrorString(status), w->sum);
}
__global__ void produce(int *p, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i % k;
}
__global__ void consume(const int *a, const int *b, int *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] * b[i];
}
int main() {
    const int n = 4096;
    int least, greatest;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaStream_t s[3];
    for (int i = 0; i < 3; ++i) cudaStreamCreateWithPriority(&s[i], cudaStreamNonBlocking, i == 2 ? greatest : least);
    cudaEvent_t ready[2], begin, end;
    for (auto &e : ready) cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventCreate(&begin); cudaEventCreate(&end);
    int *d[3], *h[3];
    std::vector<Work> work(3);
    for (int i = 0; i < 3; ++i) {
        cudaMallocAsync(&d[i], n * sizeof(int), s[i]);
        cudaMallocHost(&h[i], n * sizeof(int));
        work[i] = {i, h[i], n, 0};
    }
    cudaEventRecord(begin, s[2]);
    for (int i = 0; i < 2; ++i) {
        produce<<<n / 256, 256, 0, s[i]>>>(d[i], n, 10 + i);
        cudaEventRecord(ready[i], s[i]);
        cudaStreamWaitEvent(s[2], ready[i], 0);
    }
    cudaEvent_t allocated;
    cudaEventCreate(&allocated);
    consume<<<n / 256, 256, 0, s[2]>>>(d[0], d[1], d[2], n);
    cudaEventRecord(allocated, s[2]);
    for (int i = 0; i < 3; ++i) {
        cudaMemcpyAsync(h[i], d[i], n * sizeof(int), cudaMemcpyDeviceToHost, s[i]);
        cudaLaunchHostFunc(s[i], add_up, &work[i]);
        cudaStreamAddCallback(s[i], finished, &work[i], 0);
        cudaStreamSynchronize(s[i]);
        printf("query: %s\n", cudaGetErrorName(cudaStreamQuery(s[i])));
    }
    cudaEventRecord(end, s[2]);
    cudaEventSynchronize(end);
    float ms = -1;
    cudaEventElapsedTime(&ms, begin, end);
    printf("time is positive: %d, %s\n", ms > 0, cudaGetErrorName(cudaEventQuery(end)));
    for (int i = 0; i < 3; ++i) { cudaFreeAsync(d[i], s[i]); cudaStreamSynchronize(s[i]); cudaFreeHost(h[i]); cudaStreamDestroy(s[i]); }
    for (auto e : {ready[0], ready[1], begin, end, allocated}) cudaEventDestroy(e);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
