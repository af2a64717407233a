// Kernels whose local arrays live in registers, or do not, as courses and suites write them. Each has blocks of 64
// threads, 4,096 floats to read and 2,048 to write, and n = 3.
#include <cuda/std/array>
#define KERNEL extern "C" __global__ void

KERNEL while_loop(float *out, const float *in, int n) {
    float a[8];
    int i = 0;
    while (i < 8) { a[i] = in[threadIdx.x + 64 * i]; i++; }
    float s = 0.0f;
    i = 7;
    while (i >= 0) { s = s * 0.5f + a[i]; --i; }
    out[threadIdx.x] = s;
}

KERNEL do_while(float *out, const float *in, int n) {
    float a[6];
    int i = 0;
    do { a[i] = in[threadIdx.x * 6 + i] * n; } while (++i < 6);
    float most = a[0];
    i = 1;
    do { most = fmaxf(most, a[i]); i += 1; } while (i != 6);
    out[threadIdx.x] = most;
}

KERNEL by_goto(float *out, const float *in, int n) {
    float a[4];
    int i = 0;
again:
    a[i] = in[threadIdx.x + i] + i;
    if (++i < 4) goto again;
    out[threadIdx.x] = a[0] - a[1] + a[2] - a[3];
}

KERNEL captured(float *out, const float *in, int n) {
    float a[5];
    auto fill = [&](int k) { a[k] = in[threadIdx.x + k]; };
    auto total = [&] { float s = 0.0f; for (int k = 0; k < 5; ++k) s += a[k]; return s; };
    for (int k = 0; k < 5; ++k) fill(k);
    out[threadIdx.x] = total();
}

KERNEL captured_by_value(float *out, const float *in, int n) {
    float w[4] = {0.5f, 0.25f, 0.125f, in[n]};
    auto weigh = [=](int k, float x) { return w[k] * x; };
    float s = 0.0f;
    for (int k = 0; k < 4; ++k) s += weigh(k, in[threadIdx.x + k]);
    out[threadIdx.x] = s;
}

template <int R, int C> struct Tile {
    float v[R * C];
    __device__ float &at(int r, int c) { return v[r * C + c]; }
    __device__ float at(int r, int c) const { return v[r * C + c]; }
    __device__ float &operator()(int r, int c) { return v[r * C + c]; }
};

KERNEL member_at(float *out, const float *in, int n) {
    Tile<3, 4> t;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) t.at(r, c) = in[(threadIdx.x + r) * 4 + c];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) out[(r * 4 + c) * 64 + threadIdx.x] = t.at(r, c) + t.at(r, 0);
}

KERNEL member_call(float *out, const float *in, int n) {
    Tile<4, 4> t;
    int r = 0;
    while (r < 4) { for (int c = 0; c < 4; ++c) t(r, c) = in[threadIdx.x + r + c]; r++; }
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < 4; ++i) t(i, i) += t(i, 3 - i);
    float s = 0.0f;
    for (int i = 0; i < 4; ++i) s += t(i, i);
    out[threadIdx.x] = s;
}

KERNEL moving_pointer(float *out, const float *in, int n) {
    float a[8];
    float *q = a;
    for (int i = 0; i < 8; ++i) *q++ = in[threadIdx.x + i];
    float s = 0.0f;
    const float *p = a + 8;
    for (int i = 0; i < 8; ++i) s = s * 0.75f + *--p;
    out[threadIdx.x] = s;
}

KERNEL pointer_to_end(float *out, const float *in, int n) {
    float a[6];
    int k = 0;
    for (float *p = a; p != a + 6; ++p) *p = in[threadIdx.x + 2 * k++];
    float s = 0.0f;
    for (const float *p = a, *e = a + 6; p < e; p += 2) s += p[0] * p[1];
    out[threadIdx.x] = s;
}

KERNEL vector_stores(float *out, const float *in, int n) {
    float a[8];
    for (int i = 0; i < 8; i += 4)
        *reinterpret_cast<float4 *>(&a[i]) = *reinterpret_cast<const float4 *>(&in[threadIdx.x * 8 + i]);
    float s = 0.0f;
    for (int i = 0; i < 8; ++i) s += a[i] * (i + 1);
    out[threadIdx.x] = s;
}

KERNEL vector_array(float *out, const float *in, int n) {
    float4 a[2];
    for (int i = 0; i < 2; ++i) a[i] = reinterpret_cast<const float4 *>(in)[threadIdx.x * 2 + i];
    float *f = reinterpret_cast<float *>(a);
    float s = 0.0f;
    for (int i = 0; i < 8; ++i) s += f[i] * f[7 - i];
    out[threadIdx.x] = s;
}

