// Launches that do nothing, and one that loads a word: how long the device is busy with a launch itself.
//
//     nvcc -arch=native -O3 -o empty empty.cu
//     ncu --csv --page raw --clock-control none --print-units base --metrics gpu__time_duration.sum,sm__cycles_active.max ./empty

__global__ void nothing(int *) {}

__global__ void load(int *p)
{
    if (p[threadIdx.x] == 12345)
        p[0] = 1;
}

int main()
{
    int *p;
    cudaMalloc(&p, 1 << 20);
    cudaMemset(p, 0, 1 << 20);
    for (int k = 0; k < 9; k++) {
        nothing<<<1, 32>>>(p);
        nothing<<<132, 128>>>(p);
        nothing<<<1320, 128>>>(p);
        nothing<<<13200, 256>>>(p);
        nothing<<<132000, 32>>>(p);
        load<<<1, 32>>>(p);
        load<<<132, 128>>>(p);
        cudaDeviceSynchronize();
    }
    return 0;
}
