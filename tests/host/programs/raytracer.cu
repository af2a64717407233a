#include <cmath>
#include <cstdio>

class Vec {
  public:
    float x, y, z;
    Vec() = default;
    __host__ __device__ Vec(float x, float y, float z) : x(x), y(y), z(z) {}
    __host__ __device__ Vec operator+(const Vec &o) const { return {x + o.x, y + o.y, z + o.z}; }
    __host__ __device__ Vec operator-(const Vec &o) const { return {x - o.x, y - o.y, z - o.z}; }
    __host__ __device__ Vec operator*(float s) const { return {x * s, y * s, z * s}; }
    __host__ __device__ float dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
};

struct Sphere {
    Vec centre;
    float radius;
    __host__ __device__ float hit(const Vec &from, const Vec &direction) const {
        Vec oc = from - centre;
        float b = oc.dot(direction), c = oc.dot(oc) - radius * radius, d = b * b - c;
        return d < 0 ? -1.0f : -b - sqrtf(d);
    }
};

#define SPHERES 5
__constant__ Sphere scene[SPHERES];

__global__ void render(unsigned char *pixels, int w, int h) {
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    Vec direction((x - w / 2) / (float)w, (y - h / 2) / (float)w, 1);
    direction = direction * (1.0f / sqrtf(direction.dot(direction)));
    float nearest = 1e30f, light = 0;
    for (int s = 0; s < SPHERES; ++s) {
        float t = scene[s].hit(Vec(0, 0, 0), direction);
        if (t > 0 && t < nearest) {
            nearest = t;
            Vec normal = (direction * t - scene[s].centre) * (1 / scene[s].radius);
            light = fmaxf(0.1f, normal.dot(Vec(0.57735f, -0.57735f, -0.57735f)));
        }
    }
    pixels[y * w + x] = (unsigned char)(light * 9.0f + 0.5f);
}

int main() {
    const int w = 64, h = 32;
    Sphere spheres[SPHERES];
    for (int i = 0; i < SPHERES; ++i) spheres[i] = {Vec(i * 2.0f - 4.0f, (i % 2) - 0.5f, 7.0f + i), 1.2f};
    cudaMemcpyToSymbol(scene, spheres, sizeof(Sphere) * SPHERES);
    unsigned char *d, pixels[w * h];
    cudaMalloc(&d, w * h);
    render<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(d, w, h);
    cudaMemcpy(pixels, d, w * h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    int lit = 0;
    for (int y = 0; y < h; y += 2) {
        for (int x = 0; x < w; ++x) putchar(" 123456789"[pixels[y * w + x]]), lit += pixels[y * w + x] > 0;
        putchar('\n');
    }
    return lit == 0;
}