KERNEL range_for(float *out, const float *in, int n) {
    float a[5];
    int k = 0;
    for (float &x : a) x = in[threadIdx.x + k++];
    float s = 0.0f;
    for (float x : a) s = s * 2.0f - x;
    out[threadIdx.x] = s;
}

KERNEL toggled_by_xor(float *out, const float *in, int n) {
    float a[2][4];
    int buf = 0;
    for (int i = 0; i < 4; ++i) a[0][i] = in[threadIdx.x + i];
    for (int k = 1; k < 8; ++k) {
        for (int i = 0; i < 4; ++i) a[buf ^ 1][i] = a[buf][i] * 0.5f + in[threadIdx.x + k * 4 + i];
        buf ^= 1;
    }
    float s = 0.0f;
    for (int i = 0; i < 4; ++i) s += a[buf][i];
    out[threadIdx.x] = s;
}

KERNEL toggled_by_difference(float *out, const float *in, int n) {
    float a[2][2];
    int now = 0, next = 1;
    a[0][0] = in[threadIdx.x]; a[0][1] = in[threadIdx.x + 1];
    for (int k = 0; k < 5; ++k) {
        a[next][0] = a[now][1] + 1.0f;
        a[next][1] = a[now][0] * in[k];
        now = 1 - now;
        next = 1 - next;
    }
    out[threadIdx.x] = a[now][0] - a[now][1];
}

KERNEL swapped_pointers(float *out, const float *in, int n) {
    float a[3], b[3], *from = a, *to = b;
    for (int i = 0; i < 3; ++i) from[i] = in[threadIdx.x + i];
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) to[i] = from[(i + 1) % 3] + in[k];
        float *t = from; from = to; to = t;
    }
    out[threadIdx.x] = from[0] * from[1] - from[2];
}

KERNEL downwards_unsigned(float *out, const float *in, int n) {
    float a[4];
    for (size_t i = 4; i-- > 0;) a[i] = in[threadIdx.x + i];
    float s = 0.0f;
    for (unsigned i = 3; i != ~0u; --i) s = s * 0.5f + a[i];
    out[threadIdx.x] = s;
}

template <int N> __device__ void load(float (&to)[N], const float *from, int stride) {
    for (int i = 0; i < N; ++i) to[i] = from[i * stride];
}
__device__ float dot(const float *a, const float *b, int length) {
    float s = 0.0f;
    for (int i = 0; i < length; ++i) s += a[i] * b[i];
    return s;
}
template <class T, int N> __device__ T largest(const T (&a)[N]) {
    T most = a[0];
    int i = 1;
    while (i < N) { most = a[i] > most ? a[i] : most; ++i; }
    return most;
}

KERNEL passed_on(float *out, const float *in, int n) {
    float a[6], b[6];
    load(a, in + threadIdx.x, 64);
    load(b, in + threadIdx.x, 1);
    out[threadIdx.x] = dot(a, b, 6) + largest(a);
}

struct Particle { float x, y; int kind; };

KERNEL array_of_structs(float *out, const float *in, int n) {
    Particle p[4];
    for (int i = 0; i < 4; ++i) { p[i].x = in[threadIdx.x + i]; p[i].y = in[threadIdx.x * 2 + i]; p[i].kind = i & 1; }
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < 4; ++i) {
            Particle &q = p[i];
            q.x += q.y * 0.125f;
            q.y -= q.kind ? q.x : 0.5f;
        }
    float s = 0.0f;
    for (auto &q : p) s += q.x * q.y;
    out[threadIdx.x] = s;
}

KERNEL pointers_to_structs(float *out, const float *in, int n) {
    Particle p[3] = {};
    for (Particle *q = p; q < p + 3; q++) { q->x = in[threadIdx.x + (q - p)]; q->y += q->x; }
    out[threadIdx.x] = p[0].x + p[1].y * p[2].x;
}

KERNEL two_dimensions(float *out, const float *in, int n) {
    float a[4][4];
    int y = 0;
    while (y < 4) { int x = 0; while (x < 4) { a[y][x] = in[threadIdx.x + y * 8 + x]; x++; } y++; }
    for (int y = 0; y < 4; ++y)
        for (int x = y + 1; x < 4; ++x) { float t = a[y][x]; a[y][x] = a[x][y]; a[x][y] = t; }
    for (int i = 0; i < 16; ++i) out[i * 64 + threadIdx.x] = a[i / 4][i % 4];
}

