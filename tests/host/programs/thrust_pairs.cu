// k-means with points that are Thrust's pairs, in kernels of its own and in Thrust's vectors.
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/random.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/for_each.h>
#include <thrust/fill.h>
#include <thrust/extrema.h>
#include <cstdio>
typedef thrust::pair<float, float> Point;
struct Make { unsigned seed; __host__ __device__ Point operator()(int i) const { thrust::default_random_engine e(seed + i); e.discard(i % 7); thrust::uniform_real_distribution<float> u(-1, 1); float cx = (i % 3) * 4.f, cy = (i % 3 == 1) * 5.f; float x = u(e), y = u(e); return Point(cx + x, cy + y); } };
__global__ void assign(const Point *p, const Point *c, int *label, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    float best = 1e30f; int at = 0;
    for (int j = 0; j < k; j++) { float dx = p[i].first - c[j].first, dy = p[i].second - c[j].second, d = dx * dx + dy * dy; if (d < best) best = d, at = j; }
    label[i] = at;
}
__global__ void update(const Point *p, const int *label, float *sx, float *sy, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    atomicAdd(&sx[label[i]], p[i].first); atomicAdd(&sy[label[i]], p[i].second); atomicAdd(&count[label[i]], 1);
}
int main() {
    const int n = 3000, k = 3;
    thrust::device_vector<Point> p(n); thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), p.begin(), Make{123});
    thrust::device_vector<Point> c(k); c[0] = Point(0.1f, 0.2f); c[1] = Point(3, 3); c[2] = Point(7, 1);
    thrust::device_vector<int> label(n), count(k); thrust::device_vector<float> sx(k), sy(k);
    for (int it = 0; it < 5; it++) {
        thrust::fill(count.begin(), count.end(), 0); thrust::fill(sx.begin(), sx.end(), 0.f); thrust::fill(sy.begin(), sy.end(), 0.f);
        assign<<<(n + 255) / 256, 256>>>(p.data().get(), c.data().get(), label.data().get(), n, k);
        update<<<(n + 255) / 256, 256>>>(p.data().get(), label.data().get(), sx.data().get(), sy.data().get(), count.data().get(), n);
        cudaDeviceSynchronize();
        for (int j = 0; j < k; j++) c[j] = Point(sx[j] / count[j], sy[j] / count[j]);
    }
    for (int j = 0; j < k; j++) { Point q = c[j]; printf("%.2f %.2f %d\n", q.first, q.second, (int)count[j]); }
    thrust::sort(label.begin(), label.end()); printf("%d\n", (int)label[n - 1]);
}
