// Two streams that wait for one another by events; host functions; memory from the stream's pool.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *p, int n, int value) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = value + i;
}
__global__ void addInto(const int *a, const int *b, int *sum, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum[i] = a[i] + b[i];
}
void CUDART_CB note(void *data) { ++*static_cast<int *>(data); }

int main() {
    const int n = 5000;
    int *a, *b, *sum, *host, notes = 0;
    cudaStream_t one, two;
    cudaEvent_t ready;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaMallocAsync(&a, n * sizeof(int), one);
    cudaMallocAsync(&b, n * sizeof(int), two);
    cudaMalloc(&sum, n * sizeof(int));
    cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocDefault);
    fill<<<1, 128, 0, one>>>(a, n, 100);
    cudaEventRecord(ready, one);
    fill<<<1, 128, 0, two>>>(b, n, 1000);
    cudaStreamWaitEvent(two, ready, 0);
    addInto<<<1, 256, 0, two>>>(a, b, sum, n);
    cudaMemcpyAsync(host, sum, n * sizeof(int), cudaMemcpyDeviceToHost, two);
    cudaLaunchHostFunc(two, note, &notes);
    cudaFreeAsync(b, two);
    cudaStreamSynchronize(two);
    cudaFreeAsync(a, one);
    cudaStreamSynchronize(one);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += host[i] != 1100 + 2 * i;
    printf("%d wrong, %d note, last %d, %s\n", wrong, notes, host[n - 1], cudaGetErrorString(cudaStreamQuery(two)));
    cudaEventDestroy(ready);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFree(sum);
    cudaFreeHost(host);
    return wrong;
}
