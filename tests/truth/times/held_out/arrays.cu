// Arrays and matrices: layouts, gathers, sparse matrices, graphs, linear algebra.

__global__ void add_by_rows(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        for (int k = 0; k < n; k++)
            c[row * n + k] = a[row * n + k] + b[row * n + k];
}

__global__ void add_by_columns(const float *a, const float *b, float *c, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < n)
        for (int k = 0; k < n; k++)
            c[k * n + column] = a[k * n + column] + b[k * n + column];
}

__global__ void add_elements(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        c[y * n + x] = a[y * n + x] + b[y * n + x];
}

struct Particle {
    float x, y, z, mass, u, v, w, age;
};

__global__ void move_structs(Particle *all, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        all[i].x += dt * all[i].u;
        all[i].y += dt * all[i].v;
        all[i].z += dt * all[i].w;
    }
}

__global__ void move_arrays(float *x, float *y, float *z, const float *u, const float *v, const float *w, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] += dt * u[i];
        y[i] += dt * v[i];
        z[i] += dt * w[i];
    }
}

__global__ void scatter(const float *in, const int *to, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[to[i]] = in[i];
}

__global__ void gather_doubles(const double *in, const int *from, double *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[from[i]];
}

__global__ void reverse(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[n - 1 - i] = in[i];
}

__global__ void every_other(const float2 *in, float *even, float *odd, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 both = in[i];
        even[i] = both.x;
        odd[i] = both.y;
    }
}

__global__ void store_strided(float *out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[(long long)i * stride] = i;
}

__global__ void load_strided(const float *in, float *out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[(long long)i * stride];
}

__global__ void triad(const double *b, const double *c, double *a, double s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + s * c[i];
}

// ------------------------------------------------------------------------------------------------ sparse, graphs

__global__ void csr_by_threads(const int *start, const int *column, const float *value, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float dot = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        dot += value[k] * x[column[k]];
    y[row] = dot;
}

__global__ void csr_by_warps(const int *start, const int *column, const float *value, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (row >= n)
        return;
    float dot = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32)
        dot += value[k] * x[column[k]];
    for (int k = 16; k; k >>= 1)
        dot += __shfl_xor_sync(~0u, dot, k);
    if (lane == 0)
        y[row] = dot;
}

// ELLPACK: entry k of row r at k * n + r, so that neighbouring threads read neighbouring entries.
__global__ void ell(const int *column, const float *value, const float *x, float *y, int n, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float dot = 0;
    for (int k = 0; k < width; k++)
        dot += value[k * n + row] * x[column[k * n + row]];
    y[row] = dot;
}

__global__ void visit(const int *start, const int *neighbour, int *level, int *changed, int n, int depth)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= n || level[node] != depth)
        return;
    for (int k = start[node]; k < start[node + 1]; k++) {
        int other = neighbour[k];
        if (level[other] > depth + 1) {
            level[other] = depth + 1;
            *changed = 1;
        }
    }
}

__global__ void page_rank(const int *start, const int *source, const float *rank, float *next, int n)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= n)
        return;
    float sum = 0;
    for (int k = start[node]; k < start[node + 1]; k++)
        sum += rank[source[k]] * 0.0625f;
    next[node] = 0.15f / n + 0.85f * sum;
}

__global__ void shortest_step(float *d, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float through = d[y * n + k] + d[k * n + x];
    if (through < d[y * n + x])
        d[y * n + x] = through;
}

__global__ void eliminate(float *a, int n, int pivot)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x + pivot + 1, row = blockIdx.y * blockDim.y + threadIdx.y + pivot + 1;
    if (column < n && row < n)
        a[row * n + column] -= a[row * n + pivot] / (a[pivot * n + pivot] + 2.0f) * a[pivot * n + column];
}

__global__ void solve_lower(const float *l, float *b, int n, int systems)
{
    int system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= systems)
        return;
    for (int i = 0; i < n; i++) {
        float sum = b[i * systems + system];
        for (int k = 0; k < i; k++)
            sum -= l[i * n + k] * b[k * systems + system];
        b[i * systems + system] = sum / (l[i * n + i] + 2.0f);
    }
}

__global__ void red_black(float *u, const float *f, int n, int colour)
{
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    x += (y + colour) % 2;
    if (x < n - 1 && y < n - 1)
        u[y * n + x] = 0.25f * (u[y * n + x - 1] + u[y * n + x + 1] + u[(y - 1) * n + x] + u[(y + 1) * n + x] - f[y * n + x]);
}

__global__ void outer_product(const float *u, const float *v, float *a, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    a[y * n + x] += u[y] * v[x];
}

__global__ void vector_times_matrix(const float *x, const float *a, float *y, int n)
{
    int column = blockIdx.x * 32 + threadIdx.x;
    float dot = 0;
    for (int k = blockIdx.y * 128 + threadIdx.y; k < blockIdx.y * 128 + 128; k += 8)
        dot += x[k] * a[k * n + column];
    atomicAdd(&y[column], dot);
}

__global__ void matrix_times_vector(const float4 *a, const float4 *x, float *y, int n)
{
    __shared__ float parts[4];
    float dot = 0;
    for (int k = threadIdx.x; k < n / 4; k += 128) {
        float4 p = a[blockIdx.x * (n / 4) + k], q = x[k];
        dot += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int k = 16; k; k >>= 1)
        dot += __shfl_xor_sync(~0u, dot, k);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = dot;
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}

__global__ void chase_lists(const int *next, int *end, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    for (int k = 0; k < steps; k++)
        at = next[at];
    end[i] = at;
}

__global__ void binary_search(const int *sorted, int n, const int *wanted, int *place, int queries)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= queries)
        return;
    int low = 0, high = n, value = wanted[i];
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    place[i] = low;
}
