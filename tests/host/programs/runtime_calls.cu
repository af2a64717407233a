// The calls of the runtime that programs make now and then: devices, flags, advice, attributes of streams, limits of arrays.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#define T(x) do { cudaError_t e_ = (x); printf("%s -> %s\n", #x, cudaGetErrorName(e_)); cudaGetLastError(); } while (0)
__global__ void fill(int *p, int v) { p[blockIdx.x * blockDim.x + threadIdx.x] = v; }
__global__ void many(char a, double b, int *p, float3 c) { if (p) *p = a + (int)b + (int)c.x; }
int main() {
    int v = -1;
    T(cudaInitDevice(0, 0, 0));
    T(cudaInitDevice(1, 0, 0));
    char id[32] = ""; T(cudaDeviceGetPCIBusId(id, 32, 0)); printf("%d\n", (int)strlen(id));
    T(cudaDeviceGetPCIBusId(id, 13, 0)); T(cudaDeviceGetPCIBusId(id, 5, 0));
    T(cudaDeviceGetPCIBusId(id, 32, 0));
    T(cudaDeviceGetByPCIBusId(&v, id)); printf("%d\n", v);
    T(cudaDeviceGetByPCIBusId(&v, "0000:ff:1f.0"));
    T(cudaDeviceGetByPCIBusId(&v, "nonsense"));
    T(cudaDeviceCanAccessPeer(&v, 0, 0)); printf("%d\n", v);
    v = -1; T(cudaDeviceCanAccessPeer(&v, 0, 1)); printf("%d\n", v);
    T(cudaDeviceEnablePeerAccess(0, 0)); T(cudaDeviceEnablePeerAccess(1, 0));
    T(cudaDeviceDisablePeerAccess(0)); T(cudaDeviceDisablePeerAccess(1));
    v = -1; T(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 0)); printf("%d\n", v);
    T(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 1));
    unsigned f = 99; T(cudaGetDeviceFlags(&f)); printf("%u\n", f);
    T(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync)); T(cudaGetDeviceFlags(&f)); printf("%u\n", f);
    T(cudaSetDeviceFlags(cudaDeviceScheduleAuto)); T(cudaGetDeviceFlags(&f)); printf("%u\n", f);
    T(cudaSetDeviceFlags(3));
    int list[1] = {0}; T(cudaSetValidDevices(list, 1)); int bad[1] = {4}; T(cudaSetValidDevices(bad, 1));
    int *h, *h2; T(cudaHostAlloc((void **)&h, 256, cudaHostAllocMapped | cudaHostAllocPortable)); T(cudaHostGetFlags(&f, h)); printf("%u\n", f);
    T(cudaMallocHost((void **)&h2, 256)); T(cudaHostGetFlags(&f, h2)); printf("%u\n", f);
    int on_stack[4]; T(cudaHostGetFlags(&f, on_stack));
    T(cudaHostAlloc((void **)&h2, 256, 99));
    int *m; T(cudaMallocManaged((void **)&m, 4096));
    int w[4] = {-9, -9, -9, -9};
    T(cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributeReadMostly, m, 4096)); printf("%d\n", w[0]);
    T(cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributePreferredLocation, m, 4096)); printf("%d\n", w[0]);
    T(cudaMemRangeGetAttribute(w, 8, cudaMemRangeAttributeAccessedBy, m, 4096)); printf("%d %d\n", w[0], w[1]);
    T(cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributeLastPrefetchLocation, m, 4096)); printf("%d\n", w[0]);
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    T(cudaMemAdvise(m, 4096, cudaMemAdviseSetReadMostly, here)); T(cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation, here));
    T(cudaMemAdvise(m, 4096, cudaMemAdviseSetAccessedBy, host)); T(cudaMemPrefetchAsync(m, 4096, here, 0, 0));
    T(cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributeReadMostly, m, 4096)); printf("%d\n", w[0]);
    T(cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributePreferredLocation, m, 4096)); printf("%d\n", w[0]);
    T(cudaMemRangeGetAttribute(w, 8, cudaMemRangeAttributeAccessedBy, m, 4096)); printf("%d %d\n", w[0], w[1]);
    T(cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributeLastPrefetchLocation, m, 4096)); printf("%d\n", w[0]);
    T(cudaMemAdvise(m, 4096, cudaMemAdviseUnsetReadMostly, here));
    T(cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributeReadMostly, m, 4096)); printf("%d\n", w[0]);
    int *d; T(cudaMalloc((void **)&d, 4096));
    T(cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributeReadMostly, d, 4096)); 
    T(cudaMemAdvise(d, 4096, cudaMemAdviseSetReadMostly, here)); T(cudaMemPrefetchAsync(d, 4096, here, 0, 0));
    T(cudaMemAdvise(m, 1 << 20, cudaMemAdviseSetReadMostly, here));
    void *two[2] = {w, w + 1}; size_t sizes[2] = {4, 4};
    cudaMemRangeAttribute which[2] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
    T(cudaMemRangeGetAttributes(two, sizes, which, 2, m, 4096)); printf("%d %d\n", w[0], w[1]);
    cudaStream_t s; T(cudaStreamCreate(&s));
    cudaStreamAttrValue a; memset(&a, 0, sizeof a);
    T(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &a));
    printf("%p %zu %g %d %d\n", a.accessPolicyWindow.base_ptr, a.accessPolicyWindow.num_bytes, a.accessPolicyWindow.hitRatio, a.accessPolicyWindow.hitProp, a.accessPolicyWindow.missProp);
    a.accessPolicyWindow.base_ptr = d; a.accessPolicyWindow.num_bytes = 4096; a.accessPolicyWindow.hitRatio = 0.6f;
    a.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting; a.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    T(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
    size_t lim; T(cudaDeviceGetLimit(&lim, cudaLimitPersistingL2CacheSize)); printf("%zu\n", lim);
    T(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)1 << 40)); T(cudaDeviceGetLimit(&lim, cudaLimitPersistingL2CacheSize)); printf("%zu\n", lim);
    T(cudaDeviceGetLimit(&lim, cudaLimitMaxL2FetchGranularity)); printf("%zu\n", lim);
    T(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 64)); T(cudaDeviceGetLimit(&lim, cudaLimitMaxL2FetchGranularity)); printf("%zu\n", lim);
    T(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &a));
    memset(&a, 0, sizeof a); T(cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &a));
    printf("%d %zu %g %d %d\n", a.accessPolicyWindow.base_ptr == d, a.accessPolicyWindow.num_bytes, a.accessPolicyWindow.hitRatio, a.accessPolicyWindow.hitProp, a.accessPolicyWindow.missProp);
    a.accessPolicyWindow.hitRatio = 2; T(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &a));
    a.accessPolicyWindow.hitRatio = 1; a.accessPolicyWindow.num_bytes = (size_t)1 << 40; T(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &a));
    fill<<<4, 256, 0, s>>>(d, 3); T(cudaStreamSynchronize(s));
    cudaStream_t s2; T(cudaStreamCreate(&s2)); T(cudaStreamCopyAttributes(s2, s)); T(cudaStreamGetAttribute(s2, cudaStreamAttributeAccessPolicyWindow, &a)); printf("%zu\n", a.accessPolicyWindow.num_bytes);
    T(cudaCtxResetPersistingL2Cache());
    unsigned long long sid = 0, sid2 = 0; T(cudaStreamGetId(s, &sid)); T(cudaStreamGetId(s2, &sid2)); printf("%d\n", sid != sid2);
    int dev = -1; T(cudaStreamGetDevice(s, &dev)); printf("%d\n", dev);
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; T(cudaThreadExchangeStreamCaptureMode(&mode)); printf("%d\n", mode);
    int g, b; T(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&g, &b, fill, [](int n) { return (size_t)n * 16; }, 0, 0)); printf("%d %d\n", g, b);
    cudaMemPool_t pool; T(cudaDeviceGetDefaultMemPool(&pool, 0));
    T(cudaMemset3DAsync(make_cudaPitchedPtr(d, 64, 64, 4), 1, make_cudaExtent(64, 4, 4), s)); T(cudaStreamSynchronize(s));
    int got[4]; cudaMemcpy(got, d, 16, cudaMemcpyDeviceToHost); printf("%x\n", got[3]);
    T(cudaMemcpy3DPeer(0));
    cudaMemcpy3DPeerParms pp; memset(&pp, 0, sizeof pp); pp.srcPtr = make_cudaPitchedPtr(d, 64, 64, 4); pp.dstPtr = make_cudaPitchedPtr((char *)d + 1024, 64, 64, 4); pp.extent = make_cudaExtent(64, 4, 1);
    T(cudaMemcpy3DPeer(&pp)); cudaMemcpy(got, (char *)d + 1024, 16, cudaMemcpyDeviceToHost); printf("%x\n", got[3]);
    T(cudaProfilerStart()); T(cudaProfilerStop());
    cudaUserObject_t uo; static int destroyed = 0; T(cudaUserObjectCreate(&uo, &destroyed, [](void *p) { *(int *)p = 1; }, 1, cudaUserObjectNoDestructorSync));
    cudaGraph_t gr; T(cudaGraphCreate(&gr, 0)); T(cudaGraphRetainUserObject(gr, uo, 1, cudaGraphUserObjectMove)); T(cudaGraphDestroy(gr)); printf("%d\n", destroyed >= 0);
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>(); cudaArray_t ar; T(cudaMallocArray(&ar, &cd, 64, 32));
    T(cudaMallocArray(&ar, &cd, 200000, 2)); T(cudaMallocArray(&ar, &cd, 131072, 65537)); T(cudaMallocArray(&ar, &cd, 0, 0)); T(cudaMallocArray(&ar, &cd, 131073, 0)); T(cudaMallocArray(&ar, &cd, 64, 32));
    cudaResourceDesc rd; memset(&rd, 0, sizeof rd); rd.resType = cudaResourceTypeArray; rd.res.array.array = ar;
    cudaTextureDesc td; memset(&td, 0, sizeof td); td.addressMode[0] = cudaAddressModeClamp; td.addressMode[1] = cudaAddressModeWrap; td.filterMode = cudaFilterModeLinear; td.normalizedCoords = 1;
    cudaTextureObject_t tex; T(cudaCreateTextureObject(&tex, &rd, &td, 0));
    cudaResourceDesc r2; cudaTextureDesc t2; T(cudaGetTextureObjectResourceDesc(&r2, tex)); printf("%d %d\n", r2.resType, r2.res.array.array == ar);
    T(cudaGetTextureObjectTextureDesc(&t2, tex)); printf("%d %d %d %d\n", t2.addressMode[0], t2.addressMode[1], t2.filterMode, t2.normalizedCoords);
    cudaSurfaceObject_t su; cudaArray_t sa; T(cudaMallocArray(&sa, &cd, 64, 32, cudaArraySurfaceLoadStore)); rd.res.array.array = sa; T(cudaCreateSurfaceObject(&su, &rd));
    T(cudaGetSurfaceObjectResourceDesc(&r2, su)); printf("%d %d\n", r2.resType, r2.res.array.array == sa);
    cudaExtent ex; unsigned fl; T(cudaArrayGetInfo(&cd, &ex, &fl, sa)); printf("%zu %zu %zu %u\n", ex.width, ex.height, ex.depth, fl);
    int rv; T(cudaRuntimeGetVersion(&rv)); T(cudaDriverGetVersion(&rv));
    T(cudaMemcpy2DToArrayAsync(ar, 0, 0, got, 16, 16, 1, cudaMemcpyHostToDevice, s));
    T(cudaMemcpyToArray(ar, 0, 0, got, 16, cudaMemcpyHostToDevice)); T(cudaMemcpyFromArray(got, ar, 0, 0, 16, cudaMemcpyDeviceToHost));
    T(cudaMemcpy2DArrayToArray(sa, 0, 0, ar, 0, 0, 16, 1));
    T(cudaStreamSynchronize(s));
    return 0;
}
