#include <thrust/host_vector.h>
#include <thrust/device_vector.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/inner_product.h>
#include <thrust/unique.h>
#include <iostream>

struct Saxpy {
    const int a;
    __host__ __device__ int operator()(int x, int y) const { return a * x + y; }
};
struct IsEven {
    __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Square {
    __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};

__global__ void addOne(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

int main() {
    thrust::host_vector<int> h(10);
    for (int i = 0; i < 10; ++i) h[i] = (i * 7) % 10;
    thrust::device_vector<int> d = h, e(10), f(10);
    thrust::sequence(e.begin(), e.end(), 100);
    thrust::transform(d.begin(), d.end(), e.begin(), f.begin(), Saxpy{3});
    thrust::copy(f.begin(), f.end(), h.begin());
    for (int v : h) std::cout << v << ' ';
    std::cout << '\n';
    addOne<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), (int)d.size());
    thrust::sort(d.begin(), d.end(), thrust::greater<int>());
    d[3] = 42;
    std::cout << "d[0] = " << d[0] << ", d[3] = " << d[3] << ", sum " << thrust::reduce(d.begin(), d.end())
              << ", product of the first " << thrust::reduce(d.begin(), d.begin() + 3, 1, thrust::multiplies<int>()) << '\n';
    std::cout << "largest at " << thrust::max_element(d.begin(), d.end()) - d.begin() << ", even "
              << thrust::count_if(d.begin(), d.end(), IsEven()) << '\n';
    thrust::inclusive_scan(d.begin(), d.end(), e.begin());
    thrust::exclusive_scan(thrust::device, d.begin(), d.end(), f.begin(), 5);
    std::cout << "scans end with " << e[9] << " and " << f.back() << '\n';
    long long squares = thrust::transform_reduce(d.begin(), d.end(), Square(), 0ll, thrust::plus<long long>());
    std::cout << "squares " << squares << ", inner product " << thrust::inner_product(d.begin(), d.end(), e.begin(), 0) << '\n';
    int keys[] = {3, 1, 3, 2, 1, 1}, values[] = {10, 20, 30, 40, 50, 60};
    thrust::device_vector<int> k(keys, keys + 6), v(values, values + 6), ks(6), sums(6);
    thrust::sort_by_key(k.begin(), k.end(), v.begin());
    auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), ks.begin(), sums.begin());
    for (int i = 0; i < ends.first - ks.begin(); ++i) std::cout << ks[i] << ": " << sums[i] << "  ";
    std::cout << "\n" << thrust::unique(k.begin(), k.end()) - k.begin() << " different keys\n";
    thrust::device_vector<int> odd(20);
    auto end = thrust::copy_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator(20), odd.begin(), [] __host__ __device__(int x) { return x % 2 == 1; });
    std::cout << end - odd.begin() << " odd numbers, the last is " << *(end - 1) << std::endl;
    return 0;
}
