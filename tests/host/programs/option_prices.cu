// From the samples: Black-Scholes, binomial options, Haar wavelets, Walsh transforms, sorting networks, quasirandom numbers.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cassert>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#define checkCudaErrors(call) assert((call) == cudaSuccess)
#define getLastCudaError(text) (cudaGetLastError() == cudaSuccess ? (void)0 : (void)puts(text))
namespace cg = cooperative_groups;

__device__ inline float cndGPU(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
  const float RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}
__device__ inline void BlackScholesBodyGPU(float &CallResult, float &PutResult, float S, float X, float T, float R, float V) {
  float sqrtT = __fdividef(1.0F, rsqrtf(T));
  float d1 = __fdividef(__logf(S / X) + (R + 0.5f * V * V) * T, V * sqrtT);
  float d2 = d1 - V * sqrtT;
  float CNDD1 = cndGPU(d1), CNDD2 = cndGPU(d2);
  float expRT = __expf(-R * T);
  CallResult = S * CNDD1 - X * expRT * CNDD2;
  PutResult = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
}
#define DIV_UP(a, b) (((a) + (b)-1) / (b))
__launch_bounds__(128) __global__ void BlackScholesGPU(float2 *__restrict d_CallResult, float2 *__restrict d_PutResult,
                                                       float2 *__restrict d_StockPrice, float2 *__restrict d_OptionStrike,
                                                       float2 *__restrict d_OptionYears, float Riskfree, float Volatility, int optN) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < (optN / 2)) {
    float callResult1, callResult2, putResult1, putResult2;
    BlackScholesBodyGPU(callResult1, putResult1, d_StockPrice[opt].x, d_OptionStrike[opt].x, d_OptionYears[opt].x, Riskfree, Volatility);
    BlackScholesBodyGPU(callResult2, putResult2, d_StockPrice[opt].y, d_OptionStrike[opt].y, d_OptionYears[opt].y, Riskfree, Volatility);
    d_CallResult[opt] = make_float2(callResult1, callResult2);
    d_PutResult[opt] = make_float2(putResult1, putResult2);
  }
}

#define NUM_STEPS 256
#define THREADBLOCK_SIZE 32
#define ELEMS_PER_THREAD (NUM_STEPS / THREADBLOCK_SIZE)
typedef double real;
typedef struct { real S; real X; real vDt; real puByDf; real pdByDf; } __TOptionData;
static __constant__ __TOptionData d_OptionData[64];
static __device__ real d_CallValue[64];
__device__ inline double expiryCallValue(double S, double X, double vDt, int i) {
  double d = S * exp(vDt * (2.0 * i - NUM_STEPS)) - X;
  return (d > 0.0) ? d : 0.0;
}
__global__ void binomialOptionsKernel() {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ real call_exchange[THREADBLOCK_SIZE + 1];
  const int tid = threadIdx.x;
  const real S = d_OptionData[blockIdx.x].S;
  const real X = d_OptionData[blockIdx.x].X;
  const real vDt = d_OptionData[blockIdx.x].vDt;
  const real puByDf = d_OptionData[blockIdx.x].puByDf;
  const real pdByDf = d_OptionData[blockIdx.x].pdByDf;
  real call[ELEMS_PER_THREAD + 1];
#pragma unroll
  for (int i = 0; i < ELEMS_PER_THREAD; ++i) call[i] = expiryCallValue(S, X, vDt, tid * ELEMS_PER_THREAD + i);
  if (tid == 0) call_exchange[THREADBLOCK_SIZE] = expiryCallValue(S, X, vDt, NUM_STEPS);
  int final_it = max(0, tid * ELEMS_PER_THREAD - 1);
#pragma unroll 16
  for (int i = NUM_STEPS; i > 0; --i) {
    call_exchange[tid] = call[0];
    cg::sync(cta);
    call[ELEMS_PER_THREAD] = call_exchange[tid + 1];
    cg::sync(cta);
    if (i > final_it) {
#pragma unroll
      for (int j = 0; j < ELEMS_PER_THREAD; ++j) call[j] = puByDf * call[j + 1] + pdByDf * call[j];
    }
  }
  if (tid == 0) d_CallValue[blockIdx.x] = call[0];
}

