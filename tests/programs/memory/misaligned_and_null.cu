// A pointer that is not a multiple of its type's size, a null pointer, and a wild one.
__global__ void kernel(char* bytes, int* null, int* out) {
  int t = threadIdx.x;
  out[t] = *(int*)(bytes + t);
  *(double*)(bytes + 4 + t) = 0;
  out[t] += null[t];
  null[t] = 1;
  out[t] += *(int*)0xdeadbeef00;
}
