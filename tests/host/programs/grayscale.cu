#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void toGray(const uchar4 *rgba, unsigned char *gray, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) return;
    uchar4 p = rgba[r * cols + c];
    gray[r * cols + c] = (299 * p.x + 587 * p.y + 114 * p.z) / 1000;
}

__global__ void blur(const unsigned char *in, unsigned char *out, int rows, int cols, const float *filter, int width) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) return;
    float sum = 0.f;
    for (int fr = -width / 2; fr <= width / 2; ++fr)
        for (int fc = -width / 2; fc <= width / 2; ++fc) {
            int rr = min(max(r + fr, 0), rows - 1), cc = min(max(c + fc, 0), cols - 1);
            sum += in[rr * cols + cc] * filter[(fr + width / 2) * width + fc + width / 2];
        }
    out[r * cols + c] = (unsigned char)sum;
}

int main() {
    const int rows = 45, cols = 70, width = 3;
    std::vector<uchar4> image(rows * cols);
    for (int i = 0; i < rows * cols; ++i) image[i] = make_uchar4(i * 3, i * 5, i * 7, 255);
    float filter[width * width];
    for (float &f : filter) f = 0.125f;
    filter[4] = 0.f;
    uchar4 *d_image;
    unsigned char *d_gray, *d_blurred;
    float *d_filter;
    cudaMalloc(&d_image, image.size() * sizeof(uchar4));
    cudaMalloc(&d_gray, image.size());
    cudaMalloc(&d_blurred, image.size());
    cudaMalloc(&d_filter, sizeof filter);
    cudaMemcpy(d_image, image.data(), image.size() * sizeof(uchar4), cudaMemcpyHostToDevice);
    cudaMemcpy(d_filter, filter, sizeof filter, cudaMemcpyHostToDevice);
    const dim3 block(32, 8, 1), grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y, 1);
    toGray<<<grid, block>>>(d_image, d_gray, rows, cols);
    blur<<<grid, block>>>(d_gray, d_blurred, rows, cols, d_filter, width);
    std::vector<unsigned char> gray(image.size()), blurred(image.size());
    cudaMemcpy(gray.data(), d_gray, gray.size(), cudaMemcpyDeviceToHost);
    cudaMemcpy(blurred.data(), d_blurred, gray.size(), cudaMemcpyDeviceToHost);
    unsigned sumGray = 0, sumBlurred = 0, wrong = 0;
    for (size_t i = 0; i < gray.size(); ++i) {
        sumGray += gray[i], sumBlurred += blurred[i];
        wrong += gray[i] != (299 * image[i].x + 587 * image[i].y + 114 * image[i].z) / 1000;
    }
    printf("gray %u, blurred %u, middle %d, %u wrong\n", sumGray, sumBlurred, blurred[22 * cols + 35], wrong);
    cudaFree(d_image), cudaFree(d_gray), cudaFree(d_blurred), cudaFree(d_filter);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
