// Memory of the host that is registered, and that a kernel writes through the pointer of the device.
#include <cstdio>
#include <cstdlib>
__global__ void twice(int *p, int n) { int i = threadIdx.x; if (i < n) p[i] *= 2; }
int main() {
    int *reg = new int[256]; for (int i = 0; i < 256; i++) reg[i] = i;
    printf("%s\n", cudaGetErrorName(cudaHostRegister(reg, 1024, cudaHostRegisterMapped))); int *d = nullptr;
    printf("%s\n", cudaGetErrorName(cudaHostGetDevicePointer(&d, reg, 0)));
    twice<<<1, 256>>>(d, 256); printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%d %d\n", reg[3], reg[255]);
    printf("%s\n", cudaGetErrorName(cudaHostUnregister(reg)));
    static int fixed[64]; for (int i = 0; i < 64; i++) fixed[i] = i;
    printf("%s\n", cudaGetErrorName(cudaHostRegister(fixed, sizeof fixed, cudaHostRegisterDefault)));
    printf("%s\n", cudaGetErrorName(cudaHostGetDevicePointer(&d, fixed, 0)));
    twice<<<1, 64>>>(d, 64); cudaDeviceSynchronize(); printf("%d\n", fixed[63]);
    cudaHostUnregister(fixed); delete[] reg;
    printf("%s\n", cudaGetErrorName(cudaHostRegister(fixed, sizeof fixed, cudaHostRegisterDefault)));
    printf("%s\n", cudaGetErrorName(cudaHostRegister(fixed, sizeof fixed, cudaHostRegisterDefault)));
    printf("%s\n", cudaGetErrorName(cudaHostUnregister(d + 100000)));
}
