// Kernels in the manner of llm.c: packed loads, bfloat16 parameters, fused classifier, AdamW.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <type_traits>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

#define WARP_SIZE 32U
template<class T> __host__ __device__ T ceil_div(T dividend, T divisor) { return (dividend + divisor - 1) / divisor; }
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

inline void cuda_check_(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) { printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error)); exit(EXIT_FAILURE); }
}
#define cudaCheck(err) (cuda_check_(err, __FILE__, __LINE__))

typedef __nv_bfloat16 floatX;

template<class ElementType>
struct alignas(16) Packed128 {
    Packed128() = default;
    __device__ explicit Packed128(int4 bits) {
        static_assert(sizeof(bits) == sizeof(payload), "Size mismatch.");
        memcpy(&payload, &bits, sizeof(bits));
    }
    __device__ static Packed128 constant(ElementType value) {
        Packed128 result;
        for (int k = 0; k < size; ++k) result.payload[k] = value;
        return result;
    }
    __device__ static Packed128 zeros() { return constant(0.f); }
    __device__ static Packed128 ones() { return constant(1.f); }
    __device__ ElementType& operator[](int index) { return payload[index]; }
    __device__ const ElementType& operator[](int index) const { return payload[index]; }
    __device__ int4 get_bits() const {
        int4 bits;
        static_assert(sizeof(bits) == sizeof(payload), "Size mismatch.");
        memcpy(&bits, &payload, sizeof(bits));
        return bits;
    }
    static constexpr const size_t size = sizeof(int4) / sizeof(ElementType);
    ElementType payload[size];
};
template<class ElementType> __device__ Packed128<ElementType> load128(const ElementType* address) {
    return Packed128<ElementType>{*reinterpret_cast<const int4*>(address)};
}
template<class ElementType> __device__ Packed128<ElementType> load128cs(const ElementType* address) {
    return Packed128<ElementType>{__ldcs(reinterpret_cast<const int4*>(address))};
}
template<class ElementType> __device__ void store128(ElementType* target, Packed128<ElementType> value) {
    *reinterpret_cast<int4*>(target) = value.get_bits();
}
template<class ElementType> __device__ void store128cs(ElementType* target, Packed128<ElementType> value) {
    __stcs(reinterpret_cast<int4*>(target), value.get_bits());
}
typedef Packed128<float> f128;
typedef Packed128<floatX> x128;

enum class DType : uint8_t { FP32, FP16, BF16 };
inline DType dtype_of(float*) { return DType::FP32; }
inline DType dtype_of(__nv_bfloat16*) { return DType::BF16; }

