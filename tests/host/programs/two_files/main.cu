// A program of several files: this one, kernels.cu, and the header that they share.
#include <cstdio>
#include "kernels.h"

int main() {
    Vector v(300);
    for (int i = 0; i < v.size(); ++i) v[i] = i;
    v.upload();
    scaleVector(v, 0.5f);
    incrementVector<2>(v);
    v.download();
    printf("v[10] = %.1f, v[299] = %.1f\n", v[10], v[299]);
    return v[299] == 151.5f ? 0 : 1;
}
