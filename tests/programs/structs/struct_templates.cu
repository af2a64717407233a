// Within a struct template its bare name is the struct itself, with arguments any other of the template.
template <typename T, int N> struct Vector {
    T data[N];
    template <typename U> __device__ Vector<U, N> to() const {
        Vector<U, N> result;
        for (int i = 0; i < N; ++i) result.data[i] = U(data[i]);
        return result;
    }
    __device__ Vector<T, N / 2> halved() const {
        Vector<T, N / 2> result;
        for (int i = 0; i < N / 2; ++i) result.data[i] = data[i] + data[i + N / 2];
        return result;
    }
    __device__ T sum() const {
        if constexpr (N == 1)
            return data[0];
        else
            return halved().sum();
    }
    __device__ Vector same() const { return *this; }
};
__global__ void struct_templates(float *out) {
    Vector<float, 4> v;
    for (int i = 0; i < 4; ++i) v.data[i] = threadIdx.x + i + 0.5f;
    auto whole = v.to<int>();
    out[threadIdx.x] = v.same().sum();
    out[32 + threadIdx.x] = whole.sum();
    out[64 + threadIdx.x] = sizeof(whole.halved());
}
