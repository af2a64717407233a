// Kernels of one name, told apart by the type of a pointer to each.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <math.h>
#define THREAD_N 64
__global__ void simple_kernel(const int *pIn, int *pOut, int a) {
  __shared__ int sData[THREAD_N];
  int tid = threadIdx.x + blockDim.x * blockIdx.x;
  sData[threadIdx.x] = pIn[tid];
  __syncthreads();
  pOut[tid] = sData[threadIdx.x] * a + tid;
}
__global__ void simple_kernel(const int2 *pIn, int *pOut, int a) {
  __shared__ int2 sData[THREAD_N];
  int tid = threadIdx.x + blockDim.x * blockIdx.x;
  sData[threadIdx.x] = pIn[tid];
  __syncthreads();
  pOut[tid] = (sData[threadIdx.x].x + sData[threadIdx.x].y) * a + tid;
}
__global__ void simple_kernel(const int *pIn1, const int *pIn2, int *pOut, int a) {
  __shared__ int sData1[THREAD_N];
  __shared__ int sData2[THREAD_N];
  int tid = threadIdx.x + blockDim.x * blockIdx.x;
  sData1[threadIdx.x] = pIn1[tid];
  sData2[threadIdx.x] = pIn2[tid];
  __syncthreads();
  pOut[tid] = (sData1[threadIdx.x] + sData2[threadIdx.x]) * a + tid;
}
#define OUTPUT_ATTR(attr)                                        \
  printf("Shared Size:   %d\n", (int)attr.sharedSizeBytes);       \
  printf("Constant Size: %d\n", (int)attr.constSizeBytes);        \
  printf("Local Size:    %d\n", (int)attr.localSizeBytes);        \
  printf("Max Threads Per Block: %d\n", attr.maxThreadsPerBlock);
int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  if (prop.major < 2) { printf("skip\n"); return 0; }
  cudaSetDevice(0);
  int *hIn, *hOut; int *dIn, *dOut;
  const int N = 256, DIV = 4;
  cudaMallocHost(&hIn, sizeof(int) * N * 2);
  cudaMallocHost(&hOut, sizeof(int) * N);
  cudaMalloc(&dIn, sizeof(int) * N * 2);
  cudaMalloc(&dOut, sizeof(int) * N);
  for (int i = 0; i < N * 2; i++) hIn[i] = (i * 7919) % 101;
  cudaMemcpy(dIn, hIn, sizeof(int) * N * 2, cudaMemcpyHostToDevice);
  void (*func1)(const int *, int *, int) = simple_kernel;
  void (*func2)(const int2 *, int *, int) = simple_kernel;
  void (*func3)(const int *, const int *, int *, int) = simple_kernel;
  struct cudaFuncAttributes attr;
  int a = 3; bool ok = true;
  memset(&attr, 0, sizeof(attr));
  cudaFuncSetCacheConfig(*func1, cudaFuncCachePreferShared);
  cudaFuncGetAttributes(&attr, *func1);
  OUTPUT_ATTR(attr);
  (*func1)<<<DIV, N / DIV>>>(dIn, dOut, a);
  cudaMemcpy(hOut, dOut, sizeof(int) * N, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) ok &= hOut[i] == hIn[i] * a + i;
  cudaFuncGetAttributes(&attr, *func2);
  OUTPUT_ATTR(attr);
  (*func2)<<<DIV, N / DIV>>>((int2 *)dIn, dOut, a);
  cudaMemcpy(hOut, dOut, sizeof(int) * N, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) ok &= hOut[i] == (hIn[2 * i] + hIn[2 * i + 1]) * a + i;
  cudaFuncGetAttributes(&attr, *func3);
  (*func3)<<<DIV, N / DIV>>>(dIn, dIn + N, dOut, a);
  cudaMemcpy(hOut, dOut, sizeof(int) * N, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) ok &= hOut[i] == (hIn[i] + hIn[i + N]) * a + i;
  cudaFreeHost(hIn); cudaFreeHost(hOut); cudaFree(dIn); cudaFree(dOut);
  printf("%s\n", ok ? "passed" : "FAILED");
  exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
