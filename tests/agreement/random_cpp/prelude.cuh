__device__ float clip(float x) { return x > -64.f && x < 64.f ? (float)(int)(x * 4.f) * 0.25f : 1.5f; }
__device__ double clip(double x) { return x > -64. && x < 64. ? (double)(int)(x * 4.) * 0.25 : 2.5; }
__device__ float absolute(float x) { return x < 0 ? -x : x; }
__device__ double absolute(double x) { return x < 0 ? -x : x; }
struct Mix {
    unsigned h;
    __device__ void add(unsigned v) { h = h * 31u + v; }
    __device__ void put(bool v) { add(v ? 1u : 0u); }
    __device__ void put(char v) { add((unsigned)v); }
    __device__ void put(signed char v) { add((unsigned)v); }
    __device__ void put(unsigned char v) { add((unsigned)v); }
    __device__ void put(short v) { add((unsigned)v); }
    __device__ void put(unsigned short v) { add((unsigned)v); }
    __device__ void put(int v) { add((unsigned)v); }
    __device__ void put(unsigned v) { add(v); }
    __device__ void put(long long v) { add((unsigned)v); add((unsigned)(v >> 32)); }
    __device__ void put(unsigned long long v) { add((unsigned)v); add((unsigned)(v >> 32)); }
    __device__ void put(float v) { add(__float_as_uint(v)); }
    __device__ void put(double v) { put(__double_as_longlong(v)); }
};
template <typename T> __device__ int kind(T) { return 99; }
template <> __device__ int kind(bool) { return 1; }
template <> __device__ int kind(char) { return 2; }
template <> __device__ int kind(signed char) { return 3; }
template <> __device__ int kind(unsigned char) { return 4; }
template <> __device__ int kind(short) { return 5; }
template <> __device__ int kind(unsigned short) { return 6; }
template <> __device__ int kind(int) { return 7; }
template <> __device__ int kind(unsigned) { return 8; }
template <> __device__ int kind(long long) { return 9; }
template <> __device__ int kind(unsigned long long) { return 10; }
template <> __device__ int kind(float) { return 11; }
template <> __device__ int kind(double) { return 12; }
__device__ int pick(int) { return 1; }
__device__ int pick(unsigned) { return 2; }
__device__ int pick(long long) { return 3; }
__device__ int pick(unsigned long long) { return 4; }
__device__ int pick(float) { return 5; }
__device__ int pick(double) { return 6; }
