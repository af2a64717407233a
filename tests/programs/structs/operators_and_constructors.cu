// Operators before and behind their operand, friends, first values of arrays and constants, T::N times a value.
struct Counter {
    static constexpr int N = 4;
    int value;
    __device__ Counter operator++(int) {
        Counter before = *this;
        ++value;
        return before;
    }
    __device__ Counter &operator++() {
        value += 10;
        return *this;
    }
    friend __device__ Counter operator+(Counter a, Counter b) { return {a.value + b.value}; }
    friend class Table;
};
struct Point { int x, y; };
struct Table {
    const int size;
    int values[3];
    Point point;
    __device__ Table(int first) : size(3), values{first, 7}, point{first, 2} {}
    __device__ Table() : Table(40) {}
};
template <typename T> __device__ int times(int x) { return T::N * x; }
__global__ void operators_and_constructors(int *out) {
    int x = threadIdx.x;
    Counter counter{x}, before = counter++;
    out[x] = 1000 * before.value + counter.value;
    Counter after = ++counter;
    out[32 + x] = 1000 * after.value + (counter + before).value;
    Table table(x), other;
    out[64 + x] = table.size * 1000 + table.values[0] + table.values[1] + table.values[2] + table.point.x * table.point.y;
    out[96 + x] = other.values[0] + Counter::N*x + times<Counter>(x);
}
