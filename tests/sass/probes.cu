// One operation or a few a kernel, on random operands: what the hardware gives is recorded by record_probes.py.
#define PROBE(name, ...)                                                                                     \
    extern "C" __global__ void name(unsigned *o, const unsigned *pa, const unsigned *pb, const unsigned *pc, \
                                    int n)                                                                   \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        if (i >= n)                                                                                          \
            return;                                                                                          \
        unsigned a = pa[i], b = pb[i], c = pc[i];                                                            \
        float fa = __uint_as_float(a), fb = __uint_as_float(b), fc = __uint_as_float(c);                     \
        (void)fa, (void)fb, (void)fc;                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define F(x) __float_as_uint(x)
#define OUT1(x) o[i] = (x);
#define OUT2(x, y) o[2 * i] = (x), o[2 * i + 1] = (y);
#define OUT4(x, y, z, w) o[4 * i] = (x), o[4 * i + 1] = (y), o[4 * i + 2] = (z), o[4 * i + 3] = (w);
#define PTX1(text, out, in, ...) asm(text : out : in);

PROBE(p_fadd, OUT4(F(fa + fb), F(__fadd_rz(fa, fb)), F(__fadd_rd(fa, fb)), F(__fadd_ru(fa, fb))))
PROBE(p_fmul, OUT4(F(fa * fb), F(__fmul_rz(fa, fb)), F(__fmul_rd(fa, fb)), F(__fmul_ru(fa, fb))))
PROBE(p_ffma, OUT4(F(__fmaf_rn(fa, fb, fc)), F(__fmaf_rz(fa, fb, fc)), F(__fmaf_rd(fa, fb, fc)), F(__fmaf_ru(fa, fb, fc))))
PROBE(p_fsigns, OUT4(F(-fa + fabsf(fb)), F(fabsf(fa) - fb), F(__fmaf_rn(-fa, fb, -fc)), F(-(fa * fb))))
PROBE(p_fftz, float r, s, t; asm("add.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(fa), "f"(fb));
      asm("mul.ftz.f32 %0, %1, %2;" : "=f"(s) : "f"(fa), "f"(fb));
      asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(t) : "f"(fa), "f"(fb), "f"(fc));
      OUT4(F(r), F(s), F(t), F(__saturatef(fa * fb + fc))))
PROBE(p_fminmax, OUT4(F(fminf(fa, fb)), F(fmaxf(fa, fb)), F(fminf(fabsf(fa), -fb)), F(fmaxf(-fa, fabsf(fb)))))
PROBE(p_fcompare, unsigned r = 0; r |= (fa < fb) << 0 | (fa <= fb) << 1 | (fa > fb) << 2 | (fa >= fb) << 3 | (fa == fb) << 4
      | (fa != fb) << 5 | !(fa < fb) << 6 | !(fa > fb) << 7 | (isnan(fa) || isnan(fb)) << 8; OUT1(r))
PROBE(p_fdiv, OUT4(F(fa / fb), F(__fdiv_rn(fb, fc)), F(__frcp_rn(fa)), F(__fsqrt_rn(fa))))
PROBE(p_fround, OUT4(F(floorf(fa)), F(ceilf(fa)), F(truncf(fa)), F(rintf(fa))))
PROBE(p_mufu1, float r, s, t, u; asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(fa));
      asm("rsqrt.approx.f32 %0, %1;" : "=f"(s) : "f"(fa)); asm("sqrt.approx.f32 %0, %1;" : "=f"(t) : "f"(fa));
      asm("ex2.approx.f32 %0, %1;" : "=f"(u) : "f"(fa)); OUT4(F(r), F(s), F(t), F(u)))
PROBE(p_mufu2, float r, s, t, u; asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(fa));
      asm("sin.approx.f32 %0, %1;" : "=f"(s) : "f"(fa)); asm("cos.approx.f32 %0, %1;" : "=f"(t) : "f"(fa));
      asm("tanh.approx.f32 %0, %1;" : "=f"(u) : "f"(fa)); OUT4(F(r), F(s), F(t), F(u)))
PROBE(p_mufuftz, float r, s, t, u; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(fa));
      asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(s) : "f"(fa)); asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(fa));
      asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(u) : "f"(fa)); OUT4(F(r), F(s), F(t), F(u)))
PROBE(p_mufu64, double x = __hiloint2double(a, b), r, s; asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
      asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(s) : "d"(x));
      OUT4(__double2hiint(r), __double2loint(r), __double2hiint(s), __double2loint(s)))

