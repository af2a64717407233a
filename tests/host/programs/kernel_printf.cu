#include <cstdio>

struct Item {
    int id;
    double weight;
};

__global__ void hello(Item item) {
    if (threadIdx.x == 0) printf("block %d of %d says hello\n", blockIdx.x, gridDim.x);
    __syncthreads();
    if (threadIdx.x == 5) printf("item %d weighs %.3f, %s %c %5.1e %x %lld %%\n", item.id, item.weight, "text", 'c', 12345.678, 255u, 1ll << 40);
}

int main() {
    printf("before\n");
    hello<<<1, 32>>>(Item{7, 2.5});
    cudaDeviceSynchronize();
    printf("after the first\n");
    hello<<<1, 64>>>({8, 0.125});
    cudaDeviceSynchronize();
    printf("done\n");
    return 0;
}
