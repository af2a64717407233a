"""Kernels that launch kernels: what is told of their launches, and what is refused."""

import itertools

import numpy as np
import pytest

import warpview as wv
from warpview.cli import main
from warpview.diagnostics import CompileError, LaunchError
from warpview.host import launching
from warpview.sass import nvjitlink, nvrtc

SOURCE = """
#include <cstdio>
__global__ void add(int *out, int value) { atomicAdd(&out[threadIdx.x], value); }
__global__ void middle(int *out) { if (threadIdx.x == 0) add<<<1, 4>>>(out, 10); }
__global__ void top(int *out) {
    if (threadIdx.x < 2) middle<<<1, 32>>>(out);
    if (threadIdx.x == 31) add<<<1, 4, 0, cudaStreamTailLaunch>>>(out, 1);
}
int main() {
    int *out, h[4];
    cudaMalloc(&out, sizeof h);
    cudaMemset(out, 0, sizeof h);
    top<<<1, 32>>>(out);
    add<<<1, 4>>>(out, 100);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\\n", h[0], h[3]);
    cudaFree(out);
    return 0;
}
"""
compilers = pytest.mark.parametrize(
    "compiler",
    [
        "warpview",
        pytest.param(
            "nvrtc",
            marks=pytest.mark.skipif(
                not (nvrtc.is_installed() and nvjitlink.is_installed()), reason="NVRTC or nvJitLink is not installed"
            ),
        ),
    ],
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "nested.cu"
    path.write_text(SOURCE)
    return path


@compilers
def test_launches_by_kernels_follow_the_one_that_made_them(file, compiler):
    result = wv.run_program(file, compiler=compiler)
    assert result.output == "121 121\n"
    assert [r.kernel for r in result.launches] == ["top", "middle", "add", "middle", "add", "add", "add"]
    assert [r.launched_by for r in result.launches] == [None, 0, 1, 0, 3, 0, None]
    assert not result.host_findings
    assert not any(record.run.findings for record in result.launches)


def test_the_timeline_has_them_between_their_kernel_and_what_follows_it(file):
    kernels = [op for op in wv.run_program(file).operations if op.kind == "kernel"]
    assert [op.launch for op in kernels] == list(range(7))
    for before, after in itertools.pairwise(kernels):
        assert after.start_us >= before.end_us


def test_one_is_opened_with_its_own_data(file):
    record = wv.run_program(file).launches[5]
    run = record.open()
    assert run.program.kernel == "add"
    assert run.trace is not None
    (out,) = run.buffers.values()
    assert list(out.view(np.int32)[:4]) == [21] * 4


def test_the_list_of_launches_names_the_launch_that_made_one(file, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["run", str(file)])
    assert ended.value.code == 0
    assert "add<<<1x1x1, 4x1x1>>>  by launch 2" in capsys.readouterr().err


def test_a_kernel_alone_says_that_its_launches_are_not_carried_out(file, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["run", str(file), "--kernel", "top", "--grid", "1", "--block", "32", "--arg", "out=zeros:4"])
    assert ended.value.code == 0
    assert "top launches middle, add: that is carried out where the whole program is run" in capsys.readouterr().err


def test_more_launches_than_there_is_room_for_are_told(tmp_path, monkeypatch):
    """The launches themselves, thousands of empty ones, are not carried out here."""
    made, children = [], launching.PendingLaunch._children
    monkeypatch.setattr(
        launching.PendingLaunch, "_child", lambda _, context, launch, order: (made.append(launch.kernel), 1.0)
    )
    monkeypatch.setattr(launching.PendingLaunch, "_children", lambda *asked: children(*asked)[:0])
    path = tmp_path / "many.cu"
    path.write_text(
        "__global__ void nothing() {}\n"
        "__global__ void many(int *failed) { nothing<<<1, 1>>>();"
        " if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) atomicAdd(failed, 1); }\n"
        "#include <cstdio>\n"
        "int main() { int *failed; cudaMallocManaged(&failed, 4); *failed = 0; many<<<65, 128>>>(failed);\n"
        'cudaDeviceSynchronize(); printf("%d\\n", *failed); cudaFree(failed); }\n'
    )
    result = wv.run_program(path, timed=False, check=False)
    assert result.output == "128\n"
    assert made == ["nothing"] * 8192
    (found,) = result.host_findings
    assert found.message == ("128 kernels that many launches were not executed: there is room for 8192 of one launch")


@pytest.mark.exhaustive
def test_a_kernel_may_launch_itself_for_as_long_as_it_likes(tmp_path):
    """Each launch is made by the one before: there are more of them than Python may nest calls."""
    path = tmp_path / "rounds.cu"
    path.write_text(
        "#include <cstdio>\n__global__ void round(int *sum, int left) {\n"
        "*sum += left; if (left > 1) round<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, left - 1); }\n"
        "int main() { int *sum; cudaMallocManaged(&sum, 4); *sum = 0; round<<<1, 1>>>(sum, 450);\n"
        'cudaDeviceSynchronize(); printf("%d", *sum); cudaFree(sum); }\n'
    )
    result = wv.run_program(path, timed=False, check=False)
    assert result.output == str(450 * 451 // 2)
    assert [record.launched_by for record in result.launches] == [None, *range(449)]


def test_a_block_that_does_not_fit_is_told(tmp_path):
    path = tmp_path / "large.cu"
    path.write_text(
        "__global__ void large() { extern __shared__ int s[]; s[threadIdx.x] = 1; }\n"
        "__global__ void top() { large<<<1, 32, 200 << 10>>>(); }\n"
        "int main() { top<<<1, 1>>>(); cudaDeviceSynchronize(); }\n"
    )
    (found,) = wv.run_program(path, device="rtx2080").host_findings
    assert found.message == "large does not start: a block of it does not fit on a multiprocessor (launched by top)"


def test_a_kernel_cannot_wait_for_kernels_that_it_launches():
    source = "__global__ void a() {}\n__global__ void b() { a<<<1, 1>>>(); cudaDeviceSynchronize(); }"
    with pytest.raises(CompileError, match="launch what must come after them into cudaStreamTailLaunch"):
        wv.compile(source, "b")


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        ("b<<<1, 1>>>(p);", "'b' is not a kernel"),
        ("a<<<1>>>(p);", "a launch takes a grid, a block"),
        ("a<<<1, 1>>>(1.5f);", "no function 'a' takes"),
        ("a<<<1, 1>>>();", "it takes 1 arguments, 0 given"),
        ("p[0]<<<1, 1>>>(p);", "expected the name of a kernel before '<<<'"),
        ("c<<<1, 1>>>(Large());", "a kernel may pass 256 bytes of arguments"),
    ],
)
def test_wrong_launches_are_refused_with_their_place(launch, message):
    source = (
        "struct Large { double x[40]; };\n__device__ void b(int *) {}\n__global__ void a(int *p) {}\n"
        f"__global__ void c(Large l) {{}}\n__global__ void k(int *p) {{\n{launch}\n}}"
    )
    with pytest.raises(CompileError, match=message) as raised:
        wv.compile(source, "k")
    assert raised.value.diagnostics[0].span.line == 6


