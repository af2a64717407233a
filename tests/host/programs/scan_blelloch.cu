#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void prescan(float *g_odata, float *g_idata, int n) {
    extern __shared__ float temp[];
    int thid = threadIdx.x, offset = 1;
    temp[2 * thid] = g_idata[2 * thid];
    temp[2 * thid + 1] = g_idata[2 * thid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            float t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    g_odata[2 * thid] = temp[2 * thid];
    g_odata[2 * thid + 1] = temp[2 * thid + 1];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    size_t bytes = n * sizeof(float);
    float *h = (float *)malloc(bytes), *o = (float *)malloc(bytes), *di, *dout;
    for (int i = 0; i < n; i++) h[i] = (i * 7) % 10;
    cudaMalloc((void **)&di, bytes);
    cudaMalloc((void **)&dout, bytes);
    cudaMemcpy(di, h, bytes, cudaMemcpyHostToDevice);
    prescan<<<1, n / 2, bytes>>>(dout, di, n);
    cudaMemcpy(o, dout, bytes, cudaMemcpyDeviceToHost);
    float sum = 0;
    for (int i = 0; i < n; sum += h[i++])
        if (o[i] != sum) return printf("wrong at %d: %f instead of %f\n", i, o[i], sum), 1;
    printf("exclusive scan of %d elements is right, the last is %.0f\n", n, o[n - 1]);
    cudaFree(di);
    cudaFree(dout);
    free(h);
    free(o);
}
