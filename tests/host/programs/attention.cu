// A small transformer layer: layer norm, attention with an online softmax, GELU, AdamW; half2 and float in turns.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <vector>
#include <cstdio>
#include <cmath>
#include <cassert>
#include <cfloat>
namespace cg = cooperative_groups;
#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))
inline void cudaCheck_(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) { printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error)); exit(EXIT_FAILURE); }
}
#define cudaCheck(err) (cudaCheck_(err, __FILE__, __LINE__))
__global__ void layernorm_forward(float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd, const float *__restrict__ inp, const float *__restrict__ weight, const float *__restrict__ bias, int N, int C) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N) return;
    const float *x = inp + idx * C;
    float sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) sum += x[i];
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float m = sum / C;
    if (warp.thread_rank() == 0 && mean != nullptr) __stcs(mean + idx, m);
    sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) { float diff = x[i] - m; sum += diff * diff; }
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float s = rsqrtf(sum / C + 1e-5f);
    if (warp.thread_rank() == 0 && rstd != nullptr) __stcs(rstd + idx, s);
    float *o = out + idx * C;
    for (int c = warp.thread_rank(); c < C; c += warp.size()) { float n = s * (__ldcs(x + c) - m); __stcs(o + c, n * weight[c] + bias[c]); }
}
struct SumMax { float maxval, sum; };
__device__ __forceinline__ SumMax reduce_sum_max_op(SumMax a, SumMax b) {
    bool a_bigger = (a.maxval > b.maxval);
    SumMax bigger = a_bigger ? a : b, smaller = a_bigger ? b : a, res;
    res.maxval = bigger.maxval;
    res.sum = bigger.sum + (smaller.sum * expf(smaller.maxval - bigger.maxval));
    return res;
}
__global__ void softmax_online(float *out, const float *inp, int N, int C) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N) return;
    const float *x = inp + idx * C;
    SumMax sm_partial; sm_partial.maxval = -INFINITY; sm_partial.sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.num_threads()) sm_partial = reduce_sum_max_op(sm_partial, {x[i], 1.0f});
    SumMax sm_total = cg::reduce(warp, sm_partial, reduce_sum_max_op);
    for (int i = warp.thread_rank(); i < C; i += warp.num_threads()) __stcs(out + idx * C + i, expf(x[i] - sm_total.maxval) / sm_total.sum);
}
template <int D> __global__ void attention(const float *q, const float *k, const float *v, float *o, int T) {
    extern __shared__ float smem[];
    float *sk = smem, *sv = smem + 32 * D;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float acc[D], qr[D], m = -FLT_MAX, l = 0;
#pragma unroll
    for (int d = 0; d < D; d++) { acc[d] = 0; qr[d] = t < T ? q[t * D + d] : 0; }
    for (int base = 0; base < T; base += 32) {
        for (int i = threadIdx.x; i < 32 * D; i += blockDim.x) { int r = base + i / D; sk[i] = r < T ? k[r * D + i % D] : 0; sv[i] = r < T ? v[r * D + i % D] : 0; }
        __syncthreads();
        for (int j = 0; j < 32 && base + j < T; j++) {
            if (base + j > t) break;
            float s = 0;
#pragma unroll
            for (int d = 0; d < D; d++) s = fmaf(qr[d], sk[j * D + d], s);
            s *= rsqrtf((float)D);
            float mn = fmaxf(m, s), c = __expf(m - mn), p = __expf(s - mn);
            l = l * c + p;
#pragma unroll
            for (int d = 0; d < D; d++) acc[d] = acc[d] * c + p * sv[j * D + d];
            m = mn;
        }
        __syncthreads();
    }
    if (t < T) for (int d = 0; d < D; d++) o[t * D + d] = acc[d] / l;
}
#define GELU_SCALING_FACTOR sqrtf(2.0f / M_PI)
__global__ void gelu(__half2 *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float2 f = __half22float2(x[i]); auto g = [](float xi) { float cube = 0.044715f * xi * xi * xi; return 0.5f * xi * (1.0f + tanhf(GELU_SCALING_FACTOR * (xi + cube))); }; x[i] = __floats2half2_rn(g(f.x), g(f.y)); }
}
__device__ inline float lerp(float start, float end, float weight) { return fma(weight, end, fma(-weight, start, start)); }
__global__ void adamw(float *params, const float *grads, float *m_, float *v_, long n, float lr, float beta1, float beta2, float c1, float c2, float eps, float wd) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float grad = grads[i], m = m_[i], v = v_[i];
    m = lerp(grad, m, beta1); m_[i] = m;
    v = lerp(grad * grad, v, beta2); v_[i] = v;
    m /= c1; v /= c2;
    params[i] -= lr * (m / (sqrtf(v) + eps) + wd * params[i]);
}
static float *upload(const std::vector<float> &h) { float *d; cudaCheck(cudaMalloc(&d, h.size() * sizeof(float))); cudaCheck(cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice)); return d; }
static std::vector<float> download(const float *d, size_t n) { std::vector<float> h(n); cudaCheck(cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost)); return h; }
int main() {
    const int T = 50, C = 96, D = 16;
    std::vector<float> x(T * C), w(C), b(C);
    unsigned long long st = 1337; auto rnd = [&] { st ^= st >> 12; st ^= st << 25; st ^= st >> 27; return ((unsigned)((st * 0x2545F4914F6CDD1Dull) >> 32) >> 8) / 16777216.0f * 2 - 1; };
    for (auto &f : x) f = rnd(); for (auto &f : w) f = rnd(); for (auto &f : b) f = rnd();
    float *dx = upload(x), *dw = upload(w), *db = upload(b), *o, *mean, *rstd;
    cudaCheck(cudaMalloc(&o, T * C * 4)); cudaCheck(cudaMalloc(&mean, T * 4)); cudaCheck(cudaMalloc(&rstd, T * 4));
    layernorm_forward<<<CEIL_DIV(T * 32, 128), 128>>>(o, mean, rstd, dx, dw, db, T, C);
    cudaCheck(cudaGetLastError());
    auto h = download(o, T * C); auto hm = download(mean, T), hs = download(rstd, T);
    for (int i = 0; i < T; i += 17) printf("%.5f %.5f %.5f\n", hm[i], hs[i], h[i * C + 5]);
    softmax_online<<<CEIL_DIV(T * 32, 64), 64>>>(o, dx, T, C); h = download(o, T * C);
    float sum = 0; for (int i = 0; i < C; i++) sum += h[3 * C + i]; printf("%.5f %.6f %.6f\n", sum, h[0], h[T * C - 1]);
    attention<D><<<2, 32, 2 * 32 * D * sizeof(float)>>>(dx, dx + T * D, dx + 2 * T * D, o, T); h = download(o, T * D);
    for (int i = 0; i < T * D; i += 111) printf("%.4f ", h[i]); puts("");
    std::vector<__half> hh(64); for (int i = 0; i < 64; i++) hh[i] = __float2half((i - 32) * 0.125f);
    __half2 *dh; cudaMalloc(&dh, 128); cudaMemcpy(dh, hh.data(), 128, cudaMemcpyHostToDevice); gelu<<<1, 32>>>(dh, 32); cudaMemcpy(hh.data(), dh, 128, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i += 9) printf("%.4f ", __half2float(hh[i])); puts("");
    float *m, *v; cudaMalloc(&m, C * 4); cudaMalloc(&v, C * 4); cudaMemset(m, 0, C * 4); cudaMemset(v, 0, C * 4);
    for (int step = 1; step <= 5; step++) adamw<<<1, 96>>>(dw, db, m, v, C, 1e-2f, 0.9f, 0.999f, 1 - powf(0.9f, step), 1 - powf(0.999f, step), 1e-8f, 0.01f);
    h = download(dw, C); for (int i = 0; i < C; i += 19) printf("%.5f ", h[i]); puts("");
    for (void *p : {(void *)dx, (void *)dw, (void *)db, (void *)o, (void *)mean, (void *)rstd, (void *)dh, (void *)m, (void *)v}) cudaFree(p);
}
