// Integer intrinsics: bits counted, found, reversed and permuted, high halves of products.
__global__ void kernel(const unsigned* a, const unsigned* b, unsigned* out) {
  int t = threadIdx.x, n = blockDim.x;
  unsigned x = a[t], y = b[t];
  unsigned long long w = (unsigned long long)x << 32 | y;
  unsigned* p = out + t;
  *p = __popc(x);  p += n;
  *p = __popcll(w);  p += n;
  *p = __clz(x);  p += n;
  *p = __clzll(w);  p += n;
  *p = __ffs(x);  p += n;
  *p = __ffsll(w);  p += n;
  *p = __brev(x);  p += n;
  *p = __brevll(w) >> 7;  p += n;
  *p = __mulhi((int)x, (int)y);  p += n;
  *p = __umulhi(x, y);  p += n;
  *p = __mul24((int)x, (int)y);  p += n;
  *p = __umul24(x, y);  p += n;
  *p = __byte_perm(x, y, 0x5140);  p += n;
  *p = __funnelshift_l(x, y, 11);  p += n;
  *p = __funnelshift_r(x, y, 43);  p += n;
  *p = min((int)x, (int)y);  p += n;
  *p = max(x, y);  p += n;
  *p = abs((int)x);  p += n;
  *p = __sad((int)x, (int)y, 7);  p += n;
  *p = __umul64hi(w, w + y);  p += n;
}
