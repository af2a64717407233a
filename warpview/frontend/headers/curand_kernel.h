// cuRAND's generators of device code: XORWOW (Marsaglia, "Xorshift RNGs", 2003) and Philox, with the seeding, the
// sequences and the conversions to floating point of NVIDIA's library. For kernels; host code only needs the types.
#pragma once

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

#define WV_CURAND static inline __host__ __device__

// A jump by n steps is the polynomial x^n modulo the characteristic polynomial of the generator: its 160 coefficients
// say which of the next 160 states add up (over GF(2)) to the one n steps ahead. Five words a power: of 2^k steps, and of
// 2^k sequences, which lie 2^67 steps apart.
static const unsigned int wv_xorwow_steps[240] = {
    0x00000002u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
    0x00000004u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
    0x00000010u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
    0x00000100u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
    0x00010000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u,
    0x00000000u, 0x00000001u, 0x00000000u, 0x00000000u, 0x00000000u,
    0x00000000u, 0x00000000u, 0x00000001u, 0x00000000u, 0x00000000u,
    0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000001u,
    0xbebd3534u, 0x7064f5bcu, 0x20be29ebu, 0x536d5b32u, 0x063a0069u,
    0x9df022beu, 0x4c2ee09fu, 0x0939c7c8u, 0xe711c2f8u, 0xc6f135aeu,
    0xed64ec08u, 0xafc48684u, 0xd81c59eeu, 0x1640314fu, 0x2bf0ccefu,
    0x16ade0a0u, 0x3ff6a2d3u, 0x4746bd83u, 0x2e65a497u, 0x263e40a4u,
    0x9d10e028u, 0xee56d79cu, 0xfb1b3286u, 0x0f747418u, 0x26f9476du,
    0x284e9f80u, 0x95328d41u, 0x97ec0360u, 0x1e655d95u, 0x60a9306fu,
    0x3f490634u, 0x9ae593fcu, 0x1a95bb6bu, 0xda10a3fcu, 0xa3abaf54u,
    0xa80ecea0u, 0x392ca981u, 0x191e801eu, 0xceb66042u, 0x2f4edc3fu,
    0xfb9680e9u, 0xbdaba0b2u, 0x3986540fu, 0x23fe6cccu, 0x0994e82fu,
    0x4d53badbu, 0x3e30e97du, 0x19abbaf6u, 0x5cd52f87u, 0x98663641u,
    0x32da6db4u, 0x80135829u, 0x3abd4734u, 0x2060c3f9u, 0x38b2dd97u,
    0xbd3a57bdu, 0x066101a8u, 0x0b4f188eu, 0x16890623u, 0x8bf58771u,
    0x0c5b636fu, 0x4407a814u, 0x60204515u, 0x5bd4dbd2u, 0x2509eeb5u,
    0xa87f2bfeu, 0x0143dfcbu, 0x4b5142bau, 0xfd21a24bu, 0x3dac4527u,
    0x21e9179du, 0x2b57aa94u, 0x5f06e1fcu, 0x6735dc98u, 0x9aa0181fu,
    0x4a85a684u, 0x2ff777f0u, 0x8e58b0edu, 0xd4e84a39u, 0x6d37f6a0u,
    0x793adf2bu, 0x3d3e75c8u, 0x0b091758u, 0x9deb3f50u, 0xbcd116ecu,
    0x89c7a15du, 0x43629d41u, 0x8a870ba5u, 0xa7916f56u, 0x9db15489u,
    0xfa8fc346u, 0x694921b1u, 0xf2bd4c48u, 0x8b05ae1bu, 0x2de7aee2u,
    0xbc1bc6b9u, 0xd73ea395u, 0xfbdd753du, 0xe45dbacdu, 0x7b16eae0u,
    0xf144e1f3u, 0xb9b4b3c4u, 0x8222f622u, 0x9072105au, 0x66083550u,
    0xd88a6c5eu, 0x9ac20a72u, 0x209ef9a8u, 0xe8e4fd8au, 0x1ec855a5u,
    0xbd734cf1u, 0x9254a905u, 0xfb38236du, 0x11e62fd3u, 0xf9e7d21eu,
    0x8d333839u, 0x69fed6dfu, 0x79338fdeu, 0xa38a8714u, 0x0e538bcau,
    0x943999e4u, 0xc05db913u, 0x4e4010f3u, 0x9b865d3du, 0x0fd64174u,
    0x13da6451u, 0x4f1636fau, 0x6e523e62u, 0xac374f44u, 0x69a2e37fu,
    0x19eb1bbbu, 0xbaea3750u, 0x0fa8f206u, 0xd49dd019u, 0x9b3bccafu,
    0x013e4fc6u, 0x8fb0b988u, 0xbad0233bu, 0x63941ad7u, 0xf5f02d75u,
    0xc97b5642u, 0x2ebac13du, 0xbfe04058u, 0x2c6a7132u, 0x576780a5u,
    0x4add1023u, 0x5f64e54eu, 0xb0c250a8u, 0xcf4bd212u, 0x9a873149u,
    0x0ac5eea9u, 0xa37bfcd3u, 0x790ec91du, 0xba339dbcu, 0xc83db5cdu,
    0x67dd06cbu, 0xcbfe08ecu, 0xf64e2fa5u, 0x75fe23cfu, 0x0fc09983u,
    0xa33b53ffu, 0x1ce9360du, 0x4727f89bu, 0x05eacbcdu, 0x01632278u,
    0x9aee97cbu, 0x0de7db52u, 0x74719fdau, 0x51b8e04bu, 0x959e9904u,
    0x22b4f98cu, 0xd23a7f5au, 0x8d420eddu, 0xeadda806u, 0xcfd2a002u,
    0x817ef0ebu, 0xd19e838eu, 0xb26e9dc8u, 0xf5ba04fbu, 0x8adf73e9u,
    0xf66ad52bu, 0x3ab8e3d7u, 0x1e8352a4u, 0xe44a8605u, 0x6c106869u,
    0x480973c1u, 0xb4f4959eu, 0x173d230au, 0x6f15e08eu, 0xf07c940eu,
    0x79a31c08u, 0xc28d5d18u, 0x91649708u, 0x8b1bb8f8u, 0xf9158a86u,
    0x8e346bedu, 0x85425fb6u, 0xbcd60f3au, 0x4d16f104u, 0xff233c77u};