#define D2(x, y) double r_ = (x), s_ = (y); OUT4(__double2hiint(r_), __double2loint(r_), __double2hiint(s_), __double2loint(s_))
#define DOUBLES double x = __hiloint2double(a, b), y = __hiloint2double(c, a), z = __hiloint2double(b, c); (void)z;
PROBE(p_dadd, DOUBLES D2(x + y, __dadd_ru(x, y)))
PROBE(p_dadd2, DOUBLES D2(__dadd_rz(x, y), x - fabs(y)))
PROBE(p_dmul, DOUBLES D2(x *y, __dmul_rd(x, y)))
PROBE(p_dfma, DOUBLES D2(__fma_rn(x, y, z), __fma_ru(x, y, z)))
PROBE(p_dfma2, DOUBLES D2(__fma_rd(x, y, z), __fma_rz(-x, y, z)))
PROBE(p_ddiv, DOUBLES D2(x / y, sqrt(fabs(x))))
PROBE(p_dminmax, DOUBLES D2(fmin(x, y), fmax(x, y)))
PROBE(p_dcompare, DOUBLES unsigned r = 0; r |= (x < y) << 0 | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4
      | (x != y) << 5 | !(x < y) << 6 | !(x > y) << 7 | (isnan(x) || isnan(y)) << 8; OUT1(r))
PROBE(p_dround, DOUBLES D2(floor(x) + 0 * y, rint(x)))

PROBE(p_f2i, OUT4((int)fa, (unsigned)fa, __float2int_rn(fa), __float2int_ru(fa)))
PROBE(p_f2i64, long long r = (long long)fa; unsigned long long s = (unsigned long long)fa;
      OUT4((unsigned)(r >> 32), (unsigned)r, (unsigned)(s >> 32), (unsigned)s))
PROBE(p_d2i, double x = __hiloint2double(a, b); long long r = (long long)x; OUT4((int)x, (unsigned)x, (unsigned)(r >> 32), (unsigned)r))
PROBE(p_i2f, OUT4(F((float)(int)a), F((float)a), F(__int2float_rz(a)), F(__uint2float_ru(b))))
PROBE(p_i2f64, long long x = (long long)a << 32 | b; OUT4(F((float)x), F((float)(unsigned long long)x), F(__ll2float_rd(x)), F((float)(signed char)a + (float)(unsigned short)b)))
PROBE(p_i2d, long long x = (long long)a << 32 | b; D2((double)x, (double)(int)c))
PROBE(p_f2d, D2((double)fa, (double)fb))
PROBE(p_d2f, double x = __hiloint2double(a, b); OUT4(F((float)x), F(__double2float_rz(x)), F(__double2float_ru(x)), F(__double2float_rd(x))))

PROBE(p_add64, unsigned long long x = (unsigned long long)a << 32 | b, y = (unsigned long long)c << 32 | a;
      unsigned long long r = x + y, s = x - y; OUT4((unsigned)(r >> 32), (unsigned)r, (unsigned)(s >> 32), (unsigned)s))
PROBE(p_carry, unsigned r, s, t, u; asm("add.cc.u32 %0, %4, %5; addc.cc.u32 %1, %5, %6; addc.cc.u32 %2, %4, %6; addc.u32 %3, 0, 0;"
      : "=r"(r), "=r"(s), "=r"(t), "=r"(u) : "r"(a), "r"(b), "r"(c)); OUT4(r, s, t, u))
PROBE(p_borrow, unsigned r, s, t, u; asm("sub.cc.u32 %0, %4, %5; subc.cc.u32 %1, %5, %6; subc.cc.u32 %2, %4, %6; subc.u32 %3, 0, 0;"
      : "=r"(r), "=r"(s), "=r"(t), "=r"(u) : "r"(a), "r"(b), "r"(c)); OUT4(r, s, t, u))
PROBE(p_madcarry, unsigned r, s, t; asm("mad.lo.cc.u32 %0, %3, %4, %5; madc.hi.cc.u32 %1, %3, %4, %5; addc.u32 %2, 0, 0;"
      : "=r"(r), "=r"(s), "=r"(t) : "r"(a), "r"(b), "r"(c)); OUT4(r, s, t, 0))
