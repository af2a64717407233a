// N bodies in single and double precision from one template.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <array>
#include <map>
#include <tuple>
#include <optional>
#include <type_traits>
template <typename T> struct vec3type {};
template <> struct vec3type<float> { using type3 = float3; using type4 = float4; };
template <> struct vec3type<double> { using type3 = double3; using type4 = double4; };
template <typename T> using T3 = typename vec3type<T>::type3;
template <typename T> using T4 = typename vec3type<T>::type4;
template <typename T> struct SharedMemory {
  __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; }
  __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; }
};
template <typename T> __device__ T rsqrt_T(T x) { return rsqrt(x); }
template <> __device__ float rsqrt_T<float>(float x) { return rsqrtf(x); }
__constant__ float softeningSquared = 0.01f;
__constant__ double softeningSquared_fp64 = 0.01;
template <typename T> __device__ T getSofteningSquared() { return softeningSquared; }
template <> __device__ double getSofteningSquared<double>() { return softeningSquared_fp64; }
template <typename T> __device__ T3<T> bodyBodyInteraction(T3<T> ai, T4<T> bi, T4<T> bj) {
  T3<T> r; r.x = bj.x - bi.x; r.y = bj.y - bi.y; r.z = bj.z - bi.z;
  T distSqr = r.x * r.x + r.y * r.y + r.z * r.z; distSqr += getSofteningSquared<T>();
  T invDist = rsqrt_T(distSqr), invDistCube = invDist * invDist * invDist, s = bj.w * invDistCube;
  ai.x += r.x * s; ai.y += r.y * s; ai.z += r.z * s;
  return ai;
}
template <typename T, bool Multi> __global__ void integrateBodies(T4<T> *__restrict__ newPos, const T4<T> *__restrict__ oldPos, T4<T> *vel, unsigned n, T dt, int numTiles) {
  unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= n) return;
  T4<T> position = oldPos[index];
  T4<T> *sharedPos = SharedMemory<T4<T>>();
  T3<T> acc = {0, 0, 0};
  for (int tile = 0; tile < numTiles; tile++) {
    sharedPos[threadIdx.x] = oldPos[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (unsigned counter = 0; counter < blockDim.x; counter++) acc = bodyBodyInteraction<T>(acc, position, sharedPos[counter]);
    __syncthreads();
  }
  T4<T> v = vel[index];
  v.x += acc.x * dt; v.y += acc.y * dt; v.z += acc.z * dt;
  if constexpr (Multi) v.w += 1;
  position.x += v.x * dt; position.y += v.y * dt; position.z += v.z * dt;
  newPos[index] = position; vel[index] = v;
}
template <typename T> double run(int n, int steps) {
  T4<T> *pos[2], *vel; size_t bytes = n * sizeof(T4<T>);
  for (auto &p : pos) cudaMallocManaged(&p, bytes);
  cudaMallocManaged(&vel, bytes);
  for (int i = 0; i < n; i++) { pos[0][i] = {T(i % 7), T(i % 5), T(i % 3), T(1)}; vel[i] = {}; }
  for (int s = 0; s < steps; s++) {
    integrateBodies<T, true><<<n / 64, 64, 64 * sizeof(T4<T>)>>>(pos[1 - s % 2], pos[s % 2], vel, n, T(0.01), n / 64);
    cudaDeviceSynchronize();
  }
  double sum = 0; for (int i = 0; i < n; i++) sum += std::fabs(pos[steps % 2][i].x) + vel[i].w;
  for (auto p : pos) cudaFree(p);
  cudaFree(vel);
  return sum;
}
int main() {
  std::map<std::string, double> results; results["float"] = run<float>(128, 3); results["double"] = run<double>(128, 3);
  for (auto const &[name, value] : results) std::printf("%s %.3f\n", name.c_str(), value);
  static_assert(std::is_same_v<T4<float>, float4>);
  std::optional<int> o; auto t = std::make_tuple(1, 2.0, std::array<int, 3>{1, 2, 3});
  printf("%d %d\n", o.value_or(4), std::get<2>(t)[2]);
}
