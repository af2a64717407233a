// Textures of every shape: lines, volumes, layers, cubes, linear memory, rows of a pitch; gathers and surfaces.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call) \
    do { \
        cudaError_t error = (call); \
        if (error) printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
    } while (0)

const int POINTS = 1024, W = 8, H = 6, D = 12;

struct Point {
    float x, y, z;
    int layer;
};

struct Line {
    __device__ float operator()(cudaTextureObject_t t, Point p) const { return tex1D<float>(t, p.x); }
};
struct Volume {
    __device__ float operator()(cudaTextureObject_t t, Point p) const { return tex3D<float>(t, p.x, p.y, p.z); }
};
struct LayeredLine {
    __device__ float operator()(cudaTextureObject_t t, Point p) const { return tex1DLayered<float>(t, p.x, p.layer); }
};
struct Layered {
    __device__ float operator()(cudaTextureObject_t t, Point p) const {
        float value;
        tex2DLayered(&value, t, p.x, p.y, p.layer);
        return value;
    }
};
struct Cube {
    __device__ float operator()(cudaTextureObject_t t, Point p) const {
        return texCubemap<float>(t, p.x - 4.5f, p.y - 3.25f, p.z - 5.75f);
    }
};
struct Element {
    __device__ float operator()(cudaTextureObject_t t, Point p) const { return tex1Dfetch<float>(t, (int)floorf(10.0f * p.x)); }
};
struct Plane {
    __device__ float operator()(cudaTextureObject_t t, Point p) const { return tex2D<float>(t, p.x, p.y); }
};
struct Level {
    __device__ float operator()(cudaTextureObject_t t, Point p) const { return tex2DLod<float>(t, p.x, p.y, 0.0f); }
};
struct Gathered {
    __device__ float operator()(cudaTextureObject_t t, Point p) const {
        float4 four = tex2Dgather<float4>(t, p.x, p.y, 0);
        return four.x + 2 * four.y + 4 * four.z + 8 * four.w;
    }
};

template <class F> __global__ void apply(F function, cudaTextureObject_t texture, const Point *at, float *to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = function(texture, at[i]);
}

__global__ void write_surfaces(cudaSurfaceObject_t line, cudaSurfaceObject_t plane, cudaSurfaceObject_t volume) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    if (y == 0 && z == 0) surf1Dwrite(10 * x, line, x * (int)sizeof(int));
    if (z == 0) surf2Dwrite(make_short2(x, y), plane, x * (int)sizeof(short2), y, cudaBoundaryModeZero);
    surf3Dwrite((float)(x + 100 * y + 10000 * z), volume, x * (int)sizeof(float), y, z, cudaBoundaryModeZero);
}

__global__ void read_surfaces(cudaSurfaceObject_t plane, cudaSurfaceObject_t volume, int *sums) {
    const int x = threadIdx.x - 4, y = threadIdx.y - 4;
    short2 inside;
    surf2Dread(&inside, plane, x * (int)sizeof(short2), y, cudaBoundaryModeClamp);
    short2 zero = surf2Dread<short2>(plane, x * (int)sizeof(short2), y, cudaBoundaryModeZero);
    float deep = surf3Dread<float>(volume, x * (int)sizeof(float), y, 3, cudaBoundaryModeClamp);
    sums[threadIdx.y * blockDim.x + threadIdx.x] = inside.x + 10 * inside.y + 100 * zero.x + 1000 * zero.y + (int)deep;
}

static unsigned int state = 99;
static unsigned int next() { return state = state * 1664525u + 1013904223u, state >> 8; }
static float between(float low, float high) { return low + (high - low) * (next() & 0xffff) / 65536.0f; }
static unsigned int checksum(const void *data, size_t size) {
    unsigned int hash = 2166136261u;
    for (size_t k = 0; k < size; ++k) hash = (hash ^ ((const unsigned char *)data)[k]) * 16777619u;
    return hash;
}

template <class F> void run(const char *name, F function, cudaResourceDesc resource, bool filters = true, int normalized = 0) {
    for (int filter = 0; filter <= (int)filters; ++filter)
        for (int mode = 1; mode <= 3; mode += 2) {
            cudaTextureDesc description;
            memset(&description, 0, sizeof description);
            for (cudaTextureAddressMode &m : description.addressMode) m = (cudaTextureAddressMode)mode;
            description.filterMode = (cudaTextureFilterMode)filter;
            description.borderColor[0] = -7.25f;
            description.normalizedCoords = normalized;
            cudaTextureObject_t texture;
            CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
            std::vector<Point> at(POINTS);
            for (Point &p : at) p = {between(-2, W + 2), between(-2, H + 2), between(-2, D + 2), (int)(next() % 16) - 2};
            Point *d_at;
            float *d_to;
            cudaMalloc(&d_at, POINTS * sizeof(Point));
            cudaMalloc(&d_to, POINTS * sizeof(float));
            cudaMemcpy(d_at, at.data(), POINTS * sizeof(Point), cudaMemcpyHostToDevice);
            apply<<<POINTS / 128, 128>>>(function, texture, d_at, d_to);
            std::vector<float> to(POINTS);
            CHECK(cudaMemcpy(to.data(), d_to, POINTS * sizeof(float), cudaMemcpyDeviceToHost));
            printf("%-14s %s %s %08x\n", name, filter ? "linear" : "point ", mode == 1 ? "clamp " : "border",
                   checksum(to.data(), POINTS * sizeof(float)));
            cudaFree(d_at), cudaFree(d_to);
            CHECK(cudaDestroyTextureObject(texture));
        }
}

