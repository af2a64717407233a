// Particles in arrays of structures and structures of arrays; cell lists by Thrust; float3/float4 operators of one's own.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/sequence.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/reduce.h>
#include <thrust/binary_search.h>
#include <cstdio>
#include <cmath>
inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator-(const float3 &a, const float3 &b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
inline __host__ __device__ float3 operator*(float s, float3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline __host__ __device__ void operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
struct Params { float3 lo; float cell; int3 dims; float radius, k; };
__constant__ Params params;
struct Particle { float3 pos, vel; float mass; int id; };
__device__ int3 cellOf(float3 p) { return make_int3((int)((p.x - params.lo.x) / params.cell), (int)((p.y - params.lo.y) / params.cell), (int)((p.z - params.lo.z) / params.cell)); }
__device__ int hashOf(int3 c) { return (c.z * params.dims.y + c.y) * params.dims.x + c.x; }
__global__ void hashes(const Particle *p, int *h, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) h[i] = hashOf(cellOf(p[i].pos)); }
__global__ void gather(const Particle *p, const int *order, float4 *pos, float4 *vel, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { const Particle q = p[order[i]]; pos[i] = make_float4(q.pos.x, q.pos.y, q.pos.z, q.mass); vel[i] = make_float4(q.vel.x, q.vel.y, q.vel.z, __int_as_float(q.id)); }
}
__global__ void bounds(const int *h, int *start, int *end, int n) {
    extern __shared__ int before[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, mine = -1;
    if (i < n) { mine = h[i]; before[threadIdx.x + 1] = mine; if (i > 0 && threadIdx.x == 0) before[0] = h[i - 1]; }
    __syncthreads();
    if (i < n) { if (i == 0 || mine != before[threadIdx.x]) { start[mine] = i; if (i > 0) end[before[threadIdx.x]] = i; } if (i == n - 1) end[mine] = n; }
}
__global__ void forces(const float4 *pos, const int *start, const int *end, float3 *f, int *pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = pos[i]; float3 p = make_float3(me.x, me.y, me.z), sum = make_float3(0, 0, 0);
    int3 c = cellOf(p); int near = 0;
    for (int z = max(c.z - 1, 0); z <= min(c.z + 1, params.dims.z - 1); z++)
        for (int y = max(c.y - 1, 0); y <= min(c.y + 1, params.dims.y - 1); y++)
            for (int x = max(c.x - 1, 0); x <= min(c.x + 1, params.dims.x - 1); x++) {
                int h = hashOf(make_int3(x, y, z)), s = start[h];
                if (s == -1) continue;
                for (int j = s; j < end[h]; j++) {
                    if (j == i) continue;
                    float4 q = pos[j]; float3 d = p - make_float3(q.x, q.y, q.z); float r2 = dot(d, d);
                    if (r2 < params.radius * params.radius) { float r = sqrtf(r2); sum += (params.k * (params.radius - r) / r) * d; near++; }
                }
            }
    f[i] = (1.0f / me.w) * sum; pairs[i] = near;
}
struct Advance { float dt; template <class Tuple> __host__ __device__ void operator()(Tuple t) const { float4 &p = thrust::get<0>(t); const float3 &f = thrust::get<1>(t); p.x += dt * dt * f.x; p.y += dt * dt * f.y; p.z += dt * dt * f.z; } };
struct Norm { __host__ __device__ float operator()(const float3 &v) const { return sqrtf(dot(v, v)); } };
int main() {
    const int n = 700;
    thrust::host_vector<Particle> h(n);
    unsigned s = 9; auto rnd = [&] { s = s * 1103515245u + 12345u; return (s >> 8) / 16777216.0f; };
    for (int i = 0; i < n; i++) { Particle &q = h[i]; q.pos = make_float3(rnd() * 4, rnd() * 4, rnd() * 2); q.vel = {0, 0, 0}; q.mass = 1 + i % 3; q.id = i; }
    Params pr = {{0, 0, 0}, 0.5f, {8, 8, 4}, 0.45f, 2.0f};
    cudaMemcpyToSymbol(params, &pr, sizeof pr);
    thrust::device_vector<Particle> p = h;
    thrust::device_vector<int> hash(n), order(n), start(256, -1), end(256, 0), pairs(n);
    thrust::device_vector<float4> pos(n), vel(n); thrust::device_vector<float3> f(n);
    int b = 128, g = (n + b - 1) / b;
    hashes<<<g, b>>>(thrust::raw_pointer_cast(p.data()), thrust::raw_pointer_cast(hash.data()), n);
    thrust::sequence(order.begin(), order.end());
    thrust::stable_sort_by_key(hash.begin(), hash.end(), order.begin());
    gather<<<g, b>>>(p.data().get(), order.data().get(), pos.data().get(), vel.data().get(), n);
    bounds<<<g, b, (b + 1) * sizeof(int)>>>(hash.data().get(), start.data().get(), end.data().get(), n);
    forces<<<g, b>>>(pos.data().get(), start.data().get(), end.data().get(), f.data().get(), pairs.data().get(), n);
    int links = thrust::reduce(pairs.begin(), pairs.end());
    float strongest = thrust::transform_reduce(f.begin(), f.end(), Norm(), 0.0f, thrust::maximum<float>());
    int brute = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (i != j) { float3 d = h[i].pos - h[j].pos; brute += dot(d, d) < pr.radius * pr.radius; }
    printf("%d links, same as all pairs: %d, strongest %.4f\n", links, links == brute, strongest);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(pos.begin(), f.begin())), thrust::make_zip_iterator(thrust::make_tuple(pos.end(), f.end())), Advance{0.1f});
    float4 first = pos[0], last = pos[n - 1];
    printf("%.4f %.4f %.4f  %.4f %.4f %.4f %.0f\n", first.x, first.y, first.z, last.x, last.y, last.z, last.w);
    thrust::device_vector<int> lower(5); int probe[5] = {0, 10, 100, 200, 255}; thrust::device_vector<int> pv(probe, probe + 5);
    thrust::lower_bound(hash.begin(), hash.end(), pv.begin(), pv.end(), lower.begin());
    for (int i = 0; i < 5; i++) printf("%d ", (int)lower[i]);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