#define INV_SQRT_2 0.70710678118654752440f
const unsigned int LOG_NUM_BANKS = 4;
const unsigned int NUM_BANKS = 16;
__global__ void dwtHaar1D(float *id, float *od, float *approx_final, const unsigned int dlevels, const unsigned int slength_step_half, const int bdim) {
  cg::thread_block cta = cg::this_thread_block();
  extern __shared__ float shared[];
  const int gdim = gridDim.x;
  const int bid = blockIdx.x;
  const int tid = threadIdx.x;
  const int tid_global = (bid * bdim) + tid;
  unsigned int idata = (bid * (2 * bdim)) + tid;
  shared[tid] = id[idata];
  shared[tid + bdim] = id[idata + bdim];
  cg::sync(cta);
  float data0 = shared[2 * tid];
  float data1 = shared[(2 * tid) + 1];
  cg::sync(cta);
  od[tid_global + slength_step_half] = (data0 - data1) * INV_SQRT_2;
  unsigned int atid = tid + (tid >> LOG_NUM_BANKS);
  shared[atid] = (data0 + data1) * INV_SQRT_2;
  cg::sync(cta);
  if (dlevels > 1) {
    unsigned int offset_neighbor = 1;
    unsigned int num_threads = bdim >> 1;
    unsigned int idata0 = tid * 2;
    for (unsigned int i = 1; i < dlevels; ++i) {
      if (tid < num_threads) {
        unsigned int idata1 = idata0 + offset_neighbor;
        unsigned int g_wpos = (num_threads * gdim) + (bid * num_threads) + tid;
        unsigned int c_idata0 = idata0 + (idata0 >> LOG_NUM_BANKS);
        unsigned int c_idata1 = idata1 + (idata1 >> LOG_NUM_BANKS);
        od[g_wpos] = (shared[c_idata0] - shared[c_idata1]) * INV_SQRT_2;
        shared[c_idata0] = (shared[c_idata0] + shared[c_idata1]) * INV_SQRT_2;
        num_threads = num_threads >> 1;
        offset_neighbor <<= 1;
        idata0 = idata0 << 1;
      }
      cg::sync(cta);
    }
    if (0 == tid) approx_final[bid] = shared[0];
  }
}

#define ELEMENTARY_LOG2SIZE 11
__global__ void fwtBatch1Kernel(float *d_Output, float *d_Input, int log2N) {
  cg::thread_block cta = cg::this_thread_block();
  const int N = 1 << log2N;
  const int base = blockIdx.x << log2N;
  extern __shared__ float s_data[];
  float *d_Src = d_Input + base;
  float *d_Dst = d_Output + base;
  for (int pos = threadIdx.x; pos < N; pos += blockDim.x) s_data[pos] = d_Src[pos];
  const int pos = threadIdx.x;
  for (int stride = N >> 2; stride > 0; stride >>= 2) {
    int lo = pos & (stride - 1);
    int i0 = ((pos - lo) << 2) + lo;
    int i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    cg::sync(cta);
    float D0 = s_data[i0], D1 = s_data[i1], D2 = s_data[i2], D3 = s_data[i3];
    float T;
    T = D0; D0 = D0 + D2; D2 = T - D2;
    T = D1; D1 = D1 + D3; D3 = T - D3;
    T = D0; s_data[i0] = D0 + D1; s_data[i1] = T - D1;
    T = D2; s_data[i2] = D2 + D3; s_data[i3] = T - D3;
  }
  if (log2N & 1) {
    cg::sync(cta);
    for (int pos = threadIdx.x; pos < N / 2; pos += blockDim.x) {
      int i0 = pos << 1, i1 = i0 + 1;
      float D0 = s_data[i0], D1 = s_data[i1];
      s_data[i0] = D0 + D1; s_data[i1] = D0 - D1;
    }
  }
  cg::sync(cta);
  for (int pos = threadIdx.x; pos < N; pos += blockDim.x) d_Dst[pos] = s_data[pos];
}

typedef unsigned int uint;
#define SHARED_SIZE_LIMIT 256U
__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir) {
  uint t;
  if ((keyA > keyB) == dir) { t = keyA; keyA = keyB; keyB = t; t = valA; valA = valB; valB = t; }
}
__global__ void oddEvenMergeSortShared(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint arrayLength, uint dir) {
  cg::thread_block cta = cg::this_thread_block();
  __shared__ uint s_key[SHARED_SIZE_LIMIT];
  __shared__ uint s_val[SHARED_SIZE_LIMIT];
  d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_SrcKey[0];
  s_val[threadIdx.x + 0] = d_SrcVal[0];
  s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
  s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] = d_SrcVal[(SHARED_SIZE_LIMIT / 2)];
  for (uint size = 2; size <= arrayLength; size <<= 1) {
    uint stride = size / 2;
    uint offset = threadIdx.x & (stride - 1);
    {
      cg::sync(cta);
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], dir);
      stride >>= 1;
    }
    for (; stride > 0; stride >>= 1) {
      cg::sync(cta);
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (offset >= stride) Comparator(s_key[pos - stride], s_val[pos - stride], s_key[pos + 0], s_val[pos + 0], dir);
    }
  }
  cg::sync(cta);
  d_DstKey[0] = s_key[threadIdx.x + 0];
  d_DstVal[0] = s_val[threadIdx.x + 0];
  d_DstKey[(SHARED_SIZE_LIMIT / 2)] = s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
  d_DstVal[(SHARED_SIZE_LIMIT / 2)] = s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}

