// A box of memory, with its pitch, passed to a kernel as a cudaPitchedPtr.
#include <cstdio>
#include <vector>
__global__ void scale(cudaPitchedPtr box, cudaExtent extent, float by) {
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    char *slice = (char *)box.ptr + z * box.pitch * extent.height;
    float *row = (float *)(slice + y * box.pitch);
    if (x < extent.width / sizeof(float)) row[x] *= by;
}
int main() {
    const int w = 20, h = 6, d = 3;
    std::vector<float> host(w * h * d), back(w * h * d);
    for (int i = 0; i < w * h * d; ++i) host[i] = i;
    cudaPitchedPtr box;
    cudaExtent extent = make_cudaExtent(w * sizeof(float), h, d);
    cudaMalloc3D(&box, extent);
    cudaMemcpy3DParms in = {0};
    in.srcPtr = make_cudaPitchedPtr(host.data(), w * sizeof(float), w, h);
    in.dstPtr = box;
    in.extent = extent;
    in.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&in);
    scale<<<dim3(h, d), 32>>>(box, extent, 3.0f);
    cudaMemcpy3DParms out = {0};
    out.srcPtr = box;
    out.dstPtr = make_cudaPitchedPtr(back.data(), w * sizeof(float), w, h);
    out.extent = extent;
    out.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&out);
    int wrong = 0;
    for (int i = 0; i < w * h * d; ++i) wrong += back[i] != 3 * host[i];
    printf("%s, %d wrong, %s\n", cudaGetErrorName(cudaGetLastError()), wrong, wrong ? "FAIL" : "PASS");
    cudaFree(box.ptr);
    return wrong != 0;
}
