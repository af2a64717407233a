// Kernels whose counters are recorded: asynchronous copies, and exchanges of 128 bits.
#define KERNEL extern "C" __global__ void
#define PARAMETERS (unsigned *o, const char *in, const unsigned *from, const unsigned *to, const unsigned *bytes, int n)
#define WORDS 4096
// Lane t copies from in + from[t] to byte to[t] of shared memory, unless bytes[t] is 99.
#define PROLOGUE \
    __shared__ __align__(128) unsigned s[WORDS]; int t = threadIdx.x; \
    for (int k = t; k < WORDS; k += blockDim.x) s[k] = k; \
    __syncthreads(); \
    unsigned b = bytes[t], target = (unsigned)__cvta_generic_to_shared(s) + to[t]; const char *source = in + from[t];
#define EPILOGUE \
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory"); \
    __syncthreads(); \
    for (int k = t; k < WORDS; k += blockDim.x) o[k] = s[k];
#define COPY(name, text) KERNEL name PARAMETERS { PROLOGUE \
    if (b != 99) asm volatile(text :: "r"(target), "l"(source), "r"(b) : "memory"); EPILOGUE }
COPY(copy_4, "cp.async.ca.shared.global [%0], [%1], 4;")
COPY(copy_8, "cp.async.ca.shared.global [%0], [%1], 8;")
COPY(copy_16, "cp.async.ca.shared.global [%0], [%1], 16;")
COPY(copy_cg, "cp.async.cg.shared.global [%0], [%1], 16;")
COPY(copy_far, "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;")
COPY(zero_4, "cp.async.ca.shared.global [%0], [%1], 4, %2;")
COPY(zero_8, "cp.async.ca.shared.global [%0], [%1], 8, %2;")
COPY(zero_16, "cp.async.ca.shared.global [%0], [%1], 16, %2;")
COPY(zero_cg, "cp.async.cg.shared.global [%0], [%1], 16, %2;")
COPY(skip_4, "{ .reg .pred p; setp.eq.u32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 4, p; }")
COPY(skip_cg, "{ .reg .pred p; setp.eq.u32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p; }")
// Several copies: the lines of the second and third may be in the L1.
KERNEL again_ca PARAMETERS { PROLOGUE
    #pragma unroll 1
    for (int k = 0; k < n; ++k) if (b != 99) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.wait_all;" :: "r"(target + 4 * k), "l"(source + 4 * k) : "memory"); EPILOGUE }
KERNEL again_cg PARAMETERS { PROLOGUE
    #pragma unroll 1
    for (int k = 0; k < n; ++k) if (b != 99) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\tcp.async.wait_all;" :: "r"(target), "l"(source) : "memory"); EPILOGUE }
// 128 bits of global memory at from[t], or of shared memory at to[t]; a swap expects what shared memory starts with.
KERNEL wide_exch PARAMETERS { PROLOGUE
    unsigned long long x = 0, y = 0, z = t, w = ~t; unsigned long long *q = (unsigned long long *)(o + WORDS) + 2 * t;
    if (b != 99) asm volatile("{ .reg .b128 v, r; mov.b128 v, {%2, %3}; atom.global.exch.b128 r, [%4], v; mov.b128 {%0, %1}, r; }" : "=l"(x), "=l"(y) : "l"(z), "l"(w), "l"(source) : "memory");
    q[0] = x; q[1] = y; EPILOGUE }
KERNEL wide_cas PARAMETERS { PROLOGUE
    unsigned long long x = 0, y = 0, z = t, w = ~t, e = ((unsigned long long *)source)[0], f = ((unsigned long long *)source)[1]; unsigned long long *q = (unsigned long long *)(o + WORDS) + 2 * t;
    if (t & 1) e ^= 1;
    if (b != 99) asm volatile("{ .reg .b128 v, r, e; mov.b128 v, {%2, %3}; mov.b128 e, {%5, %6}; atom.global.cas.b128 r, [%4], e, v; mov.b128 {%0, %1}, r; }" : "=l"(x), "=l"(y) : "l"(z), "l"(w), "l"(source), "l"(e), "l"(f) : "memory");
    q[0] = x; q[1] = y; EPILOGUE }
KERNEL wide_shared PARAMETERS { PROLOGUE
    unsigned long long x = 0, y = 0, z = t, w = ~t; unsigned long long *q = (unsigned long long *)(o + WORDS) + 2 * t;
    if (b != 99) asm volatile("{ .reg .b128 v, r; mov.b128 v, {%2, %3}; atom.shared.exch.b128 r, [%4], v; mov.b128 {%0, %1}, r; }" : "=l"(x), "=l"(y) : "l"(z), "l"(w), "r"(target) : "memory");
    q[0] = x; q[1] = y; EPILOGUE }
