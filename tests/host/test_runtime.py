"""Runtime functions that course programs use now and then work: three dimensions, occupancy, peers."""

import warpview as wv

PROGRAM = r"""
#include <cstdio>
#include <vector>
__global__ void twice(char *box, size_t pitch, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    float *row = (float *)(box + (z * height + y) * pitch);
    if (x < width && y < height) row[x] *= 2;
}
__global__ void small(int *p) { extern __shared__ int s[]; s[threadIdx.x] = p[threadIdx.x]; p[threadIdx.x] = s[0]; }
static size_t shared_of(int threads) { return threads * sizeof(int); }
int main() {
    const int w = 5, h = 3, d = 4;
    std::vector<float> host(w * h * d), back(w * h * d);
    for (int i = 0; i < w * h * d; ++i) host[i] = i;
    cudaPitchedPtr box;
    cudaExtent extent = make_cudaExtent(w * sizeof(float), h, d);
    cudaMalloc3D(&box, extent);
    cudaMemset3D(box, 0, extent);
    cudaMemcpy3DParms in = {};
    in.srcPtr = make_cudaPitchedPtr(host.data(), w * sizeof(float), w, h);
    in.dstPtr = box;
    in.extent = extent;
    in.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&in);
    twice<<<dim3(h, d), 32>>>((char *)box.ptr, box.pitch, w, h);
    cudaMemcpy3DParms out = {};
    out.srcPtr = box;
    out.srcPos = make_cudaPos(0, 0, 1);  // all but the first slice
    out.dstPtr = make_cudaPitchedPtr(back.data(), w * sizeof(float), w, h);
    out.extent = make_cudaExtent(w * sizeof(float), h, d - 1);
    out.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&out);
    int wrong = 0, grid = 0, block = 0, blocks = 0;
    for (int i = 0; i < w * h * (d - 1); ++i) wrong += back[i] != 2 * host[i + w * h];
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, small, shared_of);
    size_t shared = 0;
    cudaOccupancyAvailableDynamicSMemPerBlock(&shared, small, 8, 128);
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, small, 128, shared, 0);
    int more = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&more, small, 128, shared + 1);
    printf("%d wrong, %d threads, %d blocks, %d at its most, %d beyond\n", wrong, block, grid, blocks, more);
    int *a, *b;
    cudaMalloc(&a, 16);
    cudaMalloc(&b, 16);
    cudaMemset(a, 1, 16);
    cudaError_t own = cudaMemcpyPeer(b, 0, a, 0, 16), other = cudaMemcpyPeer(b, 1, a, 0, 16);
    printf("%s %s\n", cudaGetErrorName(own), cudaGetErrorName(other));
    cudaGetLastError();
    cudaFree(a); cudaFree(b); cudaFree(box.ptr);
}
"""


def test_a_program_with_all_of_them(program):
    result = wv.run_program(program(PROGRAM))
    first, second = result.output.splitlines()
    assert first == "0 wrong, 1024 threads, 264 blocks, 8 at its most, 7 beyond"
    assert second == "cudaSuccess cudaErrorInvalidDevice"
    assert result.host_findings == ()
    assert result.runs[0].findings == ()


def test_a_program_knows_itself_by_the_name_of_its_source(program):
    result = wv.run_program(
        program('#include <cstdio>\nint main(int, char **v) { printf("usage: %s N\\n", v[0]); }', "sum.cu")
    )
    assert result.output == "usage: ./sum N\n"


ALLOCATIONS = r"""
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
struct Both { float *a, *b; };
int main() {
    float *cast, *plain, *typed;
    Both both;
    if (cudaMalloc(reinterpret_cast<void**>(&cast), 4) != cudaSuccess) return 1;
    cudaMalloc((void **)&plain, 4);
    cudaMalloc<float>(&typed, 4);
    cudaMallocManaged(static_cast<float **>(&both.b), 4);
}
"""


def test_memory_is_called_as_the_variable_that_holds_it(program):
    found = wv.run_program(program(ALLOCATIONS)).host_findings
    assert [finding.message.split("'")[1] for finding in found] == ["cast", "plain", "typed", "both.b"]
