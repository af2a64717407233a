// Thrust: random numbers, keys, zipped, permuted and transformed ranges, lambdas.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/transform_reduce.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/functional.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#include <thrust/reduce.h>
#include <thrust/inner_product.h>
#include <thrust/partition.h>
#include <thrust/set_operations.h>
#include <thrust/random.h>
#include <thrust/extrema.h>
#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <iostream>
#include <iterator>
struct monte {
  __host__ __device__ float operator()(unsigned id) const {
    thrust::default_random_engine rng; rng.discard(2 * id);
    thrust::uniform_real_distribution<float> u(0, 1);
    float x = u(rng), y = u(rng);
    return x * x + y * y <= 1 ? 1.0f : 0.0f;
  }
};
struct saxpy { const float a; saxpy(float a_) : a(a_) {} __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; } };
__global__ void raw(int *p, int n) { int i = threadIdx.x; if (i < n) p[i] *= 2; }
int main() {
  float pi = 4 * thrust::transform_reduce(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(2000), monte(), 0.0f, thrust::plus<float>()) / 2000;
  std::cout << "pi " << (pi > 3 && pi < 3.3) << "\n";
  thrust::device_vector<int> keys(10), values(10);
  for (int i = 0; i < 10; i++) { keys[i] = (i * 7) % 5; values[i] = i; }
  thrust::sort_by_key(thrust::device, keys.begin(), keys.end(), values.begin());
  thrust::copy(keys.begin(), keys.end(), std::ostream_iterator<int>(std::cout, " ")); std::cout << "\n";
  thrust::device_vector<int> uk(10), sums(10);
  auto end = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1), uk.begin(), sums.begin());
  std::cout << "groups " << end.first - uk.begin() << " " << sums[2] << "\n";
  raw<<<1, 32>>>(thrust::raw_pointer_cast(values.data()), 10);
  std::cout << "sum " << thrust::reduce(values.begin(), values.end()) << "\n";
  thrust::device_vector<float> x(8, 2.f), y(8); thrust::sequence(y.begin(), y.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy(3));
  float a = 2;
  thrust::for_each(y.begin(), y.end(), [=] __device__(float &v) { v += a; });
  std::cout << "dot " << thrust::inner_product(x.begin(), x.end(), y.begin(), 0.f) << " max at " << thrust::max_element(y.begin(), y.end()) - y.begin() << "\n";
  auto zip = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
  float z = thrust::transform_reduce(zip, zip + 8, [] __host__ __device__(const thrust::tuple<float, float> &t) { return thrust::get<0>(t) * thrust::get<1>(t); }, 0.f, thrust::plus<float>());
  std::cout << "zip " << z << "\n";
  thrust::host_vector<int> h = values; thrust::sort(h.begin(), h.end(), thrust::greater<int>());
  auto mid = thrust::stable_partition(h.begin(), h.end(), [](int v) { return v % 4 == 0; });
  std::cout << "part " << mid - h.begin() << " " << h[0] << " " << h[9] << "\n";
  thrust::device_vector<int> A{1, 3, 5, 7}, B{3, 4, 7, 9}, C(8);
  auto e = thrust::set_intersection(A.begin(), A.end(), B.begin(), B.end(), C.begin());
  std::cout << "inter " << e - C.begin() << "\n";
  thrust::device_vector<int> map{3, 1, 0};
  std::cout << "perm " << thrust::reduce(thrust::make_permutation_iterator(A.begin(), map.begin()), thrust::make_permutation_iterator(A.begin(), map.end())) << "\n";
  auto sq = thrust::make_transform_iterator(A.begin(), thrust::square<int>());
  std::cout << "squares " << thrust::reduce(sq, sq + 4) << std::endl;
  cudaStream_t s; cudaStreamCreate(&s);
  thrust::fill(thrust::cuda::par.on(s), C.begin(), C.end(), 9);
  std::cout << C[3] << " " << thrust::count(C.begin(), C.end(), 9) << std::endl;
  cudaStreamDestroy(s);
}
