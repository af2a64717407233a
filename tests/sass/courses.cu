// courses JOBS DATA RESULTS: launch kernels of cubins/NAME.cubin one after another; JOBS tells over which arrays, whose
// first bytes are in DATA, and RESULTS/NAME.out gets what is in them afterwards ("-": no results). See record_courses.py.
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
static FILE *jobs;
static std::string word() { char text[400]; return fscanf(jobs, "%399s", text) == 1 ? text : ""; }
static int number() { return atoi(word().c_str()); }
int main(int argc, char **argv) {
    FILE *d = fopen(argv[2], "rb"); fseek(d, 0, SEEK_END);
    std::vector<char> data(ftell(d)); rewind(d); if (fread(data.data(), 1, data.size(), d) != data.size()) return 99;
    cuInit(0); CUdevice device; cuDeviceGet(&device, 0); CUcontext c; cuDevicePrimaryCtxRetain(&c, device); cuCtxSetCurrent(c);
    jobs = fopen(argv[1], "r");
    std::string name; CUmodule module = 0; std::vector<CUdeviceptr> arrays; std::vector<size_t> sizes;
    for (std::string w = word(); !w.empty(); w = word()) {
        if (w == "module") {
            name = word(); CUresult e = cuModuleLoad(&module, ("cubins/" + name + ".cubin").c_str());
            if (e) { printf("%s load %d\n", name.c_str(), (int)e); return 1; }
        } else if (w == "buf") {
            size_t bytes = number(), offset = number(); CUdeviceptr p;
            cuMemAlloc(&p, bytes); cuMemcpyHtoD(p, data.data() + offset, bytes); arrays.push_back(p); sizes.push_back(bytes);
        } else if (w == "run") {
            std::string kernel = word(); int n[9]; for (int &x : n) x = number();
            std::vector<std::vector<char>> values(n[8]); std::vector<void *> args;
            for (auto &v : values) {
                bool array = word() == "p"; std::string text = word();
                if (array) { v.resize(8); memcpy(v.data(), &arrays[atoi(text.c_str())], 8); }
                else for (size_t j = 0; j < text.size(); j += 2) v.push_back((char)strtol(text.substr(j, 2).c_str(), 0, 16));
                args.push_back(v.data());
            }
            CUfunction k; CUresult e = cuModuleGetFunction(&k, module, kernel.c_str());
            auto launch = n[7] ? cuLaunchCooperativeKernel(k, n[0], n[1], n[2], n[3], n[4], n[5], n[6], 0, args.data())
                               : cuLaunchKernel(k, n[0], n[1], n[2], n[3], n[4], n[5], n[6], 0, args.data(), 0);
            if (!e) e = launch;
            if (!e) e = cuCtxSynchronize();
            printf("%s %s %d\n", name.c_str(), kernel.c_str(), (int)e); fflush(stdout); if (e) return 1;
        } else if (w == "end") {
            if (argv[3][0] != '-') {
                FILE *o = fopen((std::string(argv[3]) + "/" + name + ".out").c_str(), "wb");
                for (size_t i = 0; i < arrays.size(); i++) {
                    std::vector<char> h(sizes[i]); cuMemcpyDtoH(h.data(), arrays[i], sizes[i]); fwrite(h.data(), 1, sizes[i], o);
                }
                fclose(o);
            }
            for (auto p : arrays) cuMemFree(p);
            arrays.clear(); sizes.clear(); cuModuleUnload(module);
        }
    }
    return 0;
}