__device__ float warpReduceSum(float val) {
    for (int offset = 16; offset > 0; offset /= 2) val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
    return val;
}
__device__ float warpReduceMax(float val) {
    for (int offset = 16; offset > 0; offset /= 2) val = fmaxf(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
    return val;
}
using reduction_func_t = float (*)(float);
template<reduction_func_t warp_reduction>
__device__ inline float blockReduce(float val, bool final_sync = false, float out_of_bounds = 0.0f) {
    __shared__ float shared_val[WARP_SIZE];
    const int lane_id = threadIdx.x % WARP_SIZE;
    const int warp_id = threadIdx.x / WARP_SIZE;
    const int num_warps = blockDim.x / WARP_SIZE;
    float warp_val = warp_reduction(val);
    if (lane_id == 0) { shared_val[warp_id] = warp_val; }
    __syncthreads();
    warp_val = (lane_id < num_warps) ? shared_val[lane_id] : out_of_bounds;
    float block_val = warp_reduction(warp_val);
    if (final_sync) __syncthreads();
    return block_val;
}

__device__ __host__ constexpr unsigned int SquirrelNoise5(unsigned int positionX, unsigned int seed) {
    constexpr unsigned int SQ5_BIT_NOISE1 = 0xd2a80a3f;
    constexpr unsigned int SQ5_BIT_NOISE2 = 0xa884f197;
    constexpr unsigned int SQ5_BIT_NOISE3 = 0x6C736F4B;
    unsigned int mangledBits = positionX;
    mangledBits *= SQ5_BIT_NOISE1;
    mangledBits += seed;
    mangledBits ^= (mangledBits >> 9);
    mangledBits += SQ5_BIT_NOISE2;
    mangledBits ^= (mangledBits >> 11);
    mangledBits *= SQ5_BIT_NOISE3;
    mangledBits ^= (mangledBits >> 13);
    return mangledBits;
}
__device__ __forceinline__ void stochastic_rounding(float in, __nv_bfloat16 *out, unsigned int seed) {
    unsigned int random = SquirrelNoise5(threadIdx.x + blockIdx.x * blockDim.x, seed);
    unsigned int threshold = random & 0xFFFF;
    unsigned int float_bits = __float_as_uint(in);
    unsigned int rounded_bits = float_bits & 0x0000FFFF;
    float_bits = (rounded_bits > threshold) ? (float_bits | 0xFFFF) : (float_bits & ~0xFFFF);
    *out = __float2bfloat16_rn(__uint_as_float(float_bits));
}
__device__ __forceinline__ void stochastic_rounding(float in, float *out, unsigned int random) { *out = in; }

__global__ void encoder_forward_kernel3(floatX* out, const int* inp, const floatX* wte, const floatX* wpe, int B, int T, int C) {
    int idx = (blockIdx.x * blockDim.x + threadIdx.x) * x128::size;
    int N = B * T * C;
    if (idx >= N) { return; }
    int bt = idx / C;
    int b = bt / T;
    int t = bt % T;
    int c = idx % C;
    int ix = inp[b * T + t];
    floatX* out_btc = out + b * T * C + t * C + c;
    const floatX* wte_ix = wte + ix * C + c;
    const floatX* wpe_tc = wpe + t * C + c;
    x128 packed_out;
    x128 wte128 = load128cs(wte_ix);
    x128 wpe128 = load128cs(wpe_tc);
    for (int k = 0; k < x128::size; k++) packed_out[k] = (floatX)((float)wte128[k] + (float)wpe128[k]);
    store128(out_btc, packed_out);
}

__global__ void layernorm_forward_kernel3(floatX* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd,
                                          const floatX* __restrict__ inp, const floatX* __restrict__ weight,
                                          const floatX* __restrict__ bias, int N, int C) {
    int lane_id = threadIdx.x % WARP_SIZE;
    int warp_id = threadIdx.x / WARP_SIZE;
    int num_warps = blockDim.x / WARP_SIZE;
    int idx = blockIdx.x * num_warps + warp_id;
    if (idx >= N) { return; }
    const floatX* x = inp + idx * C;
    float sum = 0.0f;
    for (int i = lane_id; i < C; i += WARP_SIZE) sum += (float)x[i];
    sum = warpReduceSum(sum);
    float m = sum / C;
    if (lane_id == 0 && mean != nullptr) __stcs(mean + idx, m);
    sum = 0.0f;
    for (int i = lane_id; i < C; i += WARP_SIZE) { float diff = (float)x[i] - m; sum += diff * diff; }
    sum = warpReduceSum(sum);
    float s = rsqrtf(sum / C + 1e-5f);
    if (lane_id == 0 && rstd != nullptr) __stcs(rstd + idx, s);
    floatX* o = out + idx * C;
    for (int c = lane_id; c < C; c += WARP_SIZE) {
        float n = s * ((float)__ldcs(x + c) - m);
        __stcs(o + c, (floatX)(n * (float)weight[c] + (float)bias[c]));
    }
}

#define GELU_SCALING_FACTOR sqrtf(2.0f / M_PI)
__global__ void gelu_forward_kernel2(floatX* out, const floatX* inp) {
    int idx = (blockIdx.x * blockDim.x + threadIdx.x) * x128::size;
    x128 packed_out;
    x128 packed_inp = load128cs(inp + idx);
    for (int k = 0; k < packed_inp.size; ++k) {
        float xi = (float)packed_inp[k];
        float cube = 0.044715f * xi * xi * xi;
        packed_out[k] = (floatX)(0.5f * xi * (1.0f + tanhf(GELU_SCALING_FACTOR * (xi + cube))));
    }
    store128(out + idx, packed_out);
}

struct SoftmaxParams { float Scale; float Offset; };
__device__ SoftmaxParams prepare_softmax_blockwide3(int64_t idx, const floatX* inp, int V, int P) {
    const floatX* x = inp + idx * P;
    float thread_maxval = -INFINITY;
    float thread_sumval = 0.0f;
    int i = (V + x128::size - 1) / x128::size + threadIdx.x - blockDim.x;
    while ((i + 1) * x128::size > V) {
        for (int k = 0; k < x128::size; ++k) {
            if (i * x128::size + k >= V) break;
            float v = (float)x[i * x128::size + k];
            float old_maxval = thread_maxval;
            thread_maxval = fmaxf(thread_maxval, v);
            thread_sumval *= expf((old_maxval - thread_maxval));
            thread_sumval += expf(v - thread_maxval);
        }
        i -= blockDim.x;
    }
    for (; i >= 0; i -= blockDim.x) {
        x128 packed_x = load128(x + i * x128::size);
        for (int k = 0; k < x128::size; ++k) {
            float v = (float)packed_x[k];
            float old_maxval = thread_maxval;
            thread_maxval = fmaxf(thread_maxval, v);
            thread_sumval *= expf((old_maxval - thread_maxval));
            thread_sumval += expf(v - thread_maxval);
        }
    }
    float block_maxval = blockReduce<warpReduceMax>(thread_maxval, false, -FLT_MAX);
    thread_sumval *= expf(thread_maxval - block_maxval);
    float block_sumval = blockReduce<warpReduceSum>(thread_sumval);
    return SoftmaxParams{1.f / block_sumval, block_maxval};
}

template <bool WriteDLogits = true, bool WriteProbs = false>
__global__ void __launch_bounds__(256, 2)
    fused_classifier_kernel5(floatX* logits, float* losses, floatX* probs, const float dloss, const int* targets,
                             int B, int T, int V, int P, std::bool_constant<WriteDLogits>) {
    int64_t idx = gridDim.x - (blockIdx.x + 1);
    int ix = targets[idx];
    SoftmaxParams sp = prepare_softmax_blockwide3(idx, logits, V, P);
    if (threadIdx.x == 0) {
        float prob = expf((float)logits[idx * P + ix] - sp.Offset) * sp.Scale;
        losses[idx] -= logf(prob);
    }
    if constexpr (!WriteDLogits) { return; }
    const floatX* logits_vec = logits + idx * P;
    for (int i = threadIdx.x; i < V / x128::size; i += blockDim.x) {
        x128 packed_logits_vec = load128(logits_vec + i * x128::size);
        x128 packed_probs;
        for (int k = 0; k < x128::size; ++k) {
            int element = i * x128::size + k;
            float prob = expf((float)packed_logits_vec[k] - sp.Offset) * sp.Scale;
            packed_probs[k] = (floatX)prob;
            float indicator = (element == ix) ? 1.0f : 0.0f;
            packed_logits_vec[k] = (floatX)((prob - indicator) * dloss);
        }
        if constexpr (WriteDLogits) store128cs(logits + idx * P + i * x128::size, packed_logits_vec);
        if constexpr (WriteProbs) store128(probs + idx * P + i * x128::size, packed_probs);
    }
    int unaligned_start = V & ~(x128::size - 1);
    for (int i = threadIdx.x + unaligned_start; i < V; i++) {
        float prob = expf((float)logits_vec[i] - sp.Offset) * sp.Scale;
        float indicator = (i == ix) ? 1.0f : 0.0f;
        float dlogit = (prob - indicator) * dloss;
        if constexpr (WriteDLogits) __stcs(logits + idx * P + i, (floatX)dlogit);
        if constexpr (WriteProbs) probs[idx * P + i] = (floatX)prob;
    }
}

__device__ float lerp(float start, float end, float weight) { return fma(weight, end, fma(-weight, start, start)); }

template <typename Tp, typename Tg>
__device__ void adamw_update(Tp* params_memory, float* master_params_memory, Tg* grads_memory, float* m_memory, float* v_memory,
                             size_t num_parameters, float learning_rate, float beta1, float beta2, float beta1_correction,
                             float beta2_correction, float eps, float weight_decay, float grad_scale, unsigned int seed) {
    size_t idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= num_parameters) { return; }
    float grad = grad_scale * (float)grads_memory[idx];
    float m = m_memory[idx];
    float v = v_memory[idx];
    m = lerp(grad, m, beta1);
    m_memory[idx] = m;
    v = lerp(grad * grad, v, beta2);
    v_memory[idx] = v;
    m /= beta1_correction;
    v /= beta2_correction;
    float old_param = (master_params_memory != NULL) ? master_params_memory[idx] : (float)params_memory[idx];
    float param = old_param - (learning_rate * (m / (sqrtf(v) + eps) + weight_decay * old_param));
    stochastic_rounding(param, &params_memory[idx], seed);
    if (master_params_memory != NULL) { master_params_memory[idx] = param; }
}
template <typename Tp, typename Tg>
__global__ void adamw_kernel3(Tp* params_memory, float* master_params_memory, Tg* grads_memory, float* m_memory, float* v_memory,
                              size_t num_parameters, ptrdiff_t w_stride, ptrdiff_t g_stride, ptrdiff_t s_stride,
                              float learning_rate, float beta1, float beta2, float beta1_correction, float beta2_correction,
                              float eps, float weight_decay, float grad_scale, unsigned int seed) {
    adamw_update(params_memory + blockIdx.y * w_stride,
                 master_params_memory ? master_params_memory + blockIdx.y * s_stride : NULL,
                 grads_memory + blockIdx.y * g_stride, m_memory + blockIdx.y * s_stride, v_memory + blockIdx.y * s_stride,
                 num_parameters, learning_rate, beta1, beta2, beta1_correction, beta2_correction, eps, weight_decay, grad_scale, seed);
}

