#include <cstdio>
#include <memory>
#include <string>
#include <vector>
#include <array>
#include <map>
#include <functional>
#include <stdexcept>
namespace gpu {
inline void check(cudaError_t e, const char *what, const std::string &where) { if (e != cudaSuccess) throw std::runtime_error(where + ": " + what + ": " + cudaGetErrorString(e)); }
#define CHECK(x) ::gpu::check((x), #x, std::string(__func__))
template <typename T> struct Deleter { void operator()(T *p) const { cudaFree(p); } };
template <typename T> using unique = std::unique_ptr<T[], Deleter<T>>;
template <typename T> unique<T> make(size_t n) { T *p = nullptr; CHECK(cudaMalloc(&p, n * sizeof(T))); return unique<T>(p); }
template <typename T> class Span { T *p_; int n_; public: __host__ __device__ Span(T *p, int n) : p_(p), n_(n) {} __host__ __device__ T &operator[](int i) const { return p_[i]; } __host__ __device__ int size() const { return n_; } __host__ __device__ T *begin() const { return p_; } __host__ __device__ T *end() const { return p_ + n_; } };
struct Timer { cudaEvent_t a, b; Timer() { cudaEventCreate(&a); cudaEventCreate(&b); cudaEventRecord(a); } ~Timer() { cudaEventDestroy(a); cudaEventDestroy(b); } float stop() { cudaEventRecord(b); cudaEventSynchronize(b); float ms; cudaEventElapsedTime(&ms, a, b); return ms; } };
namespace detail { template <typename F, typename... A> __global__ void each(int n, F f, A... a) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i, a...); } }
template <typename F, typename... A> void parallel_for(int n, F f, A... a) { detail::each<<<(n + 127) / 128, 128>>>(n, f, a...); CHECK(cudaGetLastError()); }
}
struct Particle { float3 x, v; int id; };
struct Move { float dt; float3 g; __device__ void operator()(int i, gpu::Span<Particle> p) const { auto &q = p[i]; q.v.x += g.x * dt; q.v.y += g.y * dt; q.v.z += g.z * dt; q.x.x += q.v.x * dt; q.x.y += q.v.y * dt; q.x.z += q.v.z * dt; if (q.x.y < 0) { q.x.y = -q.x.y; q.v.y *= -0.5f; } } };
struct Energy { __device__ void operator()(int i, gpu::Span<const Particle> p, float *e) const { float s = 0; for (const Particle &q : p) if (q.id == i) s += 0.5f * (q.v.x * q.v.x + q.v.y * q.v.y + q.v.z * q.v.z) + 9.81f * q.x.y; e[i] = s; } };
enum class Mode : int { Fast = 1, Slow };
template <Mode M> struct Steps { static constexpr int value = M == Mode::Fast ? 10 : 40; };
int main() try {
    constexpr int n = 300; std::vector<Particle> h(n);
    for (int i = 0; i < n; i++) h[i] = {{i * 0.1f, 5.0f + i % 7, -i * 0.2f}, {1, 0, 0.5f * (i % 3)}, (i * 7) % n};
    auto d = gpu::make<Particle>(n); auto e = gpu::make<float>(n);
    CHECK(cudaMemcpy(d.get(), h.data(), n * sizeof(Particle), cudaMemcpyHostToDevice));
    gpu::Timer timer;
    for (int s = 0; s < Steps<Mode::Slow>::value; s++) gpu::parallel_for(n, Move{0.05f, {0, -9.81f, 0}}, gpu::Span<Particle>(d.get(), n));
    gpu::parallel_for(n, Energy{}, gpu::Span<const Particle>(d.get(), n), e.get());
    std::array<float, n> he; CHECK(cudaMemcpy(he.data(), e.get(), sizeof he, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(h.data(), d.get(), n * sizeof(Particle), cudaMemcpyDeviceToHost));
    std::map<std::string, std::function<double()>> report = {{"energy", [&] { double s = 0; for (float x : he) s += x; return s; }}, {"height", [&] { double s = 0; for (auto &p : h) s += p.x.y; return s; }}};
    for (auto &[name, f] : report) printf("%s %.3f\n", name.c_str(), f());
    printf("timed %d\n", timer.stop() > 0);
    CHECK(cudaMemcpy(d.get(), nullptr, 16, (cudaMemcpyKind)99));
} catch (const std::exception &x) { printf("caught %s\n", x.what()); return 3; }
