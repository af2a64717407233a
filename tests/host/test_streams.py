"""Streams that nothing orders race where they use the same bytes, and only there."""

import pytest

import warpview as wv

PROGRAM = r"""
#include <cstdio>
__global__ void twice(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void count(const int *p, int *sum) { if (p[blockIdx.x * blockDim.x + threadIdx.x]) atomicAdd(sum, 1); }
int main() {
    const int n = 1024;
    int *d, *sum, *host;
    cudaStream_t one, two;
    cudaEvent_t done;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMallocHost(&host, n * sizeof(int));
    for (int i = 0; i < n; ++i) host[i] = i + 1;
    cudaMemcpy(d, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(sum, 0, sizeof(int));
    cudaDeviceSynchronize();
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    BODY
    cudaDeviceSynchronize();
    cudaMemcpy(host, sum, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(d); cudaFree(sum); cudaFreeHost(host);
    cudaStreamDestroy(one); cudaStreamDestroy(two); cudaEventDestroy(done);
}
"""
ORDERED = {
    "halves of one array": "twice<<<2, 256, 0, one>>>(d); twice<<<2, 256, 0, two>>>(d + n / 2);",
    "both read": "count<<<4, 256, 0, one>>>(d, sum); count<<<4, 256, 0, two>>>(d, sum);",  # and update by atomics
    "an event": "twice<<<4, 256, 0, one>>>(d); cudaEventRecord(done, one); cudaStreamWaitEvent(two, done, 0);"
    "count<<<4, 256, 0, two>>>(d, sum);",
    "the host waits": "twice<<<4, 256, 0, one>>>(d); cudaStreamSynchronize(one); count<<<4, 256, 0, two>>>(d, sum);",
    "columns of one array": "cudaMemcpy2DAsync(d, 16, host, 16, 8, 64, cudaMemcpyHostToDevice, one);"
    "cudaMemset2DAsync(d + 2, 16, 0, 8, 64, two);",
}
UNORDERED = {
    "write and read": ("twice<<<4, 256, 0, one>>>(d); count<<<4, 256, 0, two>>>(d, sum);", "byte 0 of 'd'"),
    "one element": ("twice<<<2, 256, 0, one>>>(d); twice<<<2, 256, 0, two>>>(d + 511);", "byte 2044 of 'd'"),
    "the default stream": (
        "twice<<<4, 256, 0, one>>>(d); cudaMemcpy(host, d, 4 * n, cudaMemcpyDeviceToHost);", "byte 0 of 'd'"
    ),
    "a fill": ("count<<<4, 256, 0, one>>>(d, sum); cudaMemsetAsync(sum, 0, 4, two);", "byte 0 of 'sum'"),
}  # fmt: skip


@pytest.mark.parametrize("body", ORDERED.values(), ids=list(ORDERED))
def test_streams_that_are_ordered_or_apart_do_not_race(program, body):
    result = wv.run_program(program(PROGRAM.replace("BODY", body)))
    assert (result.exit_code, result.host_findings) == (0, ())


def test_launches_are_numbered_as_the_program_issues_them(program):
    body = "twice<<<1, 32, 0, one>>>(d); twice<<<1, 64, 0, two>>>(d + 64); twice<<<1, 96, 0, one>>>(d + 512);"
    result = wv.run_program(program(PROGRAM.replace("BODY", body)))
    assert [record.block[0] for record in result.launches] == [32, 64, 96]
    assert [record.index for record in result.launches] == [0, 1, 2]
    assert [op.launch for op in result.operations if op.kind == "kernel"] == [0, 1, 2]


@pytest.mark.parametrize(("body", "where"), UNORDERED.values(), ids=list(UNORDERED))
def test_streams_that_use_the_same_bytes_race(program, body, where):
    result = wv.run_program(program(PROGRAM.replace("BODY", body)))
    (found,) = result.host_findings
    assert found.kind == "race between streams"
    assert where in found.message


HANDED_ON = r"""
#include <cstdio>
#include <vector>
__global__ void add(int *p, int by) { p[threadIdx.x] += by; }
struct Note { int *from, *to; cudaError_t asked; };
void CUDART_CB note(void *user) {
    Note &n = *(Note *)user;
    for (int i = 0; i < 100000; ++i) *(volatile int *)n.to = i;
    *n.to = *n.from + 1;
    n.asked = cudaDeviceSynchronize();
}
int main() {
    const int n = 1 << 20;
    std::vector<int> h(n, 5), back(n);
    cudaHostRegister(h.data(), n * 4, cudaHostRegisterDefault);
    cudaHostRegister(back.data(), n * 4, cudaHostRegisterDefault);
    int *d, *pinned;
    cudaMalloc(&d, n * 4);
    cudaMallocHost(&pinned, 4);
    cudaStream_t s;
    cudaStreamCreate(&s);
    int wrong = 0;
    cudaError_t asked = cudaSuccess;
    for (int round = 0; round < 20; ++round) {
        Note user = {back.data(), pinned, cudaSuccess};
        cudaMemcpyAsync(d, h.data(), n * 4, cudaMemcpyHostToDevice, s);
        add<<<1, 1, 0, s>>>(d + n - 1, 3);
        add<<<1, 1, 0, s>>>(d, 2);
        cudaMemcpyAsync(back.data(), d, n * 4, cudaMemcpyDeviceToHost, s);
        add<<<1, 1, 0, s>>>(d + n - 1, 50);
        cudaLaunchHostFunc(s, note, &user);
        cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s);
        add<<<1, 1, 0, s>>>(d, 100);
        cudaMemcpyAsync(h.data(), d, 4, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s);
        wrong += back[n - 1] != 8 || h[0] != 108;
        h[0] = 5;
        asked = user.asked;
    }
    printf("%d wrong, a call in a callback: %s\n", wrong, cudaGetErrorName(asked));
    cudaHostUnregister(h.data()); cudaHostUnregister(back.data());
    cudaFree(d); cudaFreeHost(pinned); cudaStreamDestroy(s);
}
"""


def test_what_one_operation_leaves_the_next_one_finds(program):
    """Copies of the host's memory and callbacks happen in the host part; what comes next in the stream waits."""
    result = wv.run_program(program(HANDED_ON), timed=False)
    assert result.output == "0 wrong, a call in a callback: cudaErrorNotPermitted\n"
