// Thrust: sets, scans by key, partitions, searches of many values.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <iostream>

typedef thrust::device_vector<int> Ints;
struct even { __host__ __device__ bool operator()(int x) const { return x % 2 == 0; } };
struct twice { __host__ __device__ int operator()(int x) const { return 2 * x; } };
struct same_ten { __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; } };

void show(const char *name, const Ints &values, Ints::iterator end) {
  std::cout << name << ":";
  for (auto at = values.begin(); at != Ints::const_iterator(end); ++at) std::cout << ' ' << *at;
  std::cout << '\n';
}

int main() {
  const int a_values[] = {1, 3, 5, 7, 9, 9, 12}, b_values[] = {3, 4, 7, 9, 10, 12, 15}, keys[] = {1, 1, 2, 2, 2, 3, 1};
  Ints a(a_values, a_values + 7), b(b_values, b_values + 7), k(keys, keys + 7), out(20), more(20);
  auto A = a.begin(), E = a.end(), B = b.begin(), F = b.end();
  show("union", out, thrust::set_union(A, E, B, F, out.begin()));
  show("intersection", out, thrust::set_intersection(thrust::device, A, E, B, F, out.begin()));
  show("difference", out, thrust::set_difference(A, E, B, F, out.begin()));
  show("symmetric", out, thrust::set_symmetric_difference(A, E, B, F, out.begin()));
  show("merge", out, thrust::merge(A, E, B, F, out.begin(), thrust::less<int>()));
  show("inclusive by key", out, thrust::inclusive_scan_by_key(k.begin(), k.end(), A, out.begin()));
  show("exclusive by key", out, thrust::exclusive_scan_by_key(k.begin(), k.end(), A, out.begin()));
  show("exclusive from 5", out, thrust::exclusive_scan_by_key(k.begin(), k.end(), A, out.begin(), 5));
  show("transform inclusive", out, thrust::transform_inclusive_scan(A, E, out.begin(), twice(), thrust::plus<int>()));
  show("transform exclusive", out, thrust::transform_exclusive_scan(A, E, out.begin(), twice(), 4, thrust::plus<int>()));
  auto parts = thrust::partition_copy(B, F, out.begin(), more.begin(), even());
  show("even", out, parts.first);
  show("odd", more, parts.second);
  Ints c = b;
  std::cout << "boundary " << thrust::stable_partition(c.begin(), c.end(), even()) - c.begin() << ' '
            << thrust::is_partitioned(c.begin(), c.end(), even()) << '\n';
  show("partitioned", c, c.end());
  show("unique tens", out, thrust::unique_copy(B, F, out.begin(), same_ten()));
  Ints k2 = k, v2 = a;
  auto ends = thrust::unique_by_key(k2.begin(), k2.end(), v2.begin());
  show("unique keys", k2, ends.first);
  show("their values", v2, ends.second);
  show("without odd", out, thrust::remove_copy_if(B, F, out.begin(), thrust::placeholders::_1 % 2 == 1));
  show("without 9", out, thrust::remove_copy(A, E, out.begin(), 9));
  Ints d = a;
  show("by stencil", d, thrust::remove_if(d.begin(), d.end(), k.begin(), even()));
  show("copied by stencil", out, thrust::copy_if(A, E, k.begin(), out.begin(), even()));
  show("replaced", out, thrust::replace_copy_if(B, F, out.begin(), even(), -1));
  show("reversed", out, thrust::reverse_copy(A, E, out.begin()));
  Ints e = a, f = b;
  thrust::swap_ranges(e.begin(), e.begin() + 3, f.begin());
  show("swapped", e, e.end());
  show("with", f, f.end());
  std::cout << "first odd " << thrust::find_if_not(B, F, even()) - B << ", differ at "
            << thrust::mismatch(A, E, e.begin()).first - A << ", tens equal " << thrust::equal(A, E, B, same_ten()) << '\n';
  const int wanted[] = {0, 4, 9, 20};
  Ints w(wanted, wanted + 4);
  show("lower", out, thrust::lower_bound(A, E, w.begin(), w.end(), out.begin()));
  show("upper", out, thrust::upper_bound(A, E, w.begin(), w.end(), out.begin()));
  thrust::fill(out.begin(), out.end(), 0);
  show("doubled if even", out, thrust::transform_if(B, F, out.begin(), twice(), even()));
  thrust::host_vector<int> h(3);
  thrust::sequence(h.begin(), h.end(), 4);
  std::cout << h[0] + h[1] + h[2] << std::endl;
}
