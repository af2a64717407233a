#include <stdio.h>
#include <assert.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void transposeNaive(float *odata, const float *idata) {
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[x * width + (y + j)] = idata[(y + j) * width + x];
}

__global__ void transposeNoBankConflicts(float *odata, const float *idata) {
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

inline cudaError_t checkCuda(cudaError_t result) {
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
    return result;
}

static int postprocess(const char *name, const float *ref, const float *res, int n, float ms) {
    for (int i = 0; i < n; i++)
        if (res[i] != ref[i]) {
            printf("%25s: %d %f %f *** FAILED ***\n", name, i, res[i], ref[i]);
            return 1;
        }
    printf("%25s: correct, %s\n", name, ms > 0 ? "timed" : "no time");
    return 0;
}

int main() {
    const int n = 256, size = n * n;
    dim3 dimGrid(n / TILE_DIM, n / TILE_DIM, 1), dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    static float in[size], gold[size], out[size];
    for (int i = 0; i < size; ++i) in[i] = i, gold[i % n * n + i / n] = i;
    float *d_in, *d_out, ms;
    checkCuda(cudaMalloc(&d_in, sizeof in));
    checkCuda(cudaMalloc(&d_out, sizeof out));
    checkCuda(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    cudaEvent_t startEvent, stopEvent;
    checkCuda(cudaEventCreate(&startEvent));
    checkCuda(cudaEventCreate(&stopEvent));
    int failed = 0;
    for (int variant = 0; variant < 2; ++variant) {
        checkCuda(cudaMemset(d_out, 0, sizeof out));
        checkCuda(cudaEventRecord(startEvent, 0));
        if (variant == 0)
            transposeNaive<<<dimGrid, dimBlock>>>(d_out, d_in);
        else
            transposeNoBankConflicts<<<dimGrid, dimBlock>>>(d_out, d_in);
        checkCuda(cudaEventRecord(stopEvent, 0));
        checkCuda(cudaEventSynchronize(stopEvent));
        checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
        checkCuda(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
        failed += postprocess(variant ? "conflict-free transpose" : "naive transpose", gold, out, size, ms);
    }
    checkCuda(cudaEventDestroy(startEvent));
    checkCuda(cudaEventDestroy(stopEvent));
    checkCuda(cudaFree(d_in));
    checkCuda(cudaFree(d_out));
    return failed;
}