#define QRNG_DIMENSIONS 3
#define QRNG_RESOLUTION 31
#define INT_SCALE (1.0f / (float)0x80000001U)
static __constant__ unsigned int c_Table[QRNG_DIMENSIONS][QRNG_RESOLUTION];
__global__ void quasirandomGeneratorKernel(float *d_Output, unsigned int seed, unsigned int N) {
  unsigned int *dimBase = &c_Table[threadIdx.y][0];
  unsigned int tid = __mul24(blockDim.x, blockIdx.x) + threadIdx.x;
  unsigned int threadN = __mul24(blockDim.x, gridDim.x);
  for (unsigned int pos = tid; pos < N; pos += threadN) {
    unsigned int result = 0;
    unsigned int data = seed + pos;
    for (int bit = 0; bit < QRNG_RESOLUTION; bit++, data >>= 1)
      if (data & 1) result ^= dimBase[bit];
    d_Output[__mul24(threadIdx.y, N) + pos] = (float)(result + 1) * INT_SCALE;
  }
}
__device__ inline float MoroInvCNDgpu(unsigned int x) {
  const float a1 = 2.50662823884f, a2 = -18.61500062529f, a3 = 41.39119773534f, a4 = -25.44106049637f;
  const float b1 = -8.4735109309f, b2 = 23.08336743743f, b3 = -21.06224101826f, b4 = 3.13082909833f;
  const float c1 = 0.337475482272615f, c2 = 0.976169019091719f, c3 = 0.160797971491821f, c4 = 2.76438810333863E-02f, c5 = 3.8405729373609E-03f;
  const float c6 = 3.951896511919E-04f, c7 = 3.21767881768E-05f, c8 = 2.888167364E-07f, c9 = 3.960315187E-07f;
  float z;
  bool negate = false;
  if (x >= 0x80000000UL) { x = 0xffffffffUL - x; negate = true; }
  const float x1 = 1.0f / static_cast<float>(0xffffffffUL);
  const float x2 = x1 / 2.0f;
  float p1 = x * x1 + x2;
  float p2 = p1 - 0.5f;
  if (fabsf(p2) < 0.42f) {
    z = p2 * p2;
    z = p2 * (((a4 * z + a3) * z + a2) * z + a1) / ((((b4 * z + b3) * z + b2) * z + b1) * z + 1.0f);
  } else {
    z = __logf(-__logf(p1));
    z = -(c1 + z * (c2 + z * (c3 + z * (c4 + z * (c5 + z * (c6 + z * (c7 + z * (c8 + z * c9))))))));
  }
  return negate ? -z : z;
}
__global__ void inverseCNDKernel(float *d_Output, unsigned int pathN) {
  unsigned int distance = ((unsigned int)-1) / (pathN + 1);
  unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned int threadN = blockDim.x * gridDim.x;
  for (unsigned int pos = tid; pos < pathN; pos += threadN) { unsigned int d = (pos + 1) * distance; d_Output[pos] = MoroInvCNDgpu(d); }
}

