// Finite differences in three dimensions, marching through planes in registers.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <chrono>
#include <iostream>
#define RADIUS 4
#define k_blockDimX 16
#define k_blockDimY 8
__constant__ float stencil[RADIUS + 1];
// FDTD3d of the samples
__global__ void FiniteDifferences(float *output, const float *input, const int dimx, const int dimy, const int dimz) {
  bool validr = true, validw = true;
  const int gtidx = blockIdx.x * blockDim.x + threadIdx.x, gtidy = blockIdx.y * blockDim.y + threadIdx.y;
  const int ltidx = threadIdx.x, ltidy = threadIdx.y, workx = blockDim.x, worky = blockDim.y;
  __shared__ float tile[k_blockDimY + 2 * RADIUS][k_blockDimX + 2 * RADIUS];
  const int stride_y = dimx + 2 * RADIUS, stride_z = stride_y * (dimy + 2 * RADIUS);
  int inputIndex = 0, outputIndex = 0;
  inputIndex += RADIUS * stride_y + RADIUS;
  inputIndex += gtidy * stride_y + gtidx;
  float infront[RADIUS], behind[RADIUS], current;
  const int tx = ltidx + RADIUS, ty = ltidy + RADIUS;
  if ((gtidx >= dimx + RADIUS) || (gtidy >= dimy + RADIUS)) validr = false;
  if ((gtidx >= dimx) || (gtidy >= dimy)) validw = false;
  for (int i = RADIUS - 2; i >= 0; i--) { if (validr) behind[i] = input[inputIndex]; inputIndex += stride_z; }
  if (validr) current = input[inputIndex];
  outputIndex = inputIndex; inputIndex += stride_z;
  for (int i = 0; i < RADIUS; i++) { if (validr) infront[i] = input[inputIndex]; inputIndex += stride_z; }
#pragma unroll 9
  for (int iz = 0; iz < dimz; iz++) {
    for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current; current = infront[0];
#pragma unroll 4
    for (int i = 0; i < RADIUS - 1; i++) infront[i] = infront[i + 1];
    if (validr) infront[RADIUS - 1] = input[inputIndex];
    inputIndex += stride_z; outputIndex += stride_z;
    __syncthreads();
    if (ltidy < RADIUS) { tile[ltidy][tx] = input[outputIndex - RADIUS * stride_y]; tile[ltidy + worky + RADIUS][tx] = input[outputIndex + worky * stride_y]; }
    if (ltidx < RADIUS) { tile[ty][ltidx] = input[outputIndex - RADIUS]; tile[ty][ltidx + workx + RADIUS] = input[outputIndex + workx]; }
    tile[ty][tx] = current;
    __syncthreads();
    float value = stencil[0] * current;
#pragma unroll 4
    for (int i = 1; i <= RADIUS; i++) value += stencil[i] * (infront[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
    if (validw) output[outputIndex] = value;
  }
}
int main() {
  const int nx = 32, ny = 16, nz = 8, ox = nx + 8, oy = ny + 8, oz = nz + 8; const size_t vol = (size_t)ox * oy * oz;
  float *in = (float *)calloc(vol, 4), *out = (float *)calloc(vol, 4), *ref = (float *)calloc(vol, 4), coeff[RADIUS + 1];
  for (int i = 0; i <= RADIUS; i++) coeff[i] = 0.1f;
  srand(5); for (size_t i = 0; i < vol; i++) in[i] = (float)(rand() % 100) / 10;
  float *din, *dout; size_t pad = (128 / 4) - RADIUS; cudaMalloc((void **)&din, (vol + pad) * 4); cudaMalloc((void **)&dout, (vol + pad) * 4);
  cudaMemcpy(din + pad, in, vol * 4, cudaMemcpyHostToDevice); cudaMemcpy(dout + pad, in, vol * 4, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(stencil, (void *)coeff, sizeof coeff);
  dim3 block(k_blockDimX, k_blockDimY), grid((nx + 15) / 16, (ny + 7) / 8);
  struct cudaFuncAttributes fa; if (cudaFuncGetAttributes(&fa, FiniteDifferences) != cudaSuccess) return 3;
  FiniteDifferences<<<grid, block>>>(dout + pad, din + pad, nx, ny, nz);
  cudaMemcpy(out, dout + pad, vol * 4, cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int z = 4; z < nz + 4; z++) for (int y = 4; y < ny + 4; y++) for (int x = 4; x < nx + 4; x++) {
    size_t p = ((size_t)z * oy + y) * ox + x; float v = in[p] * coeff[0];
    for (int r = 1; r <= 4; r++) v += coeff[r] * (in[p + r] + in[p - r] + in[p + r * ox] + in[p - r * ox] + in[p + (size_t)r * ox * oy] + in[p - (size_t)r * ox * oy]);
    worst = std::fmax(worst, std::fabs(v - out[p]));
  }
  printf("%s %d\n", worst < 1e-3 ? "PASSED" : "FAILED", fa.maxThreadsPerBlock); free(in); free(out); free(ref); cudaFree(din); cudaFree(dout);
}
