// CUB's algorithms of a device, called from the host: sums, scans, sorts, selections, runs, histograms and segments.
#include <cub/cub.cuh>
#include <cub/device/device_reduce.cuh>
#include <cstdio>
#include <cstdlib>
struct IsEven { __host__ __device__ bool operator()(const int &a) const { return a % 2 == 0; } };
struct MinOp { template <class T> __device__ __forceinline__ T operator()(const T &a, const T &b) const { return (b < a) ? b : a; } };
__global__ void scale(int *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = x[i] * 3 - 50; }
template <class F> void twice(F f) { void *temp = nullptr; size_t bytes = 0; f(temp, bytes); cudaMalloc(&temp, bytes); f(temp, bytes); cudaFree(temp); }
int main() {
    const int n = 1000; int h[n], out[n]; float hf[n];
    srand(1); for (int i = 0; i < n; i++) h[i] = rand() % 40, hf[i] = (i * 37 % 101) * 0.25f - 7;
    int *d, *e, *v, *w, *num; float *f, *g;
    cudaMalloc(&d, 4 * n); cudaMalloc(&e, 4 * n); cudaMalloc(&v, 4 * n); cudaMalloc(&w, 4 * n); cudaMalloc(&f, 4 * n); cudaMalloc(&g, 4 * n); cudaMalloc(&num, 16);
    cudaMemcpy(d, h, 4 * n, cudaMemcpyHostToDevice); cudaMemcpy(f, hf, 4 * n, cudaMemcpyHostToDevice);
    scale<<<(n + 127) / 128, 128>>>(d, n);
    auto first = [&](int *p) { int x; cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost); return x; };
    auto show = [&](const char *name, int *p, int count) { cudaMemcpy(out, p, 4 * count, cudaMemcpyDeviceToHost); long long s = 0; for (int i = 0; i < count; i++) s = s * 31 + out[i]; printf("%s %d %d %d %lld\n", name, out[0], out[1], out[count - 1], s); };
    twice([&](void *t, size_t &b) { cub::DeviceReduce::Sum(t, b, d, e, n); }); printf("sum %d\n", first(e));
    twice([&](void *t, size_t &b) { cub::DeviceReduce::Max(t, b, d, e, n); }); printf("max %d\n", first(e));
    twice([&](void *t, size_t &b) { cub::DeviceReduce::Reduce(t, b, d, e, n, MinOp(), 1000); }); printf("min %d\n", first(e));
    float fs; twice([&](void *t, size_t &b) { cub::DeviceReduce::Sum(t, b, f, g, n); }); cudaMemcpy(&fs, g, 4, cudaMemcpyDeviceToHost); printf("fsum %.2f\n", fs);
    twice([&](void *t, size_t &b) { cub::DeviceScan::ExclusiveSum(t, b, d, e, n); }); show("exclusive", e, n);
    twice([&](void *t, size_t &b) { cub::DeviceScan::InclusiveSum(t, b, d, e, n); }); show("inclusive", e, n);
    twice([&](void *t, size_t &b) { cub::DeviceScan::ExclusiveScan(t, b, d, e, MinOp(), 77, n); }); show("scanmin", e, n);
    twice([&](void *t, size_t &b) { cub::DeviceRadixSort::SortKeys(t, b, d, e, n); }); show("sorted", e, n);
    for (int i = 0; i < n; i++) out[i] = i; cudaMemcpy(v, out, 4 * n, cudaMemcpyHostToDevice);
    twice([&](void *t, size_t &b) { cub::DeviceRadixSort::SortPairsDescending(t, b, f, g, v, w, n); }); show("pairs", w, n);
    cub::DoubleBuffer<int> keys(d, e); twice([&](void *t, size_t &b) { cub::DeviceRadixSort::SortKeys(t, b, keys, n); }); show("double", keys.Current(), n);
    int *sorted = keys.Current(), *other = keys.Alternate();
    twice([&](void *t, size_t &b) { cub::DeviceRunLengthEncode::Encode(t, b, sorted, v, w, num, n); }); { int r = first(num); printf("runs %d\n", r); show("values", v, r); show("counts", w, r); }
    twice([&](void *t, size_t &b) { cub::DeviceSelect::If(t, b, sorted, other, num, n, IsEven()); }); { int r = first(num); printf("even %d\n", r); show("evens", other, r); }
    twice([&](void *t, size_t &b) { cub::DeviceSelect::Unique(t, b, sorted, v, num, n); }); printf("unique %d\n", first(num));
    twice([&](void *t, size_t &b) { cub::DevicePartition::If(t, b, sorted, v, num, n, IsEven()); }); show("parted", v, n);
    twice([&](void *t, size_t &b) { cub::DeviceHistogram::HistogramEven(t, b, f, v, 9, -7.0f, 19.0f, n); }); show("histogram", v, 8);
    int offsets[5] = {0, 100, 100, 700, 1000}; cudaMemcpy(w, offsets, 20, cudaMemcpyHostToDevice);
    twice([&](void *t, size_t &b) { cub::DeviceSegmentedReduce::Sum(t, b, sorted, v, 4, w, w + 1); }); show("segments", v, 4);
    cub::KeyValuePair<int, float> best, *bd; cudaMalloc(&bd, sizeof best);
    twice([&](void *t, size_t &b) { cub::DeviceReduce::ArgMax(t, b, f, bd, n); }); cudaMemcpy(&best, bd, sizeof best, cudaMemcpyDeviceToHost); printf("argmax %d %g\n", best.key, best.value);
    cudaFree(d); cudaFree(e); cudaFree(v); cudaFree(w); cudaFree(f); cudaFree(g); cudaFree(num); cudaFree(bd);
}
