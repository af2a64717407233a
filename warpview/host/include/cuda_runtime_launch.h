// Launches whose configuration is an object: cudaLaunchKernelEx. Included by cuda_runtime_api.h, whose functions it uses.
#pragma once

#include <tuple>
#include "driver_types.h"

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0, cudaLaunchAttributeCooperative = 2, cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6, cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative, programmaticStreamSerializationAllowed, priority;
    struct { unsigned int x, y, z; } clusterDim;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    char pad[8 - sizeof(cudaLaunchAttributeID)];
    cudaLaunchAttributeValue val;
};
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

    bool has(cudaLaunchAttributeID id) const {
        for (unsigned int k = 0; k < config->numAttrs; ++k)
            if (config->attrs[k].id == id) return true;
        return false;
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
    if (passed.has(cudaLaunchAttributeClusterDimension)) return call("refuse", passed.place, {cudaErrorNotSupported});
    const cudaLaunchConfig_t &config = *passed.config;
    return kernel->launch(config.gridDim, config.blockDim, arguments, config.dynamicSmemBytes, config.stream,
                          passed.is_cooperative(), passed.place);
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
