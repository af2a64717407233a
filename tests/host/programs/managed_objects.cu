// Objects in managed memory, after NVIDIA's articles on unified memory: members for the host beside those for both. The
// base class without members is there twice, so that the string begins behind the object that holds it.
#include <cstdio>
#include <stdexcept>
#include <string>

class Managed {
  public:
    void *operator new(size_t size) {
        void *memory;
        if (cudaMallocManaged(&memory, size) != cudaSuccess) throw std::bad_alloc();
        cudaDeviceSynchronize();
        return memory;
    }
    void operator delete(void *memory) {
        cudaDeviceSynchronize();
        cudaFree(memory);
    }
};
class String : public Managed {
    int length = 0;
    char *data = nullptr;
    void hold(int count) {
        cudaFree(data);
        cudaMallocManaged(&data, count + 1);
        length = count;
    }

  public:
    String() {}
    String(const String &other) { *this = other.data; }
    ~String() { cudaFree(data); }
    String &operator=(const char *text) {
        const std::string copy(text);
        hold(copy.size());
        copy.copy(data, length);
        data[length] = 0;
        return *this;
    }
    __host__ __device__ char &operator[](int i) { return data[i]; }
    __host__ __device__ const char *text() const { return data; }
    __host__ __device__ int size() const { return length; }
};
struct Element : public Managed {
    String name;
    int value = -1;
    std::string words() const { return std::string(name.text()) + ":" + std::to_string(value); }
    void check() const {
        if (value < 0) throw std::runtime_error("negative");
    }
};

__global__ void change(Element *element) {
    if (threadIdx.x) return;
    element->name[0] = 'd';
    element->value++;
    printf("on the device: %s, %d letters, %d\n", element->name.text(), element->name.size(), element->value);
}

int main() {
    Element *element = new Element;
    element->name = "hello";
    element->value = 10;
    change<<<1, 32>>>(element);
    cudaError_t error = cudaDeviceSynchronize();
    element->check();
    printf("%s, %s, %d bytes\n", cudaGetErrorString(error), element->words().c_str(), (int)sizeof(Element));
    delete element;
    return 0;
}
