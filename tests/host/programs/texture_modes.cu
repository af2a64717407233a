// Every way in which a texture of two dimensions is read: formats, filters, addressing, coordinates. Prints a checksum of
// the bits that each gives.
#include <cstdio>
#include <cstring>
#include <vector>

const int POINTS = 2048, WIDTH = 16, HEIGHT = 24;

template <class T> __global__ void fetch(cudaTextureObject_t texture, const float2 *at, T *to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = tex2D<T>(texture, at[i].x, at[i].y);
}

static unsigned int state = 12345;
static unsigned int next() { return state = state * 1664525u + 1013904223u, state >> 8; }
static float between(float low, float high) { return low + (high - low) * (next() & 0xffff) / 65536.0f; }

static unsigned int checksum(const void *data, size_t size) {
    unsigned int hash = 2166136261u;
    for (size_t k = 0; k < size; ++k) hash = (hash ^ ((const unsigned char *)data)[k]) * 16777619u;
    return hash;
}

template <class T>
void read(const char *name, cudaArray_t array, cudaTextureReadMode mode, bool filtered) {
    const char *addressing[4] = {"wrap", "clamp", "mirror", "border"};
    for (int filter = 0; filter <= (int)filtered; ++filter)
        for (int normalized = 0; normalized < 2; ++normalized)
            for (int addresses = 0; addresses < 4; ++addresses) {
                cudaResourceDesc resource;
                memset(&resource, 0, sizeof resource);
                resource.resType = cudaResourceTypeArray;
                resource.res.array.array = array;
                cudaTextureDesc description;
                memset(&description, 0, sizeof description);
                description.addressMode[0] = description.addressMode[1] = (cudaTextureAddressMode)addresses;
                description.filterMode = (cudaTextureFilterMode)filter;
                description.readMode = mode;
                description.normalizedCoords = normalized;
                for (int k = 0; k < 4; ++k) description.borderColor[k] = 0.3f + 0.2f * k;
                cudaTextureObject_t texture;
                cudaError_t error = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
                if (error) {
                    printf("%s: %s\n", name, cudaGetErrorName(error));
                    cudaGetLastError();
                    continue;
                }
                std::vector<float2> at(POINTS);
                for (float2 &p : at)
                    p = normalized ? make_float2(between(-1.5f, 2.5f), between(-1.5f, 2.5f))
                                   : make_float2(between(-3.0f, WIDTH + 3.0f), between(-3.0f, HEIGHT + 3.0f));
                float2 *d_at;
                T *d_to;
                cudaMalloc(&d_at, POINTS * sizeof(float2));
                cudaMalloc(&d_to, POINTS * sizeof(T));
                cudaMemcpy(d_at, at.data(), POINTS * sizeof(float2), cudaMemcpyHostToDevice);
                fetch<<<POINTS / 256, 256>>>(texture, d_at, d_to);
                std::vector<T> to(POINTS);
                cudaMemcpy(to.data(), d_to, POINTS * sizeof(T), cudaMemcpyDeviceToHost);
                printf("%s %s %s %s %08x\n", name, filter ? "linear" : "point", normalized ? "normalized" : "texels",
                       addressing[addresses], checksum(to.data(), POINTS * sizeof(T)));
                cudaFree(d_at), cudaFree(d_to);
                cudaDestroyTextureObject(texture);
            }
}

template <class S> cudaArray_t filled(cudaChannelFormatDesc format, const std::vector<S> &texels) {
    cudaArray_t array;
    cudaMallocArray(&array, &format, WIDTH, HEIGHT);
    const size_t row = texels.size() / HEIGHT * sizeof(S);
    cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, HEIGHT, cudaMemcpyHostToDevice);
    return array;
}

template <class S> cudaArray_t integers() {
    std::vector<S> texels(WIDTH * HEIGHT);
    for (S &t : texels) t = (S)(next() * 2654435761u >> 3);
    return filled(cudaCreateChannelDesc<S>(), texels);
}

int main() {
    std::vector<float> one(WIDTH * HEIGHT), four(4 * WIDTH * HEIGHT);
    for (float &t : one) t = between(-20.0f, 20.0f);
    for (float &t : four) t = between(-1.0f, 1.0f) * (next() % 7 == 0 ? 1e-4f : 1.0f);
    cudaArray_t array = filled(cudaCreateChannelDesc<float>(), one);
    read<float>("float", array, cudaReadModeElementType, true);
    cudaFreeArray(array);
    array = filled(cudaCreateChannelDesc<float4>(), four);
    read<float4>("float4", array, cudaReadModeElementType, true);
    cudaFreeArray(array);
    std::vector<unsigned short> halves(2 * WIDTH * HEIGHT);
    for (unsigned short &t : halves) t = (unsigned short)(0x3000 + next() % 0x1800 + (next() & 1) * 0x8000);
    array = filled(cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat), halves);
    read<float2>("half2", array, cudaReadModeElementType, true);
    cudaFreeArray(array);
    std::vector<unsigned char> bytes(4 * WIDTH * HEIGHT);
    for (unsigned char &t : bytes) t = (unsigned char)next();
    array = filled(cudaCreateChannelDesc<uchar4>(), bytes);
    read<uchar4>("uchar4", array, cudaReadModeElementType, true);
    read<float4>("uchar4", array, cudaReadModeNormalizedFloat, true);
    cudaFreeArray(array);
    read<float>("signed char", integers<signed char>(), cudaReadModeNormalizedFloat, true);
    read<float>("unsigned char", integers<unsigned char>(), cudaReadModeNormalizedFloat, true);
    read<float>("short", integers<short>(), cudaReadModeNormalizedFloat, true);
    read<float>("unsigned short", integers<unsigned short>(), cudaReadModeNormalizedFloat, true);
    read<short>("short", integers<short>(), cudaReadModeElementType, false);
    read<int>("int", integers<int>(), cudaReadModeElementType, false);
    cudaDeviceReset();
    return 0;
}
