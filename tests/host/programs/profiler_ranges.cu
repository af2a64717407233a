// Annotations for profilers (NVIDIA Tools Extension).
#include <cstdio>
#include <nvtx3/nvtx3.hpp>
#include <nvtx3/nvToolsExt.h>
__global__ void add(int *a) { a[threadIdx.x] += 1; }
class Scope { public: Scope(const char* n) { nvtxRangePushA(n); } ~Scope() { nvtxRangePop(); } };
void push(const char *name, int cid) {
  const uint32_t colors[] = {0xff00ff00, 0xff0000ff};
  nvtxEventAttributes_t eventAttrib = {0};
  eventAttrib.version = NVTX_VERSION;
  eventAttrib.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  eventAttrib.colorType = NVTX_COLOR_ARGB;
  eventAttrib.color = colors[cid % 2];
  eventAttrib.messageType = NVTX_MESSAGE_TYPE_ASCII;
  eventAttrib.message.ascii = name;
  nvtxRangePushEx(&eventAttrib);
}
int main() {
  nvtx3::scoped_range r{"main"};
  NVTX3_FUNC_RANGE();
  Scope s("x");
  push("p", 1);
  int *d; cudaMalloc(&d, 128); cudaMemset(d, 0, 128);
  add<<<1, 32>>>(d);
  int h[32]; cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
  nvtxRangePop(); nvtx3::mark("done");
  printf("%d\n", h[31]); cudaFree(d);
}
