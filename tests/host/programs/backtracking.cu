// Backtracking and strings: queens, sudoku, knapsack, KMP, edit distance, run lengths, base64, CRC.
#include <iostream>
#include <iomanip>
#include <vector>
#include <string>
#include <algorithm>
#include <numeric>
#include <cstring>
#include <cstdint>
#include <stdexcept>
#include <sstream>

class CudaError : public std::runtime_error {
public:
    explicit CudaError(cudaError_t code, const std::string& where)
        : std::runtime_error(where + ": " + cudaGetErrorName(code)), code_(code) {}
    cudaError_t code() const noexcept { return code_; }
private:
    cudaError_t code_;
};
#define CUDA(call) do { if (cudaError_t e_ = (call); e_ != cudaSuccess) throw CudaError(e_, #call); } while (false)

template <typename T> class DeviceVector {
    T* p_ = nullptr; std::size_t n_ = 0;
public:
    DeviceVector() = default;
    explicit DeviceVector(std::size_t n) : n_(n) { CUDA(cudaMalloc(&p_, n * sizeof(T))); }
    DeviceVector(const std::vector<T>& v) : DeviceVector(v.size()) { CUDA(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyDefault)); }
    DeviceVector(DeviceVector&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(std::exchange(o.n_, 0)) {}
    DeviceVector& operator=(DeviceVector&& o) noexcept { std::swap(p_, o.p_); std::swap(n_, o.n_); return *this; }
    DeviceVector(const DeviceVector&) = delete;
    ~DeviceVector() { cudaFree(p_); }
    operator T*() const { return p_; }
    std::vector<T> host() const { std::vector<T> v(n_); CUDA(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDefault)); return v; }
};

__global__ void queens(int n, int depth, const uint3* starts, int count, unsigned long long* total) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned long long found = 0;
    if (i < count) {
        unsigned cols[16], left[16], right[16], free_[16];
        const unsigned all = (1u << n) - 1;
        int level = depth;
        cols[level] = starts[i].x; left[level] = starts[i].y; right[level] = starts[i].z;
        free_[level] = all & ~(cols[level] | left[level] | right[level]);
        while (level >= depth) {
            if (!free_[level]) { --level; continue; }
            unsigned bit = free_[level] & -free_[level];
            free_[level] ^= bit;
            if (level + 1 == n) { ++found; continue; }
            cols[level + 1] = cols[level] | bit;
            left[level + 1] = (left[level] | bit) << 1;
            right[level + 1] = (right[level] | bit) >> 1;
            ++level;
            free_[level] = all & ~(cols[level] | left[level] | right[level]);
        }
    }
    for (int o = 16; o; o >>= 1) found += __shfl_down_sync(~0u, found, o);
    if (threadIdx.x % warpSize == 0 && found) atomicAdd(total, found);
}

struct Board {
    uint8_t cell[81];
    __host__ __device__ bool fits(int at, int v) const {
        int r = at / 9, c = at % 9, br = r / 3 * 3, bc = c / 3 * 3;
        for (int k = 0; k < 9; k++)
            if (cell[r * 9 + k] == v || cell[k * 9 + c] == v || cell[(br + k / 3) * 9 + bc + k % 3] == v) return false;
        return true;
    }
};
__global__ void expand(const Board* in, int n, Board* out, int* nout, int limit) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Board b = in[i];
        int at = -1;
        for (int k = 0; k < 81; k++) if (b.cell[k] == 0) { at = k; break; }
        if (at < 0) continue;
        for (int v = 1; v <= 9; v++)
            if (b.fits(at, v)) {
                int slot = atomicAdd(nout, 1);
                if (slot < limit) { out[slot] = b; out[slot].cell[at] = v; }
            }
    }
}
__global__ void solve(const Board* boards, int n, int* solved, Board* answer) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Board b = boards[i];
    uint8_t empty[81]; int m = 0;
    for (int k = 0; k < 81; k++) if (!b.cell[k]) empty[m++] = k;
    int d = 0;
    while (d >= 0 && d < m && !*(volatile int*)solved) {
        int at = empty[d], v = b.cell[at] + 1;
        b.cell[at] = 0;
        for (; v <= 9 && !b.fits(at, v); v++);
        if (v <= 9) { b.cell[at] = v; d++; } else d--;
    }
    if (d == m && atomicCAS(solved, 0, 1) == 0) *answer = b;
}

