// Range-based loops over arrays: by value, by reference, of rows, of constants, of a struct's member; break, continue.
struct Weights { float values[3]; int count; };
__constant__ float taps[5] = {1, 2, 3, 4, 5};
__global__ void loops_over_arrays(float *out, const float *in, Weights weights) {
    float kept[4];
    for (auto &x : kept) x = in[threadIdx.x] + 1;
    float sum = 0;
    for (const float x : kept) sum += x;
    #pragma unroll
    for (float tap : taps) {
        if (tap == 2.f) continue;
        sum += tap;
    }
    for (auto weight : weights.values) sum += weight;
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    for (auto &row : rows)
        for (int x : row) {
            if (x == 6) break;
            sum += x;
        }
    out[threadIdx.x] = sum;
}
