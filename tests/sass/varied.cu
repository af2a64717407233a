// varied X.bin LIST RESULTS FIRST: launch k of cubins/NAME.cubin on 2 blocks of 64 threads for each name of a list, from a number
// on; X.bin has the 1,024 words that each reads, RESULTS/NAME.out gets the 4,096 that it writes ("-": no results). See
// record_varied.py.
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <string>
int main(int argc, char **argv) {
    std::vector<unsigned> x(1024), out(4096);
    FILE *f = fopen(argv[1], "rb"); if (fread(x.data(), 4, 1024, f) != 1024) return 99; fclose(f);
    int first = atoi(argv[4]);
    bool write = argv[3][0] != '-';
    cuInit(0); CUdevice d; cuDeviceGet(&d, 0); CUcontext c;
    cuDevicePrimaryCtxRetain(&c, d); cuCtxSetCurrent(c);
    CUdeviceptr px, po; cuMemAlloc(&px, 4096); cuMemAlloc(&po, 16384);
    cuMemcpyHtoD(px, x.data(), 4096);
    f = fopen(argv[2], "r"); char name[100]; int shared, number = 0;
    while (fscanf(f, "%99s %d", name, &shared) == 2) {
        if (number++ < first) continue;
        CUmodule m; CUfunction k;
        CUresult e = cuModuleLoad(&m, (std::string("cubins/") + name + ".cubin").c_str());
        if (!e) e = cuModuleGetFunction(&k, m, "k");
        if (e) { printf("%s load %d\n", name, (int)e); fflush(stdout); continue; }
        cuMemsetD32(po, 0, 4096); cuCtxSynchronize();
        void *args[] = {&px, &po};
        e = cuLaunchKernel(k, 2, 1, 1, 64, 1, 1, shared, 0, args, 0);
        if (!e) e = cuCtxSynchronize();
        printf("%s %d\n", name, (int)e); fflush(stdout);
        if (e) return number;
        if (write) {
            cuMemcpyDtoH(out.data(), po, 16384);
            FILE *o = fopen((std::string(argv[3]) + "/" + name + ".out").c_str(), "wb"); fwrite(out.data(), 4, 4096, o); fclose(o);
        }
        cuModuleUnload(m);
    }
    return 0;
}