PROBE(p_mul, long long x = (long long)(int)a * (int)b + (int)c; unsigned long long y = (unsigned long long)a * b + c;
      OUT4((unsigned)(x >> 32), (unsigned)x, (unsigned)(y >> 32), (unsigned)y))
PROBE(p_mulhi, OUT4(__mulhi(a, b), __umulhi(a, b), a *b + c, __mul24(a, b)))
PROBE(p_mul64, long long x = (long long)a << 32 | b, y = (long long)c << 32 | a; long long r = x * y, s = __mul64hi(x, y);
      OUT4((unsigned)(r >> 32), (unsigned)r, (unsigned)(s >> 32), (unsigned)s))
PROBE(p_div, OUT4((int)a / (int)(b | 1), (int)a % (int)(b | 1), a / (b | 1), a % (c | 1)))
PROBE(p_div64, long long x = (long long)a << 32 | b, y = (long long)(c >> 7) << 9 | 1; long long r = x / y, s = x % y;
      OUT4((unsigned)(r >> 32), (unsigned)r, (unsigned)(s >> 32), (unsigned)s))
PROBE(p_logic, OUT4((a & b) | (~a & c), a ^ b ^ c, (a | b) & ~c, ~(a & (b | c))))
PROBE(p_shift, unsigned s = c & 63; unsigned r0, r1; asm("shl.b32 %0, %1, %2;" : "=r"(r0) : "r"(a), "r"(s));
      asm("shr.s32 %0, %1, %2;" : "=r"(r1) : "r"(a), "r"(s)); unsigned r2; asm("shr.u32 %0, %1, %2;" : "=r"(r2) : "r"(a), "r"(s));
      OUT4(r0, r1, r2, __funnelshift_l(a, b, c)))
PROBE(p_funnel, OUT4(__funnelshift_r(a, b, c), __funnelshift_lc(a, b, c & 63), __funnelshift_rc(a, b, c & 63), __byte_perm(a, b, c)))
PROBE(p_shift64, unsigned long long x = (unsigned long long)a << 32 | b; unsigned s = c & 127; unsigned long long r, t, u;
      asm("shl.b64 %0, %1, %2;" : "=l"(r) : "l"(x), "r"(s)); asm("shr.u64 %0, %1, %2;" : "=l"(t) : "l"(x), "r"(s));
      asm("shr.s64 %0, %1, %2;" : "=l"(u) : "l"(x), "r"(s));
      OUT4((unsigned)(r >> 32) ^ (unsigned)r, (unsigned)(t >> 32), (unsigned)t, (unsigned)(u >> 32) ^ (unsigned)u))
PROBE(p_bits, OUT4(__popc(a), __clz(a), __ffs(a), __brev(a)))
PROBE(p_bits2, unsigned r, s; asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a)); asm("bfind.shiftamt.u32 %0, %1;" : "=r"(s) : "r"(b));
      OUT4(r, s, (unsigned)abs((int)a), (unsigned)((int)a >> 5 & 0x1f)))
PROBE(p_bfe, unsigned r, s, t; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 31), "r"(c & 31));
      asm("bfe.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(b & 31), "r"(c & 31));
      asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(t) : "r"(a), "r"(b), "r"(b & 31), "r"(c & 31)); OUT4(r, s, t, (int)(signed char)a))
PROBE(p_minmax, OUT4(min((int)a, (int)b), max((int)a, (int)b), min(a, b), max(a, b)))
PROBE(p_icompare, long long x = (long long)a << 32 | b, y = (long long)((i & 1) ? a : c) << 32 | ((i & 2) ? b : c);
      unsigned r = 0; r |= ((int)a < (int)b) << 0 | ((int)a <= (int)b) << 1 | (a > b) << 2 | (a >= b) << 3 | (x < y) << 4 | (x <= y) << 5
      | (x == y) << 6 | (x != y) << 7 | ((unsigned long long)x > (unsigned long long)y) << 8 | (x >= y) << 9; OUT1(r))
PROBE(p_dp4a, OUT4(__dp4a((int)a, (int)b, (int)c), __dp4a(a, b, c), (unsigned)((a & 3) == 1 ? b : c), (unsigned)(a > b && (int)b > (int)c)))
PROBE(p_lea, const char *q = (const char *)(((unsigned long long)c << 32) | b); q += (long long)(int)a * 8; unsigned long long r = (unsigned long long)q;
      OUT4((unsigned)(r >> 32), (unsigned)r, a * 32 + b, (a << 5) + c))