template<class T>
__device__ float global_norm_squared_for_range(const T* data, size_t count) {
    size_t index = blockIdx.x * blockDim.x + threadIdx.x;
    size_t grid_width = blockDim.x * gridDim.x;
    float accumulator = 0.f;
    for (size_t i = index; i < count; i += grid_width) accumulator += (float)data[i] * (float)data[i];
    return blockReduce<warpReduceSum>(accumulator);
}
template<class T>
__global__ void global_norm_squared_kernel(float* out, const T* data, size_t count, ptrdiff_t stride) {
    float block_sum = global_norm_squared_for_range(data + blockIdx.y * stride, count);
    if (threadIdx.x == 0) out[blockIdx.y * gridDim.x + blockIdx.x] += block_sum;
}
__global__ void global_norm_aggregate_kernel(float* out, size_t grid_size) {
    size_t index = threadIdx.x;
    float block_sum = (index < grid_size) ? out[index] : 0.f;
    float sum = blockReduce<warpReduceSum>(block_sum);
    if (threadIdx.x == 0) out[0] = sum;
}

__global__ void softmax_forward_kernel4(floatX* out, float inv_temperature, const floatX* inp, int N, int T) {
    assert(T % 4 == 0);
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N * T) return;
    int own_pos = idx % T;
    int pos_by_4 = own_pos / 4;
    const floatX* x = inp + idx * T;
    float maxval = -FLT_MAX, sumval = 0.0f;
    const floatX* x_aligned = reinterpret_cast<const floatX*>(__builtin_assume_aligned(x, 16));
    for (int i = warp.thread_rank(); i < pos_by_4; i += warp.size()) {
        float regarray[4];
        for (int k = 0; k < 4; ++k) regarray[k] = (float)x_aligned[4 * i + k];
        float old_maxval = maxval;
        for (int k = 0; k < 4; ++k) maxval = fmaxf(maxval, regarray[k]);
        sumval *= expf(inv_temperature * (old_maxval - maxval));
        for (int k = 0; k < 4; ++k) sumval += expf(inv_temperature * (regarray[k] - maxval));
    }
    if (4 * pos_by_4 + warp.thread_rank() <= own_pos) {
        float old_maxval = maxval;
        maxval = fmaxf(maxval, (float)x[4 * pos_by_4 + warp.thread_rank()]);
        sumval *= expf(inv_temperature * (old_maxval - maxval));
        sumval += expf(inv_temperature * ((float)x[4 * pos_by_4 + warp.thread_rank()] - maxval));
    }
    float global_maxval = cg::reduce(warp, maxval, cg::greater<float>{});
    sumval *= expf(inv_temperature * (maxval - global_maxval));
    float sum = cg::reduce(warp, sumval, cg::plus<float>{});
    float norm = 1.f / sum;
    for (int i = warp.thread_rank(); i <= own_pos; i += warp.size()) {
        float ev = expf(inv_temperature * ((float)__ldcs(x + i) - global_maxval));
        __stcs(out + idx * T + i, (floatX)(ev * norm));
    }
}

