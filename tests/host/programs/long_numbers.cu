// Long numbers: carries by add.cc in inline PTX over several statements, unions and bit-fields.
#include <cstdio>
#include <cstring>
#include <cinttypes>
struct Big { uint32_t d[8]; };
union Pun { double f; uint64_t u; struct { uint32_t lo, hi; }; };
struct Flags { unsigned carry : 1, zero : 1, top : 6; int small : 4; };
__device__ uint32_t add256(Big &r, const Big &a, const Big &b) {
    uint32_t c;
    asm("add.cc.u32 %0, %1, %2;" : "=r"(r.d[0]) : "r"(a.d[0]), "r"(b.d[0]));
#pragma unroll
    for (int i = 1; i < 8; i++) asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r.d[i]) : "r"(a.d[i]), "r"(b.d[i]));
    asm("addc.u32 %0, 0, 0;" : "=r"(c));
    return c;
}
__device__ void mul256(Big &lo, const Big &a, uint32_t b) {
    uint64_t carry = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t p = (uint64_t)a.d[i] * b + carry;
        lo.d[i] = (uint32_t)p; carry = p >> 32;
    }
}
__global__ void sums(const Big *a, const Big *b, Big *r, Flags *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Big t, m;
    uint32_t c = add256(t, a[i], b[i]);
    mul256(m, t, 1000003u);
    r[i] = m;
    Flags g = {};
    g.carry = c; g.zero = m.d[0] == 0; g.top = m.d[7] >> 26; g.small = (int)(m.d[3] & 15) - 8;
    f[i] = g;
}
__global__ void puns(const double *x, uint32_t *hi, double *half, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    Pun p; p.f = x[i];
    hi[i] = p.hi >> 20;
    p.u -= 1ull << 52;
    half[i] = p.f;
}
int main() {
    const int n = 40;
    static Big a[n], b[n], r[n]; static Flags f[n];
    uint32_t s = 1;
    for (int i = 0; i < n; i++) for (int k = 0; k < 8; k++) { s = s * 1664525u + 1013904223u; a[i].d[k] = s; s = s * 1664525u + 1013904223u; b[i].d[k] = i % 4 ? s : ~a[i].d[k]; }
    for (int k = 0; k < 8; k++) b[7].d[k] = 0xffffffffu;
    Big *da, *db, *dr; Flags *df;
    cudaMalloc(&da, sizeof a); cudaMalloc(&db, sizeof b); cudaMalloc(&dr, sizeof r); cudaMalloc(&df, sizeof f);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice); cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    sums<<<(n + 31) / 32, 32>>>(da, db, dr, df, n);
    cudaMemcpy(r, dr, sizeof r, cudaMemcpyDeviceToHost); cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 6) {
        for (int k = 7; k >= 0; k--) printf("%08x", r[i].d[k]);
        printf(" %u %u %u %d\n", f[i].carry, f[i].zero, f[i].top, f[i].small);
    }
    double x[4] = {1.5, -3.25e10, 7e-300, 0.1}, hh[4], *dx, *dh; uint32_t e[4], *de;
    cudaMalloc(&dx, 32); cudaMalloc(&dh, 32); cudaMalloc(&de, 16);
    cudaMemcpy(dx, x, 32, cudaMemcpyHostToDevice);
    puns<<<1, 4>>>(dx, de, dh, 4);
    cudaMemcpy(e, de, 16, cudaMemcpyDeviceToHost); cudaMemcpy(hh, dh, 32, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++) printf("%u %.17g\n", e[i], hh[i]);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
