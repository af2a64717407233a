//@ kinds = ["out of bounds"]
//@ block = 32
//@ args = { out = "int:256", n = 4 }
//@ variants = [{ PLACE = 0, T = "int" }, { PLACE = 1, T = "int" }, { PLACE = 2, T = "int" }, { PLACE = 3, T = "int" }, { PLACE = 3, T = "char" }, { PLACE = 4, T = "int" }, { PLACE = 5, T = "int" }, { PLACE = 6, T = "int" }]
#ifdef BUG
#define END(n) (n)
#else
#define END(n) ((n) - 1)
#endif
struct Bins {
    T count[4];
    T rest[4];
};
__device__ void clear(Bins *bins, int last) {
    for (int k = 0; k <= last; ++k) bins->count[k] = 0;  // here
}
__global__ void kernel(int *out, int n) {
    Bins *all = (Bins *)out;
    int i = threadIdx.x & 3;
#if PLACE == 0
    all[i].count[END(n)] = i;  // here
#elif PLACE == 1
    if (threadIdx.x == 0) all[1].count[END(4)] = n;  // here
#elif PLACE == 2
    __shared__ Bins bins[4];
    if (threadIdx.x == 0) {
        for (int k = 0; k < 4; ++k)
            for (int j = 0; j < 4; ++j) bins[k].count[j] = bins[k].rest[j] = 0;
        for (long long j = 1; j <= END(n) + 1; ++j) bins[n - 2].count[j - 1] += 1;  // here
    }
    __syncthreads();
    out[threadIdx.x] = bins[i].rest[i];
#elif PLACE == 3
    if (threadIdx.x == 0) clear(all + n, END(n));  // here
#elif PLACE == 4
    atomicAdd(&all[0].count[END(n)], 1);  // here
#elif PLACE == 5
    Bins own[3];
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 4; ++j) own[k].count[j] = own[k].rest[j] = j;
    out[threadIdx.x] = own[n - 3].count[END(n)];  // here
#else
    Bins *bins = all + threadIdx.x % 8;
    int *count = bins->count;
    if (threadIdx.x < 8)
        for (int *p = count; p != &bins->count[n]; ++p) *p = count[END(n)];  // here
#endif
}