static uint64_t rng_state = 1337;
static float frand() {
    rng_state ^= rng_state >> 12; rng_state ^= rng_state << 25; rng_state ^= rng_state >> 27;
    return ((uint32_t)((rng_state * 0x2545F4914F6CDD1Dull) >> 32) >> 8) / 16777216.0f - 0.5f;
}
template<class T> T* to_device(const T* host, size_t n) {
    T* d; cudaCheck(cudaMalloc(&d, n * sizeof(T))); cudaCheck(cudaMemcpy(d, host, n * sizeof(T), cudaMemcpyHostToDevice)); return d;
}
template<class T> double checksum(const T* d, size_t n) {
    T* h = (T*)malloc(n * sizeof(T));
    cudaCheck(cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost));
    double s = 0; for (size_t i = 0; i < n; i++) s += (double)(float)h[i] * (1 + (i % 7));
    free(h); return s;
}

int main() {
    const int B = 2, T = 16, C = 64, V = 1001, P = 1024, N = B * T;
    floatX *wte_h = (floatX*)malloc(V * C * sizeof(floatX)), *wpe_h = (floatX*)malloc(T * C * sizeof(floatX));
    for (int i = 0; i < V * C; i++) wte_h[i] = (floatX)frand();
    for (int i = 0; i < T * C; i++) wpe_h[i] = (floatX)frand();
    int tokens[N], targets[N];
    for (int i = 0; i < N; i++) { tokens[i] = (i * 37 + 11) % V; targets[i] = (i * 53 + 5) % V; }
    floatX* wte = to_device(wte_h, V * C); floatX* wpe = to_device(wpe_h, T * C);
    int* tok = to_device(tokens, N); int* tgt = to_device(targets, N);
    floatX* enc; cudaCheck(cudaMalloc((void**)&enc, N * C * sizeof(floatX)));
    encoder_forward_kernel3<<<CEIL_DIV(N * C, 128 * (int)x128::size), 128>>>(enc, tok, wte, wpe, B, T, C);
    cudaCheck(cudaGetLastError());
    printf("encoder %.6f (%d)\n", checksum(enc, N * C), (int)dtype_of(enc));
    floatX wb[2 * C]; for (int i = 0; i < 2 * C; i++) wb[i] = (floatX)(i < C ? 1.0f + frand() : frand());
    floatX* ln_w = to_device(wb, C); floatX* ln_b = to_device(wb + C, C);
    floatX* ln; float *mean, *rstd;
    cudaCheck(cudaMalloc(&ln, N * C * sizeof(floatX))); cudaCheck(cudaMalloc(&mean, N * 4)); cudaCheck(cudaMalloc(&rstd, N * 4));
    layernorm_forward_kernel3<<<ceil_div(N, 4), 128>>>(ln, mean, rstd, enc, ln_w, ln_b, N, C);
    cudaCheck(cudaGetLastError());
    printf("layernorm %.5f %.5f %.4f\n", checksum(ln, N * C), checksum(mean, N), checksum(rstd, N));
    floatX* ge; cudaCheck(cudaMalloc(&ge, N * C * sizeof(floatX)));
    gelu_forward_kernel2<<<N * C / (int)(64 * x128::size), 64>>>(ge, ln);
    printf("gelu %.4f\n", checksum(ge, N * C));
    floatX* logits_h = (floatX*)malloc(N * P * sizeof(floatX));
    for (int i = 0; i < N * P; i++) logits_h[i] = (floatX)(8 * frand());
    floatX* logits = to_device(logits_h, N * P);
    float *losses; cudaCheck(cudaMalloc(&losses, N * 4)); cudaCheck(cudaMemset(losses, 0, N * 4));
    floatX* probs; cudaCheck(cudaMalloc(&probs, N * P * sizeof(floatX))); cudaCheck(cudaMemset(probs, 0, N * P * sizeof(floatX)));
    fused_classifier_kernel5<true, true><<<N, 64>>>(logits, losses, probs, 1.0f / N, tgt, B, T, V, P, std::bool_constant<true>{});
    cudaCheck(cudaGetLastError());
    printf("losses %.4f probs %.3f\n", checksum(losses, N), checksum(probs, N * P));
    const int np = 1000, layers = 3;
    floatX* par_h = (floatX*)malloc(np * layers * sizeof(floatX)); float* g_h = (float*)malloc(np * layers * 4);
    for (int i = 0; i < np * layers; i++) { par_h[i] = (floatX)frand(); g_h[i] = frand(); }
    floatX* par = to_device(par_h, np * layers); float* grad = to_device(g_h, np * layers);
    float *m, *v; cudaCheck(cudaMalloc(&m, np * layers * 4)); cudaCheck(cudaMalloc(&v, np * layers * 4));
    cudaCheck(cudaMemset(m, 0, np * layers * 4)); cudaCheck(cudaMemset(v, 0, np * layers * 4));
    for (int t = 1; t <= 3; t++)
        adamw_kernel3<<<dim3(CEIL_DIV(np, 512), layers), 512>>>(par, (float*)nullptr, grad, m, v, np, np, np, np, 1e-2f, 0.9f, 0.999f,
            1 - powf(0.9f, t), 1 - powf(0.999f, t), 1e-8f, 0.01f, 1.0f, (unsigned)t);
    cudaCheck(cudaGetLastError());
    printf("adamw %.2f m %.4f v %.5f\n", checksum(par, np * layers), checksum(m, np * layers), checksum(v, np * layers));
    float* norm; cudaCheck(cudaMalloc(&norm, 64 * 4)); cudaCheck(cudaMemset(norm, 0, 64 * 4));
    global_norm_squared_kernel<<<dim3(4, layers), 256>>>(norm, grad, np, np);
    global_norm_aggregate_kernel<<<1, 64>>>(norm, 4 * layers);
    float hn; cudaCheck(cudaMemcpy(&hn, norm, 4, cudaMemcpyDeviceToHost));
    printf("grad norm %.4f\n", sqrtf(hn));
    floatX* att_h = (floatX*)malloc(4 * T * T * sizeof(floatX)); for (int i = 0; i < 4 * T * T; i++) att_h[i] = (floatX)(4 * frand());
    floatX* att_in = to_device(att_h, 4 * T * T); floatX* att; cudaCheck(cudaMalloc(&att, 4 * T * T * sizeof(floatX)));
    cudaCheck(cudaMemset(att, 0, 4 * T * T * sizeof(floatX)));
    softmax_forward_kernel4<<<CEIL_DIV(4 * T, 4), 128>>>(att, 0.25f, att_in, 4, T);
    cudaCheck(cudaDeviceSynchronize());
    printf("softmax %.4f\n", checksum(att, 4 * T * T));
    return 0;
}