@compilers
def test_more_arguments_than_there_is_room_for_are_refused(compiler):
    source = (
        "struct Large { double x[40]; };\n__global__ void child(Large l, double *p) { *p = l.x[3]; }\n"
        "__global__ void k(double *p) { Large l; l.x[3] = 1; child<<<1, 1>>>(l, p); }"
    )
    with pytest.raises(CompileError, match="256 bytes of arguments"):
        wv.compile(source, "k", compiler=compiler)


@compilers
def test_parameters_have_their_defaults(tmp_path, compiler):
    path = tmp_path / "defaults.cu"
    path.write_text(
        "#include <cstdio>\n__global__ void child(int *out, int a = 5, int b = 7) { *out = 10 * a + b; }\n"
        "__global__ void k(int *out) { child<<<1, 1>>>(out, 3); }\n"
        "int main() { int *out; cudaMallocManaged(&out, 4); k<<<1, 1>>>(out); cudaDeviceSynchronize();\n"
        'printf("%d", *out); cudaFree(out); }\n'
    )
    assert wv.run_program(path, compiler=compiler).output == "37"


def test_devices_before_compute_capability_3_5_have_none(file):
    program = wv.compile(file, "middle")
    with pytest.raises(LaunchError, match=r"compute capability 3.5 \(dynamic parallelism\); GeForce GTX 680 has 3.0"):
        wv.simulate(program, 1, 32, [np.zeros(4, np.int32)], device="gtx680")


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_code_through_ptx_has_none(file):
    with pytest.raises(CompileError, match="kernels that launch kernels are not supported through PTX"):
        wv.compile(file, "top", compiler="nvrtc", device="v100")


STREAMS = """
__global__ void fill(int *to, int value) { to[threadIdx.x] = value; }
__global__ void spawn(int *to) { if (threadIdx.x == 0) fill<<<1, 32>>>(to, 7); }
__global__ void respawn(int *to) { if (threadIdx.x == 0) spawn<<<1, 32>>>(to); }
__global__ void copy(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }
int main(int, char **arguments) {
    int *a, *b, *c;
    cudaMalloc(&a, 256); cudaMalloc(&b, 128); cudaMalloc(&c, 128);
    cudaMemset(a, 0, 128); cudaMemset(b, 0, 128);
    cudaStream_t one, two;
    cudaStreamCreate(&one); cudaStreamCreate(&two);
    respawn<<<1, 32, 0, one>>>(a);
    switch (arguments[1][0]) {
        case '0': copy<<<1, 32, 0, two>>>(a, c); break;
        case '1': respawn<<<1, 32, 0, two>>>(a + 20); break;
        case '2': respawn<<<1, 32, 0, two>>>(b); break;
        case '3': copy<<<1, 32, 0, one>>>(a, c); break;
    }
    cudaDeviceSynchronize();
    cudaStreamDestroy(one); cudaStreamDestroy(two);
    cudaFree(a); cudaFree(b); cudaFree(c);
    return 0;
}
"""
RACES = "byte 0 of 'a'", "byte 80 of 'a'", None, None  # where each case of it has one


@compilers
def test_what_children_access_races_with_other_streams(program, compiler):
    path = program(STREAMS)
    for case, where in enumerate(RACES):
        result = wv.run_program(path, args=[str(case)], compiler=compiler)
        messages = [(finding.kind, finding.message) for finding in result.host_findings]
        assert [kind for kind, _ in messages] == (["race between streams"] if where else []), case
        assert where is None or where in messages[0][1]
        assert len(result.launches) == (6 if case in (1, 2) else 4)
        assert not any(record.run.findings for record in result.launches)
