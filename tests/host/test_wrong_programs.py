"""Each program with one mistake gets the finding that its first line names, at the line marked WRONG."""

from pathlib import Path

import pytest

import warpview as wv

WRONG = sorted((Path(__file__).parent / "wrong").glob("*.cu"))


def findings_of(result):
    """Kind and line of every finding, of the host's side and of the kernels."""
    host = [(f.kind, f.span.line if f.span else 0) for f in result.host_findings]
    return host + [(f.kind, f.span.line) for run in result.runs for f in run.findings]


def test_there_are_twenty():
    assert len(WRONG) >= 20


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_the_mistake_is_found(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    kind = lines[0].removeprefix("// FINDING: ")
    (line,) = [number for number, text in enumerate(lines, 1) if "// WRONG" in text]
    assert (kind, line) in findings_of(wv.run_program(path))


@pytest.mark.parametrize(
    "asks",
    ["e = COPY; puts(cudaGetErrorString(e))", "puts(cudaGetErrorName(COPY))", "puts(cudaGetErrorString(SYNC))"],
)
def test_an_error_put_into_words_is_asked_for(asks, tmp_path):
    copy = "cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)"
    kernel = "__global__ void fill(int *p) { p[threadIdx.x] = 1; }"
    calls = asks.replace("COPY", copy).replace("SYNC", "cudaDeviceSynchronize()")
    path = tmp_path / "told.cu"
    path.write_text(
        f"#include <cstdio>\n{kernel}\nint main() {{ int *d, h[32]; cudaError_t e = cudaSuccess; cudaMalloc(&d, 4);"
        f" cudaFree(d); fill<<<1, 32>>>(d); {calls}; return e == 7; }}\n"
    )
    kinds = [kind for kind, _ in findings_of(wv.run_program(path))]
    assert kinds
    assert "unchecked error" not in kinds


VARIABLES = """
#include <cstdio>
struct Pair { int first, second; };
WHERE int flag;
WHERE int table[6] = {1, 2, 3, 4, 5, 6};
WHERE Pair pairs[2];
__global__ void kernel(int *out, int n) {
    int i = threadIdx.x;
    int *found = n > 50 ? table + 3 : out;
    out[i] = flag;
    out[i + 64] = table[i % 3];
    out[i + 128] = found[i % 2];
    out[i + 192] = pairs[i % 2].second + n;
    if (i == 0) {
        STORE
    }
}
int main() {
    int *out;
    cudaMalloc(&out, 1024);
    kernel<<<1, 64>>>(out, 60);
    cudaDeviceSynchronize();
    cudaFree(out);
}
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("where", ["__device__", "__managed__"])
@pytest.mark.parametrize(
    ("store", "line", "place"),
    [
        ("flag = 1;", 10, "flag"),
        ("table[2] = 9;", 11, "table[2]"),
        ("found[1] = 9;", 12, "table[4]"),
        ("int *p = table; for (int k = 0; k < n; k++) p += k == 20; p[3] = 2;", 12, "table[4]"),
        ("pairs[1].second = n;", 13, "pairs[1].second"),
        ("atomicExch(&pairs[0].first, n);", None, ""),
    ],
)
def test_a_race_on_a_variable_is_found(where, store, line, place, tmp_path):
    path = tmp_path / "race.cu"
    path.write_text(VARIABLES.replace("WHERE", where).replace("STORE", store))
    result = wv.run_program(path)
    assert findings_of(result) == ([] if line is None else [("race", line)])
    assert all(f"reads '{place}' in global memory" in f.message for run in result.runs for f in run.findings)
