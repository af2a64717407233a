// CUB's histograms of a device: bins of one width, or between given levels.
#pragma once

namespace cub {
struct DeviceHistogram {
    // levels - 1 bins divide [lower, upper).
    template <class I, class C, class L>
    static cudaError_t HistogramEven(void *storage, std::size_t &bytes, I samples, C *histogram, int levels, L lower, L upper, std::ptrdiff_t count, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(samples);
        auto bins = opened(histogram);
        std::fill(bins, bins + levels - 1, C());
        for (std::ptrdiff_t k = 0; k < count; ++k)
            if (!(from[k] < lower) && from[k] < upper) ++bins[bin_of(from[k], levels - 1, lower, upper)];
        return cudaSuccess;
    }
    // Bin k has what lies from level k up to the next one.
    template <class I, class C, class L>
    static cudaError_t HistogramRange(void *storage, std::size_t &bytes, I samples, C *histogram, int levels, const L *bounds, std::ptrdiff_t count, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(samples);
        auto bins = opened(histogram);
        auto level = opened(bounds);
        std::fill(bins, bins + levels - 1, C());
        for (std::ptrdiff_t k = 0; k < count; ++k) {
            const auto bin = std::upper_bound(level, level + levels, static_cast<L>(from[k])) - level - 1;
            if (bin >= 0 && bin < levels - 1) ++bins[bin];
        }
        return cudaSuccess;
    }
    // The first channels of pixels that have `channels` of them.
    template <int CHANNELS, int ACTIVE, class I, class C, class L>
    static cudaError_t MultiHistogramEven(void *storage, std::size_t &bytes, I samples, C *histograms[ACTIVE], const int levels[ACTIVE], const L lower[ACTIVE], const L upper[ACTIVE], std::ptrdiff_t pixels, cudaStream_t = nullptr) {
        if (tells_size(storage, bytes)) return cudaSuccess;
        auto from = opened(samples);
        for (int channel = 0; channel < ACTIVE; ++channel) {
            std::vector<thrust::value_of<decltype(from)>> own(pixels);
            for (std::ptrdiff_t k = 0; k < pixels; ++k) own[k] = from[k * CHANNELS + channel];
            auto bins = opened(histograms[channel]);
            std::fill(bins, bins + levels[channel] - 1, C());
            for (auto sample : own)
                if (!(sample < lower[channel]) && sample < upper[channel]) ++bins[bin_of(sample, levels[channel] - 1, lower[channel], upper[channel])];
        }
        return cudaSuccess;
    }

  private:
    template <class S, class L> static std::ptrdiff_t bin_of(S sample, int bins, L lower, L upper) {
        if constexpr (std::is_integral_v<L>)
            return static_cast<std::ptrdiff_t>((static_cast<long double>(sample) - lower) * bins / (static_cast<long double>(upper) - lower));
        else
            return static_cast<std::ptrdiff_t>((static_cast<L>(sample) - lower) * (bins / (upper - lower)));
    }
};
}  // namespace cub
