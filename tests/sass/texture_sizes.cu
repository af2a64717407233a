// texture_sizes RESULT: what txq and suq say of textures and surfaces of every kind, and fetches with a number to compare with;
// 1,024 words of each launch go to the file, its name to the output.
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
typedef unsigned u32; typedef unsigned long long u64;
// thread t asks for level t
extern "C" __global__ void txq(u64 tex, u32 *out) {
    u32 w, h, d, t = threadIdx.x;
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(w) : "l"(tex)); out[t * 8] = w;
    asm volatile("txq.height.b32 %0, [%1];" : "=r"(h) : "l"(tex)); out[t * 8 + 1] = h;
    asm volatile("txq.depth.b32 %0, [%1];" : "=r"(d) : "l"(tex)); out[t * 8 + 2] = d;
    asm volatile("txq.level.width.b32 %0, [%1], %2;" : "=r"(w) : "l"(tex), "r"(t)); out[t * 8 + 3] = w;
    asm volatile("txq.level.height.b32 %0, [%1], %2;" : "=r"(h) : "l"(tex), "r"(t)); out[t * 8 + 4] = h;
    asm volatile("txq.level.depth.b32 %0, [%1], %2;" : "=r"(d) : "l"(tex), "r"(t)); out[t * 8 + 5] = d;
}
extern "C" __global__ void suq(u64 surf, u32 *out) {
    u32 w, h, d, t = threadIdx.x;
    asm volatile("suq.width.b32 %0, [%1];" : "=r"(w) : "l"(surf)); out[t * 8] = w;
    asm volatile("suq.height.b32 %0, [%1];" : "=r"(h) : "l"(surf)); out[t * 8 + 1] = h;
    asm volatile("suq.depth.b32 %0, [%1];" : "=r"(d) : "l"(surf)); out[t * 8 + 2] = d;
}
// 64 places of an 8 x 8 texture, each with three values to compare with
extern "C" __global__ void compare(u64 tex, u32 *out) {
    int t = threadIdx.x; float r, g, b, a, x = (t % 8) + .25f, y = t / 8 + .75f;
    for (int i = 0; i < 3; i++) {
        asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5, %6}], %7;" : "=f"(r), "=f"(g), "=f"(b), "=f"(a) : "l"(tex), "f"(x), "f"(y), "f"(.25f + .25f * i));
        out[t * 12 + i * 4] = __float_as_uint(r); out[t * 12 + i * 4 + 1] = __float_as_uint(g); out[t * 12 + i * 4 + 2] = __float_as_uint(b); out[t * 12 + i * 4 + 3] = __float_as_uint(a);
    }
}
FILE *o; u32 *dev; std::vector<u32> host(1024);
template <class K> void launch(const char *what, const char *name, K kernel, u64 handle, int threads) {
    cudaMemset(dev, 0xee, 4096);
    kernel<<<1, threads>>>(handle, dev);
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(host.data(), dev, 4096, cudaMemcpyDeviceToHost);
    printf("%s %s %d\n", what, name, (int)e); fflush(stdout);
    fwrite(host.data(), 4, 1024, o);
    if (e) exit(1);
}
u64 object_of(cudaResourceDesc &r, bool linear, bool normal, float high) {
    cudaTextureDesc t; memset(&t, 0, sizeof t);
    t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint; t.normalizedCoords = normal; t.readMode = cudaReadModeElementType; t.maxMipmapLevelClamp = high; t.addressMode[0] = t.addressMode[1] = t.addressMode[2] = cudaAddressModeClamp;
    cudaTextureObject_t h = 0; cudaError_t e = cudaCreateTextureObject(&h, &r, &t, 0); if (e) printf("create %d\n", (int)e); return h;
}
int main(int, char **argv) {
    o = fopen(argv[1], "wb"); cudaMalloc(&dev, 4096);
    struct { const char *name; int w, h, d; unsigned flags; int bits, n; } arrays[] = {
        {"array1d", 37, 0, 0, 0, 32, 1}, {"array1d_layered", 37, 0, 5, cudaArrayLayered, 32, 1}, {"array2d", 37, 11, 0, 0, 32, 1}, {"array2d_4", 37, 11, 0, 0, 32, 4}, {"array2d_byte", 130, 3, 0, 0, 8, 1},
        {"array2d_layered", 37, 11, 5, cudaArrayLayered, 16, 2}, {"array3d", 37, 11, 6, 0, 32, 1}, {"cube", 16, 16, 6, cudaArrayCubemap, 32, 1}, {"cube_layered", 16, 16, 18, cudaArrayCubemap | cudaArrayLayered, 32, 1}};
    for (auto &a : arrays) {
        cudaChannelFormatDesc f = {a.bits, a.n > 1 ? a.bits : 0, a.n > 2 ? a.bits : 0, a.n > 3 ? a.bits : 0, a.bits == 32 ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
        cudaArray_t p; cudaError_t e = cudaMalloc3DArray(&p, &f, make_cudaExtent(a.w, a.h, a.d), a.flags | cudaArraySurfaceLoadStore); if (e) printf("malloc %s %d\n", a.name, (int)e);
        cudaResourceDesc r; memset(&r, 0, sizeof r); r.resType = cudaResourceTypeArray; r.res.array.array = p;
        launch("txq", a.name, txq, object_of(r, false, false, 0), 8);
        cudaSurfaceObject_t s = 0; cudaCreateSurfaceObject(&s, &r); launch("suq", a.name, suq, s, 8);
    }
    for (auto &a : arrays) {
        if (a.bits == 8) continue;
        cudaChannelFormatDesc f = {a.bits, a.n > 1 ? a.bits : 0, a.n > 2 ? a.bits : 0, a.n > 3 ? a.bits : 0, a.bits == 32 ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
        cudaMipmappedArray_t p; cudaError_t e = cudaMallocMipmappedArray(&p, &f, make_cudaExtent(a.w, a.h, a.d), 4, a.flags); if (e) printf("mipmap %s %d\n", a.name, (int)e);
        cudaResourceDesc r; memset(&r, 0, sizeof r); r.resType = cudaResourceTypeMipmappedArray; r.res.mipmap.mipmap = p;
        char name[99]; snprintf(name, 99, "mip_%s", a.name);
        launch("txq", name, txq, object_of(r, false, true, 3), 8);
    }
    for (int n : {1000, 200000}) {
        void *p; cudaMalloc(&p, n * 4); cudaResourceDesc r; memset(&r, 0, sizeof r); r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = p; r.res.linear.desc = {32, 0, 0, 0, cudaChannelFormatKindFloat}; r.res.linear.sizeInBytes = n * 4;
        launch("txq", n == 1000 ? "linear_1000" : "linear_200000", txq, object_of(r, false, false, 0), 8);
    }
    { void *p; size_t pitch; cudaMallocPitch(&p, &pitch, 37 * 4, 11); cudaResourceDesc r; memset(&r, 0, sizeof r); r.resType = cudaResourceTypePitch2D; r.res.pitch2D = {p, {32, 0, 0, 0, cudaChannelFormatKindFloat}, 37, 11, pitch};
      launch("txq", "pitch", txq, object_of(r, false, false, 0), 8); }
    for (int kind = 0; kind < 3; kind++) for (int linear = 0; linear < 2; linear++) {
        int n = kind == 1 ? 4 : 1, bits = kind == 2 ? 16 : 32;
        cudaChannelFormatDesc f = {bits, n > 1 ? bits : 0, n > 1 ? bits : 0, n > 1 ? bits : 0, kind == 2 ? cudaChannelFormatKindUnsigned : cudaChannelFormatKindFloat};
        cudaArray_t p; cudaMallocArray(&p, &f, 8, 8, 0);
        std::vector<float> v(64 * n); std::vector<unsigned short> u(64);
        for (int i = 0; i < 64; i++) { float q = (i * 37 % 64) / 64.f; for (int c = 0; c < n; c++) v[i * n + c] = q + c * .1f; u[i] = q * 65535; }
        cudaMemcpy2DToArray(p, 0, 0, kind == 2 ? (void *)u.data() : v.data(), 8 * n * bits / 8, 8 * n * bits / 8, 8, cudaMemcpyHostToDevice);
        cudaResourceDesc r; memset(&r, 0, sizeof r); r.resType = cudaResourceTypeArray; r.res.array.array = p;
        cudaTextureDesc t; memset(&t, 0, sizeof t); t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint; t.readMode = kind == 2 ? cudaReadModeNormalizedFloat : cudaReadModeElementType; t.addressMode[0] = t.addressMode[1] = cudaAddressModeClamp;
        cudaTextureObject_t h = 0; cudaCreateTextureObject(&h, &r, &t, 0);
        char name[99]; snprintf(name, 99, "kind%d_linear%d", kind, linear);
        launch("compare", name, compare, h, 64);
    }
    return 0;
}
