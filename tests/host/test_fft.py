"""cuFFT: layouts against numpy, and what it refuses. Further results are held by the program cufft_filter, which was
recorded on an H100."""

import numpy as np
import pytest

import warpview as wv

PROGRAM = """#include <cstdio>
#include <cufft.h>
int main() {
    const int n = 4096;
    float *a, *b, h[n];
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    for (int i = 0; i < n; i++) h[i] = (float)((i * 37 + 11) % 64 - 20);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(b, 0, sizeof h);
    cufftHandle plan;
    cufftResult status = CUFFT_SUCCESS;
STATEMENTS
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\\n", (int)status);
    for (int i = 0; i < COUNT; i++) printf("%.9g ", h[i]);
    cufftDestroy(plan);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
"""
VALUES = ((np.arange(4096) * 37 + 11) % 64 - 20).astype(np.float32)


def ran(tmp_path, statements, count=0):
    file = tmp_path / "transform.cu"
    file.write_text(PROGRAM.replace("STATEMENTS", statements).replace("COUNT", str(count)))
    return wv.run_program(file)


def numbers(result):
    status, values = result.output.split("\n")
    assert status == "0"
    assert not result.host_findings
    return np.array(values.split(), dtype=np.float32)


def test_a_volume_of_complex_numbers(tmp_path):
    found = numbers(
        ran(tmp_path, "cufftPlan3d(&plan, 4, 6, 10, CUFFT_C2C);"
            "status = cufftExecC2C(plan, (cufftComplex *)a, (cufftComplex *)b, CUFFT_FORWARD);", 480)
    )  # fmt: skip
    expected = np.fft.fftn(VALUES[:480].view(np.complex64).reshape(4, 6, 10))
    np.testing.assert_allclose(found.view(np.complex64), expected.ravel(), atol=2e-3)


def test_a_real_image_in_place_has_padded_rows(tmp_path):
    """There and back: rows of 10 lie 12 apart."""
    found = numbers(
        ran(tmp_path, "cudaMemcpy(b, a, 96 * 4, cudaMemcpyDeviceToDevice); cufftPlan2d(&plan, 8, 10, CUFFT_R2C);"
            "status = cufftExecR2C(plan, b, (cufftComplex *)b);", 96)
    )  # fmt: skip
    expected = np.fft.rfft2(VALUES[:96].reshape(8, 12)[:, :10])
    np.testing.assert_allclose(found.view(np.complex64).reshape(8, 6), expected, atol=1e-3)
    back = numbers(
        ran(tmp_path, "cudaMemcpy(b, a, 96 * 4, cudaMemcpyDeviceToDevice); cufftHandle other;"
            "cufftPlan2d(&plan, 8, 10, CUFFT_R2C); cufftPlan2d(&other, 8, 10, CUFFT_C2R);"
            "cufftExecR2C(plan, b, (cufftComplex *)b); status = cufftExecC2R(other, (cufftComplex *)b, b);", 96)
    )  # fmt: skip
    np.testing.assert_allclose(back.reshape(8, 12)[:, :10] / 80, VALUES[:96].reshape(8, 12)[:, :10], atol=1e-4)


def test_a_batch_of_columns(tmp_path):
    found = numbers(
        ran(tmp_path, "int n1[] = {16}, embed[] = {16};"
            "cufftPlanMany(&plan, 1, n1, embed, 8, 1, embed, 8, 1, CUFFT_C2C, 8);"
            "status = cufftExecC2C(plan, (cufftComplex *)a, (cufftComplex *)b, CUFFT_INVERSE);", 256)
    )  # fmt: skip
    expected = 16 * np.fft.ifft(VALUES[:256].view(np.complex64).reshape(16, 8), axis=0)
    np.testing.assert_allclose(found.view(np.complex64).reshape(16, 8), expected, atol=1e-3)


def test_a_transform_past_its_memory_is_found(tmp_path):
    result = ran(
        tmp_path, "cufftPlan1d(&plan, 4096, CUFFT_C2C, 1);"
        "status = cufftExecC2C(plan, (cufftComplex *)a, (cufftComplex *)b, CUFFT_FORWARD);"
    )  # fmt: skip
    assert result.output.startswith("6\n")
    assert [(f.kind, f.message) for f in result.host_findings][:1] == [
        ("out of bounds", "cufftExecC2C uses 32768 bytes past the end of 'a'")
    ]


@pytest.mark.parametrize(
    ("statements", "status"),
    [
        ("status = cufftPlan1d(&plan, 0, CUFFT_C2C, 1);", 8),
        ("cufftPlan1d(&plan, 8, CUFFT_R2C, 1); status = cufftExecC2C(plan, 0, 0, CUFFT_FORWARD);", 3),
        ("status = cufftExecC2C(99, 0, 0, CUFFT_FORWARD);", 1),
    ],
)
def test_wrong_plans_are_refused(tmp_path, statements, status):
    assert ran(tmp_path, statements).output == f"{status}\n"


def test_a_transform_is_captured_and_takes_its_place_on_the_timeline(tmp_path):
    result = ran(
        tmp_path, "cufftPlan1d(&plan, 64, CUFFT_C2C, 2); cudaStream_t stream; cudaStreamCreate(&stream);"
        "cufftSetStream(plan, stream); cudaGraph_t graph; cudaGraphExec_t exec;"
        "cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);"
        "status = cufftExecC2C(plan, (cufftComplex *)a, (cufftComplex *)b, CUFFT_FORWARD);"
        "cudaStreamEndCapture(stream, &graph); cudaGraphInstantiate(&exec, graph, 0); cudaGraphLaunch(exec, stream);"
        "cudaStreamSynchronize(stream); cudaGraphExecDestroy(exec); cudaGraphDestroy(graph);"
        "cudaStreamDestroy(stream);", 256
    )  # fmt: skip
    expected = np.fft.fft(VALUES[:256].view(np.complex64).reshape(2, 64))
    np.testing.assert_allclose(numbers(result).view(np.complex64).reshape(2, 64), expected, atol=1e-3)
    (transform,) = [op for op in result.operations if op.kind == "kernel"]
    assert transform.name == "cufftExecC2C"
    assert transform.end_us > transform.start_us
