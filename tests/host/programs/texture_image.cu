// An image is rotated through a texture, its edges are found by a Sobel filter, and a surface takes the result, as
// NVIDIA's samples do it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define N 64

__global__ void rotate(float *out, int width, int height, float theta, cudaTextureObject_t tex) {
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x / (float)width - 0.5f;
    float v = y / (float)height - 0.5f;
    float tu = u * cosf(theta) - v * sinf(theta) + 0.5f;
    float tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
    out[y * width + x] = tex2D<float>(tex, tu, tv);
}

__device__ unsigned char sobel_at(cudaTextureObject_t tex, int x, int y) {
    int p[3][3];
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) p[i + 1][j + 1] = tex2D<unsigned char>(tex, (float)(x + j), (float)(y + i));
    int horizontal = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
    int vertical = p[0][0] + 2 * p[0][1] + p[0][2] - p[2][0] - 2 * p[2][1] - p[2][2];
    int sum = abs(horizontal) + abs(vertical);
    return sum > 255 ? 255 : sum;
}

__global__ void sobel(cudaTextureObject_t tex, cudaSurfaceObject_t out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) surf2Dwrite(sobel_at(tex, x, y), out, x, y);
}

int main() {
    std::vector<float> image(N * N);
    std::vector<unsigned char> grey(N * N);
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x) {
            image[y * N + x] = (x / 8 + y / 8) % 2 ? 1.0f : x / (float)N;
            grey[y * N + x] = (unsigned char)((x - 32) * (x - 32) + (y - 32) * (y - 32) < 400 ? 200 : x * 2);
        }
    cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray *image_array;
    cudaMallocArray(&image_array, &floats, N, N);
    cudaMemcpyToArray(image_array, 0, 0, image.data(), N * N * sizeof(float), cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = image_array;
    cudaTextureDesc description = {};
    description.addressMode[0] = cudaAddressModeWrap;
    description.addressMode[1] = cudaAddressModeWrap;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = true;
    cudaTextureObject_t tex = 0;
    cudaCreateTextureObject(&tex, &resource, &description, NULL);
    float *d_out;
    cudaMalloc(&d_out, N * N * sizeof(float));
    dim3 block(8, 8), grid(N / 8, N / 8);
    rotate<<<grid, block>>>(d_out, N, N, 0.5f, tex);
    std::vector<float> rotated(N * N);
    cudaMemcpy(rotated.data(), d_out, N * N * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (float v : rotated) sum += v;
    printf("rotated: %.6f %.6f %.6f, sum %.4f\n", rotated[0], rotated[N * 20 + 31], rotated[N * N - 1], sum);

    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    cudaArray *grey_array, *edges;
    cudaMallocArray(&grey_array, &bytes, N, N);
    cudaMallocArray(&edges, &bytes, N, N, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(grey_array, 0, 0, grey.data(), N, N, N, cudaMemcpyHostToDevice);
    resource.res.array.array = grey_array;
    description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t grey_texture;
    cudaCreateTextureObject(&grey_texture, &resource, &description, nullptr);
    resource.res.array.array = edges;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    sobel<<<grid, block>>>(grey_texture, surface, N, N);
    std::vector<unsigned char> found(N * N);
    cudaMemcpy2DFromArray(found.data(), N, edges, 0, 0, N, N, cudaMemcpyDeviceToHost);
    long edge_sum = 0;
    for (unsigned char v : found) edge_sum += v;
    printf("edges: %d %d %d, sum %ld, %s\n", found[N * 32 + 12], found[N * 32 + 13], found[N * 10 + 40], edge_sum,
           cudaGetErrorString(cudaGetLastError()));
    cudaDestroyTextureObject(tex);
    cudaDestroyTextureObject(grey_texture);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(image_array);
    cudaFreeArray(grey_array);
    cudaFreeArray(edges);
    cudaFree(d_out);
    return 0;
}
