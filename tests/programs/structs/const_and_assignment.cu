// Functions for objects that are const, and a struct's own assignment.
struct Pair {
    int values[2] = {5, 6};
    __device__ int &at(int i) { return values[i]; }
    __device__ int at(int i) const { return values[i] + 100; }
    __device__ int sum() const { return at(0) + at(1); }
};
struct Counted {
    int value;
    __device__ Counted(int first) : value(first) {}
    __device__ Counted &operator=(const Counted &other) {
        value = other.value + 1;
        return *this;
    }
};
__global__ void const_and_assignment(int *out) {
    int x = threadIdx.x;
    Pair pair;
    const Pair &same = pair;
    pair.at(0) = x;
    out[x] = 2 * same.at(0) + same.at(1);
    out[32 + x] = pair.sum() + pair.at(1);
    Counted a(x), b(5);
    a = b;
    (a = Counted(7)) = Counted(x);
    out[64 + x] = a.value + b.value;
}
