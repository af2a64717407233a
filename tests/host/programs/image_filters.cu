// Images: median by a sorting network, bilateral, equalisation, integral images, labels, Hough, distances, morphology.
#include <cuda.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <iostream>
#include <fstream>
#include <cmath>
#include <memory>
#include <vector>
#include <numeric>
#include <iomanip>
#define W 61
#define H 43
#define SWAP(a, b) { unsigned char lo = min(a, b), hi = max(a, b); a = lo; b = hi; }
typedef unsigned char uchar;
__device__ int at(int x, int y) { return min(max(y, 0), H - 1) * W + min(max(x, 0), W - 1); }
__global__ void median(const uchar *in, uchar *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= W || y >= H) return;
    uchar p[9]; int k = 0; for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) p[k++] = in[at(x + i, y + j)];
    SWAP(p[1], p[2]) SWAP(p[4], p[5]) SWAP(p[7], p[8]) SWAP(p[0], p[1]) SWAP(p[3], p[4]) SWAP(p[6], p[7]) SWAP(p[1], p[2]) SWAP(p[4], p[5]) SWAP(p[7], p[8]) SWAP(p[0], p[3]) SWAP(p[5], p[8]) SWAP(p[4], p[7]) SWAP(p[3], p[6]) SWAP(p[1], p[4]) SWAP(p[2], p[5]) SWAP(p[4], p[7]) SWAP(p[4], p[2]) SWAP(p[6], p[4]) SWAP(p[4], p[2])
    out[y * W + x] = p[4];
}
__global__ void bilateral(const uchar *in, uchar *out, float ss, float sr) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= W || y >= H) return;
    float sum = 0, norm = 0, c = in[y * W + x]; for (int j = -2; j <= 2; j++) for (int i = -2; i <= 2; i++) { float v = in[at(x + i, y + j)], w = __expf(-(i * i + j * j) / (2 * ss * ss) - (v - c) * (v - c) / (2 * sr * sr)); sum += w * v; norm += w; }
    out[y * W + x] = (uchar)__float2uint_rn(__saturatef(__fdividef(sum, norm) / 255) * 255);
}
__global__ void histogram(const uchar *in, unsigned *h, int n) {
    __shared__ unsigned local[8][257]; for (int i = threadIdx.x; i < 8 * 257; i += blockDim.x) (&local[0][0])[i] = 0; __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd_block(&local[threadIdx.x / 32][in[i]], 1u); __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) { unsigned s = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) s += local[k][b];
        if (s) atomicAdd(h + b, s); }
}
__global__ void equalise(uchar *img, const unsigned *h, int n) {
    __shared__ unsigned cdf[256]; int t = threadIdx.x; cdf[t] = h[t]; __syncthreads();
    for (int s = 1; s < 256; s <<= 1) { unsigned v = t >= s ? cdf[t - s] : 0; __syncthreads(); cdf[t] += v; __syncthreads(); }
    __shared__ unsigned lo; if (t == 0) lo = ~0u; __syncthreads(); if (h[t]) atomicMin(&lo, cdf[t]); __syncthreads();
    for (int i = t; i < n; i += 256) img[i] = (uchar)(255.f * (cdf[img[i]] - lo) / (n - lo) + .5f);
}
__global__ void rows(const uchar *in, unsigned *out) {
    int y = blockIdx.x, lane = threadIdx.x; unsigned carry = 0;
    for (int x0 = 0; x0 < W; x0 += 32) { int x = x0 + lane; unsigned v = x < W ? in[y * W + x] : 0; for (int d = 1; d < 32; d *= 2) { unsigned u = __shfl_up_sync(~0u, v, d); if (lane >= d) v += u; } v += carry; if (x < W) out[y * W + x] = v; carry = __shfl_sync(~0u, v, 31); }
}
__global__ void columns(unsigned *io) { int x = blockIdx.x * blockDim.x + threadIdx.x; if (x < W) for (int y = 1; y < H; y++) io[y * W + x] += io[(y - 1) * W + x]; }
__global__ void label0(const uchar *in, int *l) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < W * H) l[i] = in[i] > 128 ? i : -1; }
__device__ int root(volatile int *l, int i) { while (l[i] != i) i = l[i]; return i; }
__global__ void merge(int *l) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= W * H || l[i] < 0) return; int x = i % W, y = i / W;
    for (int n = 0; n < 2; n++) { int j = n ? i - W : i - 1; if ((n ? y : x) == 0 || l[j] < 0) continue; int a = root(l, i), b = root(l, j); while (a != b) { if (a < b) { int t = a; a = b; b = t; } int old = atomicMin(&l[a], b); if (old == a) break; a = root(l, old); b = root(l, b); } }
}
__global__ void flatten(int *l, int *areas) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < W * H && l[i] >= 0) { int r = root(l, i); atomicAdd(areas + r, 1); } }
__global__ void hough(const uchar *e, int *acc, int nt, int nr) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= W * H || e[i] < 200) return; int x = i % W, y = i / W; for (int t = threadIdx.y; t < nt; t += blockDim.y) { float s, c; sincospif((float)t / nt, &s, &c); int r = __float2int_rn(x * c + y * s) + nr / 2; if (r >= 0 && r < nr) atomicAdd(&acc[t * nr + r], 1); } }
template <class Op> __global__ void morph(const uchar *in, uchar *out, Op op, uchar start) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= W || y >= H) return; uchar v = start; for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) if (!i || !j) v = op(v, in[at(x + i, y + j)]); out[y * W + x] = v; }
struct Dilate { __device__ uchar operator()(uchar a, uchar b) const { return a > b ? a : b; } }; struct Erode { __device__ uchar operator()(uchar a, uchar b) const { return a < b ? a : b; } };
unsigned long long sum(const uchar *d) { std::vector<uchar> h(W * H); cudaMemcpy(h.data(), d, W * H, cudaMemcpyDeviceToHost); unsigned long long s = 0; for (size_t i = 0; i < h.size(); i++) s = s * 31 + h[i]; return s; }
int main() {
    std::vector<uchar> img(W * H); for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) img[y * W + x] = (uchar)(((x / 9 + y / 7) % 3 == 0 ? 210 : 60) + (x * 17 + y * 29) % 31);
    uchar *a, *b; cudaMalloc(&a, W * H); cudaMalloc(&b, W * H); cudaMemcpy(a, img.data(), W * H, cudaMemcpyHostToDevice); dim3 blk(16, 16), grd((W + 15) / 16, (H + 15) / 16); int n = W * H, g = (n + 255) / 256;
    median<<<grd, blk>>>(a, b); std::cout << std::hex << "median " << sum(b); bilateral<<<grd, blk>>>(a, b, 1.5f, 40.f); std::cout << " bilateral " << sum(b);
    unsigned *h; cudaMalloc(&h, 1024); cudaMemset(h, 0, 1024); histogram<<<2, 256>>>(a, h, n); cudaMemcpy(b, a, n, cudaMemcpyDeviceToDevice); equalise<<<1, 256>>>(b, h, n); std::cout << " equalised " << sum(b) << std::dec << "\n";
    unsigned *I; cudaMalloc(&I, n * 4); rows<<<H, 32>>>(a, I); columns<<<1, 64>>>(I); std::vector<unsigned> hi(n); cudaMemcpy(hi.data(), I, n * 4, cudaMemcpyDeviceToHost); std::cout << "integral " << hi[n - 1] << ' ' << hi[20 * W + 30] << ' ' << std::accumulate(img.begin(), img.end(), 0u) << "\n";
    int *l, *areas; cudaMalloc(&l, n * 4); cudaMalloc(&areas, n * 4); cudaMemset(areas, 0, n * 4); label0<<<g, 256>>>(a, l); merge<<<g, 256>>>(l); flatten<<<g, 256>>>(l, areas); std::vector<int> ha(n); cudaMemcpy(ha.data(), areas, n * 4, cudaMemcpyDeviceToHost); int parts = 0, largest = 0; for (int v : ha) { parts += v > 0; largest = std::max(largest, v); } std::cout << "labels " << parts << ' ' << largest << "\n";
    std::vector<uchar> line(n, 0); for (int k = 0; k < 40; k++) line[k * W + k] = 255; cudaMemcpy(b, line.data(), n, cudaMemcpyHostToDevice); const int nt = 64, nr = 201; int *acc; cudaMalloc(&acc, nt * nr * 4); cudaMemset(acc, 0, nt * nr * 4); hough<<<g, dim3(256, 2)>>>(b, acc, nt, nr); std::vector<int> hacc(nt * nr); cudaMemcpy(hacc.data(), acc, nt * nr * 4, cudaMemcpyDeviceToHost); auto it = std::max_element(hacc.begin(), hacc.end()); std::cout << "hough " << *it << " at angle " << (it - hacc.begin()) / nr << "/" << nt << "\n";
    uchar *c; cudaMalloc(&c, n); morph<<<grd, blk>>>(a, b, Dilate(), 0); morph<<<grd, blk>>>(b, c, Erode{}, 255); std::cout << "closed " << std::hex << sum(c) << "\n" << cudaGetErrorString(cudaDeviceSynchronize()) << std::endl;
    for (void *p : {(void *)a, (void *)b, (void *)h, (void *)I, (void *)l, (void *)areas, (void *)acc, (void *)c}) cudaFree(p);
}
