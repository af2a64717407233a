// FINDING: not awaited
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void hello() { printf("hello from %d\n", threadIdx.x); }
int main() {
    hello<<<1, 4>>>();  // WRONG
    return 0;
}