static const unsigned int wv_xorwow_sequences[240] = {
    0x26294934u, 0x77bbc248u, 0x1a87dad0u, 0x930052d4u, 0x947e6dd2u,
    0x5f39c379u, 0x95e20ba6u, 0x20e9ff72u, 0x1244ce5eu, 0xe8fd228fu,
    0xa7474d19u, 0x37c549e0u, 0x140877d2u, 0x24c43924u, 0xcd52ebecu,
    0xe0360ec5u, 0xb1c96c24u, 0xdbb91766u, 0x666ff5dcu, 0xf19a7e52u,
    0xfcc8f692u, 0x35aa698au, 0x04ebbf85u, 0x448304b0u, 0x082f3fd5u,
    0x48c289bdu, 0xe851cf98u, 0x845ad581u, 0xfd70752au, 0x2c3e63f6u,
    0xe502f5b3u, 0x77859d31u, 0x97e1cbb3u, 0xea09047au, 0x61d5f37eu,
    0xb89326d0u, 0x5a8655a9u, 0xfb6e98f5u, 0x02102162u, 0x7e6fcf6fu,
    0xb3a15db4u, 0xc6df3330u, 0x1a8be751u, 0xf1e4b221u, 0x6bb61c05u,
    0x133de1d0u, 0x361e4422u, 0xc6131fcfu, 0xd9719f45u, 0x9658a164u,
    0x19e2bee8u, 0xf8974218u, 0x4e65536au, 0xa2570336u, 0xe9b88082u,
    0x7863644bu, 0x2a21ce84u, 0x112e86f1u, 0xed01ce0eu, 0xba143e84u,
    0x0e2cae2eu, 0xd1011279u, 0x58923768u, 0x2bf650bau, 0xc985bcdau,
    0x213a286au, 0x6596b510u, 0x6fc10eaeu, 0x38a13547u, 0x11c7749eu,
    0x146281e7u, 0xa45b4452u, 0xafa8c695u, 0x74a0ac94u, 0x4b250e0au,
    0x2306bc52u, 0x790f3b4cu, 0x2fe473b9u, 0xbc81d7c0u, 0x093efe98u,
    0x89658c8bu, 0xf3914315u, 0xa73fe84bu, 0x3c5fadb6u, 0xadba8dd6u,
    0x09e49814u, 0x09caf5edu, 0x6b2460d9u, 0x1b9981c1u, 0x2d1fefc3u,
    0x82161afcu, 0x9bb13c55u, 0xfd20d7fbu, 0x306d90b9u, 0x92bf386fu,
    0x96d32350u, 0x0e081864u, 0x69faa798u, 0xe7faecf5u, 0xf1f951beu,
    0x3e9058c1u, 0x71da9705u, 0xe2cb1f2bu, 0x73456536u, 0xbd6501b6u,
    0x990ffc6eu, 0xbfdd1b5du, 0xc83e520bu, 0xe972936au, 0xac79abb9u,
    0xb1321eb5u, 0xb06d01a2u, 0x51532012u, 0x8fb59962u, 0x141d3b0bu,
    0x3257dfe1u, 0xd8a3d601u, 0x3a58c735u, 0x845f36e4u, 0x0112c611u,
    0xa0ffe9a4u, 0xf57be00eu, 0xe706880cu, 0x191211efu, 0xee5664fbu,
    0x9a3385b8u, 0xc540c30au, 0xb241d1e0u, 0x00626569u, 0x6b355fe9u,
    0xe129d45du, 0xac3e698bu, 0xd61f79fdu, 0x7a72a28bu, 0x7f4942beu,
    0x612501bbu, 0xae7b767du, 0xaa66c165u, 0x09bfaf8eu, 0x3e55c16du,
    0x874e26a7u, 0x33bc5a47u, 0xad95cba5u, 0x67651c39u, 0xf1f07dcau,
    0xb5ed0732u, 0x30e7a573u, 0x5c056714u, 0x2304f8fau, 0xebc584e1u,
    0x4b324c2eu, 0x2bdcc5a0u, 0x53eb4240u, 0xcac4fbc1u, 0x13e529e7u,
    0xe1683e38u, 0xa2339994u, 0x7308a647u, 0xc7c3f0b1u, 0x4a3dcd33u,
    0x5fe4b704u, 0xd77445c3u, 0xb80eeb3cu, 0x6720fc6du, 0x7da33f71u,
    0xea0715d2u, 0x435bf5e0u, 0x8b125b82u, 0x2bf15174u, 0x451636c0u,
    0x27786b0du, 0x55a8b8bbu, 0xad73d087u, 0x548172a6u, 0xb8dcb607u,
    0xedbc74acu, 0x9333668eu, 0x5330ec7eu, 0x139bc173u, 0x8df22694u,
    0x1e9372ddu, 0xe081adccu, 0xf9650df2u, 0x0ad599e4u, 0x21aeba83u,
    0x81e94b95u, 0x02bd032fu, 0x4241ada2u, 0x7cf446d1u, 0x585759bbu,
    0x552ec26fu, 0x2663dad8u, 0x25bf8d5eu, 0x538f9e9bu, 0x804bfd4cu,
    0xaed86880u, 0x7cc53d77u, 0x2379080du, 0x66b5ba47u, 0x271e9c90u,
    0xab750c90u, 0x454415efu, 0xd94a347cu, 0xd23c81beu, 0x551c7096u,
    0x3024c55fu, 0x9b3a9b08u, 0xcef11c55u, 0x3019557du, 0x08303d6du,
    0xbc6d2665u, 0xc1fd8153u, 0xd43c38c9u, 0xd70344ccu, 0x279357c0u,
    0x685d57dfu, 0xda26a2f1u, 0x5174006au, 0xe55bf1f1u, 0x5f20a739u,
    0x88aced61u, 0x3925e5e8u, 0xc8af3caau, 0xefa299b1u, 0xbc1538f8u,
    0x2b0ca967u, 0xf25d1abau, 0x4062850bu, 0x683d0590u, 0xabd1b043u,
    0xc3051a0au, 0x11a68894u, 0x0ec32c75u, 0xb9e1af76u, 0x45d20f13u,
    0xbd2198a4u, 0xc68fea4bu, 0x09de877eu, 0x2b15c9cfu, 0x7b2e8734u};

