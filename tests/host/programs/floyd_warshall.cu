#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

#define V 96
#define INF (INT_MAX / 2)

__global__ void relax(int *dist, int *via, int k) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j < V) {
        int candidate = dist[i * V + k] + dist[k * V + j];
        if (candidate < dist[i * V + j]) dist[i * V + j] = candidate, via[i * V + j] = k;
    }
}

static void path(const int *via, int i, int j) {
    int k = via[i * V + j];
    if (k < 0) return;
    path(via, i, k);
    printf(" %d", k);
    path(via, k, j);
}

int main() {
    static int dist[V * V], ref[V * V], via[V * V];
    srand(1);
    for (int i = 0; i < V; i++)
        for (int j = 0; j < V; j++) {
            dist[i * V + j] = i == j ? 0 : (i * 7 + j * 13) % 11 == 0 ? 1 + (i * j) % 50 : INF;
            via[i * V + j] = -1;
            ref[i * V + j] = dist[i * V + j];
        }
    int *d, *v;
    cudaMalloc((void **)&d, sizeof dist);
    cudaMalloc((void **)&v, sizeof via);
    cudaMemcpy(d, dist, sizeof dist, cudaMemcpyHostToDevice);
    cudaMemcpy(v, via, sizeof via, cudaMemcpyHostToDevice);
    dim3 grid((V + 31) / 32, V);
    for (int k = 0; k < V; k++) relax<<<grid, 32>>>(d, v, k);
    cudaMemcpy(dist, d, sizeof dist, cudaMemcpyDeviceToHost);
    cudaMemcpy(via, v, sizeof via, cudaMemcpyDeviceToHost);
    for (int k = 0; k < V; k++)
        for (int i = 0; i < V; i++)
            for (int j = 0; j < V; j++)
                if (ref[i * V + k] + ref[k * V + j] < ref[i * V + j]) ref[i * V + j] = ref[i * V + k] + ref[k * V + j];
    int bad = 0;
    long sum = 0;
    for (int i = 0; i < V * V; i++) bad += ref[i] != dist[i], sum += dist[i] == INF ? 0 : dist[i];
    printf("sum of distances %ld, %d wrong\nfrom 3 to 90 (length %d): 3", sum, bad, dist[3 * V + 90]);
    path(via, 3, 90);
    printf(" 90\n");
    cudaFree(d);
    cudaFree(v);
    return bad;
}
