// Memory that streams allocate, from the device's pool and from one of the program's own.
#include <cstdio>
#include <cstdlib>
#include <climits>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorName(e)); exit(1); } } while (0)
__global__ void vectorAddGPU(const float *a, const float *b, float *c, int N) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < N) c[idx] = a[idx] + b[idx];
}
int basic(int nelem, const float *a, const float *b, float *c) {
  float *d_a, *d_b, *d_c;
  size_t bytes = nelem * sizeof(float);
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMallocAsync(&d_a, bytes, stream));
  CHECK(cudaMallocAsync(&d_b, bytes, stream));
  CHECK(cudaMallocAsync(&d_c, bytes, stream));
  CHECK(cudaMemcpyAsync(d_a, a, bytes, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyAsync(d_b, b, bytes, cudaMemcpyHostToDevice, stream));
  dim3 block(256), grid((unsigned)(nelem + 255) / 256);
  vectorAddGPU<<<grid, block, 0, stream>>>(d_a, d_b, d_c, nelem);
  CHECK(cudaFreeAsync(d_a, stream));
  CHECK(cudaFreeAsync(d_b, stream));
  CHECK(cudaMemcpyAsync(c, d_c, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(d_c, stream));
  CHECK(cudaStreamSynchronize(stream));
  double err = 0, ref = 0;
  for (int n = 0; n < nelem; n++) { double diff = c[n] - (a[n] + b[n]); err += diff * diff; ref += (a[n] + b[n]) * (a[n] + b[n]); }
  CHECK(cudaStreamDestroy(stream));
  return err < 1e-6 * ref;
}
int pool(int dev, int nelem, const float *a, const float *b, float *c) {
  size_t bytes = nelem * sizeof(float);
  cudaStream_t stream; cudaMemPool_t memPool; cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start)); CHECK(cudaEventCreate(&end));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaDeviceGetDefaultMemPool(&memPool, dev));
  unsigned long long thresholdVal = ULLONG_MAX;
  CHECK(cudaMemPoolSetAttribute(memPool, cudaMemPoolAttrReleaseThreshold, (void *)&thresholdVal));
  CHECK(cudaEventRecord(start, stream));
  for (int i = 0; i < 3; i++) {
    float *d_a, *d_b, *d_c;
    CHECK(cudaMallocAsync(&d_a, bytes, stream));
    CHECK(cudaMallocAsync(&d_b, bytes, stream));
    CHECK(cudaMallocFromPoolAsync((void **)&d_c, bytes, memPool, stream));
    CHECK(cudaMemcpyAsync(d_a, a, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(d_b, b, bytes, cudaMemcpyHostToDevice, stream));
    vectorAddGPU<<<(nelem + 255) / 256, 256, 0, stream>>>(d_a, d_b, d_c, nelem);
    CHECK(cudaMemcpyAsync(c, d_c, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(d_a, stream)); CHECK(cudaFreeAsync(d_b, stream)); CHECK(cudaFreeAsync(d_c, stream));
    CHECK(cudaStreamSynchronize(stream));
  }
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float ms; CHECK(cudaEventElapsedTime(&ms, start, end));
  unsigned long long used = 1;
  CHECK(cudaMemPoolGetAttribute(memPool, cudaMemPoolAttrUsedMemCurrent, &used));
  printf("used %llu\n", used);
  CHECK(cudaMemPoolTrimTo(memPool, 0));
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = dev;
  cudaMemPool_t own;
  CHECK(cudaMemPoolCreate(&own, &props));
  CHECK(cudaDeviceSetMemPool(dev, own));
  int *p; CHECK(cudaMallocAsync(&p, 400, stream)); CHECK(cudaMemsetAsync(p, 1, 400, stream)); CHECK(cudaFreeAsync(p, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaDeviceSetMemPool(dev, memPool));
  CHECK(cudaMemPoolDestroy(own));
  CHECK(cudaStreamDestroy(stream));
  return ms > 0 && c[5] == a[5] + b[5];
}
int main() {
  int supported = 0;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  printf("pools %d\n", supported);
  const int n = 5000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; i++) { a[i] = i * 0.5f; b[i] = n - i; }
  printf("basic %s\n", basic(n, a.data(), b.data(), c.data()) ? "passed" : "failed");
  printf("pool %s\n", pool(0, n, a.data(), b.data(), c.data()) ? "passed" : "failed");
}