WV_CURAND void wv_xorwow_step(unsigned int *v) {
    unsigned int t = v[0] ^ (v[0] >> 2);
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

WV_CURAND void wv_xorwow_jump(curandState *state, unsigned long long n, const unsigned int *powers) {
    for (int k = 0; n; ++k, n >>= 1) {
        if (!(n & 1)) continue;
        unsigned int a = 0, b = 0, c = 0, d = 0, e = 0;
        unsigned int v0 = state->v[0], v1 = state->v[1], v2 = state->v[2], v3 = state->v[3], v4 = state->v[4];
        for (int i = 0; i < 160; ++i) {
            unsigned int mask = 0u - (powers[5 * k + (i >> 5)] >> (i & 31) & 1u);
            a ^= v0 & mask, b ^= v1 & mask, c ^= v2 & mask, d ^= v3 & mask, e ^= v4 & mask;
            unsigned int t = v0 ^ (v0 >> 2);
            v0 = v1, v1 = v2, v2 = v3, v3 = v4;
            v4 = (v4 ^ (v4 << 4)) ^ (t ^ (t << 1));
        }
        state->v[0] = a, state->v[1] = b, state->v[2] = c, state->v[3] = d, state->v[4] = e;
    }
}

WV_CURAND void skipahead(unsigned long long n, curandState *state) {
    wv_xorwow_jump(state, n & 0xffffffffffffull, wv_xorwow_steps);
    state->d += 362437u * (unsigned int)n;
}
WV_CURAND void skipahead_sequence(unsigned long long n, curandState *state) {
    wv_xorwow_jump(state, n & 0xffffffffffffull, wv_xorwow_sequences);
}

WV_CURAND void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                           curandState *state) {
    unsigned int low = (unsigned int)seed ^ 0xaad26b49u, high = (unsigned int)(seed >> 32) ^ 0xf7dcefddu;
    unsigned int t0 = 1099087573u * low, t1 = 2591861531u * high;
    state->d = 6615241u + t1 + t0;
    state->v[0] = 123456789u + t0;
    state->v[1] = 362436069u ^ t0;
    state->v[2] = 521288629u + t1;
    state->v[3] = 88675123u ^ t1;
    state->v[4] = 5783321u + t0;
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}

