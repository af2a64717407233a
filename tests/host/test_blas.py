"""cuBLAS: what it refuses, and where its operations stand among others. Results are held by the program matrix_library,
which was recorded on an H200."""

import warpview as wv

PROGRAM = """#include <cstdio>
#include <cublas_v2.h>
int main() {
    const int n = 256;
    float *a, *b, one = 1, zero = 0, result = -1;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&b, n * n * sizeof(float));
    cudaMemset(a, 0, n * n * sizeof(float));
    cudaMemset(b, 0, n * n * sizeof(float));
    cublasHandle_t handle;
    cublasCreate(&handle);
STATEMENTS
    cublasDestroy(handle);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
"""


def ran(tmp_path, statements, **settings):
    file = tmp_path / "library.cu"
    file.write_text(PROGRAM.replace("STATEMENTS", statements))
    return wv.run_program(file, **settings)


def test_a_vector_past_its_memory_is_found(tmp_path):
    result = ran(tmp_path, 'printf("%d", cublasSdot(handle, n * n, a, 2, b, 1, &result));')
    assert result.output == "13"
    assert [(f.kind, f.message) for f in result.host_findings] == [
        ("out of bounds", "cublasSdot uses 524284 bytes past the end of 'a'")
    ]


def test_memory_of_the_host_is_found(tmp_path):
    result = ran(tmp_path, 'float h[4] = {}; printf("%d", cublasSscal(handle, 4, &one, h, 1));')
    assert result.output == "13"
    assert "which is not device memory" in result.host_findings[0].message


def test_wrong_sizes_are_refused(tmp_path):
    statements = """
    printf("%d %d %d", cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n - 1, b, n, &zero, b, n),
           cublasSaxpy(handle, -1, &one, a, 1, b, 1), cublasSscal(nullptr, 1, &one, a, 1));
    """
    assert ran(tmp_path, statements).output == "7 7 1"


def test_a_product_takes_the_time_of_the_roof_on_the_timeline(tmp_path):
    statements = """
    cudaEvent_t begin, end;
    float ms;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaEventRecord(begin);
    for (int k = 0; k < 10; ++k)
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, b, n);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    printf("%.4f", ms);
    cudaEventDestroy(begin), cudaEventDestroy(end);
    """
    # 2 * 256^3 operations at 66.9 TFLOP/s take 0.50 us, after the 2.2 us of an empty kernel.
    spent = float(ran(tmp_path, statements, device="h200").output)
    assert 0.027 <= spent <= 0.06


def test_operations_of_two_streams_race(tmp_path):
    statements = """
    cudaDeviceSynchronize();
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cublasSetStream(handle, first);
    cublasSscal(handle, n, &one, a, 1);
    cublasSetStream(handle, second);
    cublasScopy(handle, n, a, 1, b, 1);
    cudaDeviceSynchronize();
    cudaStreamDestroy(first), cudaStreamDestroy(second);
    """
    assert [f.kind for f in ran(tmp_path, statements).host_findings] == ["race between streams"]


def test_a_product_can_be_captured_and_a_result_cannot(tmp_path):
    statements = """
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t again;
    float h[4] = {1, 2, 3, 4};
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaStreamCreate(&stream);
    cublasSetStream(handle, stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    int captured = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a, 2, &one, b, 2);
    int refused = cublasSdot(handle, 4, a, 1, a, 1, &result);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&again, graph, nullptr, nullptr, 0);
    for (int k = 0; k < 3; ++k) cudaGraphLaunch(again, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %g %g %g %g", captured, refused, h[0], h[1], h[2], h[3]);
    cudaGraphExecDestroy(again), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
    """
    result = ran(tmp_path, statements)
    assert result.output == "0 13 21 30 45 66"  # three times [1 3; 2 4] squared, column by column
    assert "stream capture" in [f.kind for f in result.host_findings]


def test_libraries_say_that_the_device_failed(tmp_path):
    program = """#include <cstdio>
#include <cublas_v2.h>
#include <curand.h>
__global__ void fault(float *x) { x[threadIdx.x] = 1; }
int main() {
    float *a, one = 1;
    cudaPointerAttributes attributes;
    cublasHandle_t handle;
    curandGenerator_t generator, other;
    cudaMalloc(&a, 4096);
    cublasCreate(&handle);
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    fault<<<1, 32>>>(nullptr);
    cudaDeviceSynchronize();
    printf("%d %d %d %s\\n", cublasSscal(handle, 4, &one, a, 1), curandGenerateUniform(generator, a, 32),
           curandCreateGenerator(&other, CURAND_RNG_PSEUDO_DEFAULT),
           cudaGetErrorName(cudaPointerGetAttributes(&attributes, a)));
    return 0;
}
"""
    file = tmp_path / "failed.cu"
    file.write_text(program)
    result = wv.run_program(file)
    assert (result.output, result.exit_code) == ("13 201 201 cudaErrorIllegalAddress\n", 0)