__global__ void knapsack_row(const int* prev, int* next, int capacity, int weight, int value) {
    int c = threadIdx.x + blockIdx.x * blockDim.x;
    if (c > capacity) return;
    next[c] = c < weight ? prev[c] : max(prev[c], prev[c - weight] + value);
}

__constant__ char pattern[64];
__constant__ int failure[64];
__device__ int matches[128]; __device__ unsigned match_count;
__global__ void kmp(const char* text, int n, int m, int chunk) {
    int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    int end = min(n, begin + chunk + m - 1);
    int k = 0;
    for (int i = begin; i < end; i++) {
        while (k > 0 && text[i] != pattern[k]) k = failure[k - 1];
        if (text[i] == pattern[k]) k++;
        if (k == m) { matches[atomicInc(&match_count, 127)] = i - m + 1; k = failure[k - 1]; }
    }
}

__global__ void edit_diagonal(const char* a, int na, const char* b, int nb, int* d0, const int* d1, const int* d2, int diag) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + max(0, diag - nb);
    if (i > min(diag, na)) return;
    int j = diag - i;
    if (i == 0 || j == 0) d0[i] = diag;
    else d0[i] = min(min(d1[i - 1], d1[i]) + 1, d2[i - 1] + (a[i - 1] != b[j - 1]));
}

