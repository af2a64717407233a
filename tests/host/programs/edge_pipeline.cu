// A homework on images: PGM files, constant filters, shared tiles with halo, hysteresis with a changed flag.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#define CHECK(x) check((x), __FILE__, __LINE__)
static void check(cudaError_t e, const char *file, int line) {
    if (e != cudaSuccess) {
        std::ostringstream s; s << file << ":" << line << ": " << cudaGetErrorString(e);
        throw std::runtime_error(s.str());
    }
}
constexpr int TILE = 16, RADIUS = 2;
__constant__ float gauss[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
struct Image {
    int w = 0, h = 0;
    std::vector<uint8_t> px;
    Image(int w, int h) : w(w), h(h), px(w * h) {}
    void save(const std::string &name) const {
        std::ofstream f(name, std::ios::binary);
        f << "P5\n" << w << ' ' << h << "\n255\n";
        f.write(reinterpret_cast<const char *>(px.data()), px.size());
    }
    static Image load(const std::string &name) {
        std::ifstream f(name, std::ios::binary);
        if (!f) throw std::runtime_error("cannot open " + name);
        std::string magic; int w, h, m; f >> magic >> w >> h >> m; f.get();
        Image r(w, h); f.read(reinterpret_cast<char *>(r.px.data()), r.px.size());
        return r;
    }
};
template <typename T> class DeviceArray {
    T *p = nullptr; size_t n;
  public:
    explicit DeviceArray(size_t n) : n(n) { CHECK(cudaMalloc(&p, n * sizeof(T))); CHECK(cudaMemset(p, 0, n * sizeof(T))); }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray(DeviceArray &&o) noexcept : p(std::exchange(o.p, nullptr)), n(o.n) {}
    ~DeviceArray() { cudaFree(p); }
    operator T *() { return p; }
    void from(const std::vector<T> &v) { CHECK(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice)); }
    std::vector<T> get() const { std::vector<T> v(n); CHECK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost)); return v; }
};
__device__ inline int clampi(int v, int lo, int hi) { return min(max(v, lo), hi); }
__global__ void blur(const uint8_t *in, float *out, int w, int h) {
    __shared__ float tile[TILE + 2 * RADIUS][TILE + 2 * RADIUS + 1];
    const int x0 = blockIdx.x * TILE - RADIUS, y0 = blockIdx.y * TILE - RADIUS;
    for (int i = threadIdx.y * TILE + threadIdx.x; i < (TILE + 4) * (TILE + 4); i += TILE * TILE) {
        int ty = i / (TILE + 4), tx = i % (TILE + 4);
        tile[ty][tx] = in[clampi(y0 + ty, 0, h - 1) * w + clampi(x0 + tx, 0, w - 1)];
    }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int dy = 0; dy < 5; ++dy)
        for (int dx = 0; dx < 5; ++dx) s += gauss[dy] * gauss[dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * w + x] = s;
}
__global__ void sobel(const float *in, float2 *grad, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    auto at = [=](int i, int j) { return in[clampi(j, 0, h - 1) * w + clampi(i, 0, w - 1)]; };
    float gx = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x - 1, y) - at(x - 1, y + 1);
    float gy = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x, y - 1) - at(x + 1, y - 1);
    grad[y * w + x] = make_float2(hypotf(gx, gy), atan2f(gy, gx));
}
enum : uint8_t { NONE = 0, WEAK = 128, STRONG = 255 };
__global__ void thin(const float2 *grad, uint8_t *out, int w, int h, float lo, float hi) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    float2 g = grad[y * w + x];
    int sector = (int)lrintf(g.y * 4 / 3.14159265f) & 3;
    const int2 step[4] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
    int2 d = step[sector];
    float a = grad[(y + d.y) * w + x + d.x].x, b = grad[(y - d.y) * w + x - d.x].x;
    out[y * w + x] = g.x < a || g.x < b || g.x < lo ? NONE : g.x >= hi ? STRONG : WEAK;
}
__global__ void grow(uint8_t *e, int w, int h, int *changed) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= w - 1 || y >= h - 1 || e[y * w + x] != WEAK) return;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            if (e[(y + j) * w + x + i] == STRONG) { e[y * w + x] = STRONG; *changed = 1; return; }
}
int main(int argc, char *argv[]) try {
    Image in(90, 61);
    for (int y = 0; y < in.h; ++y)
        for (int x = 0; x < in.w; ++x)
            in.px[y * in.w + x] = (uint8_t)(((x - 40) * (x - 40) + (y - 30) * (y - 30) < 400 ? 200 : 40) + (x * 7 + y * 13) % 9);
    in.save("scene.pgm");
    Image img = Image::load("scene.pgm");
    DeviceArray<uint8_t> src(img.px.size()), edges(img.px.size());
    DeviceArray<float> smooth(img.px.size());
    DeviceArray<float2> grad(img.px.size());
    src.from(img.px);
    dim3 block(TILE, TILE), grid((img.w + TILE - 1) / TILE, (img.h + TILE - 1) / TILE);
    blur<<<grid, block>>>(src, smooth, img.w, img.h);
    sobel<<<grid, block>>>(smooth, grad, img.w, img.h);
    thin<<<grid, block>>>(grad, edges, img.w, img.h, 60.f, 150.f);
    CHECK(cudaGetLastError());
    int *changed; CHECK(cudaMallocManaged(&changed, sizeof(int)));
    int rounds = 0;
    do { *changed = 0; grow<<<grid, block>>>(edges, img.w, img.h, changed); CHECK(cudaDeviceSynchronize()); } while (*changed && ++rounds < 50);
    Image out(img.w, img.h);
    out.px = edges.get();
    out.save("edges.pgm");
    std::cout << std::count(out.px.begin(), out.px.end(), STRONG) << " edge pixels\n";
    for (int y = 8; y < 54; y += 5) { for (int x = 16; x < 66; ++x) std::cout << (out.px[y * out.w + x] == STRONG ? '#' : '.'); std::cout << '\n'; }
    CHECK(cudaFree(changed));
    std::remove("scene.pgm");
    std::remove("edges.pgm");
    Image::load("missing.pgm");
} catch (const std::exception &e) { std::cout << "error: " << e.what() << std::endl; return 0; }
