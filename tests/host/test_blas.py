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
    assert "which is no device memory" in result.host_findings[0].message


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
