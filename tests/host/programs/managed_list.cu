// A linked list in managed memory: the same pointers for host and device.
#include <cstdio>
#include <new>

struct Node {
    int value;
    Node *next;
    Node(int v, Node *n) : value(v), next(n) {}
    void *operator new(size_t size) {
        void *p;
        if (cudaMallocManaged(&p, size) != cudaSuccess) throw std::bad_alloc();
        return p;
    }
    void operator delete(void *p) { cudaFree(p); }
};

__managed__ int steps = 0;

__global__ void sumList(const Node *head, long long *sum) {
    long long s = 0;
    for (const Node *n = head; n; n = n->next) s += n->value, ++steps;
    *sum = s;
}

int main() {
    Node *head = nullptr;
    for (int i = 1; i <= 40; ++i) head = new Node(i * i, head);
    long long *sum;
    cudaMallocManaged(&sum, sizeof *sum);
    sumList<<<1, 1>>>(head, sum);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s: sum of squares %lld in %d steps\n", cudaGetErrorString(e), *sum, steps);
    long long result = *sum;
    cudaFree(sum);
    while (head) {
        Node *next = head->next;
        delete head;
        head = next;
    }
    return result == 40 * 41 * 81 / 6 ? 0 : 1;
}
