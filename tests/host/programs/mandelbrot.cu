#include <cstdio>
#include <fstream>
#include <iostream>
#include <vector>

struct Complex {
    float r, i;
    __host__ __device__ Complex(float a, float b) : r(a), i(b) {}
    __host__ __device__ float magnitude2() const { return r * r + i * i; }
    __host__ __device__ Complex operator*(const Complex &a) const { return Complex(r * a.r - i * a.i, i * a.r + r * a.i); }
    __host__ __device__ Complex operator+(const Complex &a) const { return Complex(r + a.r, i + a.i); }
};

__host__ __device__ int iterations(Complex c, int most) {
    Complex z(0, 0);
    int k = 0;
    for (; k < most && z.magnitude2() < 4.0f; ++k) z = z * z + c;
    return k;
}

__global__ void mandelbrot(unsigned char *image, int width, int height, int most) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Complex c(-2.0f + 3.0f * x / width, -1.0f + 2.0f * y / height);
    image[y * width + x] = static_cast<unsigned char>(255 - 255 * iterations(c, most) / most);
}

int main() {
    const int width = 192, height = 128, most = 64;
    unsigned char *d;
    cudaMalloc(&d, width * height);
    mandelbrot<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(d, width, height, most);
    std::vector<unsigned char> image(width * height);
    cudaMemcpy(image.data(), d, image.size(), cudaMemcpyDeviceToHost);
    cudaFree(d);
    {
        std::ofstream file("mandelbrot.pgm", std::ios::binary);
        file << "P5\n" << width << ' ' << height << "\n255\n";
        file.write(reinterpret_cast<const char *>(image.data()), image.size());
    }
    std::ifstream file("mandelbrot.pgm", std::ios::binary | std::ios::ate);
    std::cout << "mandelbrot.pgm has " << file.tellg() << " bytes\n";
    int inside = 0, differing = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            inside += image[y * width + x] == 0;
            Complex c(-2.0f + 3.0f * x / width, -1.0f + 2.0f * y / height);
            differing += image[y * width + x] != 255 - 255 * iterations(c, most) / most;
        }
    for (int y = 0; y < height; y += 8) {
        for (int x = 0; x < width; x += 4) std::cout << " .:-=+*#%@"[9 - image[y * width + x] * 9 / 255];
        std::cout << '\n';
    }
    std::cout << (differing < width * height / 100 ? "close to the host's" : "WRONG") << std::endl;
    std::remove("mandelbrot.pgm");
    return inside == 0;
}
