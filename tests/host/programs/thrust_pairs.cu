// k-means with points that are Thrust's pairs, in kernels of its own and in Thrust's vectors.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/pair.h>
#include <thrust/random.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

typedef thrust::pair<float, float> Point;

// A point beside one of three centres.
struct Make {
    unsigned seed;
    __host__ __device__ Point operator()(int i) const {
        thrust::default_random_engine engine(seed + i);
        engine.discard(i % 7);
        thrust::uniform_real_distribution<float> around(-1, 1);
        const float x = around(engine), y = around(engine);
        return Point((i % 3) * 4.0f + x, (i % 3 == 1) * 5.0f + y);
    }
};

__global__ void assign(const Point *points, const Point *centres, int *labels, int n, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = 1e30f;
    int nearest = 0;
    for (int j = 0; j < k; j++) {
        const float dx = points[i].first - centres[j].first, dy = points[i].second - centres[j].second;
        const float distance = dx * dx + dy * dy;
        if (distance < best) best = distance, nearest = j;
    }
    labels[i] = nearest;
}
__global__ void add_up(const Point *points, const int *labels, float *x, float *y, int *counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&x[labels[i]], points[i].first);
    atomicAdd(&y[labels[i]], points[i].second);
    atomicAdd(&counts[labels[i]], 1);
}

int main() {
    const int n = 3000, k = 3, blocks = (n + 255) / 256;
    thrust::device_vector<Point> points(n), centres(k);
    thrust::counting_iterator<int> first(0);
    thrust::transform(first, first + n, points.begin(), Make{123});
    centres[0] = Point(0.1f, 0.2f), centres[1] = Point(3, 3), centres[2] = Point(7, 1);
    thrust::device_vector<int> labels(n), counts(k);
    thrust::device_vector<float> x(k), y(k);
    for (int round = 0; round < 5; round++) {
        thrust::fill(counts.begin(), counts.end(), 0);
        thrust::fill(x.begin(), x.end(), 0.0f);
        thrust::fill(y.begin(), y.end(), 0.0f);
        assign<<<blocks, 256>>>(points.data().get(), centres.data().get(), labels.data().get(), n, k);
        add_up<<<blocks, 256>>>(points.data().get(), labels.data().get(), x.data().get(), y.data().get(),
                                counts.data().get(), n);
        for (int j = 0; j < k; j++) centres[j] = Point(x[j] / counts[j], y[j] / counts[j]);
    }
    for (int j = 0; j < k; j++) {
        const Point centre = centres[j];
        printf("%.2f %.2f %d\n", centre.first, centre.second, (int)counts[j]);
    }
    thrust::sort(labels.begin(), labels.end());
    printf("%d\n", (int)labels[n - 1]);
}
