#include <cstdio>
#include <cstring>
#include <vector>
__constant__ float coef[8];
__global__ void scale(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = x[i] * coef[i & 7] + 1; }
__global__ void volume(cudaPitchedPtr p, int w, int h, int d) { int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y; if (x < w) { char *slice = (char *)p.ptr + z * p.pitch * h; float *row = (float *)(slice + y * p.pitch); row[x] += x + 10 * y + 100 * z; } }
static int calls = 0;
void CUDART_CB done(cudaStream_t, cudaError_t status, void *data) { calls += *(int *)data; }
void CUDART_CB host(void *data) { calls += *(int *)data; }
int main() {
    cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0); printf("map %d, managed %d\n", prop.canMapHostMemory, prop.managedMemory);
    const int n = 1000; float *h, *dev; cudaHostAlloc(&h, n * 4, cudaHostAllocMapped | cudaHostAllocPortable); cudaHostGetDevicePointer(&dev, h, 0);
    for (int i = 0; i < n; i++) h[i] = i;
    float c[8] = {1, 2, 3, 4, 5, 6, 7, 8}; cudaStream_t s[2]; for (auto &x : s) cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
    cudaMemcpyToSymbolAsync(coef, c, sizeof c, 0, cudaMemcpyHostToDevice, s[0]);
    scale<<<4, 256, 0, s[0]>>>(dev, n);
    int one = 1, ten = 10; cudaStreamAddCallback(s[0], done, &one, 0); cudaLaunchHostFunc(s[0], host, &ten);
    cudaEvent_t e; cudaEventCreateWithFlags(&e, cudaEventDisableTiming); cudaEventRecord(e, s[0]); cudaStreamWaitEvent(s[1], e, 0);
    scale<<<4, 256, 0, s[1]>>>(dev, n); cudaStreamSynchronize(s[1]);
    double sum = 0; for (int i = 0; i < n; i++) sum += h[i]; printf("%.0f %d %s\n", sum, calls, cudaGetErrorName(cudaEventQuery(e)));
    cudaExtent ext = make_cudaExtent(20 * 4, 5, 3); cudaPitchedPtr p; cudaMalloc3D(&p, ext); cudaMemset3D(p, 0, ext);
    volume<<<dim3(5, 3), 32>>>(p, 20, 5, 3);
    std::vector<float> v(300); cudaMemcpy3DParms m = {0}; m.srcPtr = p; m.dstPtr = make_cudaPitchedPtr(v.data(), 80, 20, 5); m.extent = ext; m.kind = cudaMemcpyDeviceToHost; cudaMemcpy3D(&m);
    sum = 0; for (int i = 0; i < 300; i++) sum += v[i] * (i % 7); printf("%.0f pitch %d xsize %zu\n", sum, (int)(p.pitch % 4 == 0), p.xsize);
    float *reg = new float[n]; memset(reg, 0, n * 4); cudaHostRegister(reg, n * 4, cudaHostRegisterDefault); cudaMemcpyAsync(reg, dev, n * 4, cudaMemcpyDefault, s[0]); cudaStreamSynchronize(s[0]); printf("%.0f %.0f\n", reg[1], reg[999]); cudaHostUnregister(reg); delete[] reg;
    cudaPointerAttributes at; cudaPointerGetAttributes(&at, h); printf("type %d same %d\n", (int)at.type, at.devicePointer == dev);
    float *pool; cudaMallocAsync(&pool, 4000, s[0]); cudaMemsetAsync(pool, 0, 4000, s[0]); cudaMemcpyAsync(pool, h, 4000, cudaMemcpyHostToDevice, s[0]); scale<<<4, 256, 0, s[0]>>>(pool, n); cudaMemcpyAsync(h, pool, 4000, cudaMemcpyDeviceToHost, s[0]); cudaFreeAsync(pool, s[0]); cudaStreamSynchronize(s[0]); sum = 0; for (int i = 0; i < n; i++) sum += h[i]; printf("%.0f\n", sum);
    int lo, hi; cudaDeviceGetStreamPriorityRange(&lo, &hi); cudaStream_t pr; cudaStreamCreateWithPriority(&pr, cudaStreamNonBlocking, hi); int got; cudaStreamGetPriority(pr, &got); printf("%d %d\n", lo, got == hi);
    for (auto x : s) cudaStreamDestroy(x); cudaStreamDestroy(pr); cudaEventDestroy(e); cudaFree(p.ptr); cudaFreeHost(h); printf("%s\n", cudaGetErrorString(cudaDeviceReset()));
}