KERNEL standard_array(float *out, const float *in, int n) {
    cuda::std::array<float, 6> a;
    for (size_t i = 0; i < a.size(); ++i) a[i] = in[threadIdx.x + i];
    float s = 0.0f;
    for (const auto &v : a) s = s * 0.5f + v;
    for (auto it = a.begin(); it != a.end(); ++it) s += *it * *it;
    out[threadIdx.x] = s;
}

KERNEL array_of_arrays(float *out, const float *in, int n) {
    cuda::std::array<cuda::std::array<float, 3>, 2> a{};
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 3; ++c) a[r][c] += in[threadIdx.x + r * 3 + c];
    float s = 0.0f;
    for (auto &row : a) for (auto &v : row) s = s * 1.5f + v;
    out[threadIdx.x] = s;
}

KERNEL insertion_sort(float *out, const float *in, int n) {
    float a[5];
    for (int i = 0; i < 5; ++i) a[i] = in[threadIdx.x * 5 + i];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4 - i; ++j)
            if (a[j] > a[j + 1]) { float t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
    for (int i = 0; i < 5; ++i) out[i * 64 + threadIdx.x] = a[i];
}

KERNEL bitonic_network(float *out, const float *in, int n) {
    float a[8];
    for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x * 8 + i];
    for (int k = 2; k <= 8; k *= 2)
        for (int j = k / 2; j > 0; j >>= 1)
            for (int i = 0; i < 8; ++i) {
                int l = i ^ j;
                if (l > i) {
                    bool up = (i & k) == 0;
                    if ((a[i] > a[l]) == up) { float t = a[i]; a[i] = a[l]; a[l] = t; }
                }
            }
    for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = a[i];
}

KERNEL kept_smallest(float *out, const float *in, int n) {
    float best[4];
    for (int i = 0; i < 4; ++i) best[i] = 1e30f;
    for (int k = 0; k < 32 * n; ++k) {
        float d = fabsf(in[threadIdx.x] - in[k]);
        for (int i = 0; i < 4; ++i)
            if (d < best[i]) { float t = best[i]; best[i] = d; d = t; }
    }
    for (int i = 0; i < 4; ++i) out[i * 64 + threadIdx.x] = best[i];
}

KERNEL kept_smallest_by_break(float *out, const float *in, int n) {
    float best[4] = {9.0f, 9.0f, 9.0f, 9.0f};
    for (int k = 0; k < 16; ++k) {
        float d = in[threadIdx.x + k];
        if (d >= best[3]) continue;
        int i = 3;
        while (i > 0 && best[i - 1] > d) { best[i] = best[i - 1]; --i; }
        best[i] = d;
    }
    for (int i = 0; i < 4; ++i) out[i * 64 + threadIdx.x] = best[i];
}

