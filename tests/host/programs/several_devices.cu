// Several devices as courses teach them: count, properties, peer access, a device for each thread, OpenMP style loops.
#include <cstdio>
#include <thread>
#include <vector>
#include <mutex>
#include <memory>
#include <functional>
#include <cmath>
__global__ void partial(const float *x, float *out, int n) {
    __shared__ float s[128];
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) { if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k]; __syncthreads(); }
    if (!threadIdx.x) out[blockIdx.x] = s[0];
}
struct Free { void operator()(void *p) const { cudaFree(p); } };
template <class T> using dev_ptr = std::unique_ptr<T[], Free>;
template <class T> dev_ptr<T> make_dev(size_t n) { T *p; if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc(); return dev_ptr<T>(p); }
int main() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) { printf("no device\n"); return 1; }
    printf("at least one device: %d\n", count >= 1);
    for (int d = 0; d < count && d < 1; ++d) {
        cudaDeviceProp p; cudaGetDeviceProperties(&p, d);
        int value; cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, d);
        printf("%d %d %d %d %zu %d\n", p.warpSize, value, p.maxThreadsDim[2], p.unifiedAddressing, p.totalConstMem, p.concurrentKernels);
        cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, d); printf("cooperative %d\n", value);
        size_t free_, total; cudaMemGetInfo(&free_, &total); printf("free below total %d\n", free_ <= total && total > 0);
        int low, high; cudaDeviceGetStreamPriorityRange(&low, &high); printf("priorities %d %d\n", low, high);
    }
    int can = -1; cudaDeviceCanAccessPeer(&can, 0, 0); printf("own peer %d\n", can);
    printf("%s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0))); cudaGetLastError();
    printf("%s\n", cudaGetErrorName(cudaSetDevice(64))); cudaGetLastError();
    const int n = 20000, parts = 3;
    std::vector<float> h(n); for (int i = 0; i < n; ++i) h[i] = (i % 17) * 0.25f;
    std::mutex m; double total = 0; std::vector<std::thread> pool;
    auto work = [&](int k) {
        cudaSetDevice(k % count);
        int from = n * k / parts, to = n * (k + 1) / parts;
        auto x = make_dev<float>(to - from), out = make_dev<float>(8);
        cudaStream_t s; cudaStreamCreate(&s);
        cudaMemcpyAsync(x.get(), h.data() + from, (to - from) * sizeof(float), cudaMemcpyHostToDevice, s);
        partial<<<8, 128, 0, s>>>(x.get(), out.get(), to - from);
        float r[8]; cudaMemcpyAsync(r, out.get(), sizeof r, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s); cudaStreamDestroy(s);
        std::lock_guard<std::mutex> lock(m);
        for (float v : r) total += v;
    };
    for (int k = 0; k < parts; ++k) pool.emplace_back(work, k);
    for (auto &t : pool) t.join();
    printf("total %.2f\n", total);
    std::function<float(float)> f = [](float v) { return std::sqrt(v); };
    float *a, *b; cudaMalloc(&a, 64); cudaMalloc(&b, 64); float q[16]; for (int i = 0; i < 16; ++i) q[i] = f((float)i);
    cudaMemcpy(a, q, 64, cudaMemcpyDefault); cudaMemcpyPeer(b, 0, a, 0, 64); cudaMemcpy(q, b, 64, cudaMemcpyDefault);
    printf("%.4f %.4f\n", q[2], q[15]);
    cudaPointerAttributes at; cudaPointerGetAttributes(&at, a); printf("%d %d\n", at.type == cudaMemoryTypeDevice, at.device);
    int *reg = new int[256]; cudaHostRegister(reg, 1024, cudaHostRegisterMapped); int *dreg; cudaHostGetDevicePointer(&dreg, reg, 0);
    printf("registered %d\n", dreg != nullptr); cudaHostUnregister(reg); delete[] reg;
    printf("%s\n", cudaGetErrorString(cudaDeviceReset()));
}
