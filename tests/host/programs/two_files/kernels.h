#ifndef KERNELS_H
#define KERNELS_H
#include <vector>

class Vector {
  public:
    explicit Vector(int n) : host_(n) { cudaMalloc(&device_, n * sizeof(float)); }
    Vector(const Vector &) = delete;
    ~Vector() { cudaFree(device_); }
    int size() const { return (int)host_.size(); }
    float &operator[](int i) { return host_[i]; }
    float *device() { return device_; }
    void upload() { cudaMemcpy(device_, host_.data(), size() * sizeof(float), cudaMemcpyHostToDevice); }
    void download() { cudaMemcpy(host_.data(), device_, size() * sizeof(float), cudaMemcpyDeviceToHost); }

  private:
    std::vector<float> host_;
    float *device_;
};

template <int BY> __global__ void increment(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += BY;
}
template <int BY> void incrementVector(Vector &v) { increment<BY><<<(v.size() + 63) / 64, 64>>>(v.device(), v.size()); }

void scaleVector(Vector &v, float by);
#endif
