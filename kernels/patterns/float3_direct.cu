// Records of three floats cannot be moved in one access: three loads and three stores, each 12 bytes apart.
__global__ void float3_direct(const float3 *in, float3 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 value = in[i];
    value.x += 2.0f;
    value.y += 2.0f;
    value.z += 2.0f;
    out[i] = value;
}