KERNEL thread_tile(float *out, const float *in, int n) {
    __shared__ float a[8][32], b[8][32];
    float sums[4][4] = {}, left[4], top[4];
    int row = threadIdx.x / 8 * 4, column = threadIdx.x % 8 * 4;
    for (int first = 0; first < 8 * n; first += 8) {
        for (int k = threadIdx.x; k < 256; k += 64) {
            a[k / 32][k % 32] = in[first * 32 + k];
            b[k / 32][k % 32] = in[first * 32 + 255 - k];
        }
        __syncthreads();
        for (int k = 0; k < 8; ++k) {
            int i = 0;
            do { left[i] = a[k][row + i]; top[i] = b[k][column + i]; } while (++i < 4);
            float *sum = &sums[0][0];
            for (i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) *sum++ += left[i] * top[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) out[(row + i) * 32 + column + j] = sums[i][j];
}

KERNEL stencil_window(float *out, const float *in, int n) {
    float window[5];
    for (int i = 0; i < 4; ++i) window[i + 1] = in[threadIdx.x + 64 * i];
    for (int k = 0; k < 8 * n; ++k) {
        for (int i = 0; i < 4; ++i) window[i] = window[i + 1];
        window[4] = in[threadIdx.x + 64 * (k + 4)];
        float s = 0.0f;
        for (float w : window) s += w;
        out[threadIdx.x + 64 * k] = s * 0.2f;
    }
}

KERNEL histogram_of_four(float *out, const float *in, int n) {
    int counts[4] = {0, 0, 0, 0};
    for (int k = 0; k < 32; ++k) {
        int bin = (int)(in[threadIdx.x + k] * 4.0f) & 3;
        for (int i = 0; i < 4; ++i) counts[i] += bin == i;
    }
    for (int i = 0; i < 4; ++i) out[i * 64 + threadIdx.x] = counts[i];
}

KERNEL indexed_histogram(float *out, const float *in, int n) {
    int counts[4] = {0, 0, 0, 0};
    for (int k = 0; k < 32; ++k) counts[(int)(in[threadIdx.x + k] * 4.0f) & 3]++;
    for (int i = 0; i < 4; ++i) out[i * 64 + threadIdx.x] = counts[i];
}

KERNEL chosen_element(float *out, const float *in, int n) {
    float a[8];
    for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x + i];
    out[threadIdx.x] = a[(threadIdx.x + n) & 7];
}

KERNEL bound_by_launch(float *out, const float *in, int n) {
    float a[8] = {};
    for (int i = 0; i < n; ++i) a[i & 7] += in[threadIdx.x + i];
    float s = 0.0f;
    for (int i = 0; i < 8; ++i) s += a[i];
    out[threadIdx.x] = s;
}

KERNEL polynomial(float *out, const float *in, int n) {
    const float c[6] = {1.0f, 0.5f, 0.16666667f, 0.041666668f, 0.008333334f, 0.0013888889f};
    float x = in[threadIdx.x], s = 0.0f;
    int i = 6;
    while (i--) s = s * x + c[i];
    out[threadIdx.x] = s;
}

KERNEL halving(float *out, const float *in, int n) {
    float a[8];
    for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x * 8 + i];
    for (int half = 4; half > 0; half >>= 1) {
        int i = 0;
        while (i < half) { a[i] += a[i + half]; i++; }
    }
    out[threadIdx.x] = a[0];
}

KERNEL comma_and_two_counters(float *out, const float *in, int n) {
    float a[6];
    for (int i = 0, j = 5; i < 6; ++i, --j) a[j] = in[threadIdx.x + i];
    for (int i = 0, j = 5; i < j; i++, j--) { float t = a[i]; a[i] = a[j] * 2.0f; a[j] = t; }
    float s = 0.0f;
    for (int i = 0; i < 6; ++i) s = s * 0.5f + a[i];
    out[threadIdx.x] = s;
}

KERNEL stack_of_known_height(float *out, const float *in, int n) {
    float stack[8];
    int top = 0;
    for (int i = 0; i < 6; ++i) stack[top++] = in[threadIdx.x + i];
    while (top > 1) { float b = stack[--top], a = stack[--top]; stack[top++] = a * 0.5f + b; }
    out[threadIdx.x] = stack[0];
}

struct Ring {
    float v[4];
    int at = 0;
    __device__ void push(float x) { v[at] = x; at = (at + 1) % 4; }
    __device__ float operator[](int k) const { return v[(at + k) % 4]; }
};

KERNEL ring(float *out, const float *in, int n) {
    Ring r;
    for (int i = 0; i < 4; ++i) r.push(in[threadIdx.x + i]);
    float s = 0.0f;
    for (int k = 4; k < 12; ++k) { s += r[0] - r[3]; r.push(in[threadIdx.x + k]); }
    out[threadIdx.x] = s + r[1];
}

KERNEL running_maximum(float *out, const float *in, int n) {
    float m[2], l[2], acc[2][4];
    for (int r = 0; r < 2; r++) { m[r] = -1e30f; l[r] = 0.0f; for (int d = 0; d < 4; d++) acc[r][d] = 0.0f; }
    for (int k = 0; k < 4 * n; ++k)
        for (int r = 0; r < 2; r++) {
            float x = in[(threadIdx.x + r) * 4 + k], before = m[r];
            m[r] = fmaxf(before, x);
            float scale = before - m[r] < -1.0f ? 0.25f : 0.5f;
            l[r] = l[r] * scale + x;
            for (int d = 0; d < 4; d++) acc[r][d] = acc[r][d] * scale + x * in[k * 4 + d];
        }
    for (int r = 0; r < 2; r++)
        for (int d = 0; d < 4; d++) out[(r * 4 + d) * 64 + threadIdx.x] = acc[r][d] + l[r];
}

KERNEL neighbours_in_warp(float *out, const float *in, int n) {
    float a[4];
    for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x * 4 + i];
    for (int i = 1; i < 4; ++i) a[i] += a[i - 1];
    float before = a[3];
    for (int d = 1; d < 32; d *= 2) {
        float t = __shfl_up_sync(0xffffffff, before, d);
        if ((threadIdx.x & 31) >= d) before += t;
    }
    before -= a[3];
    int i = 0;
    while (true) {
        out[threadIdx.x * 4 + i] = a[i] + before;
        if (++i == 4) break;
    }
}

