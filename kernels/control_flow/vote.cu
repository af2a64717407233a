// Keep the positive elements of each warp's stretch, packed to its front: a ballot tells every lane its place.
__global__ void compact_by_vote(const int *input, int *output, int *kept)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % 32;
    int value = input[i];
    unsigned int ballot = __ballot_sync(0xffffffffu, value > 50);
    unsigned int place = __popc(ballot & ((1u << lane) - 1));
    if (value > 50)
        output[i - lane + place] = value;
    if (lane == 0)
        kept[i / 32] = __popc(ballot);
}
