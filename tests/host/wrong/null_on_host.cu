// FINDING: crash
#include <cstdio>
#include <cstdlib>
#include <vector>
struct List { int length; int *items; };
int main() {
    List list = {3, (int *)getenv("A_VARIABLE_THAT_NOBODY_SETS")};
    for (int i = 0; i < list.length; ++i)
        list.items[i] = i;  // WRONG
    return list.items[0];
}
