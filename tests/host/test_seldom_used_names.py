"""Names of CUDA that few programs use do what its documentation says: one program tries many of them."""

import warpview as wv

PROGRAM = r"""
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
#include <device_launch_parameters.h>
#include <thrust/pair.h>
namespace cg = cooperative_groups;
struct Pair { int a, b; };
__device__ int total;
__inline__ __device__ int doubled(int v) { return 2 * v; }
__global__ void groups(__grid_constant__ const Pair pair, int *out, int *counts) {
    auto block = cg::this_thread_block();
    auto quarter = cg::tiled_partition<8>(block);
    int lane = threadIdx.x;
    __shared__ int reversed[32];
    reversed[31 - lane] = lane;
    cg::sync(block);
    int least = cg::reduce(quarter, reversed[lane], cg::less<int>());
    int flipped = cg::inclusive_scan(quarter, 1 << lane % 8, cg::bit_xor<int>());
    flipped -= cg::exclusive_scan(quarter, 1 << lane % 8, cg::bit_xor<int>());
    out[lane] = doubled(least * 1000 + flipped) + pair.a - pair.b;
    atomicAdd_system(&counts[0], 1);
    cg::invoke_one(cg::tiled_partition<32>(block), [&] { counts[1] += 1; });
    counts[2] = __reduce_xor_sync(~0u, lane == 5 ? 40u : 3u);
    total = counts[2];
}
__global__ void numbers(const float *__restrict in, float4 *rows, double *d, int *n, float *f) {
    const float *aligned = reinterpret_cast<const float *>(__builtin_assume_aligned(in, 16));
    __stcg(rows, make_float4(aligned[0], aligned[1], aligned[2], aligned[3]));
    d[0] = __fma_rn(2.0 * aligned[0], 3.0, 1.0);
    d[1] = __ddiv_rn(7.0, 2.0 * aligned[0]);
    d[2] = __hiloint2double(__double2hiint(-0.5 * aligned[0]), 0);
    n[0] = __double2int_rd(-2.5 * aligned[0]);
    n[1] = __float2int_rd(-2.1f * aligned[0]);
    n[2] = __float2int_ru(2.1f * aligned[0]);
    n[3] = __float2uint_rn(2.5f * aligned[0]);
    n[4] = __float2int_rn(-3.5f * aligned[0]);
    f[0] = __fmul_rz(1.5f, 2 * aligned[0]);
    f[1] = __frcp_rn(4 * aligned[0]);
    f[2] = __ll2float_rn((1LL << 40) + 1);
    float2 both = __half22float2(__floats2half2_rn(aligned[0], aligned[1]));
    f[3] = both.x + 10 * both.y;
    __stcs(f + 4, __saturatef(__ldcs(in + 3)));
}
static void refused() {
    int *p;
    cudaMalloc(&p, 16);
    printf("%s: %s\n", __func__, cudaGetErrorName(cudaMemcpy(p, p, 16, (cudaMemcpyKind)99)));
    cudaGetLastError();
    cudaFree(p);
}
int main() {
    int *out, *counts, *n, device = -1, blocks, best, grid, lowest, highest, priority, seen = 0;
    float4 *rows;
    float *in, *f;
    double *d;
    cudaMallocManaged(&out, 32 * sizeof(int));
    cudaMallocManaged(&counts, 3 * sizeof(int));
    cudaMallocManaged(&n, 5 * sizeof(int));
    cudaMallocManaged(&rows, sizeof(float4));
    cudaMallocManaged(&in, 4 * sizeof(float));
    cudaMallocManaged(&f, 5 * sizeof(float));
    cudaMallocManaged(&d, 3 * sizeof(double));
    for (int i = 0; i < 4; ++i) in[i] = i + 1;
    for (int i = 0; i < 3; ++i) counts[i] = 0;
    groups<<<1, 32>>>(Pair{9, 2}, out, counts);
    numbers<<<1, 1>>>(in, rows, d, n, f);
    cudaDeviceSynchronize();
    printf("%d %d %d, %d %d %d\n", out[0], out[9], out[31], counts[0], counts[1], counts[2]);
    printf("%g %g %g, %d %d %d %d %d\n", d[0], d[1], d[2], n[0], n[1], n[2], n[3], n[4]);
    printf("%g %g %.0f %g %g, %g %g %g %g\n", f[0], f[1], f[2], f[3], f[4], rows->x, rows->y, rows->z, rows->w);
    refused();

    cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaTextureReadMode mode = cudaReadModeElementType;
    printf("channels %d %d %d %d, %d %d\n", desc.x, desc.y, desc.z, desc.w, desc.f == cudaChannelFormatKindFloat, mode);
    size_t pending = 0, heap = 0;
    cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
    cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
    cudaError_t depth = cudaDeviceGetLimit(&pending, cudaLimitDevRuntimeSyncDepth);
    printf("%zu launches, %zu bytes, %s\n", pending, heap, cudaGetErrorName(depth));
    cudaGetLastError();

    cudaStream_t stream;
    cudaDeviceGetStreamPriorityRange(&lowest, &highest);
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest);
    cudaStreamGetPriority(stream, &priority);
    printf("priority %d, %s\n", priority == highest, cudaGetErrorName(cudaStreamQuery(stream)));
    int *place;
    cudaGetSymbolAddress((void **)&place, total);
    cudaMemcpyFromSymbolAsync(&seen, total, sizeof(int), 0, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    int *pinned;
    cudaHostAlloc((void **)&pinned, sizeof(int), cudaHostAllocDefault);
    cudaMemcpy(pinned, place, sizeof(int), cudaMemcpyDeviceToHost);
    printf("total %d %d\n", seen, *pinned);

    cudaDeviceProp wanted = {};
    wanted.major = 3;
    cudaChooseDevice(&device, &wanted);
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
    cudaFuncSetCacheConfig(numbers, cudaFuncCachePreferShared);
    cudaOccupancyMaxPotentialBlockSize(&grid, &best, numbers, 0, 0);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, numbers);
    thrust::pair<int, int> extent = thrust::make_pair(attributes.maxThreadsPerBlock, (int)attributes.sharedSizeBytes);
    printf("device %d, %d blocks, %d threads, %d %d, %s\n", device, blocks, best, extent.first, extent.second,
           cudaGetErrorName(cudaGetLastError()));

    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    cudaGraphNode_t copy;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, out, counts, sizeof(int), cudaMemcpyDeviceToDevice);
    cudaGraphInstantiate(&runnable, graph, 0);
    cudaGraphLaunch(runnable, stream);
    cudaStreamSynchronize(stream);
    printf("graph %d\n", out[0]);
    cudaGraphExecDestroy(runnable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFreeHost(pinned);
    void *all[] = {out, counts, n, rows, in, f, d};
    for (void *p : all) cudaFree(p);
}
"""


def test_a_program_of_many(program):
    result = wv.run_program(program(PROGRAM), check=False)
    assert result.output.splitlines() == [
        "48009 32011 263, 32 1 43",
        "7 3.5 -0.5, -3 -3 3 2 -4",
        "3 0.25 1099511627776 21 1, 1 2 3 4",
        "refused: cudaErrorInvalidMemcpyDirection",
        "channels 32 0 0 0, 1 0",
        "2048 launches, 16777216 bytes, cudaErrorUnsupportedLimit",
        "priority 1, cudaSuccess",
        "total 43 43",
        "device 0, 32 blocks, 1024 threads, 1024 0, cudaSuccess",
        "graph 32",
    ]
    assert result.exit_code == 0
    assert result.host_findings == ()