KERNEL matrix_product(float *out, const float *in, int n) {
    float a[3][3], b[3][3], c[3][3];
    for (int i = 0; i < 9; ++i) { (&a[0][0])[i] = in[threadIdx.x + i]; b[i / 3][i % 3] = in[threadIdx.x * 2 + i]; }
    for (auto &row : c) for (float &x : row) x = 0.0f;
    for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) for (int k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
    for (int i = 0; i < 9; ++i) out[i * 64 + threadIdx.x] = c[i / 3][i % 3];
}

KERNEL elimination(float *out, const float *in, int n) {
    float a[3][4];
    for (int r = 0; r < 3; ++r) for (int c = 0; c < 4; ++c) a[r][c] = in[threadIdx.x + r * 4 + c] + (r == c ? 4.0f : 0.0f);
    for (int p = 0; p < 3; ++p)
        for (int r = p + 1; r < 3; ++r) {
            float f = a[r][p] * 0.25f;
            for (int c = p; c < 4; ++c) a[r][c] -= f * a[p][c];
        }
    float x[3];
    for (int r = 2; r >= 0; --r) { x[r] = a[r][3]; for (int c = r + 1; c < 3; ++c) x[r] -= a[r][c] * x[c]; }
    for (int r = 0; r < 3; ++r) out[r * 64 + threadIdx.x] = x[r];
}

KERNEL words_of_a_hash(float *out, const float *in, int n) {
    unsigned w[16];
    for (int i = 0; i < 16; ++i) w[i] = (unsigned)(in[threadIdx.x + i] * 65536.0f);
    unsigned h = 17;
    for (int t = 16; t < 48; ++t) {
        w[t & 15] = ((w[(t - 3) & 15] ^ w[(t - 8) & 15]) << 1) + w[t & 15];
        h = (h << 5 | h >> 27) + w[t & 15];
    }
    out[threadIdx.x] = (float)(h >> 8);
}

KERNEL reused_counter(float *out, const float *in, int n) {
    int i = threadIdx.x;
    float a[4], x = in[i];
    for (i = 0; i < 4; i++) a[i] = x + in[i];
    float s = 0.0f;
    for (i = 3; i >= 0; i--) s = s * 0.5f + a[i];
    i = threadIdx.x;
    out[i] = s;
}

KERNEL returned_by_value(float *out, const float *in, int n) {
    struct Pair { float v[2]; };
    auto make = [&](int k) { Pair p; for (int i = 0; i < 2; ++i) p.v[i] = in[threadIdx.x + k + i]; return p; };
    Pair all[3];
    for (int k = 0; k < 3; ++k) all[k] = make(k);
    float s = 0.0f;
    for (const Pair &p : all) for (float x : p.v) s = s * 0.5f + x;
    out[threadIdx.x] = s;
}