__device__ const char base64_chars[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__global__ void base64(const unsigned char* in, int n, char* out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (3 * t >= n) return;
    int left = n - 3 * t;
    unsigned v = in[3 * t] << 16 | (left > 1 ? in[3 * t + 1] << 8 : 0) | (left > 2 ? in[3 * t + 2] : 0);
    char4 c = make_char4(base64_chars[v >> 18], base64_chars[v >> 12 & 63], left > 1 ? base64_chars[v >> 6 & 63] : '=', left > 2 ? base64_chars[v & 63] : '=');
    reinterpret_cast<char4*>(out)[t] = c;
}

template <uint32_t Poly> struct CrcTable {
    uint32_t t[256];
    constexpr CrcTable() : t() {
        for (uint32_t i = 0; i < 256; i++) { uint32_t c = i; for (int k = 0; k < 8; k++) c = c & 1 ? Poly ^ (c >> 1) : c >> 1; t[i] = c; }
    }
};
__constant__ CrcTable<0xEDB88320u> crc_table{};
__global__ void crc(const unsigned char* data, const int* offsets, int n, uint32_t* out) {
    int i = threadIdx.x;
    if (i >= n) return;
    uint32_t c = ~0u;
    for (const unsigned char* p = data + offsets[i]; p != data + offsets[i + 1]; ++p) c = crc_table.t[(c ^ *p) & 0xff] ^ (c >> 8);
    out[i] = ~c;
}

int main() try {
    for (int n : {6, 8, 9}) {
        std::vector<uint3> starts; const unsigned all = (1u << n) - 1;
        for (int a = 0; a < n; a++) for (int b = 0; b < n; b++) {
            unsigned x = 1u << a, y = 1u << b;
            if ((x | x << 1 | x >> 1) & y) continue;
            starts.push_back(make_uint3(x | y, (x << 2 | y << 1) & all, x >> 2 | y >> 1));
        }
        DeviceVector<uint3> d(starts); DeviceVector<unsigned long long> total(std::vector<unsigned long long>{0});
        queens<<<(starts.size() + 63) / 64, 64>>>(n, 2, d, (int)starts.size(), total);
        std::cout << n << " queens: " << total.host()[0] << " from " << starts.size() << " starts\n";
    }
    const std::string puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    Board b; for (int i = 0; i < 81; i++) b.cell[i] = puzzle[i] == '.' ? 0 : puzzle[i] - '0';
    DeviceVector<Board> from(std::vector<Board>{b}), to(4096); int n = 1;
    for (int round = 0; round < 8 && n < 64; round++) {
        DeviceVector<int> count(std::vector<int>{0});
        DeviceVector<Board> next(4096);
        expand<<<4, 64>>>(from, n, next, count, 4096);
        n = count.host()[0]; from = std::move(next);
        std::cout << n << (round == 7 || n >= 64 ? " boards\n" : ", ");
    }
    DeviceVector<int> solved(std::vector<int>{0}); DeviceVector<Board> answer(1);
    solve<<<(n + 31) / 32, 32>>>(from, n, solved, answer);
    Board r = answer.host()[0];
    std::ostringstream line; for (auto c : r.cell) line << int(c);
    std::cout << line.str() << "\n";

    std::vector<int> w{12, 7, 11, 8, 9, 6, 5}, v{24, 13, 23, 15, 16, 11, 9}; const int cap = 400 / 10;
    DeviceVector<int> rows[2] = {DeviceVector<int>(cap + 1), DeviceVector<int>(cap + 1)};
    CUDA(cudaMemset(rows[0], 0, (cap + 1) * 4));
    for (size_t i = 0; i < w.size(); i++) knapsack_row<<<1, 64>>>(rows[i & 1], rows[~i & 1], cap, w[i], v[i]);
    std::cout << "knapsack " << rows[w.size() & 1].host().back() << "\n";

    std::string text; for (int i = 0; i < 900; i++) text += "ab"[(i * i / 7) % 3 == 1];
    std::string pat = "abaab"; std::vector<int> fail(pat.size());
    for (size_t i = 1, k = 0; i < pat.size(); i++) { while (k && pat[i] != pat[k]) k = fail[k - 1]; if (pat[i] == pat[k]) k++; fail[i] = k; }
    CUDA(cudaMemcpyToSymbol(pattern, pat.data(), pat.size())); CUDA(cudaMemcpyToSymbol(failure, fail.data(), fail.size() * 4));
    DeviceVector<char> dt(std::vector<char>(text.begin(), text.end()));
    kmp<<<1, 32>>>(dt, (int)text.size(), (int)pat.size(), (int)(text.size() + 31) / 32);
    int found[128]; unsigned nf; CUDA(cudaMemcpyFromSymbol(found, matches, sizeof found)); CUDA(cudaMemcpyFromSymbol(&nf, match_count, 4));
    std::sort(found, found + nf);
    std::cout << nf << " matches, sum " << std::accumulate(found, found + nf, 0) << ", first " << found[0] << "\n";

    std::string s1 = "the quick brown fox jumps over the lazy dog", s2 = "a quack brawn fix jumped under their crazy dogs";
    DeviceVector<char> da(std::vector<char>(s1.begin(), s1.end())), db(std::vector<char>(s2.begin(), s2.end()));
    DeviceVector<int> diag[3] = {DeviceVector<int>(s1.size() + 1), DeviceVector<int>(s1.size() + 1), DeviceVector<int>(s1.size() + 1)};
    int steps = s1.size() + s2.size();
    for (int k = 0; k <= steps; k++)
        edit_diagonal<<<1, 64>>>(da, (int)s1.size(), db, (int)s2.size(), diag[k % 3], diag[(k + 2) % 3], diag[(k + 1) % 3], k);
    std::cout << "edit distance " << diag[steps % 3].host()[s1.size()] << "\n";

    std::vector<unsigned char> raw(s1.begin(), s1.end());
    DeviceVector<unsigned char> draw(raw); DeviceVector<char> enc((raw.size() + 2) / 3 * 4);
    base64<<<1, 32>>>(draw, (int)raw.size(), enc);
    auto e = enc.host(); std::cout << std::string(e.begin(), e.end()) << "\n";
    DeviceVector<int> off(std::vector<int>{0, 9, 20, 43}); DeviceVector<uint32_t> sums(3);
    crc<<<1, 32>>>(draw, off, 3, sums);
    for (auto c : sums.host()) std::cout << std::hex << std::setw(8) << std::setfill('0') << c << " ";
    std::cout << std::dec << "\n";
    DeviceVector<int> too_large(1ull << 50);
} catch (const CudaError& e) {
    std::cout << "caught " << e.what() << " (" << e.code() << ")\n";
    return 0;
}
