#include <cstdio>
#include <queue>
#include <vector>
using namespace std;

__global__ void bfsLevel(const int *rows, const int *columns, int *distance, int level, int vertices, bool *changed) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || distance[v] != level) return;
    for (int e = rows[v]; e < rows[v + 1]; ++e) {
        int w = columns[e];
        if (distance[w] < 0) {
            distance[w] = level + 1;
            *changed = true;
        }
    }
}

int main() {
    const int n = 5000;
    vector<vector<int>> neighbours(n);
    unsigned state = 1;
    auto next = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
    for (int e = 0; e < 6 * n; ++e) {
        int a = next() % n, b = (a + 1 + next() % 40) % n;
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    vector<int> rows(n + 1), columns;
    for (int v = 0; v < n; ++v) {
        rows[v] = columns.size();
        columns.insert(columns.end(), neighbours[v].begin(), neighbours[v].end());
    }
    rows[n] = columns.size();

    vector<int> expected(n, -1);
    queue<int> todo;
    todo.push(0);
    expected[0] = 0;
    while (!todo.empty()) {
        int v = todo.front();
        todo.pop();
        for (int w : neighbours[v])
            if (expected[w] < 0) expected[w] = expected[v] + 1, todo.push(w);
    }

    int *d_rows, *d_columns, *d_distance;
    bool *d_changed, changed = true;
    cudaMalloc(&d_rows, rows.size() * sizeof(int));
    cudaMalloc(&d_columns, columns.size() * sizeof(int));
    cudaMalloc(&d_distance, n * sizeof(int));
    cudaMalloc(&d_changed, sizeof(bool));
    cudaMemcpy(d_rows, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_columns, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_distance, 0xff, n * sizeof(int));
    cudaMemset(d_distance, 0, sizeof(int));
    int level = 0;
    for (; changed; ++level) {
        changed = false;
        cudaMemcpy(d_changed, &changed, sizeof changed, cudaMemcpyHostToDevice);
        bfsLevel<<<(n + 127) / 128, 128>>>(d_rows, d_columns, d_distance, level, n, d_changed);
        cudaMemcpy(&changed, d_changed, sizeof changed, cudaMemcpyDeviceToHost);
    }
    vector<int> distance(n);
    cudaMemcpy(distance.data(), d_distance, n * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int d : distance) sum += d;
    printf("%d levels, %zu edges, sum of distances %lld: %s\n", level, columns.size(), sum,
           distance == expected ? "correct" : "WRONG");
    cudaFree(d_rows), cudaFree(d_columns), cudaFree(d_distance), cudaFree(d_changed);
    return distance != expected;
}