KERNEL masked_counter(float *out, const float *in, int n) {
    float a[4] = {};
    for (int i = 0; i < 16; ++i) a[i & 3] += in[threadIdx.x + i];
    out[threadIdx.x] = a[0] - a[1] * a[2] + a[3];
}
KERNEL masked_until_launch(float *out, const float *in, int n) {
    float a[4];
    for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + i];
    float s = 0.0f;
    for (int i = 0; i < 8 * n; ++i) { s += a[i & 3]; a[i & 3] = in[threadIdx.x + i]; }
    out[threadIdx.x] = s;
}
KERNEL both_bounds(float *out, const float *in, int n) {
    float a[4] = {};
    for (int i = 0; i < n && i < 4; ++i) a[i] = in[threadIdx.x + i];
    out[threadIdx.x] = a[0] + 2.0f * a[1] + 3.0f * a[2] + 4.0f * a[3];
}
KERNEL other_bound_first(float *out, const float *in, int n) {
    float a[4] = {};
    for (int i = 0; i < 4 && i < n; ++i) a[i] = in[threadIdx.x + i];
    float s = 0.0f;
    for (int i = 0; i < 4 && i < n; ++i) s = s * 0.5f + a[i];
    out[threadIdx.x] = s;
}
KERNEL minimum_bound(float *out, const float *in, int n) {
    float a[4] = {};
    int m = min(n, 4);
    for (int i = 0; i < m; ++i) a[i] = in[threadIdx.x + i];
    float s = 0.0f;
    for (int i = 0; i < 4; ++i) s += a[i] * (i + 1);
    out[threadIdx.x] = s;
}
KERNEL left_early(float *out, const float *in, int n) {
    float a[6] = {};
    for (int i = 0; i < 6; ++i) { if (in[threadIdx.x + i] > 1.2f) break; a[i] = in[threadIdx.x + i]; }
    out[threadIdx.x] = a[0] + a[1] - a[2] + a[3] - a[4] * a[5];
}
KERNEL fir_ring(float *out, const float *in, int n) {
    const float taps[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    float ring[4] = {};
    for (int i = 0; i < 16; ++i) {
        ring[i & 3] = in[threadIdx.x * 16 + i];
        float s = 0.0f;
        for (int t = 0; t < 4; ++t) s += taps[t] * ring[(i - t) & 3];
        out[i * 64 + threadIdx.x] = s;
    }
}
KERNEL fir_ring_launch(float *out, const float *in, int n) {
    float ring[8] = {};
    int head = 0;
    for (int i = 0; i < 8 * n; ++i) {
        ring[head] = in[threadIdx.x + i];
        float s = 0.0f;
        for (int t = 0; t < 8; ++t) s += ring[(head - t + 8) % 8];
        head = (head + 1) % 8;
        out[i * 64 + threadIdx.x] = s;
    }
}
KERNEL fir_modulo(float *out, const float *in, int n) {
    float ring[3] = {};
    float s = 0.0f;
    for (int i = 0; i < 12; ++i) { ring[i % 3] = in[threadIdx.x + i]; s += ring[(i + 1) % 3] * ring[(i + 2) % 3]; }
    out[threadIdx.x] = s;
}
KERNEL bytes_histogram(float *out, const float *in, int n) {
    unsigned char bins[8] = {};
    for (int k = 0; k < 32; ++k) bins[(int)(in[threadIdx.x + k] * 4.0f) & 7]++;
    for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = bins[i];
}
KERNEL unrolled_histogram(float *out, const float *in, int n) {
    int bins[4] = {};
    for (int k = 0; k < 8; ++k) {
        int b = (int)(in[threadIdx.x + k] * 4.0f) & 3;
#pragma unroll
        for (int i = 0; i < 4; ++i) if (i == b) bins[i]++;
    }
    for (int i = 0; i < 4; ++i) out[i * 64 + threadIdx.x] = bins[i];
}
KERNEL small_matrix(float *out, const float *in, int n) {
    float a[3][3], b[3][3], c[3][3];
    for (int i = 0; i < 9; ++i) { a[i / 3][i % 3] = in[threadIdx.x + i]; b[i % 3][i / 3] = in[threadIdx.x * 2 + i]; }
    for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) {
        float s = 0.0f;
        for (int k = 0; k < 3; ++k) s += a[i][k] * b[k][j];
        c[i][j] = s;
    }
    float d = 0.0f;
    for (int i = 0; i < 3; ++i) d += c[i][(i + 1) % 3] * c[(i + 2) % 3][i];
    out[threadIdx.x] = d;
}
KERNEL gauss_elimination(float *out, const float *in, int n) {
    float m[4][5];
    for (int r = 0; r < 4; ++r) for (int c = 0; c < 5; ++c) m[r][c] = in[threadIdx.x + r * 5 + c] + (r == c ? 8.0f : 0.0f);
    for (int p = 0; p < 4; ++p)
        for (int r = p + 1; r < 4; ++r) {
            float f = m[r][p] / m[p][p];
            for (int c = p; c < 5; ++c) m[r][c] -= f * m[p][c];
        }
    float x[4];
    for (int r = 3; r >= 0; --r) {
        float s = m[r][4];
        for (int c = r + 1; c < 4; ++c) s -= m[r][c] * x[c];
        x[r] = s / m[r][r];
    }
    for (int r = 0; r < 4; ++r) out[r * 64 + threadIdx.x] = x[r];
}
KERNEL pivoted(float *out, const float *in, int n) {
    float m[3][3];
    for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = in[threadIdx.x * 3 + i] + (i % 4 == 0);
    float det = 1.0f;
    for (int p = 0; p < 3; ++p) {
        int best = p;
        for (int r = p + 1; r < 3; ++r) if (fabsf(m[r][p]) > fabsf(m[best][p])) best = r;
        if (best != p) { for (int c = 0; c < 3; ++c) { float t = m[p][c]; m[p][c] = m[best][c]; m[best][c] = t; } det = -det; }
        det *= m[p][p];
        for (int r = p + 1; r < 3; ++r) { float f = m[r][p] / m[p][p]; for (int c = p; c < 3; ++c) m[r][c] -= f * m[p][c]; }
    }
    out[threadIdx.x] = det;
}
KERNEL bayer(float *out, const float *in, int n) {
    const float bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    int x = threadIdx.x & 7, y = threadIdx.x >> 3;
    out[threadIdx.x] = in[threadIdx.x] * 16.0f > bayer[y & 3][x & 3] ? 1.0f : 0.0f;
}
KERNEL bayer_in_loop(float *out, const float *in, int n) {
    const float bayer[2][2] = {{0, 2}, {3, 1}};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            out[(y * 4 + x) * 64 + threadIdx.x] = in[threadIdx.x + y * 4 + x] * 4.0f > bayer[y & 1][x & 1] ? 1.0f : 0.0f;
}
KERNEL lookup_table(float *out, const float *in, int n) {
    const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    out[threadIdx.x] = table[threadIdx.x & 7];
}
KERNEL lookup_sixteen(float *out, const float *in, int n) {
    const float table[16] = {0.f, 1.f, 4.f, 9.f, 16.f, 25.f, 36.f, 49.f, 64.f, 81.f, 100.f, 121.f, 144.f, 169.f, 196.f, 225.f};
    float s = 0.0f;
    for (int i = 0; i < n; ++i) s += table[(threadIdx.x + i) & 15];
    out[threadIdx.x] = s;
}
__device__ const int D8[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
KERNEL neighbours_by_table(float *out, const float *in, int n) {
    const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    int x = threadIdx.x % 8 + 1, y = threadIdx.x / 8 + 1;
    float s = 0.0f;
    for (int d = 0; d < 4; ++d) s += in[(y + dy[d]) * 16 + x + dx[d]];
    for (int d = 0; d < 8; ++d) s += in[(y + D8[d][0]) * 16 + x + D8[d][1]];
    out[threadIdx.x] = s;
}
KERNEL register_queue(float *out, const float *in, int n) {
    float front[3], back[3], now = in[threadIdx.x + 3 * 64];
    for (int i = 0; i < 3; ++i) back[2 - i] = in[threadIdx.x + 64 * i];
    for (int i = 0; i < 3; ++i) front[i] = in[threadIdx.x + 64 * (i + 4)];
    for (int z = 0; z < 4 * n; ++z) {
        float s = now;
        for (int i = 0; i < 3; ++i) s += 0.25f * (front[i] + back[i]);
        out[z * 64 + threadIdx.x] = s;
        for (int i = 2; i > 0; --i) back[i] = back[i - 1];
        back[0] = now; now = front[0];
        for (int i = 0; i < 2; ++i) front[i] = front[i + 1];
        front[2] = in[threadIdx.x + 64 * (z + 7)];
    }
}
KERNEL odd_even_sort(float *out, const float *in, int n) {
    float a[6];
    for (int i = 0; i < 6; ++i) a[i] = in[threadIdx.x * 6 + i];
    for (int p = 0; p < 6; ++p)
        for (int i = p & 1; i + 1 < 6; i += 2)
            if (a[i] > a[i + 1]) { float t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }
    for (int i = 0; i < 6; ++i) out[i * 64 + threadIdx.x] = a[i];
}
template <class T> __device__ void order(T &a, T &b) { if (b < a) { T t = a; a = b; b = t; } }
KERNEL table_network(float *out, const float *in, int n) {
    constexpr int pairs[5][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}};
    float a[4];
    for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x * 4 + i];
    for (int k = 0; k < 5; ++k) order(a[pairs[k][0]], a[pairs[k][1]]);
    for (int i = 0; i < 4; ++i) out[i * 64 + threadIdx.x] = a[i];
}
KERNEL insertion_while(float *out, const float *in, int n) {
    float a[6];
    for (int i = 0; i < 6; ++i) a[i] = in[threadIdx.x * 6 + i];
    for (int i = 1; i < 6; ++i) {
        float key = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > key) { a[j + 1] = a[j]; --j; }
        a[j + 1] = key;
    }
    for (int i = 0; i < 6; ++i) out[i * 64 + threadIdx.x] = a[i];
}
KERNEL selection(float *out, const float *in, int n) {
    float a[5];
    for (int i = 0; i < 5; ++i) a[i] = in[threadIdx.x * 5 + i];
    for (int i = 0; i < 4; ++i) {
        int best = i;
        for (int j = i + 1; j < 5; ++j) if (a[j] < a[best]) best = j;
        float t = a[i]; a[i] = a[best]; a[best] = t;
    }
    for (int i = 0; i < 5; ++i) out[i * 64 + threadIdx.x] = a[i];
}
KERNEL guarded_tile(float *out, const float *in, int n) {
    float acc[4] = {};
    for (int k = 0; k < 16; ++k)
        for (int i = 0; i < 4 && threadIdx.x + i < 16 * n; ++i) acc[i] += in[threadIdx.x + i] * in[k];
    for (int i = 0; i < 4; ++i) out[i * 64 + threadIdx.x] = acc[i];
}
KERNEL strided_items(float *out, const float *in, int n) {
    float items[4];
    int held = 0;
    for (int i = threadIdx.x; i < 256; i += 64) items[held++] = in[i];
    float s = 0.0f;
    for (int i = 0; i < held; ++i) s += items[i] * items[i];
    out[threadIdx.x] = s;
}
KERNEL strided_by_block(float *out, const float *in, int n) {
    float items[4];
    int held = 0;
    for (int i = threadIdx.x; i < 256; i += blockDim.x) items[held++] = in[i];
    float s = 0.0f;
    for (int i = 0; i < held; ++i) s += items[i];
    out[threadIdx.x] = s;
}
KERNEL digits(float *out, const float *in, int n) {
    int v = (int)(in[threadIdx.x] * 1000.0f), d[10], count = 0;
    do { d[count++] = v % 10; v /= 10; } while (v > 0 && count < 10);
    int r = 0;
    for (int i = 0; i < count; ++i) r = r * 10 + d[i];
    out[threadIdx.x] = r;
}
KERNEL radix_keys(float *out, const float *in, int n) {
    unsigned keys[4]; int rank[4];
    for (int i = 0; i < 4; ++i) keys[i] = (unsigned)(in[threadIdx.x * 4 + i] * 64.0f);
    for (int b = 0; b < 7; ++b) {
        int ones = 0;
        for (int i = 0; i < 4; ++i) { rank[i] = ones; ones += (keys[i] >> b) & 1; }
        unsigned next[4];
        for (int i = 0; i < 4; ++i) {
            int to = (keys[i] >> b) & 1 ? 4 - ones + rank[i] : i - rank[i];
            for (int k = 0; k < 4; ++k) if (to == k) next[k] = keys[i];
        }
        for (int i = 0; i < 4; ++i) keys[i] = next[i];
    }
    for (int i = 0; i < 4; ++i) out[i * 64 + threadIdx.x] = keys[i];
}
KERNEL polynomial_product(float *out, const float *in, int n) {
    float a[3], b[3], c[5] = {};
    for (int i = 0; i < 3; ++i) { a[i] = in[threadIdx.x + i]; b[i] = in[threadIdx.x + 2 * i]; }
    for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) c[i + j] += a[i] * b[j];
    for (int i = 0; i < 5; ++i) out[i * 64 + threadIdx.x] = c[i];
}
KERNEL butterfly(float *out, const float *in, int n) {
    float a[8];
    for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x * 8 + i];
    for (int h = 1; h < 8; h *= 2)
        for (int i = 0; i < 8; i += 2 * h)
            for (int j = i; j < i + h; ++j) { float x = a[j], y = a[j + h]; a[j] = x + y; a[j + h] = x - y; }
    for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = a[i];
}
KERNEL bit_reversed(float *out, const float *in, int n) {
    float a[8], b[8];
    for (int i = 0; i < 8; ++i) a[i] = in[threadIdx.x * 8 + i];
    for (int i = 0; i < 8; ++i) b[__brev(i) >> 29] = a[i];
    for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = b[i];
}
KERNEL coin_change(float *out, const float *in, int n) {
    int ways[16] = {1};
    const int coins[3] = {1, 2, 5};
    for (int c = 0; c < 3; ++c)
        for (int v = coins[c]; v < 16; ++v) ways[v] += ways[v - coins[c]];
    out[threadIdx.x] = ways[15] + ways[threadIdx.x & 7];
}
KERNEL runtime_slot(float *out, const float *in, int n) {
    float acc[4] = {};
    for (int k = 0; k < 16; ++k) acc[k % n & 3] += in[threadIdx.x + k];
    out[threadIdx.x] = acc[0] + acc[1] * acc[2] - acc[3];
}
