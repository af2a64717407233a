// Floyd and Warshall, one launch for each k: can the way from i to j be shortened through k?
__global__ void apsp_direct(int *distance, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    int through = distance[i * n + k] + distance[k * n + j];
    if (through < distance[i * n + j])
        distance[i * n + j] = through;
}