WV_CURAND unsigned int curand(curandState *state) {
    wv_xorwow_step(state->v);
    state->d += 362437u;
    return state->v[4] + state->d;
}

// Philox 4x32-10: ten rounds make four numbers of a counter of 128 bits (Salmon et al., Parallel random numbers: as easy
// as 1, 2, 3). The upper half of the counter is the sequence.
typedef struct {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;  // how many numbers of the output were given
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
} curandStatePhilox4_32_10_t;
typedef curandStatePhilox4_32_10_t curandStatePhilox4_32_10;

WV_CURAND void wv_philox(curandStatePhilox4_32_10_t *state) {
    unsigned int x = state->ctr.x, y = state->ctr.y, z = state->ctr.z, w = state->ctr.w;
    unsigned int key_x = state->key.x, key_y = state->key.y;
    for (int round = 0; round < 10; ++round) {
        const unsigned long long p = 0xd2511f53ull * x, q = 0xcd9e8d57ull * z;
        x = (unsigned int)(q >> 32) ^ y ^ key_x;
        z = (unsigned int)(p >> 32) ^ w ^ key_y;
        y = (unsigned int)q, w = (unsigned int)p;
        key_x += 0x9e3779b9u, key_y += 0xbb67ae85u;
    }
    state->output.x = x, state->output.y = y, state->output.z = z, state->output.w = w;
}

WV_CURAND void wv_philox_advance(unsigned long long n, curandStatePhilox4_32_10_t *state) {
    const unsigned long long low = state->ctr.x | (unsigned long long)state->ctr.y << 32, sum = low + n;
    state->ctr.x = (unsigned int)sum, state->ctr.y = (unsigned int)(sum >> 32);
    if (sum < low && ++state->ctr.z == 0) ++state->ctr.w;
    wv_philox(state);
}

WV_CURAND void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
    const unsigned int given = state->STATE + (unsigned int)(n & 3);
    state->STATE = given & 3;
    wv_philox_advance(n / 4 + given / 4, state);
}
WV_CURAND void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
    const unsigned long long high = (state->ctr.z | (unsigned long long)state->ctr.w << 32) + n;
    state->ctr.z = (unsigned int)high, state->ctr.w = (unsigned int)(high >> 32);
    wv_philox(state);
}

WV_CURAND void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                           curandStatePhilox4_32_10_t *state) {
    state->ctr.x = state->ctr.y = state->ctr.z = state->ctr.w = 0;
    state->key.x = (unsigned int)seed, state->key.y = (unsigned int)(seed >> 32);
    state->STATE = 0;
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.0f;
    state->boxmuller_extra_double = 0.0;
}

