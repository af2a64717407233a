"""The host may use managed memory beside a kernel that does not access it, from compute capability 6.0 on."""

import pytest

import warpview as wv

PROGRAM = r"""
#include <cstdio>
struct Node { int value; Node *next; };
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
__global__ void walk(Node *n) { while (n) { n->value += 1; n = n->next; } }
int main() {
    int *a, *other;
    Node *x, *y;
    cudaMallocManaged(&a, 128);
    cudaMallocManaged(&other, 128);
    cudaMallocManaged(&x, sizeof(Node));
    cudaMallocManaged(&y, sizeof(Node));
    *x = {1, y}, *y = {2, nullptr};
    for (int i = 0; i < 32; i++) a[i] = i;
    twice<<<1, 32>>>(a);
    for (int i = 0; i < 32; i++) other[i] = 3 * i;
    cudaDeviceSynchronize();
    walk<<<1, 1>>>(x);
    printf("%d\n", EARLY);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", a[31], other[31], x->value, y->value);
    cudaFree(a), cudaFree(other), cudaFree(x), cudaFree(y);
}
"""


@pytest.mark.parametrize(
    ("device", "early", "used"),
    [
        ("h200", "other[1]", []),
        ("h200", "y->value", ["y"]),  # which the kernel reaches through x
        ("k40", "other[1]", ["other", "other"]),
    ],
)
def test_only_what_a_kernel_may_access_is_used_too_early(tmp_path, device, early, used):
    file = tmp_path / "managed.cu"
    file.write_text(PROGRAM.replace("EARLY", early))
    result = wv.run_program(file, device=device)
    assert result.output.splitlines()[1] == "62 93 2 3"
    found = [f.message.split("'")[1] for f in result.host_findings if f.kind == "missing synchronisation"]
    assert found == used
