// A graph: the steps of an iteration are captured from a stream once, and launched again and again.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

__global__ void smooth(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i == 0 || i == n - 1 ? in[i] : 0.5f * (in[i - 1] + in[i + 1]);
}
__global__ void count(int *rounds) { *rounds += 1; }

int main() {
    const int n = 1024, launches = 10;
    std::vector<float> host(n), result(n), copy(n);
    for (int i = 0; i < n; ++i) host[i] = i % 64;
    float *a, *b;
    int *rounds, done = 0;
    CHECK(cudaMalloc(&a, n * sizeof(float)));
    CHECK(cudaMalloc(&b, n * sizeof(float)));
    CHECK(cudaMalloc(&rounds, sizeof(int)));
    CHECK(cudaMemset(rounds, 0, sizeof(int)));
    CHECK(cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    smooth<<<(n + 127) / 128, 128, 0, stream>>>(a, b, n);
    smooth<<<(n + 127) / 128, 128, 0, stream>>>(b, a, n);
    count<<<1, 1, 0, stream>>>(rounds);
    CHECK(cudaMemcpyAsync(copy.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    for (int k = 0; k < launches; ++k) CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&done, rounds, sizeof(int), cudaMemcpyDeviceToHost));

    result = host;
    for (int k = 0; k < 2 * launches; ++k) {
        std::vector<float> next = result;
        for (int i = 1; i < n - 1; ++i) next[i] = 0.5f * (result[i - 1] + result[i + 1]);
        result = next;
    }
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += copy[i] != result[i];
    printf("%zu nodes, %d rounds, %d wrong: %s\n", nodes, done, wrong, wrong ? "FAIL" : "PASS");
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    cudaFree(a);
    cudaFree(b);
    cudaFree(rounds);
    return wrong != 0;
}
