// Objects whose constructors and destructors have effects: guards of locks, timers, traces of scopes; virtual functions.
#include <cstdio>

class Lock {
    int *word_;

  public:
    __device__ explicit Lock(int *word) : word_(word) {
        while (atomicCAS(word_, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ ~Lock() {
        __threadfence();
        atomicExch(word_, 0);
    }
    Lock(const Lock &) = delete;
};

struct Trace {
    int *log, *length, id;
    __device__ Trace(int *log, int *length, int id) : log(log), length(length), id(id) { log[(*length)++] = id; }
    __device__ ~Trace() { log[(*length)++] = -id; }
};

__device__ int traced(int *log, int *length, int n) {
    Trace outer(log, length, 1);
    for (int i = 0; i < n; ++i) {
        Trace inner(log, length, 10 + i);
        if (i == 1) continue;
        if (i == 3) return i;
        Trace(log, length, 20 + i);
        {
            Trace deep(log, length, 30 + i);
        }
    }
    return n;
}

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual const char *name() const { return "shape"; }
    __device__ virtual ~Shape() {}
};
struct Circle : Shape {
    float r;
    __device__ Circle(float r) : r(r) {}
    __device__ float area() const override { return 3.0f * r * r; }
    __device__ const char *name() const override { return "circle"; }
};
struct Rectangle : Shape {
    float a, b;
    __device__ Rectangle(float a, float b) : a(a), b(b) {}
    __device__ float area() const override { return a * b; }
};
struct Square final : Rectangle {
    __device__ Square(float a) : Rectangle(a, a) {}
    __device__ const char *name() const override { return "square"; }
};

__global__ void guarded(int *lock, int *counter) {
    for (int turn = 0; turn < 32; ++turn)
        if (threadIdx.x % 32 == turn) {
            Lock guard(lock);
            *counter = *counter + 1;
        }
}
__global__ void scopes(int *log, int *length, int n) { log[(*length)++] = 100 + traced(log, length, n); }
__global__ void areas(float *sums) {
    Shape *shapes[3];
    shapes[0] = new Circle(threadIdx.x);
    shapes[1] = new Rectangle(threadIdx.x, 2);
    shapes[2] = new Square(0.5f);
    float sum = 0;
    for (Shape *shape : shapes) sum += shape->area();
    sums[threadIdx.x] = sum;
    if (threadIdx.x == 2)
        for (Shape *shape : shapes) printf("%s %.2f\n", shape->name(), shape->area());
    for (Shape *shape : shapes) delete shape;
}

int main() {
    int *data, host[64];
    float *sums, values[4];
    cudaMalloc(&data, sizeof host), cudaMalloc(&sums, sizeof values);
    cudaMemset(data, 0, sizeof host);
    guarded<<<4, 64>>>(data, data + 1);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    printf("counted %d, lock %d\n", host[1], host[0]);
    for (int n = 3; n < 6; n += 2) {
        cudaMemset(data, 0, sizeof host);
        scopes<<<1, 1>>>(data + 1, data, n);
        cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
        for (int k = 1; k <= host[0]; ++k) printf("%d ", host[k]);
        printf("\n");
    }
    areas<<<1, 4>>>(sums);
    cudaMemcpy(values, sums, sizeof values, cudaMemcpyDeviceToHost);
    printf("%.2f %.2f %s\n", values[0], values[3], cudaGetErrorString(cudaGetLastError()));
    cudaFree(data), cudaFree(sums);
}
