// Quicksort whose kernel launches itself for both parts; small parts are sorted by selection.
#include <cstdio>
#include <cstdlib>

#define MAX_DEPTH 16
#define INSERTION_SORT 32

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t error = (call);                                                      \
        if (error != cudaSuccess) {                                                      \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));        \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__device__ void selection_sort(unsigned int *data, int left, int right) {
    for (int i = left; i <= right; ++i) {
        unsigned int min_val = data[i];
        int min_idx = i;
        for (int j = i + 1; j <= right; ++j) {
            unsigned int val_j = data[j];
            if (val_j < min_val) {
                min_idx = j;
                min_val = val_j;
            }
        }
        if (i != min_idx) {
            data[min_idx] = data[i];
            data[i] = min_val;
        }
    }
}

__global__ void cdp_simple_quicksort(unsigned int *data, int left, int right, int depth) {
    if (depth >= MAX_DEPTH || right - left <= INSERTION_SORT) {
        selection_sort(data, left, right);
        return;
    }
    cudaStream_t s, s1;
    unsigned int *lptr = data + left;
    unsigned int *rptr = data + right;
    unsigned int pivot = data[(left + right) / 2];
    while (lptr <= rptr) {
        unsigned int lval = *lptr;
        unsigned int rval = *rptr;
        while (lval < pivot && lptr < data + right) {
            lptr++;
            lval = *lptr;
        }
        while (rval > pivot && rptr > data + left) {
            rptr--;
            rval = *rptr;
        }
        if (lptr <= rptr) {
            *lptr = rval;
            *rptr = lval;
            lptr++;
            rptr--;
        }
    }
    int nright = rptr - data;
    int nleft = lptr - data;
    if (left < (rptr - data)) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        cdp_simple_quicksort<<<1, 1, 0, s>>>(data, left, nright, depth + 1);
        cudaStreamDestroy(s);
    }
    if ((lptr - data) < right) {
        cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
        cdp_simple_quicksort<<<1, 1, 0, s1>>>(data, nleft, right, depth + 1);
        cudaStreamDestroy(s1);
    }
}

void run_qsort(unsigned int *data, unsigned int nitems) {
    cdp_simple_quicksort<<<1, 1>>>(data, 0, nitems - 1, 0);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv) {
    int num_items = argc > 1 ? atoi(argv[1]) : 500;
    unsigned int *h_data = (unsigned int *)malloc(num_items * sizeof(unsigned int)), *d_data = 0;
    unsigned int state = 2047;
    for (int i = 0; i < num_items; i++) {
        state = state * 1664525u + 1013904223u;
        h_data[i] = (state >> 8) % num_items;
    }
    CHECK(cudaMalloc((void **)&d_data, num_items * sizeof(unsigned int)));
    CHECK(cudaMemcpy(d_data, h_data, num_items * sizeof(unsigned int), cudaMemcpyHostToDevice));
    run_qsort(d_data, num_items);
    unsigned int *results = new unsigned[num_items];
    CHECK(cudaMemcpy(results, d_data, num_items * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (int i = 1; i < num_items; ++i)
        if (results[i - 1] > results[i]) {
            printf("Invalid item[%d]: %d greater than %d\n", i - 1, results[i - 1], results[i]);
            return 1;
        }
    unsigned long long hash = 0;
    for (int i = 0; i < num_items; i++) hash = hash * 31 + results[i];
    printf("%d items sorted, %llu\n", num_items, hash);
    free(h_data);
    delete[] results;
    CHECK(cudaFree(d_data));
    return 0;
}
