// A thread of the host for each device.
#include <cstdio>
#include <thread>
#include <vector>
#include <mutex>
#include <atomic>
#include <cuda_runtime.h>
typedef struct { int dataN; float *h_Data; float *h_Sum; float *d_Data; float *d_Sum; float *h_Sum_from_device; cudaStream_t stream; } TGPUplan;
__global__ static void reduceKernel(float *d_Result, float *d_Input, int N) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x, threadN = gridDim.x * blockDim.x;
  float sum = 0;
  for (int pos = tid; pos < N; pos += threadN) sum += d_Input[pos];
  d_Result[tid] = sum;
}
const int MAX_GPU_COUNT = 4, DATA_N = 4096;
int main(int argc, char **argv) {
  TGPUplan plan[MAX_GPU_COUNT];
  const int BLOCK_N = 4, THREAD_N = 64, ACCUM_N = BLOCK_N * THREAD_N;
  int gpus; cudaGetDeviceCount(&gpus);
  if (gpus > MAX_GPU_COUNT) gpus = MAX_GPU_COUNT;
  for (int i = 0; i < gpus; i++)
    for (int j = 0; j < gpus; j++)
      if (i != j) { int can; cudaDeviceCanAccessPeer(&can, i, j); if (can) { cudaSetDevice(i); cudaDeviceEnablePeerAccess(j, 0); } }
  for (int i = 0; i < gpus; i++) plan[i].dataN = DATA_N / gpus;
  for (int i = 0; i < DATA_N % gpus; i++) plan[i].dataN++;
  for (int i = 0; i < gpus; i++) {
    cudaSetDevice(i);
    cudaStreamCreate(&plan[i].stream);
    cudaMalloc((void **)&plan[i].d_Data, plan[i].dataN * sizeof(float));
    cudaMalloc((void **)&plan[i].d_Sum, ACCUM_N * sizeof(float));
    cudaMallocHost((void **)&plan[i].h_Sum_from_device, ACCUM_N * sizeof(float));
    cudaMallocHost((void **)&plan[i].h_Data, plan[i].dataN * sizeof(float));
    for (int j = 0; j < plan[i].dataN; j++) plan[i].h_Data[j] = (float)(j % 7);
  }
  std::vector<std::thread> workers;
  std::atomic<int> done{0};
  std::mutex m; double total = 0;
  for (int i = 0; i < gpus; i++)
    workers.emplace_back([&, i] {
      cudaSetDevice(i);
      cudaMemcpyAsync(plan[i].d_Data, plan[i].h_Data, plan[i].dataN * sizeof(float), cudaMemcpyHostToDevice, plan[i].stream);
      reduceKernel<<<BLOCK_N, THREAD_N, 0, plan[i].stream>>>(plan[i].d_Sum, plan[i].d_Data, plan[i].dataN);
      cudaMemcpyAsync(plan[i].h_Sum_from_device, plan[i].d_Sum, ACCUM_N * sizeof(float), cudaMemcpyDeviceToHost, plan[i].stream);
      cudaStreamSynchronize(plan[i].stream);
      float sum = 0;
      for (int j = 0; j < ACCUM_N; j++) sum += plan[i].h_Sum_from_device[j];
      std::lock_guard<std::mutex> lock(m);
      total += sum; done++;
    });
  for (auto &w : workers) w.join();
  printf("total %.0f workers %s\n", total, done == gpus ? "all" : "not all");
  for (int i = 0; i < gpus; i++) {
    cudaSetDevice(i);
    cudaFreeHost(plan[i].h_Sum_from_device); cudaFreeHost(plan[i].h_Data);
    cudaFree(plan[i].d_Sum); cudaFree(plan[i].d_Data); cudaStreamDestroy(plan[i].stream);
  }
  int driver; cudaDriverGetVersion(&driver); printf("driver %s\n", driver >= 10000 ? "new" : "old");
  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
  int chosen; cudaChooseDevice(&chosen, &p); printf("chosen %d %d\n", chosen, p.major >= 3);
  return 0;
}
