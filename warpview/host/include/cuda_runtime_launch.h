// Launches whose configuration is an object: cudaLaunchKernelEx. Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include <tuple>
#include "driver_types.h"

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute *attrs = nullptr;
    unsigned int numAttrs = 0;
};

namespace wv {
// A configuration, and the place in the user's source where it is passed.
struct PassedConfig {
    const cudaLaunchConfig_t *config;
    Here place;
    PassedConfig(const cudaLaunchConfig_t *config, Here place = here()) : config(config), place(place) {}

    // The blocks of a cluster; none where the configuration does not say.
    dim3 cluster() const {
        for (unsigned int k = 0; k < config->numAttrs; ++k) {
            const auto &extent = config->attrs[k].val.clusterDim;
            if (config->attrs[k].id == cudaLaunchAttributeClusterDimension) return dim3(extent.x, extent.y, extent.z);
        }
        return dim3(0, 0, 0);
    }
    bool is_cooperative() const {
        for (unsigned int k = 0; k < config->numAttrs; ++k)
            if (config->attrs[k].id == cudaLaunchAttributeCooperative) return config->attrs[k].val.cooperative != 0;
        return false;
    }
};
inline cudaError_t launch(const void *function, const PassedConfig &passed, void **arguments) {
    const Kernel *kernel = kernel_of(function);
    if (!kernel) return call("refuse", passed.place, {cudaErrorInvalidDeviceFunction});
    const cudaLaunchConfig_t &config = *passed.config;
    return kernel->launch(config.gridDim, config.blockDim, arguments, config.dynamicSmemBytes, config.stream,
                          passed.is_cooperative(), passed.place, passed.cluster());
}
}  // namespace wv

inline cudaError_t cudaLaunchKernelExC(wv::PassedConfig config, const void *function, void **arguments) {
    return wv::launch(function, config, arguments);
}
// Arguments are converted to the kernel's parameters, as at any call.
template <class... PARAMETERS, class... ARGUMENTS>
cudaError_t cudaLaunchKernelEx(wv::PassedConfig config, void (*kernel)(PARAMETERS...), ARGUMENTS &&...arguments) {
    std::tuple<PARAMETERS...> values(static_cast<PARAMETERS>(std::forward<ARGUMENTS>(arguments))...);
    return std::apply(
        [&](PARAMETERS &...passed) {
            void *addresses[] = {const_cast<void *>(static_cast<const void *>(&passed))..., nullptr};
            return wv::launch(reinterpret_cast<const void *>(kernel), config, addresses);
        },
        values);
}
// How many clusters can be on the device at once, and how many blocks a cluster can have at most.
template <class F> cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, F *function, wv::PassedConfig passed) {
    const cudaLaunchConfig_t &config = *passed.config;
    const dim3 block = config.blockDim, cluster = passed.cluster();
    return wv::call_for("active_clusters", passed.place,
                        {wv::id_of(reinterpret_cast<const void *>(function)), block.x * block.y * block.z,
                         config.dynamicSmemBytes, cluster.x, cluster.y, cluster.z}, clusters);
}
template <class F> cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, F *function, wv::PassedConfig passed) {
    const cudaLaunchConfig_t &config = *passed.config;
    const dim3 block = config.blockDim;
    return wv::call_for("largest_cluster", passed.place,
                        {wv::id_of(reinterpret_cast<const void *>(function)), block.x * block.y * block.z,
                         config.dynamicSmemBytes}, blocks);
}
