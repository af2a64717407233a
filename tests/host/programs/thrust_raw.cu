// Thrust on memory that cudaMalloc gave, by raw pointers and the policy thrust::device, as programs that have kernels of
// their own use it.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

__global__ void fill(int *keys, float *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) keys[i] = (i * 7919 + 13) % 101, values[i] = 0.1f;
}
struct Square { __device__ float operator()(float x) const { return x * x; } };
struct Saxpy {
    float a;
    __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct IsOdd { __device__ bool operator()(int x) const { return x & 1; } };
struct SumOfPair {
    __device__ float operator()(const thrust::tuple<int, float> &t) const { return thrust::get<0>(t) * thrust::get<1>(t); }
};

int main() {
    const int n = 1 << 18;
    int *keys, *others;
    float *values, *results;
    cudaMalloc(&keys, n * sizeof(int));
    cudaMalloc(&others, n * sizeof(int));
    cudaMalloc(&values, n * sizeof(float));
    cudaMalloc(&results, n * sizeof(float));
    fill<<<n / 256, 256>>>(keys, values, n);

    printf("sum %.1f\n", thrust::reduce(thrust::device, values, values + n, 0.0f));
    printf("squares %.1f\n", thrust::transform_reduce(thrust::device, values, values + n, Square(), 0.0f, thrust::plus<float>()));
    printf("product %.1f\n", thrust::inner_product(thrust::device, values, values + n, values, 0.0f));
    thrust::transform(thrust::device, values, values + n, values, results, Saxpy{2.0f});
    float one;
    cudaMemcpy(&one, results + 77, sizeof(float), cudaMemcpyDeviceToHost);
    printf("saxpy %g\n", one);
    int *most = thrust::max_element(thrust::device, keys, keys + n);
    printf("greatest at %d\n", (int)(most - keys));
    printf("odd %d\n", (int)thrust::count_if(thrust::device, keys, keys + n, IsOdd()));
    thrust::copy(thrust::device, keys, keys + n, others);
    int *end = thrust::remove_if(thrust::device, others, others + n, IsOdd());
    printf("even %d\n", (int)(end - others));
    thrust::sort(thrust::device, others, end);
    end = thrust::unique(thrust::device, others, end);
    printf("different %d\n", (int)(end - others));
    int host[5];
    cudaMemcpy(host, others, sizeof host, cudaMemcpyDeviceToHost);
    for (int x : host) printf("%d ", x);
    thrust::sequence(thrust::device, others, others + n);
    thrust::stable_sort_by_key(thrust::device, keys, keys + n, others, thrust::greater<int>());
    cudaMemcpy(host, others, sizeof host, cudaMemcpyDeviceToHost);
    for (int x : host) printf("%d ", x);
    thrust::exclusive_scan(thrust::device, keys, keys + n, others);
    cudaMemcpy(host, others + n - 5, sizeof host, cudaMemcpyDeviceToHost);
    for (int x : host) printf("%d ", x);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(keys, values));
    thrust::transform(thrust::device, pairs, pairs + n, results, SumOfPair());
    cudaMemcpy(&one, results + 1000, sizeof(float), cudaMemcpyDeviceToHost);
    printf("\npair %g\n", one);
    thrust::transform(thrust::device, thrust::counting_iterator<int>(5), thrust::counting_iterator<int>(10), others, thrust::negate<int>());
    cudaMemcpy(host, others, sizeof host, cudaMemcpyDeviceToHost);
    for (int x : host) printf("%d ", x);
    thrust::fill(thrust::device, others, others + 3, 42);
    thrust::device_ptr<int> first(others);
    printf("%d %d\n", (int)first[2], (int)*thrust::min_element(first, first + 5));
    int local[4] = {4, 2, 3, 1};
    thrust::sort(thrust::host, local, local + 4);
    printf("%d %d\n", local[0], local[3]);
    cudaFree(keys), cudaFree(others), cudaFree(values), cudaFree(results);
}
