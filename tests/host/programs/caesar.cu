// Reads a text from its standard input or uses its own; encrypts and decrypts it.
#include <cctype>
#include <cstdio>
#include <iostream>
#include <string>

__global__ void shift(char *text, int length, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length) return;
    char c = text[i];
    if (c >= 'a' && c <= 'z') text[i] = 'a' + (c - 'a' + by + 26) % 26;
    else if (c >= 'A' && c <= 'Z') text[i] = 'A' + (c - 'A' + by + 26) % 26;
}

std::string shifted(std::string text, int by) {
    char *d;
    cudaMalloc(&d, text.size());
    cudaMemcpy(d, text.data(), text.size(), cudaMemcpyHostToDevice);
    shift<<<(text.size() + 31) / 32, 32>>>(d, text.size(), by);
    cudaMemcpy(&text[0], d, text.size(), cudaMemcpyDeviceToHost);
    cudaFree(d);
    return text;
}

int main() {
    std::string line, text;
    while (std::getline(std::cin, line)) text += line + "\n";
    if (text.empty()) text = "Veni, vidi, vici.\nAlea iacta est!\n";
    std::string secret = shifted(text, 3), plain = shifted(secret, -3);
    std::cout << secret << plain;
    return plain == text ? 0 : 2;
}
