#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/functional.h>
#include <thrust/sequence.h>
#include <thrust/unique.h>
#include <thrust/count.h>
#include <thrust/copy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <iostream>
#include <cmath>
struct saxpy { float a; saxpy(float a) : a(a) {} __host__ __device__ float operator()(float x, float y) const { return a * x + y; } };
struct square { __host__ __device__ float operator()(float x) const { return x * x; } };
struct is_even { __host__ __device__ bool operator()(int x) const { return x % 2 == 0; } };
typedef thrust::tuple<float, float, float> Float3;
struct Rotate { __host__ __device__ Float3 operator()(const Float3 &v) const { return Float3(thrust::get<1>(v), thrust::get<2>(v), -thrust::get<0>(v)); } };
struct Mad { template <typename T> __host__ __device__ void operator()(T t) { thrust::get<3>(t) = thrust::get<0>(t) + thrust::get<1>(t) * thrust::get<2>(t); } };
__global__ void twice(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }
int main() {
    const int n = 1000;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = (i * 7919) % 101;
    thrust::device_vector<int> d = h;
    thrust::sort(d.begin(), d.end());
    thrust::device_vector<int> keys(101), counts(101);
    auto end = thrust::reduce_by_key(d.begin(), d.end(), thrust::constant_iterator<int>(1), keys.begin(), counts.begin());
    int kinds = end.first - keys.begin();
    std::cout << kinds << " kinds, " << keys[0] << " occurs " << counts[0] << ", even: " << thrust::count_if(d.begin(), d.end(), is_even()) << std::endl;
    thrust::device_vector<int> offsets(kinds);
    thrust::exclusive_scan(counts.begin(), counts.begin() + kinds, offsets.begin());
    std::cout << "last bucket at " << offsets.back() << "\n";
    thrust::device_vector<float> x(n), y(n, 1.0f), z(n);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy(2.0f));
    float norm = std::sqrt(thrust::transform_reduce(x.begin(), x.end(), square(), 0.0f, thrust::plus<float>()));
    std::cout << "y[10] " << y[10] << " norm " << norm << " dot " << thrust::inner_product(x.begin(), x.begin() + 10, y.begin(), 0.0f) << "\n";
    auto first = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), x.begin(), z.begin()));
    thrust::for_each(first, first + n, Mad());
    std::cout << "z[5] " << z[5] << "\n";
    auto triple = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), z.begin()));
    thrust::transform(triple, triple + n, triple, Rotate());
    std::cout << "rotated " << x[3] << " " << y[3] << " " << z[3] << "\n";
    thrust::device_vector<int> map(4);
    map[0] = 3; map[1] = 1; map[2] = 0; map[3] = 7;
    int picked = thrust::reduce(thrust::make_permutation_iterator(d.begin(), map.begin()), thrust::make_permutation_iterator(d.begin(), map.end()));
    auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(1), [] __host__ __device__(int i) { return i * i; });
    std::cout << "picked " << picked << ", squares " << thrust::reduce(squares, squares + 10) << "\n";
    twice<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(d.data()), n);
    d.erase(thrust::unique(d.begin(), d.end()), d.end());
    std::cout << d.size() << " different, largest " << *thrust::max_element(d.begin(), d.end()) << "\n";
    thrust::device_vector<int> v(5);
    thrust::sequence(v.begin(), v.end(), 10, -1);
    thrust::device_vector<char> c(5, 'x');
    c[2] = 'a';
    thrust::stable_sort_by_key(v.begin(), v.end(), c.begin());
    thrust::sort(v.begin(), v.end(), thrust::greater<int>());
    thrust::copy(v.begin(), v.end(), std::ostream_iterator<int>(std::cout, " "));
    std::cout << c[2] << std::endl;
}
