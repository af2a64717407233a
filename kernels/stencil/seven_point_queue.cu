// A thread walks along z and keeps the elements behind, at and ahead of it in registers: each plane is loaded once.
// Neighbours in the plane come from shared memory.
template <int TX, int TY>
__global__ void seven_point_queue(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float tile[TY][TX];

    int x = blockIdx.x * TX + threadIdx.x;
    int y = blockIdx.y * TY + threadIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int plane = nx * ny;
    int i = y * nx + x;
    bool inside = x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1;

    float behind = in[i];
    float centre = in[i + plane];
    for (int z = 1; z < nz - 1; z++) {
        i += plane;
        float ahead = in[i + plane];

        __syncthreads();
        tile[ty][tx] = centre;
        __syncthreads();

        if (inside) {
            float left = tx > 0 ? tile[ty][tx - 1] : in[i - 1];
            float right = tx < TX - 1 ? tile[ty][tx + 1] : in[i + 1];
            float above = ty > 0 ? tile[ty - 1][tx] : in[i - nx];
            float below = ty < TY - 1 ? tile[ty + 1][tx] : in[i + nx];
            out[i] = left + right + above + below + behind + ahead - 6.0f * centre;
        }
        behind = centre;
        centre = ahead;
    }
}
