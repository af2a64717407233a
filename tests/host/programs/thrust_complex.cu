// A Julia set and a Fourier transform of complex numbers of Thrust.
#include <cstdio>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/transform.h>
#include <thrust/iterator/counting_iterator.h>
typedef thrust::complex<float> cf;
__global__ void julia(const cf c, int w, int h, int *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    cf z(3.0f * x / w - 1.5f, 2.0f * y / h - 1.0f);
    int n = 0;
    while (thrust::abs(z) < 2.0f && n < 60) { z = z * z + c; ++n; }
    out[y * w + x] = n;
}
__global__ void dft(const cf *in, cf *out, int n) {
    int k = threadIdx.x; cf sum(0, 0);
    for (int j = 0; j < n; ++j) sum += in[j] * thrust::polar(1.0f, -2.0f * 3.14159265f * j * k / n);
    out[k] = sum / thrust::complex<float>(n);
}
struct Power { __host__ __device__ float operator()(const cf &z) const { return thrust::norm(z) + z.real() * 0 + thrust::conj(z).imag() * 0; } };
int main() {
    const int w = 48, h = 32;
    thrust::device_vector<int> d(w * h);
    julia<<<dim3(3, 2), dim3(16, 16)>>>(cf(-0.8f, 0.156f), w, h, thrust::raw_pointer_cast(d.data()));
    thrust::host_vector<int> v = d; long sum = 0; for (int n : v) sum += n;
    printf("%ld %d %d\n", sum, v[0], v[16 * w + 24]);
    thrust::host_vector<cf> in(16);
    for (int i = 0; i < 16; ++i) in[i] = cf(cosf(2 * 3.14159265f * 3 * i / 16), 0);
    thrust::device_vector<cf> din = in, dout(16); thrust::device_vector<float> p(16);
    dft<<<1, 16>>>(thrust::raw_pointer_cast(din.data()), thrust::raw_pointer_cast(dout.data()), 16);
    thrust::transform(dout.begin(), dout.end(), p.begin(), Power());
    for (int i = 0; i < 16; ++i) printf("%.3f ", (float)p[i]); printf("\n");
}
