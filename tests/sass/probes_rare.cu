// Instructions that the other probes lack, with the parameters of probes.cu, launched by 256 threads in one block.
#define PROBE(name, ...)                                                                                     \
    extern "C" __global__ void name(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, \
                                    int n)                                                                   \
    {                                                                                                        \
        int i = threadIdx.x;                                                                                 \
        unsigned a = pa[i], b = pb[i], c = pc[i];                                                            \
        __shared__ unsigned s[1024];                                                                         \
        s[i] = a, s[i + 256] = b, s[i + 512] = c, s[i + 768] = a ^ b;                                        \
        __syncthreads();                                                                                     \
        __VA_ARGS__                                                                                          \
    }
#define OUT4(x, y, z, w) o[4 * i] = (x), o[4 * i + 1] = (y), o[4 * i + 2] = (z), o[4 * i + 3] = (w);

PROBE(r_atom, unsigned *p = c & 1 ? s + i : o + 4 * i + 3; unsigned x = atomicAdd(p, b), y = atomicMax(p, c);
      unsigned z = atomicCAS(p, max(x + b, c), a); o[4 * i] = x, o[4 * i + 1] = y, o[4 * i + 2] = z; if (c & 1) o[4 * i + 3] = *p;)
PROBE(r_reduce, OUT4(__syncthreads_count(a & 1), __syncthreads_and(a != b), __syncthreads_or(a == 0x7f), __syncthreads_count(b & 2)))
PROBE(r_switch, unsigned r; switch (a & 15) { case 0: r = a * 3; break; case 1: r = b + 7; break; case 2: r = a ^ c; break;
      case 3: r = __popc(b); break; case 4: r = a / (b | 1); break; case 5: r = a % (c | 1); break; case 6: r = __brev(c); break;
      case 7: r = a - b - c; break; case 8: r = a & b; break; case 9: r = b | c; break; case 10: r = __clz(a); break;
      case 11: r = a * b; break; case 12: r = __umulhi(a, c); break; case 13: r = c >> 3; break; default: r = 5; }
      OUT4(r, r ^ a, r + b, i))
PROBE(r_sleep, __nanosleep(20 + (a & 7)); OUT4(a, b, c, i))
PROBE(r_copy, __shared__ __align__(16) unsigned t[1024]; unsigned at = (unsigned)__cvta_generic_to_shared(t);
      unsigned zero = a & 1 ? 4 : 0;
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(at + 4 * i), "l"(pa + (i ^ 5)), "r"(zero));
      asm volatile("cp.async.commit_group;");
      if (i < 64) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at + 1024 + 16 * i), "l"(pb + 4 * (63 - i)));
      asm volatile("cp.async.commit_group;"); asm volatile("cp.async.wait_group 1;"); asm volatile("cp.async.wait_group 0;");
      __syncthreads(); OUT4(t[i], t[256 + i], t[i ^ 31], t[256 + (i ^ 31)]))
PROBE(r_ldmatrix, unsigned at = (unsigned)__cvta_generic_to_shared(s) + (i & 31) * 16 + 512 * (i >> 5); unsigned x, y, z, w, t, u;
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at));
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(t), "=r"(u) : "r"(at));
      OUT4(x ^ t, y + u, z, w))
PROBE(r_movmatrix, unsigned r, t; asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(a));
      asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(t) : "r"(b)); OUT4(r, t, r ^ t, i))
PROBE(r_fset, float x = __uint_as_float(a), y = __uint_as_float(b); float r, t; asm("set.lt.f32.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
      asm("set.geu.ftz.f32.f32 %0, %1, %2;" : "=f"(t) : "f"(x), "f"(y)); OUT4(__float_as_uint(r), __float_as_uint(t), 0, i))
PROBE(r_named, unsigned t = 0; if (i < 128) { asm volatile("bar.sync 1, 128;"); t = s[i ^ 64]; asm volatile("bar.arrive 2, 256;"); }
      else { unsigned k = 2 + (n >> 20); asm volatile("barrier.sync %0, 256;" :: "r"(k)); t = s[i - 128]; }
      asm volatile("bar.sync 3, %0;" :: "r"(n)); OUT4(t, s[i ^ 255], a, i))
PROBE(r_clock, long long x = clock64(), y = clock64(); unsigned t = clock(); OUT4(y >= x, (unsigned)(clock() - t) < 100000u, __activemask(), i))

extern "C" __device__ int vprintf(const char *, const char *);
extern "C" int printf(const char *, ...);
extern "C" __global__ void r_print(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, int n)
{
    int i = threadIdx.x;
    if (i == 3)
        o[0] = printf("thread %d of %u: %08x %f %s %lld %c%%\n", i, blockDim.x, pa[i], 0.5f * i, "text", (long long)n << 32, 65 + i);
    if (i < 2)
        o[1 + i] = printf("plain\n");
}
