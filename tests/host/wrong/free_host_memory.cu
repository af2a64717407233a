// FINDING: invalid free
#include <cstdio>
#include <cstdlib>
#include <vector>
int main() {
    int *h = (int *)malloc(100);
    cudaFree(h);  // WRONG
    free(h);
}
