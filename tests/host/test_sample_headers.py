"""Programs that include the headers of NVIDIA's samples read options and images, compare and take times."""

import pytest

import warpview as wv

PROGRAM = """
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_image.h>
#include <cstdio>
__global__ void invert(unsigned char *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = 255 - p[i];
}
int main(int argc, char **argv) {
    const char **given = (const char **)argv;
    int device = findCudaDevice(argc, given);
    const int w = 20, h = 12, n = w * h;
    unsigned char made[n], *in = NULL, *d;
    for (int i = 0; i < n; i++) made[i] = (unsigned char)(i * 7);
    bool saved = sdkSavePGM("made.pgm", made, w, h);
    char *path = sdkFindFilePath("made.pgm", argv[0]);
    unsigned W = 0, H = 0;
    printf("%d %d %d ", device, saved, sdkLoadPGM(path, &in, &W, &H));
    printf("%u %u %d %d\\n", W, H, in[100], sdkFindFilePath("nowhere.pgm", argv[0]) == NULL);
    checkCudaErrors(cudaMalloc((void **)&d, n));
    checkCudaErrors(cudaMemcpy(d, in, n, cudaMemcpyHostToDevice));
    invert<<<2, 128>>>(d, n);
    getLastCudaError("invert failed");
    checkCudaErrors(cudaMemcpy(in, d, n, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(d));
    sdkSavePGM("inverse.pgm", in, W, H);
    FILE *noted = fopen("noted.pgm", "wb");
    fprintf(noted, "P5\\n# made by hand\\n#\\n2 1\\n255\\nab");
    fclose(noted);
    unsigned char *two = NULL;
    bool read = sdkLoadPGM("noted.pgm", &two, &W, &H);
    printf("%d %u %u %c%c\\n", read, W, H, read ? two[0] : '?', read ? two[1] : '?');
    float *one = NULL, *other = NULL;
    sdkLoadPGM("made.pgm", &one, &W, &H);
    sdkLoadPGM("inverse.pgm", &other, &W, &H);
    for (int i = 0; i < n; i++) other[i] = 1.0f - other[i];
    printf("%d %d ", sdkCompareL2fe(one, other, n, 1e-5f), compareData(one, other, n, 1e-6f, 0.0f));
    other[3] += 1;
    printf("%d %d\\n", sdkCompareL2fe(one, other, n, 1e-5f), compareData(one, other, n, 1e-6f, 0.0f));
    printf("%d %d %d\\n", _ConvertSMVer2Cores(9, 0), checkCudaCapabilities(2, 0), checkCudaCapabilities(99, 0));
    char *name = NULL;
    bool named = getCmdLineArgumentString(argc, given, "image", &name);
    printf("%d %s %d %.2f ", named, name ? name : "none", getCmdLineArgumentInt(argc, given, "n"),
           getCmdLineArgumentFloat(argc, given, "f"));
    printf("%d %d\\n", checkCmdLineFlag(argc, given, "quiet"), checkCmdLineFlag(argc, given, "qui"));
    unsigned char *missing = NULL;
    return sdkLoadPGM("nowhere.pgm", &missing, &W, &H);
}
"""


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], "0 none 0 0.00 0 0"),
        (["--image=a.ppm", "-n=3", "--F=2.5", "-quiet"], "1 a.ppm 3 2.50 1 0"),
        (["-n=3", "n=4", "image="], "1  4 0.00 0 0"),
    ],
)
def test_a_sample_reads_its_options_and_images(arguments, options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "sample.cu"
    path.write_text(PROGRAM)
    result = wv.run_program([path], arguments)
    lines = result.output.splitlines()
    assert lines[0].startswith('GPU Device 0: "NVIDIA H200" with compute capability 9.0')
    assert lines[2:5] == ["0 1 1 20 12 188 1", "1 2 1 ab", "1 1 0 0"]
    assert lines[5].strip().startswith("No GPU device was found that can support CUDA compute capability 99.0")
    assert lines[6:8] == ["128 1 0", options]
    assert result.exit_code == 0
    header = b"P5\n20\n12\n255\n"
    assert (tmp_path / "inverse.pgm").read_bytes() == header + bytes(255 - i * 7 % 256 for i in range(240))


OLD = """
#include <cutil_inline.h>
#include <cstdio>
texture<float, 1, cudaReadModeElementType> numbers;
__global__ void twice(float *out, int n) {
    int i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
    if (i < n) out[i] = 2.0f * tex1Dfetch(numbers, i);
}
int main(int argc, char **argv) {
    CUT_DEVICE_INIT(argc, argv);
    const unsigned n = 300;
    unsigned timer, other;
    float h[n], r[n], *d, *o;
    for (unsigned i = 0; i < n; i++) h[i] = (float)i, r[i] = 2.0f * i;
    CUT_SAFE_CALL(cutCreateTimer(&timer));
    CUT_SAFE_CALL(cutCreateTimer(&other));
    CUDA_SAFE_CALL(cudaMalloc((void **)&d, sizeof h));
    cutilSafeCall(cudaMalloc((void **)&o, sizeof h));
    CUDA_SAFE_CALL(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaBindTexture(0, numbers, d, sizeof h));
    cutStartTimer(timer);
    twice<<<3, 128>>>(o, n);
    CUT_CHECK_ERROR("twice failed");
    cudaThreadSynchronize();
    cutStopTimer(timer);
    CUDA_SAFE_CALL(cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost));
    int size = 7;
    CUTBoolean given = cutGetCmdLineArgumenti(argc, (const char **)argv, "size", &size);
    printf("%d %d %d ", cutGetTimerValue(timer) > 0, cutGetTimerValue(other) > 0, cutComparef(r, h, n));
    r[299] += 1;
    printf("%d %d %d\\n", cutComparefe(r, h, n, 0.5f), given, size);
    CUDA_SAFE_CALL(cudaFree(d));
    CUDA_SAFE_CALL(cudaFree(o));
    CUT_SAFE_CALL(cutDeleteTimer(timer));
    fflush(stdout);
    CUT_SAFE_CALL(cutStartTimer(timer));
    CUT_EXIT(argc, argv);
}
"""


def test_code_of_the_first_years_runs_on_the_first_device(tmp_path):
    path = tmp_path / "old.cu"
    path.write_text(OLD)
    result = wv.run_program([path], ["--size=12"], device="8800gtx")
    assert result.output.splitlines()[2:3] == ["1 0 1 0 1 12"]
    assert result.exit_code == 1  # a timer that was deleted cannot be started
