// Functors with base classes, as a course on C++ for GPUs writes them.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t code = (call);                                                                      \
        if (code != cudaSuccess) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(code)); return 1; } \
    } while (0)

struct Body {
    float x, y;
    char tag;
    __host__ __device__ Body(float x = 0, float y = 0) : x(x), y(y), tag('b') {}
    __host__ __device__ float norm2() const { return x * x + y * y; }
};

class Particle : public Body {
public:
    char charge;
    float mass;
    __host__ __device__ Particle() : charge(1), mass(1.0f) {}
    __host__ __device__ Particle(float x, float y, float m) : Body(x, y), charge(2), mass(m) {}
    __host__ __device__ float energy() const { return 0.5f * mass * norm2(); }
    __host__ __device__ Particle operator+(const Particle &o) const { return Particle(x + o.x, y + o.y, mass + o.mass); }
    __host__ __device__ Particle &operator+=(const Body &o) { x += o.x; y += o.y; return *this; }
    __host__ __device__ bool operator<(const Particle &o) const { return energy() < o.energy(); }
};

template <typename Derived>
struct Force {  // static polymorphism
    __device__ void apply(Particle &p) const { p += static_cast<const Derived *>(this)->of(p); }
};
struct Gravity : public Force<Gravity> {
    float g;
    Gravity(float g) : g(g) {}
    __device__ Body of(const Particle &p) const { return Body(0.0f, -g * p.mass); }
};
struct Spring : public Force<Spring> {
    float k;
    Spring(float k) : k(k) {}
    __device__ Body of(const Particle &p) const { return Body(-k * p.x, -k * p.y); }
};

template <typename F>
__global__ void step(Particle *p, int n, F force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) force.apply(p[i]);
}

__global__ void energies(const Particle *p, float *e, int n, Particle *heaviest) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    e[i] = p[i].energy();
    const Body *b = &p[i];
    if (b->norm2() < 0) e[i] = -1;
    if (i == 0) {
        Particle sum = p[0];
        for (int k = 1; k < n; ++k) sum = sum + p[k];
        *heaviest = sum;
    }
}

int main() {
    const int n = 1000;
    printf("sizes: %zu %zu\n", sizeof(Body), sizeof(Particle));
    std::vector<Particle> h;
    for (int i = 0; i < n; ++i) h.push_back(Particle(0.5f * (i % 7), 0.25f * (i % 5), 1.0f + i % 3));
    Particle *d, *heavy;
    float *e;
    CHECK(cudaMalloc(&d, n * sizeof(Particle)));
    CHECK(cudaMalloc(&heavy, sizeof(Particle)));
    CHECK(cudaMalloc(&e, n * sizeof(float)));
    CHECK(cudaMemcpy(d, h.data(), n * sizeof(Particle), cudaMemcpyHostToDevice));
    step<<<(n + 127) / 128, 128>>>(d, n, Gravity(0.5f));
    step<<<(n + 127) / 128, 128>>>(d, n, Spring(0.25f));
    energies<<<(n + 127) / 128, 128>>>(d, e, n, heavy);
    CHECK(cudaGetLastError());
    std::vector<float> got(n);
    Particle total;
    CHECK(cudaMemcpy(got.data(), e, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&total, heavy, sizeof(Particle), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        Particle p = h[i];
        p += Body(0.0f, -0.5f * p.mass);
        p += Body(-0.25f * p.x, -0.25f * p.y);
        if (fabsf(p.energy() - got[i]) > 1e-5f) ++wrong;
    }
    printf("%d wrong, energy of the first %.4f, total mass %.1f, charge %d, tag %c\n", wrong, got[1], total.mass, total.charge,
           total.tag);
    cudaFree(d); cudaFree(heavy); cudaFree(e);
    return wrong != 0;
}
