#include <cstdio>
#include <cmath>
__global__ void k(float *o) { float x = 1.5f; double d = 2; int i = 3;
 int n = 0;
 o[n++] = sizeof(pow(x, 2)); o[n++] = sizeof(pow(2, x)); o[n++]=sizeof(pow(d, 2)); o[n++]=sizeof(pow(i, 2)); o[n++]=sizeof(std::pow(x, 2)); o[n++]=sizeof(pow(x,d));
 o[n++]=sizeof(sqrt(i)); o[n++]=sizeof(erf(i)); o[n++]=sizeof(nextafter(x, 2)); o[n++]=sizeof(fmax(x, 2)); o[n++]=sizeof(fmax(1, 2)); o[n++]=sizeof(abs(x)); o[n++]=sizeof(ldexp(x, 2)); o[n++]=sizeof(ldexp(i, 2)); o[n++] = sizeof(fma(x, x, 2)); o[n++]=sizeof(hypot(x, i)); o[n++]=sizeof(round(i)); o[n++]=sizeof(lround(x)); o[n++]=sizeof(std::sqrt(i)); o[n++]=sizeof(max(x, 2.0)); o[n++]=sizeof(fdim(i,x)); o[n++]=sizeof(remainder(x,d)); o[n++]=sizeof(copysign(x,2));o[n++]=sizeof(atan2(x,i));
}
int main() { float *d; cudaMallocManaged(&d, 400); k<<<1,1>>>(d); cudaDeviceSynchronize(); for (int i = 0; i < 24; i++) printf("%g ", d[i]); printf("\n"); }