WV_CURAND unsigned int curand(curandStatePhilox4_32_10_t *state) {
    const uint4 four = state->output;
    const unsigned int given = state->STATE++;
    if (given == 3) {
        state->STATE = 0;
        wv_philox_advance(1, state);
    }
    return given == 0 ? four.x : given == 1 ? four.y : given == 2 ? four.z : four.w;
}

// In (0, 1]: the middle of one of 2^32 intervals.
template <typename State>
WV_CURAND float curand_uniform(State *state) { return curand(state) * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
template <typename State>
WV_CURAND double curand_uniform_double(State *state) {
    unsigned int x = curand(state), y = curand(state);
    unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
    return z * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}

// Two normally distributed numbers by the method of Box and Muller; the calls for one keep the other for the next such
// call: the flag is 1 of a normal and 2 of a log-normal distribution.
template <typename State>
WV_CURAND float2 curand_normal2(State *state) {
    unsigned int x = curand(state), y = curand(state);
    float u = x * 2.3283064e-10f + 2.3283064e-10f / 2, v = y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2;
    float s = sqrtf(-2.0f * logf(u));
    float2 result;
#ifdef __CUDA_ARCH__
    result.x = __sinf(v) * s, result.y = __cosf(v) * s;
#else
    result.x = sinf(v) * s, result.y = cosf(v) * s;
#endif
    return result;
}
template <typename State>
WV_CURAND float curand_normal(State *state) {
    if (state->boxmuller_flag != 1) {
        float2 both = curand_normal2(state);
        state->boxmuller_extra = both.y;
        state->boxmuller_flag = 1;
        return both.x;
    }
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
}
template <typename State>
WV_CURAND double2 curand_normal2_double(State *state) {
    unsigned int a = curand(state), b = curand(state), c = curand(state), d = curand(state);
    unsigned long long zu = (unsigned long long)a ^ ((unsigned long long)b << 21);
    unsigned long long zv = (unsigned long long)c ^ ((unsigned long long)d << 21);
    double u = zu * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
    double v = zv * (1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16;
    double s = sqrt(-2.0 * log(u));
    double2 result;
    result.x = sinpi(v) * s, result.y = cospi(v) * s;
    return result;
}
template <typename State>
WV_CURAND double curand_normal_double(State *state) {
    if (state->boxmuller_flag_double != 1) {
        double2 both = curand_normal2_double(state);
        state->boxmuller_extra_double = both.y;
        state->boxmuller_flag_double = 1;
        return both.x;
    }
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
}
template <typename State>
WV_CURAND float curand_log_normal(State *state, float mean, float deviation) {
    if (state->boxmuller_flag != 2) {
        float2 both = curand_normal2(state);
        state->boxmuller_extra = expf(mean + deviation * both.y);
        state->boxmuller_flag = 2;
        return expf(mean + deviation * both.x);
    }
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
}
template <typename State>
WV_CURAND double curand_log_normal_double(State *state, double mean, double deviation) {
    if (state->boxmuller_flag_double != 2) {
        double2 both = curand_normal2_double(state);
        state->boxmuller_extra_double = exp(mean + deviation * both.y);
        state->boxmuller_flag_double = 2;
        return exp(mean + deviation * both.x);
    }
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
}

// Four numbers at once, which Philox alone has.
WV_CURAND uint4 curand4(curandStatePhilox4_32_10_t *state) {
    uint4 result;
    result.x = curand(state), result.y = curand(state), result.z = curand(state), result.w = curand(state);
    return result;
}
WV_CURAND float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
    float4 result;
    result.x = curand_uniform(state), result.y = curand_uniform(state);
    result.z = curand_uniform(state), result.w = curand_uniform(state);
    return result;
}
WV_CURAND double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
    double2 result;
    result.x = curand_uniform_double(state), result.y = curand_uniform_double(state);
    return result;
}
WV_CURAND float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
    const float2 first = curand_normal2(state), second = curand_normal2(state);
    float4 result;
    result.x = first.x, result.y = first.y, result.z = second.x, result.w = second.y;
    return result;
}
WV_CURAND float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float deviation) {
    float4 result = curand_normal4(state);
    result.x = expf(mean + deviation * result.x), result.y = expf(mean + deviation * result.y);
    result.z = expf(mean + deviation * result.z), result.w = expf(mean + deviation * result.w);
    return result;
}
#undef WV_CURAND