static cudaResourceDesc of_array(cudaArray_t array) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

static cudaArray_t volume_of(std::vector<float> &values, cudaExtent extent, unsigned flags) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    const size_t height = extent.height ? extent.height : 1;
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width * sizeof(float), extent.width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, height, extent.depth ? extent.depth : 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

int main() {
    std::vector<float> values(W * H * D);
    for (float &v : values) v = between(-9, 9);
    cudaArray_t line = volume_of(values, make_cudaExtent(W, 0, 0), 0);
    run("line", Line(), of_array(line));
    cudaArray_t volume = volume_of(values, make_cudaExtent(W, H, D), 0);
    run("volume", Volume(), of_array(volume));
    cudaArray_t lines = volume_of(values, make_cudaExtent(W, 0, D), cudaArrayLayered);
    run("layered line", LayeredLine(), of_array(lines));
    cudaArray_t layers = volume_of(values, make_cudaExtent(W, H, D), cudaArrayLayered);
    run("layered", Layered(), of_array(layers));
    cudaArray_t cube = volume_of(values, make_cudaExtent(4, 4, 6), cudaArrayCubemap);
    run("cube", Cube(), of_array(cube), true, 1);
    cudaArray_t gathered = volume_of(values, make_cudaExtent(W, H, 0), cudaArrayTextureGather);
    run("gathered", Gathered(), of_array(gathered), false);
    run("level", Level(), of_array(gathered));

    float *memory, *rows;
    size_t pitch;
    cudaMalloc(&memory, 80 * sizeof(float));
    cudaMemcpy(memory, values.data(), 80 * sizeof(float), cudaMemcpyHostToDevice);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 80 * sizeof(float);
    run("linear memory", Element(), resource, false);
    cudaMallocPitch((void **)&rows, &pitch, W * sizeof(float), H);
    cudaMemcpy2D(rows, pitch, values.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = W, resource.res.pitch2D.height = H, resource.res.pitch2D.pitchInBytes = pitch;
    run("pitch", Plane(), resource);

    cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>(), shorts = cudaCreateChannelDesc<short2>();
    cudaArray_t int_line, short_plane, copied;
    CHECK(cudaMallocArray(&int_line, &ints, 16, 0, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&short_plane, &shorts, 12, 10, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&copied, &shorts, 12, 10));
    cudaArray_t deep = volume_of(values, make_cudaExtent(W, H, D), cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surfaces[3];
    cudaArray_t arrays[3] = {int_line, short_plane, deep};
    for (int k = 0; k < 3; ++k) {
        cudaResourceDesc of = of_array(arrays[k]);
        CHECK(cudaCreateSurfaceObject(&surfaces[k], &of));
    }
    write_surfaces<<<4, dim3(16, 16)>>>(surfaces[0], surfaces[1], surfaces[2]);
    int *d_sums, sums[20 * 20], on_line[16];
    cudaMalloc(&d_sums, sizeof sums);
    read_surfaces<<<1, dim3(20, 20)>>>(surfaces[1], surfaces[2], d_sums);
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2DFromArray(on_line, sizeof on_line, int_line, 0, 0, sizeof on_line, 1, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2DArrayToArray(copied, 0, 0, short_plane, 0, 0, 12 * sizeof(short2), 10));
    short2 plane[10][12];
    CHECK(cudaMemcpy2DFromArray(plane, sizeof plane[0], copied, 0, 0, sizeof plane[0], 10, cudaMemcpyDeviceToHost));
    std::vector<float> back(W * H * D);
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcArray = deep;
    copy.dstPtr = make_cudaPitchedPtr(back.data(), W * sizeof(float), W, H);
    copy.extent = make_cudaExtent(W, H, D);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    printf("surfaces %08x, line %d %d, plane %d %d, volume %g %08x\n", checksum(sums, sizeof sums), on_line[3], on_line[15],
           plane[4][7].x, plane[9][11].y, back[W * H + W + 2], checksum(back.data(), back.size() * sizeof(float)));

    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&format, &extent, &flags, layers));
    printf("%d %d %d %d %d, %zu %zu %zu, %u\n", format.x, format.y, format.z, format.w, format.f, extent.width,
           extent.height, extent.depth, flags);
    for (cudaSurfaceObject_t surface : surfaces) cudaDestroySurfaceObject(surface);
    for (cudaArray_t a : {line, volume, lines, layers, cube, gathered, int_line, short_plane, copied, deep}) cudaFreeArray(a);
    cudaFree(memory), cudaFree(rows), cudaFree(d_sums);
    return 0;
}
