// cuComplex.h on both sides: a Mandelbrot set in floats, a Fourier transform in doubles, quotients and sizes.
#include <cstdio>
#include <complex>
#include <cuComplex.h>

#define MOST 64

__device__ __noinline__ int steps(cuFloatComplex c) {
    cuFloatComplex z = make_cuFloatComplex(0, 0);
    int k = 0;
    while (k < MOST && cuCabsf(z) < 2.0f) z = cuCaddf(cuCmulf(z, z), c), k++;
    return k;
}
__global__ __launch_bounds__(256, 2) void mandelbrot(int *out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = steps(make_cuFloatComplex(-2.0f + 0.0625f * x, -1.0f + 0.0625f * y));
}
__global__ void transform(const cuDoubleComplex *in, cuDoubleComplex *out, int n) {
    const int k = threadIdx.x;
    cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
    for (int j = 0; j < n; j++) {
        double sine, cosine;
        sincos(-2 * 3.14159265358979323846 * j * k / n, &sine, &cosine);
        sum = cuCfma(in[j], make_cuDoubleComplex(cosine, sine), sum);
    }
    out[k] = sum;
}
__host__ __device__ cuComplex fraction(int i) {
    const cuComplex above = make_cuComplex(i + 1, 2 - i), below = cuConjf(make_cuComplex(1, i * 0.5f));
    return cuCsubf(cuCdivf(above, below), make_cuComplex(cuCabsf(below), cuCimagf(above)));
}
__global__ void fractions(cuComplex *out) { out[threadIdx.x] = fraction(threadIdx.x); }

int main() {
    const int width = 40, height = 30, n = 32;
    static int image[width * height];
    int *pixels;
    cudaMalloc(&pixels, sizeof image);
    mandelbrot<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(pixels, width, height);
    cudaMemcpy(image, pixels, sizeof image, cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int value : image) sum += value;
    cuDoubleComplex signal[n], spectrum[n], *in, *out;
    for (int i = 0; i < n; i++) signal[i] = make_cuDoubleComplex(i % 3, i % 5);
    cudaMalloc(&in, sizeof signal);
    cudaMalloc(&out, sizeof signal);
    cudaMemcpy(in, signal, sizeof signal, cudaMemcpyHostToDevice);
    transform<<<1, n>>>(in, out, n);
    cudaMemcpy(spectrum, out, sizeof spectrum, cudaMemcpyDeviceToHost);
    const std::complex<double> third(cuCreal(spectrum[3]), cuCimag(spectrum[3]));
    cuComplex found[n], *parts;
    cudaMalloc(&parts, sizeof found);
    fractions<<<1, n>>>(parts);
    cudaMemcpy(found, parts, sizeof found, cudaMemcpyDeviceToHost);
    int near = 0;
    for (int i = 0; i < n; i++) near += cuCabsf(cuCsubf(found[i], fraction(i))) <= 1e-6f * cuCabsf(fraction(i));
    printf("%ld, %.6f %.6f, %d of %d\n", sum, std::abs(third), cuCabs(spectrum[0]), near, n);
    cudaFree(pixels);
    cudaFree(in);
    cudaFree(out);
    cudaFree(parts);
    return 0;
}