float RandFloat(float low, float high, int i) { float t = (i * 7919 % 1000) / 1000.0f; return (1.0f - t) * low + t * high; }
static double checksum(const float *d, int n) {
  float *h = (float *)malloc(n * sizeof(float));
  checkCudaErrors(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  double s = 0; for (int i = 0; i < n; i++) s += h[i] * (1 + i % 3);
  free(h); return s;
}
int main(int argc, char **argv) {
  int dev = 0;
  const int N = 1000;
  float *h_Data[3], *d_Data[5];
  for (int k = 0; k < 3; k++) { h_Data[k] = (float *)malloc(N * 4); }
  for (int i = 0; i < N; i++) { h_Data[0][i] = RandFloat(5, 30, i); h_Data[1][i] = RandFloat(1, 100, i + 3); h_Data[2][i] = RandFloat(0.25f, 10, i + 7); }
  for (int k = 0; k < 5; k++) checkCudaErrors(cudaMalloc((void **)&d_Data[k], N * 4));
  for (int k = 0; k < 3; k++) checkCudaErrors(cudaMemcpy(d_Data[k + 2], h_Data[k], N * 4, cudaMemcpyHostToDevice));
  BlackScholesGPU<<<DIV_UP((N / 2), 128), 128>>>((float2 *)d_Data[0], (float2 *)d_Data[1], (float2 *)d_Data[2], (float2 *)d_Data[3], (float2 *)d_Data[4], 0.02f, 0.30f, N);
  getLastCudaError("BlackScholesGPU() execution failed\n");

  printf("Black-Scholes: %.2f %.2f, device %d\n", checksum(d_Data[0], N), checksum(d_Data[1], N), dev);

  const int options = 8; __TOptionData od[options]; real calls[64];
  for (int i = 0; i < options; i++) {
    real S = 20 + i, X = 25 - i, T = 1 + 0.25 * i, R = 0.06, V = 0.1;
    const real dt = T / (real)NUM_STEPS, vDt = V * sqrt(dt), rDt = R * dt, If = exp(rDt), Df = exp(-rDt), u = exp(vDt), d = exp(-vDt);
    const real pu = (If - d) / (u - d), pd = 1.0 - pu;
    od[i].S = S; od[i].X = X; od[i].vDt = vDt; od[i].puByDf = pu * Df; od[i].pdByDf = pd * Df;
  }
  checkCudaErrors(cudaMemcpyToSymbol(d_OptionData, od, sizeof(od)));
  binomialOptionsKernel<<<options, THREADBLOCK_SIZE>>>();
  getLastCudaError("binomialOptionsKernel() execution failed.\n");
  checkCudaErrors(cudaMemcpyFromSymbol(calls, d_CallValue, options * sizeof(real)));
  printf("Binomial:"); for (int i = 0; i < options; i++) printf(" %.8f", calls[i]); printf("\n");

  float *sig, *out, *apx; const int slen = 256;
  cudaMalloc(&sig, slen * 4); cudaMalloc(&out, slen * 4); cudaMalloc(&apx, 4);
  for (int i = 0; i < slen; i++) h_Data[0][i] = (i * 13 % 29) - 14 + 0.25f * (i % 4);
  cudaMemcpy(sig, h_Data[0], slen * 4, cudaMemcpyHostToDevice); cudaMemset(out, 0, slen * 4);
  dwtHaar1D<<<1, slen / 2, (2 * slen / 2 + slen / 2 / NUM_BANKS) * sizeof(float)>>>(sig, out, apx, 8, slen / 2, slen / 2);
  printf("Haar: %.4f %.4f\n", checksum(out, slen), checksum(apx, 1));
  for (int log2 = 8; log2 >= 7; log2--) {
    fwtBatch1Kernel<<<slen >> log2, (1 << log2) / 4, (1 << log2) * sizeof(float)>>>(out, sig, log2);
    getLastCudaError("fwtBatch1Kernel() execution failed\n");
    printf("Walsh %d: %.3f\n", 1 << log2, checksum(out, slen));
  }
  uint keys[512], vals[512], *d_k[2], *d_v[2];
  for (int i = 0; i < 512; i++) { keys[i] = i * 2654435761u >> 20; vals[i] = i; }
  for (int k = 0; k < 2; k++) { cudaMalloc(&d_k[k], sizeof keys); cudaMalloc(&d_v[k], sizeof vals); }
  cudaMemcpy(d_k[0], keys, sizeof keys, cudaMemcpyHostToDevice); cudaMemcpy(d_v[0], vals, sizeof vals, cudaMemcpyHostToDevice);
  oddEvenMergeSortShared<<<2, SHARED_SIZE_LIMIT / 2>>>(d_k[1], d_v[1], d_k[0], d_v[0], SHARED_SIZE_LIMIT, 1);
  cudaMemcpy(keys, d_k[1], sizeof keys, cudaMemcpyDeviceToHost); cudaMemcpy(vals, d_v[1], sizeof vals, cudaMemcpyDeviceToHost);
  int sorted = 1; for (int i = 1; i < 512; i++) if (i != 256 && keys[i] < keys[i - 1]) sorted = 0;
  printf("sorted %d: %u %u %u, %u %u\n", sorted, keys[0], keys[255], keys[511], vals[0], vals[300]);
  unsigned int table[QRNG_DIMENSIONS][QRNG_RESOLUTION];
  for (int d = 0; d < QRNG_DIMENSIONS; d++) for (int b = 0; b < QRNG_RESOLUTION; b++) table[d][b] = (0x40000000u >> (b * (d + 1) % 31)) | (1u << ((b + d) % 31));
  checkCudaErrors(cudaMemcpyToSymbol(c_Table, table, sizeof table));
  quasirandomGeneratorKernel<<<2, dim3(32, QRNG_DIMENSIONS)>>>(d_Data[0], 0, 300);
  printf("quasirandom: %.4f\n", checksum(d_Data[0], 900));
  inverseCNDKernel<<<2, 64>>>(d_Data[1], 500);
  printf("inverse: %.3f\n", checksum(d_Data[1], 500));
  checkCudaErrors(cudaDeviceSynchronize());
  exit(EXIT_SUCCESS);
}
