// Four cases of different length: a warp whose lanes need all four runs all four.
__global__ void switch_cases(const int *input, int *output)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = input[i];
    switch (value % 4) {
    case 0:
        value = value * 3 + 1;
        break;
    case 1:
        value = value * value;
        value ^= 0x55;
        break;
    case 2:
        for (int k = 0; k < 4; ++k)
            value = value * 5 - 2;
        // and on into the last case
    default:
        value -= 7;
    }
    output[i] = value;
}
