// Managed variables of every form: arrays, initial values, several in a declaration, structs, in a namespace, volatile.
#include <cstdio>

struct Limits {
    int lo = -1, hi = 1;
    float weights[3];
};
__managed__ float sums[3];
__managed__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__managed__ int counted = 5, steps, more[2] = {7, 8};
__device__ __managed__ Limits limits = {2, 9, {0.5f, 0.25f, 0.125f}};
static __managed__ double open_ended[] = {1.5, 2.5, 3.5, 4.5};
__managed__ int braced{42};
__managed__ const char *message;
namespace state {
__managed__ volatile unsigned long long ticket = 1ull << 40;
}

__global__ void work(int n) {
    int i = threadIdx.x;
    if (i < n) {
        atomicAdd(&sums[i % 3], table[0][i % 3] * limits.weights[i % 3]);
        atomicAdd(&counted, more[i % 2]);
        if (i < 4) open_ended[i] *= braced;
    }
    if (i == 0) {
        steps = limits.hi - limits.lo;
        state::ticket = state::ticket + n;
        table[1][0] = -table[1][0];
    }
}

int main() {
    static char text[] = "set by the host";
    message = text;
    for (int launch = 0; launch < 2; launch++) {
        work<<<1, 64>>>(48 + launch);
        cudaDeviceSynchronize();
        printf("%g %g %g | %d %d %d %d\n", sums[0], sums[1], sums[2], table[0][0], table[1][0], counted, steps);
        printf("%g %g %d %llu %s\n", open_ended[0], open_ended[3], braced, state::ticket, message);
        more[1] += 10;
        limits.weights[2] = 2;
        braced = 2;
    }
    int copy[2][3];
    cudaMemcpyFromSymbol(copy, table, sizeof table);
    size_t size;
    cudaGetSymbolSize(&size, open_ended);
    printf("%d %d %zu\n", copy[0][2], copy[1][0], size);
}
