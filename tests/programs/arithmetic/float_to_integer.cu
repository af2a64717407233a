// Conversions among float, double and the integers, within range.
__global__ void kernel(const double* in, long long* out, double* back) {
  int t = threadIdx.x;
  double d = in[t];
  float f = d;
  long long* p = out + t * 12;
  double* q = back + t * 10;
  *p++ = (int)d;
  *p++ = (int)f;
  *p++ = (long long)(d * 1e6);
  *p++ = (unsigned)(d < 0 ? -d : d);
  *p++ = (short)d;
  *p++ = (signed char)(int)f;
  *p++ = (bool)d;
  *p++ = (bool)(f * 0);
  int i = 16777217 + t;
  *p++ = (int)(float)i;
  *p++ = (long long)(float)(9007199254740993LL + t);
  *p++ = (unsigned char)(f < 0 ? -f : f);
  *p++ = (int)(f + 0.5f) + (int)-1.5f;
  *q++ = i / 2.0f;
  *q++ = (float)i;
  *q++ = i / 3 * 1.5;
  *q++ = (unsigned)-i;
  *q++ = (float)(unsigned long long)-i;
  *q++ = (long long)-i;
  *q++ = f;
  *q++ = f + d;
  *q++ = (float)(d + f) * 2;
  *q++ = 1.0f / 3;
}
