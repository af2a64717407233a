// One field of each record: lanes are a whole record apart.
struct Particle {
    float x, y, z, mass;
    float vx, vy, vz, charge;
};

__global__ void array_of_structs(Particle *particles, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        particles[i].mass = particles[i].mass * factor;
}
