// Halve even numbers, triple odd ones and add one, until 1 is reached. The slowest lane keeps its warp.
__global__ void collatz(const int *input, int *steps, int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int value = input[i];
    int count = 0;
    while (value != 1) {
        if (value & 1)
            value = 3 * value + 1;
        else
            value = value / 2;
        ++count;
    }
    steps[i] = count;
}
