// Search: N queens with an explicit stack, sudoku by bit masks and backtracking, travelling salesman by annealing, knapsack.
#include <curand_kernel.h>
#include <cstdio>
#include <cstring>
#include <climits>
#define N 8
__global__ void queens(unsigned long long *solutions, int n) {
    int first = blockIdx.x, second = threadIdx.x; if (second >= n) return;
    struct Frame { unsigned cols, d1, d2, avail; } stack[12]; const unsigned all = (1u << n) - 1;
    unsigned c = 1u << first, d1 = c << 1, d2 = c >> 1, avail = all & ~(c | d1 | d2); if (!(avail >> second & 1)) return;
    unsigned bit = 1u << second; int depth = 0; unsigned long long count = 0;
    stack[0] = {c | bit, (d1 | bit) << 1, (d2 | bit) >> 1, 0}; stack[0].avail = all & ~(stack[0].cols | stack[0].d1 | stack[0].d2);
    while (depth >= 0) {
        Frame &f = stack[depth];
        if (!f.avail) { depth--; continue; }
        unsigned b = f.avail & -f.avail; f.avail ^= b;
        if (__popc(f.cols) + 1 == n) { count++; continue; }
        Frame next = {f.cols | b, (f.d1 | b) << 1, (f.d2 | b) >> 1, 0}; next.avail = all & ~(next.cols | next.d1 | next.d2); stack[++depth] = next;
    }
    atomicAdd(solutions, count);
}
struct Sudoku { signed char cell[81]; };
__device__ int candidates(const Sudoku &s, int at) { int used = 0, r = at / 9, c = at % 9; for (int k = 0; k < 9; k++) { used |= 1 << s.cell[r * 9 + k]; used |= 1 << s.cell[k * 9 + c]; used |= 1 << s.cell[(r / 3 * 3 + k / 3) * 9 + c / 3 * 3 + k % 3]; } return ~used & 0x3fe; }
__global__ void sudoku(Sudoku *puzzles, int *tries, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    Sudoku s = puzzles[i]; signed char open[81]; short left[81]; int count = 0, at = 0, tried = 0;
    for (int k = 0; k < 81; k++) if (!s.cell[k]) open[count++] = k;
    left[0] = candidates(s, open[0]);
    while (at >= 0 && at < count) {
        s.cell[open[at]] = 0;
        if (!left[at]) { at--; continue; }
        int v = __ffs(left[at]) - 1; left[at] &= left[at] - 1; s.cell[open[at]] = v; tried++;
        if (++at < count) left[at] = candidates(s, open[at]);
    }
    puzzles[i] = s; tries[i] = tried;
}
#define CITIES 24
__constant__ float2 city[CITIES];
__global__ void anneal(float *best, unsigned char *tours, int steps, unsigned long long seed) {
    int t = blockIdx.x * blockDim.x + threadIdx.x; curandState rng; curand_init(seed, t, 0, &rng);
    unsigned char tour[CITIES]; for (int i = 0; i < CITIES; i++) tour[i] = i;
    auto d = [](int a, int b) { float dx = city[a].x - city[b].x, dy = city[a].y - city[b].y; return sqrtf(dx * dx + dy * dy); };
    float T = 10; for (int s = 0; s < steps; s++, T *= 0.99f) {
        int i = curand(&rng) % CITIES, j = curand(&rng) % CITIES; if (i > j) { int x = i; i = j; j = x; } if (i == j || (i == 0 && j == CITIES - 1)) continue;
        int a = tour[(i + CITIES - 1) % CITIES], b = tour[i], c = tour[j], e = tour[(j + 1) % CITIES]; float delta = d(a, c) + d(b, e) - d(a, b) - d(c, e);
        if (delta < 0 || curand_uniform(&rng) < expf(-delta / T)) while (i < j) { unsigned char x = tour[i]; tour[i++] = tour[j]; tour[j--] = x; }
    }
    float len = 0; for (int i = 0; i < CITIES; i++) len += d(tour[i], tour[(i + 1) % CITIES]); best[t] = len; memcpy(tours + t * CITIES, tour, CITIES);
}
__global__ void knapsack(const int *w, const int *v, int n, int cap, int *out) {
    extern __shared__ int dp[]; int *cur = dp, *next = dp + cap + 1;
    for (int c = threadIdx.x; c <= cap; c += blockDim.x) cur[c] = 0; __syncthreads();
    for (int i = 0; i < n; i++) { for (int c = threadIdx.x; c <= cap; c += blockDim.x) next[c] = c >= w[i] ? max(cur[c], cur[c - w[i]] + v[i]) : cur[c]; __syncthreads(); int *x = cur; cur = next; next = x; }
    if (threadIdx.x == 0) *out = cur[cap];
}
int main() {
    unsigned long long *s; cudaMallocManaged(&s, 8); for (int n = 5; n <= N; n++) { *s = 0; queens<<<n, 32>>>(s, n); cudaDeviceSynchronize(); printf("%d queens: %llu\n", n, *s); }
    const char *text[2] = {"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "..9748...7.........2.1.9.....7...24..64.1.59..98...3.....8.3.2.........6...2759.."};
    Sudoku *p; int *tries; cudaMallocManaged(&p, 2 * sizeof(Sudoku)); cudaMallocManaged(&tries, 8); for (int k = 0; k < 2; k++) for (int i = 0; i < 81; i++) p[k].cell[i] = text[k][i] == '.' ? 0 : text[k][i] - '0';
    sudoku<<<1, 32>>>(p, tries, 2); cudaDeviceSynchronize(); for (int k = 0; k < 2; k++) { for (int i = 0; i < 27; i++) putchar('0' + p[k].cell[i]); printf(" after %d\n", tries[k]); }
    float2 c[CITIES]; unsigned r = 5; for (auto &x : c) { r = r * 1103515245 + 12345; x.x = (r >> 16) % 100; r = r * 1103515245 + 12345; x.y = (r >> 16) % 100; } cudaMemcpyToSymbol(city, c, sizeof c);
    float *best; unsigned char *tours; cudaMallocManaged(&best, 64 * 4); cudaMallocManaged(&tours, 64 * CITIES); anneal<<<2, 32>>>(best, tours, 600, 99); cudaDeviceSynchronize();
    int b = 0, ok = 1; for (int i = 0; i < 64; i++) { if (best[i] < best[b]) b = i; unsigned seen = 0; for (int k = 0; k < CITIES; k++) seen |= 1u << tours[i * CITIES + k]; ok &= seen == (1u << CITIES) - 1; } printf("tours %d, best within %d\n", ok, best[b] < 600);
    int hw[20], hv[20]; for (int i = 0; i < 20; i++) { hw[i] = 5 + i * 7 % 13; hv[i] = 10 + i * 11 % 17; } int *w, *v, *o; cudaMalloc(&w, 80); cudaMalloc(&v, 80); cudaMallocManaged(&o, 4); cudaMemcpy(w, hw, 80, cudaMemcpyHostToDevice); cudaMemcpy(v, hv, 80, cudaMemcpyHostToDevice);
    knapsack<<<1, 64, 2 * 101 * sizeof(int)>>>(w, v, 20, 100, o); cudaDeviceSynchronize(); printf("knapsack %d\n%s\n", *o, cudaGetErrorString(cudaGetLastError()));
}
