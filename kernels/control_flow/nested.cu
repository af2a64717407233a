// Each test halves the lanes at work; the paths join again from the inside out.
__global__ void nested_branches(const int *input, int *output)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = input[i];
    int result = 0;
    if (value & 1) {
        result += 1;
        if (value & 2) {
            result += 10;
            if (value & 4)
                result += 100;
            else
                result -= 100;
        } else {
            result -= 10;
        }
    } else {
        result -= 1;
    }
    output[i] = result;
}
