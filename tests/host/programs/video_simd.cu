#include <cstdio>
#include <cstring>
#define W 96
#define H 40
__device__ __forceinline__ void order(unsigned char &a, unsigned char &b) { unsigned char t = min(a, b); b = max(a, b); a = t; }
#define S2(a, b) order(v[a], v[b])
__global__ void median3(const unsigned char *in, size_t pitch, unsigned char *out, size_t out_pitch) {
    __shared__ unsigned char tile[10][34];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 10 * 34; k += 256) {
        int ty = k / 34, tx = k % 34, x = min(max(x0 + tx - 1, 0), W - 1), y = min(max(y0 + ty - 1, 0), H - 1);
        tile[ty][tx] = *((const unsigned char *)((const char *)in + y * pitch) + x);
    }
    __syncthreads();
    unsigned char v[9];
#pragma unroll
    for (int dy = 0; dy < 3; dy++)
#pragma unroll
        for (int dx = 0; dx < 3; dx++) v[dy * 3 + dx] = tile[threadIdx.y + dy][threadIdx.x + dx];
    S2(1, 2); S2(4, 5); S2(7, 8); S2(0, 1); S2(3, 4); S2(6, 7); S2(1, 2); S2(4, 5); S2(7, 8); S2(0, 3); S2(5, 8); S2(4, 7); S2(3, 6); S2(1, 4); S2(2, 5); S2(4, 7); S2(4, 2); S2(6, 4); S2(4, 2);
    out[(y0 + threadIdx.y) * out_pitch + x0 + threadIdx.x] = v[4];
}
__global__ void simd(const uint4 *a, const uint4 *b, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 x = a[i], y = b[i];
    unsigned *o = out + i * 16;
    o[0] = __vabsdiffu4(x.x, y.x); o[1] = __vavgu4(x.y, y.y); o[2] = __vaddus4(x.z, y.z); o[3] = __vsubss2(x.w, y.w);
    o[4] = __vmaxs2(x.x, y.y); o[5] = __vminu4(x.y, y.z); o[6] = __vcmpgtu4(x.z, y.w); o[7] = __vsadu4(x.x, y.x);
    o[8] = __dp4a((int)x.x, (int)y.x, 7); o[9] = __dp2a_lo((int)x.y, (int)y.y, -3); o[10] = __byte_perm(x.z, y.z, 0x5147); o[11] = __usad(x.w, y.w, 5u);
    o[12] = __funnelshift_lc(x.x, y.x, y.y & 63); o[13] = __vsetltu2(x.x, y.y); o[14] = __vneg4(x.z); o[15] = __vabs2(y.w) + __mulhi((int)x.x, (int)y.z) + __umul24(x.y, y.y) + __hadd((int)x.z, (int)y.x) + __rhadd(1, 4);
}
__global__ void sad(const uchar4 *a, const uchar4 *b, unsigned *total, int n) {
    unsigned s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) { uchar4 p = a[i], q = b[i]; s += __sad(p.x, q.x, __sad(p.y, q.y, __sad(p.z, q.z, __sad(p.w, q.w, 0u)))); }
    for (int o = warpSize / 2; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (threadIdx.x % warpSize == 0) atomicAdd(total, s);
}
int main() {
    static unsigned char image[H][W], result[H][W];
    unsigned s = 99; for (auto &row : image) for (auto &p : row) { s = s * 1664525u + 1013904223u; p = s >> 24; }
    unsigned char *in, *out; size_t pitch, out_pitch;
    cudaMallocPitch(&in, &pitch, W, H); cudaMallocPitch(&out, &out_pitch, W, H);
    cudaMemcpy2D(in, pitch, image, W, W, H, cudaMemcpyHostToDevice);
    cudaMemset2D(out, out_pitch, 0, W, H);
    median3<<<dim3(W / 32, H / 8), dim3(32, 8)>>>(in, pitch, out, out_pitch);
    cudaMemcpy2D(result, W, out, out_pitch, W, H, cudaMemcpyDeviceToHost);
    unsigned hash = 0; for (auto &row : result) for (auto p : row) hash = hash * 31 + p;
    printf("median %u %d %d\n", hash, result[0][0], result[20][50]);
    const int n = 32;
    unsigned *o, *total; uint4 *a, *b;
    cudaMalloc(&a, n * 16); cudaMalloc(&b, n * 16); cudaMallocManaged(&o, n * 64); cudaMallocManaged(&total, 4); *total = 0;
    cudaMemcpy(a, image, n * 16, cudaMemcpyHostToDevice); cudaMemcpy(b, (char *)image + 1000, n * 16, cudaMemcpyHostToDevice);
    simd<<<1, 32>>>(a, b, o, n);
    sad<<<1, 64>>>((uchar4 *)a, (uchar4 *)b, total, n * 4);
    cudaDeviceSynchronize();
    for (int k = 0; k < 16; k++) { unsigned h = 0; for (int i = 0; i < n; i++) h = h * 131 + o[i * 16 + k]; printf("%08x%c", h, k % 8 == 7 ? '\n' : ' '); }
    printf("sad %u %s\n", *total, cudaGetErrorString(cudaGetLastError()));
}
