// The functions for images and comparisons that course code takes from the header of this name in NVIDIA's samples.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace wv {
// Read "P5" or "P6": the samples of all pixels, which the caller frees; null where the file is none.
inline unsigned char *read_image(const char *name, unsigned *width, unsigned *height, unsigned *channels) {
    std::FILE *file = std::fopen(name, "rb");
    unsigned char *samples = nullptr;
    char kind = 0;
    unsigned numbers[3], count = 0;
    bool good = file && std::fscanf(file, "P%c", &kind) == 1 && (kind == '5' || kind == '6');
    while (good && count < 3) {
        good = std::fscanf(file, "%u", numbers + count) == 1;
        if (good) count++;
        else if ((good = std::fscanf(file, " %*1[#]%*[^\n]") == 0 && std::getc(file) == '\n')) continue;
    }
    if (good && numbers[2] <= 255) {
        std::getc(file);
        *width = numbers[0], *height = numbers[1], *channels = kind == '5' ? 1 : 3;
        const std::size_t size = std::size_t(*width) * *height * *channels;
        samples = static_cast<unsigned char *>(std::malloc(size));
        if (std::fread(samples, 1, size, file) != size) std::free(samples), samples = nullptr;
    }
    if (file) std::fclose(file);
    if (!samples) std::fprintf(stderr, "cannot read the image '%s'\n", name);
    return samples;
}
inline bool write_image(const char *name, const unsigned char *samples, unsigned width, unsigned height,
                        unsigned channels) {
    std::FILE *file = std::fopen(name, "wb");
    if (!file) return false;
    std::fprintf(file, "P%c\n%u\n%u\n255\n", channels == 1 ? '5' : '6', width, height);
    const std::size_t size = std::size_t(width) * height * channels;
    const bool whole = std::fwrite(samples, 1, size, file) == size;
    return std::fclose(file) == 0 && whole;
}
inline unsigned char as_byte(unsigned char value) { return value; }
inline unsigned char as_byte(float value) { return static_cast<unsigned char>(value * 255.0f); }
inline void from_byte(unsigned char byte, unsigned char *value) { *value = byte; }
inline void from_byte(unsigned char byte, float *value) { *value = byte / 255.0f; }
template <class T> bool load(const char *name, T **data, unsigned *width, unsigned *height, unsigned kept) {
    unsigned channels = 0;
    unsigned char *samples = read_image(name, width, height, &channels);
    if (!samples) return false;
    const std::size_t pixels = std::size_t(*width) * *height;
    if (!*data) *data = static_cast<T *>(std::malloc(pixels * kept * sizeof(T)));
    for (std::size_t pixel = 0; pixel < pixels; pixel++)
        for (unsigned c = 0; c < kept; c++)
            from_byte(c < channels ? samples[pixel * channels + c] : 0, *data + pixel * kept + c);
    std::free(samples);
    return true;
}
template <class T> bool save(const char *name, const T *data, unsigned width, unsigned height, unsigned step,
                             unsigned channels) {
    const std::size_t pixels = std::size_t(width) * height;
    unsigned char *samples = static_cast<unsigned char *>(std::malloc(pixels * channels + 1));
    for (std::size_t pixel = 0; pixel < pixels; pixel++)
        for (unsigned c = 0; c < channels; c++) samples[pixel * channels + c] = as_byte(data[pixel * step + c]);
    const bool written = write_image(name, samples, width, height, channels);
    std::free(samples);
    return written;
}
}  // namespace wv

template <class T> bool sdkLoadPGM(const char *name, T **data, unsigned *width, unsigned *height) {
    return wv::load(name, data, width, height, 1);
}
template <class T> bool sdkLoadPPM4(const char *name, T **data, unsigned *width, unsigned *height) {
    return wv::load(name, data, width, height, 4);
}
template <class T> bool sdkSavePGM(const char *name, T *data, unsigned width, unsigned height) {
    return wv::save(name, data, width, height, 1, 1);
}
inline bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned width, unsigned height) {
    return wv::save(name, data, width, height, 4, 3);
}
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned length, const float epsilon) {
    float error = 0, whole = 0;
    for (unsigned k = 0; k < length; k++) {
        const float difference = reference[k] - data[k];
        error += difference * difference, whole += reference[k] * reference[k];
    }
    return std::fabs(whole) >= 1e-7f && std::sqrt(error) / std::sqrt(whole) < epsilon;
}
template <class T, class E>
bool compareData(const T *reference, const T *data, const unsigned length, const E epsilon, const float threshold) {
    unsigned wrong = 0;
    for (unsigned k = 0; k < length; k++) wrong += std::fabs(double(reference[k]) - double(data[k])) > epsilon;
    return threshold == 0 ? wrong == 0 : length * threshold > wrong;
}
