"""Function objects of a program run where Thrust's algorithms call them."""

import warpview as wv

PROGRAM = r"""
#include <cstdio>
#include <curand_kernel.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>
struct Inside : public thrust::unary_function<unsigned int, float> {
    __device__ float operator()(unsigned int seed) {  // not const
        curandState state;
        curand_init(seed, 0, 0, &state);
        float hits = 0;
        for (int k = 0; k < 100; ++k) {
            float x = curand_uniform(&state), y = curand_uniform(&state);
            hits += x * x + y * y <= 1;
        }
        return hits;
    }
};
int main() {
    thrust::counting_iterator<int> first(0);
    float hits = thrust::transform_reduce(first, first + 64, Inside(), 0.0f, thrust::plus<float>());
    printf("%g\n", hits);
}
"""


def test_an_object_that_is_not_const_draws_random_numbers(program):
    hits = float(wv.run_program(program(PROGRAM)).output)
    assert abs(4 * hits / 6400 - 3.1416) < 0.08
    assert hits == int(hits)
