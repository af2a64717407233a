#include <iostream>
#include <cstring>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include "device_launch_parameters.h"

using Cell = unsigned char;

__global__ void evolve(const Cell *now, Cell *next, int w, int h) {
    __shared__ Cell tile[18][18];
    int gx = blockIdx.x * 16 + threadIdx.x, gy = blockIdx.y * 16 + threadIdx.y;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
        int x = (blockIdx.x * 16 + i % 18 - 1 + w) % w, y = (blockIdx.y * 16 + i / 18 - 1 + h) % h;
        tile[i / 18][i % 18] = now[y * w + x];
    }
    __syncthreads();
    int alive = 0;
    for (int dy = 0; dy <= 2; ++dy)
        for (int dx = 0; dx <= 2; ++dx)
            if (dx != 1 || dy != 1) alive += tile[threadIdx.y + dy][threadIdx.x + dx];
    Cell me = tile[threadIdx.y + 1][threadIdx.x + 1];
    next[gy * w + gx] = alive == 3 || (alive == 2 && me);
}

int main() {
    const int w = 48, h = 32, generations = 60;
    std::vector<Cell> world(w * h, 0), reference;
    const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}, blinker[3][2] = {{30, 10}, {31, 10}, {32, 10}};
    for (auto &c : glider) world[c[1] * w + c[0]] = 1;
    for (auto &c : blinker) world[c[1] * w + c[0]] = 1;
    for (int i = 0; i < 80; ++i) world[(i * 193) % (w * h)] = 1;
    reference = world;
    Cell *d[2];
    for (auto &p : d) cudaMalloc(&p, world.size());
    cudaMemcpy(d[0], world.data(), world.size(), cudaMemcpyHostToDevice);
    for (int g = 0; g < generations; ++g) {
        evolve<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(d[g % 2], d[1 - g % 2], w, h);
        std::vector<Cell> next(world.size());
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                int n = 0;
                for (int k = 0; k < 9; ++k)
                    if (k != 4) n += reference[(y + k / 3 - 1 + h) % h * w + (x + k % 3 - 1 + w) % w];
                next[y * w + x] = n == 3 || (n == 2 && reference[y * w + x]);
            }
        reference.swap(next);
    }
    cudaMemcpy(world.data(), d[generations % 2], world.size(), cudaMemcpyDeviceToHost);
    for (int y = 0; y < h; ++y) {
        std::string line;
        for (int x = 0; x < w; ++x) line += world[y * w + x] ? '#' : '.';
        std::cout << line << "\n";
    }
    for (auto p : d) cudaFree(p);
    std::cout << (world == reference ? "correct" : "WRONG") << "\n";
    return world != reference;
}
