// A polynomial with its coefficients in constant memory: all lanes read the same word at the same time.
__constant__ float coefficients[16];

__global__ void constant_uniform(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    float value = 0.0f;
    for (int k = 15; k >= 0; k--)
        value = value * x + coefficients[k];
    out[i] = value;
}
