#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define MAX_MASK_WIDTH 10
#define TILE_SIZE 64
__constant__ float M[MAX_MASK_WIDTH];

__global__ void convolution_1D(float *N, float *P, int Mask_Width, int Width) {
    __shared__ float N_ds[TILE_SIZE + MAX_MASK_WIDTH - 1];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = Mask_Width / 2;
    int halo_left = (blockIdx.x - 1) * blockDim.x + threadIdx.x;
    if (threadIdx.x >= blockDim.x - n) N_ds[threadIdx.x - (blockDim.x - n)] = halo_left < 0 ? 0 : N[halo_left];
    N_ds[n + threadIdx.x] = i < Width ? N[i] : 0;
    int halo_right = (blockIdx.x + 1) * blockDim.x + threadIdx.x;
    if (threadIdx.x < n) N_ds[n + blockDim.x + threadIdx.x] = halo_right >= Width ? 0 : N[halo_right];
    __syncthreads();
    float Pvalue = 0;
    for (int j = 0; j < Mask_Width; j++) Pvalue += N_ds[threadIdx.x + j] * M[j];
    if (i < Width) P[i] = Pvalue;
}

int main() {
    const int width = 1000, mask = 5;
    float h_M[mask] = {3, 4, 5, 4, 3}, h_N[width], h_P[width];
    for (int i = 0; i < width; i++) h_N[i] = i % 13;
    float *N, *P;
    cudaMalloc(&N, sizeof(h_N));
    cudaMalloc(&P, sizeof(h_P));
    cudaMemcpy(N, h_N, sizeof(h_N), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(M, h_M, mask * sizeof(float));
    convolution_1D<<<(width + TILE_SIZE - 1) / TILE_SIZE, TILE_SIZE>>>(N, P, mask, width);
    cudaMemcpy(h_P, P, sizeof(h_P), cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < width; i++) {
        float v = 0;
        for (int j = 0; j < mask; j++)
            if (i - 2 + j >= 0 && i - 2 + j < width) v += h_N[i - 2 + j] * h_M[j];
        bad += fabs(v - h_P[i]) > 1e-3;
    }
    printf("P[0] = %.1f P[500] = %.1f P[999] = %.1f, %d bad\n", h_P[0], h_P[500], h_P[999], bad);
    cudaFree(N), cudaFree(P);
    exit(bad ? EXIT_FAILURE : EXIT_SUCCESS);
}
