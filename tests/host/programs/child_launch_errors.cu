// What launches by kernels answer: configurations that no device takes, many launches, deep ones, and what a child sees.
#include <cstdio>

__global__ void count(int *counter) { atomicAdd(counter, 1); }

__global__ void many(int *counter, int n, int *errors) {
    for (int k = 0; k < n; k++) {
        count<<<1, 1>>>(counter);
        if (cudaGetLastError() != cudaSuccess) errors[0]++;
    }
}

__global__ void deep(int *reached, int depth, int limit) {
    atomicMax(reached, depth);
    if (depth < limit) deep<<<1, 1>>>(reached, depth + 1, limit);
}

__global__ void bad(int *errors, int *counter) {
    count<<<1, 2048>>>(counter);
    errors[0] = cudaGetLastError();
    count<<<0, 1>>>(counter);
    errors[1] = cudaGetLastError();
    count<<<1, 1, 1 << 20>>>(counter);
    errors[2] = cudaPeekAtLastError();
    errors[3] = cudaGetLastError();
    errors[4] = cudaGetLastError();
}

__global__ void look(const int *data, int *seen) { seen[0] = data[0]; }

__global__ void show_and_change(int *data, int *seen) {
    data[0] = 7;
    look<<<1, 1, 0, cudaStreamTailLaunch>>>(data, seen);
    data[0] = 9;
}

__global__ void fault(int *p) { *p = 1; }

__global__ void launch_fault() { fault<<<1, 1>>>((int *)8); }

int *numbers, *errors;

const char *finished() {
    const cudaError_t error = cudaDeviceSynchronize();
    cudaGetLastError();
    return cudaGetErrorName(error);
}

void zero() {
    for (int k = 0; k < 16; k++) numbers[k] = errors[k] = 0;
}

int main() {
    cudaMallocManaged(&numbers, 16 * sizeof(int));
    cudaMallocManaged(&errors, 16 * sizeof(int));
    size_t pending = 0;
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    printf("%zu launches may be pending; %s\n", pending,
           cudaGetErrorName(cudaDeviceGetLimit(&pending, cudaLimitDevRuntimeSyncDepth)));
    cudaGetLastError();

    zero();
    many<<<1, 1>>>(numbers, 300, errors);
    const char *name = finished();
    printf("many: %s, %d ran, %d errors\n", name, numbers[0], errors[0]);

    zero();
    deep<<<1, 1>>>(numbers, 0, 30);
    name = finished();
    printf("deep: %s, %d\n", name, numbers[0]);

    zero();
    bad<<<1, 1>>>(errors, numbers);
    name = finished();
    printf("bad: %s, %d %d %d %d %d, %d ran\n", name, errors[0], errors[1], errors[2], errors[3], errors[4], numbers[0]);

    zero();
    show_and_change<<<1, 1>>>(numbers, errors);
    name = finished();
    printf("look: %s, %d\n", name, errors[0]);

    launch_fault<<<1, 1>>>();
    printf("fault: %s\n", finished());
    return 0;
}
