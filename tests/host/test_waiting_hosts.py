"""A host that waits for a kernel by reading its memory in a loop goes on, as on a device."""

from pathlib import Path

import pytest

import warpview as wv
from warpview.host.process import Limits

ATOMIC = r"""
#include <cstdio>
#include <cuda/atomic>
using Flag = cuda::atomic<int, cuda::thread_scope_system>;
__global__ void produce(Flag *flag, int *data) {
    if (threadIdx.x == 0) { *data = 42; printf("produced\n"); flag->store(1, cuda::memory_order_release); }
}
int main() {
    Flag *flag; int *data;
    cudaMallocManaged(&flag, sizeof *flag); cudaMallocManaged(&data, sizeof *data);
    new (flag) Flag(0);
    produce<<<1, 32>>>(flag, data);
    while (flag->load(cuda::memory_order_acquire) == 0) {}
    int got = *data;
    cudaDeviceSynchronize();
    printf("data %d\n", got);
    cudaFree(flag); cudaFree(data);
}
"""
FENCE = r"""
#include <cstdio>
__global__ void produce(volatile int *flag, int *data) {
    if (threadIdx.x == 0) { *data = 42; printf("produced\n"); __threadfence_system(); *flag = 1; }
}
int main() {
    int *flag, *data;
    cudaMallocHost(&flag, sizeof *flag); cudaMallocHost(&data, sizeof *data);
    *flag = 0;
    produce<<<1, 32>>>(flag, data);
    while (*(volatile int *)flag == 0) {}
    int got = *data;
    cudaDeviceSynchronize();
    printf("data %d\n", got);
    cudaFreeHost(flag); cudaFreeHost(data);
}
"""
TOLD = r"""
#include <cstdio>
__global__ void consume(volatile int *flag, int *data) {
    while (*flag == 0) {}
    *data = 42;
}
int main() {
    int *flag, *data;
    cudaMallocHost(&flag, sizeof *flag); cudaMallocHost(&data, sizeof *data);
    *flag = 0;
    consume<<<1, 1>>>(flag, data);
    *(volatile int *)flag = 1;
    cudaDeviceSynchronize();
    printf("data %d\n", *data);
    cudaFreeHost(flag); cudaFreeHost(data);
}
"""


def ran(folder: Path, text: str) -> wv.ProgramResult:
    file = folder / "waits.cu"
    file.write_text(text)
    return wv.run_program(file, device="h200", limits=Limits(seconds=60))


@pytest.mark.parametrize("text", [ATOMIC, FENCE], ids=["atomic", "fence"])
def test_a_host_that_reads_a_flag_sees_what_the_kernel_has_written(tmp_path: Path, text: str) -> None:
    result = ran(tmp_path, text)
    assert (result.output, result.exit_code) == ("produced\ndata 42\n", 0)
    assert result.host_findings == ()


def test_a_kernel_that_waits_for_the_host_is_no_missing_synchronisation(tmp_path: Path) -> None:
    result = ran(tmp_path, TOLD)
    assert (result.output, result.exit_code, result.host_findings) == ("data 42\n", 0, ())


def test_a_host_that_waits_without_fences_goes_on_and_is_told(tmp_path: Path) -> None:
    result = ran(tmp_path, FENCE.replace("__threadfence_system();", ""))
    assert (result.output, result.exit_code) == ("produced\ndata 42\n", 0)
    assert [finding.kind for finding in result.host_findings] == ["missing synchronisation"]


def test_copies_and_many_launches_before_the_flag_are_carried_out(tmp_path: Path) -> None:
    text = FENCE.replace(
        "produce<<<",
        """int *device;
    cudaMalloc(&device, 4);
    for (int k = 0; k < 1500; k++) cudaMemcpyAsync(device, data, 4, cudaMemcpyHostToDevice);
    produce<<<""",
    ).replace("cudaFreeHost(data);", "cudaFreeHost(data); cudaFree(device);")
    result = ran(tmp_path, text)
    assert (result.output, result.exit_code, result.host_findings) == ("produced\ndata 42\n", 0, ())


def test_what_needs_the_host_waits_until_it_calls(tmp_path: Path) -> None:
    """A callback between two kernels: the first one is carried out while the host reads, the second one at the call."""
    text = FENCE.replace("int main", 'void note(void *) { puts("noted"); fflush(stdout); }\nint main').replace(
        "<<<1, 32>>>(flag, data);",
        "<<<1, 32>>>(flag, data); cudaLaunchHostFunc(0, note, nullptr); produce<<<1, 32>>>(flag, data);",
    )
    result = ran(tmp_path, text)
    assert (result.output, result.exit_code) == ("produced\nnoted\nproduced\ndata 42\n", 0)
