// Bessel functions of CUDA's mathematics library, in double precision within some units; those of floats round them.
#pragma once

// ---- polynomials that interpolate at Chebyshev's points, in the place within their interval from -1 to 1: of J and Y
// divided by their first zeros by x * x up to 8, of the amplitudes of both and of I by 8 / x beyond; Taylor's of I
__device__ inline double __wv_j0a(double t) {
    double sum = 2.8815388061596365e-20;
    sum = fma(sum, t, -2.7877245978539715e-18); sum = fma(sum, t, 2.319233072260899e-16);
    sum = fma(sum, t, -1.6396818172257488e-14); sum = fma(sum, t, 9.70296818755812e-13);
    sum = fma(sum, t, -4.720365157466297e-11); sum = fma(sum, t, 1.8464448418645819e-09);
    sum = fma(sum, t, -5.646099433416169e-08); sum = fma(sum, t, 1.300391085983164e-06);
    sum = fma(sum, t, -2.1422766982092623e-05); sum = fma(sum, t, 0.0002335348198938527);
    sum = fma(sum, t, -0.0014727856061389766); sum = fma(sum, t, 0.003945591385424955);
    return sum;
}
__device__ inline double __wv_j0b(double t) {
    double sum = 3.2179863583832483e-19;
    sum = fma(sum, t, -2.4497633166201396e-17); sum = fma(sum, t, 1.5998270000480603e-15);
    sum = fma(sum, t, -8.856386466549583e-14); sum = fma(sum, t, 4.090103344298753e-12);
    sum = fma(sum, t, -1.5464748897970396e-10); sum = fma(sum, t, 4.676878095817309e-09);
    sum = fma(sum, t, -1.0981182490646602e-07); sum = fma(sum, t, 1.9243852434188943e-06);
    sum = fma(sum, t, -2.3820940641131744e-05); sum = fma(sum, t, 0.0001916488977893731);
    sum = fma(sum, t, -0.0008682814201453609); sum = fma(sum, t, 0.0016003732711346392);
    return sum;
}
__device__ inline double __wv_j0c(double t) {
    double sum = -2.075969397774161e-19;
    sum = fma(sum, t, 1.2741559207345977e-17); sum = fma(sum, t, -6.762226121000817e-16);
    sum = fma(sum, t, 3.072854708154253e-14); sum = fma(sum, t, -1.1782632956066196e-12);
    sum = fma(sum, t, 3.749795460291013e-11); sum = fma(sum, t, -9.706173435999029e-10);
    sum = fma(sum, t, 1.9922475291655106e-08); sum = fma(sum, t, -3.1379228470213333e-07);
    sum = fma(sum, t, 3.628668067885139e-06); sum = fma(sum, t, -2.892620294109843e-05);
    sum = fma(sum, t, 0.0001441656667191781); sum = fma(sum, t, -0.0003776591195185782);
    sum = fma(sum, t, 0.00034702452645804125);
    return sum;
}
__device__ inline double __wv_j1a(double t) {
    double sum = 9.426908506579693e-22;
    sum = fma(sum, t, -9.746803476294147e-20); sum = fma(sum, t, 8.706267089010412e-18);
    sum = fma(sum, t, -6.643216077878178e-16); sum = fma(sum, t, 4.2684917740266883e-14);
    sum = fma(sum, t, -2.27063757093049e-12); sum = fma(sum, t, 9.792760204157713e-11);
    sum = fma(sum, t, -3.3342818876705735e-09); sum = fma(sum, t, 8.653779662261324e-08);
    sum = fma(sum, t, -1.6303547025735873e-06); sum = fma(sum, t, 2.0704701492132317e-05);
    sum = fma(sum, t, -0.00015577429914230835); sum = fma(sum, t, 0.0005137235089837032);
    return sum;
}
__device__ inline double __wv_j1b(double t) {
    double sum = 1.0699894632984465e-20;
    sum = fma(sum, t, -8.723822421051672e-19); sum = fma(sum, t, 6.132769572623469e-17);
    sum = fma(sum, t, -3.6756659233610665e-15); sum = fma(sum, t, 1.8503696669326297e-13);
    sum = fma(sum, t, -7.68787423158921e-12); sum = fma(sum, t, 2.5796656425883525e-10);
    sum = fma(sum, t, -6.80069929237164e-09); sum = fma(sum, t, 1.3581602142299745e-07);
    sum = fma(sum, t, -1.9529478823660663e-06); sum = fma(sum, t, 1.8724441577013574e-05);
    sum = fma(sum, t, -0.00010477078809068675); sum = fma(sum, t, 0.000251515795730687);
    return sum;
}
__device__ inline double __wv_j1c(double t) {
    double sum = -6.605104968546976e-21;
    sum = fma(sum, t, 4.3340187851830196e-19); sum = fma(sum, t, -2.4714978946338693e-17);
    sum = fma(sum, t, 1.2135513062021681e-15); sum = fma(sum, t, -5.06210883489269e-14);
    sum = fma(sum, t, 1.7667294785970244e-12); sum = fma(sum, t, -5.064617074977056e-11);
    sum = fma(sum, t, 1.1654351957226416e-09); sum = fma(sum, t, -2.0904514977662873e-08);
    sum = fma(sum, t, 2.810953769050761e-07); sum = fma(sum, t, -2.682725742840187e-06);
    sum = fma(sum, t, 1.672536124928206e-05); sum = fma(sum, t, -5.9002824041619285e-05);
    sum = fma(sum, t, 8.49316382913102e-05);
    return sum;
}
__device__ inline double __wv_y0(double t) {
    double sum = 2.5576616218907466e-14;
    sum = fma(sum, t, -8.840111900737966e-13); sum = fma(sum, t, 2.6818237435502344e-11);
    sum = fma(sum, t, -7.130461466149226e-10); sum = fma(sum, t, 1.6391065240160875e-08);
    sum = fma(sum, t, -3.218507844592323e-07); sum = fma(sum, t, 5.321318633761208e-06);
    sum = fma(sum, t, -7.279541882454126e-05); sum = fma(sum, t, 0.0008061586060550506);
    sum = fma(sum, t, -0.0070257410572709695); sum = fma(sum, t, 0.046367047681347105);
    sum = fma(sum, t, -0.21895747096171628); sum = fma(sum, t, 0.6721770783431723);
    sum = fma(sum, t, -1.0775477338215995); sum = fma(sum, t, 0.14412632369302442);
    sum = fma(sum, t, 1.6470964788745466); sum = fma(sum, t, -0.8284358903604587);
    sum = fma(sum, t, -0.382250654459425);
    return sum;
}
__device__ inline double __wv_y1(double t) {
    double sum = -2.694693563374149e-14;
    sum = fma(sum, t, 8.760000901470381e-13); sum = fma(sum, t, -2.488752771905838e-11);
    sum = fma(sum, t, 6.169688029976361e-10); sum = fma(sum, t, -1.3153322522176986e-08);
    sum = fma(sum, t, 2.3804930420500533e-07); sum = fma(sum, t, -3.600999874382311e-06);
    sum = fma(sum, t, 4.467433012646375e-05); sum = fma(sum, t, -0.0004438173435114872);
    sum = fma(sum, t, 0.003422490739918849); sum = fma(sum, t, -0.019628756833099423);
    sum = fma(sum, t, 0.0785478692224253); sum = fma(sum, t, -0.19639839859930422);
    sum = fma(sum, t, 0.23507209206669752); sum = fma(sum, t, 0.023367571720993595);
    sum = fma(sum, t, -0.24337743079193114); sum = fma(sum, t, 0.07075985882118005);
    return sum;
}
__device__ inline double __wv_p0(double t) {
    double sum = -1.7248444298109113e-15;
    sum = fma(sum, t, 4.469105427097274e-15); sum = fma(sum, t, -5.330584781994501e-15);
    sum = fma(sum, t, 1.775248983600068e-14); sum = fma(sum, t, -7.387418663158929e-14);
    sum = fma(sum, t, 2.668257878241629e-13); sum = fma(sum, t, -1.056269548216839e-12);
    sum = fma(sum, t, 4.772331023925661e-12); sum = fma(sum, t, -2.488573779233352e-11);
    sum = fma(sum, t, 1.55010787734737e-10); sum = fma(sum, t, -1.2121175693853139e-09);
    sum = fma(sum, t, 1.2803760585321308e-08); sum = fma(sum, t, -2.0527448162213505e-07);
    sum = fma(sum, t, 6.137416080162966e-06); sum = fma(sum, t, -0.0005363673192130031);
    sum = fma(sum, t, 0.9994572757882519);
    return sum;
}
__device__ inline double __wv_q0(double t) {
    double sum = -7.218360113325748e-15;
    sum = fma(sum, t, 1.7103209627178458e-14); sum = fma(sum, t, -1.1693242090527497e-14);
    sum = fma(sum, t, 3.7712889190589617e-14); sum = fma(sum, t, -1.7832030063752885e-13);
    sum = fma(sum, t, 5.567148812645025e-13); sum = fma(sum, t, -1.83390451148924e-12);
    sum = fma(sum, t, 6.878291492715701e-12); sum = fma(sum, t, -2.8725844755452207e-11);
    sum = fma(sum, t, 1.362650428332602e-10); sum = fma(sum, t, -7.576283045712257e-10);
    sum = fma(sum, t, 5.146225288518414e-09); sum = fma(sum, t, -4.534972896712794e-08);
    sum = fma(sum, t, 5.684971887600464e-07); sum = fma(sum, t, -1.1817110661172695e-05);
    sum = fma(sum, t, 0.000546651927947511); sum = fma(sum, t, -0.12444091103610815);
    return sum;
}
__device__ inline double __wv_i0(double t) {
    double sum = 9.228877211181495e-63;
    sum = fma(sum, t, 2.1263333094562166e-59); sum = fma(sum, t, 4.499321282809354e-56);
    sum = fma(sum, t, 8.71068600351891e-53); sum = fma(sum, t, 1.5365650110207356e-49);
    sum = fma(sum, t, 2.458504017633177e-46); sum = fma(sum, t, 3.5500798014623073e-43);
    sum = fma(sum, t, 4.60090342269515e-40); sum = fma(sum, t, 5.318644356635594e-37);
    sum = fma(sum, t, 5.4462918211948485e-34); sum = fma(sum, t, 4.9016626390753635e-31);
    sum = fma(sum, t, 3.842903509035085e-28); sum = fma(sum, t, 2.5978027721077174e-25);
    sum = fma(sum, t, 1.4963343967340453e-22); sum = fma(sum, t, 7.242258480192779e-20);
    sum = fma(sum, t, 2.896903392077112e-17); sum = fma(sum, t, 9.385966990329842e-15);
    sum = fma(sum, t, 2.4028075495244395e-12); sum = fma(sum, t, 4.709502797067901e-10);
    sum = fma(sum, t, 6.781684027777778e-08); sum = fma(sum, t, 6.781684027777777e-06);
    sum = fma(sum, t, 0.00043402777777777775); sum = fma(sum, t, 0.015625); sum = fma(sum, t, 0.25);
    sum = fma(sum, t, 1.0);
    return sum;
}
__device__ inline double __wv_l0(double t) {
    double sum = 2.0820835852793106e-11;
    sum = fma(sum, t, -5.905024573995148e-11); sum = fma(sum, t, -1.5066113686101474e-10);
    sum = fma(sum, t, 4.4789181847911815e-10); sum = fma(sum, t, 5.122212147228388e-10);
    sum = fma(sum, t, -1.5930354799216344e-09); sum = fma(sum, t, -1.1448789558755036e-09);
    sum = fma(sum, t, 3.5985362919394714e-09); sum = fma(sum, t, 2.1053080134403423e-09);
    sum = fma(sum, t, -5.91556056510856e-09); sum = fma(sum, t, -3.905230623712341e-09);
    sum = fma(sum, t, 7.406235049001522e-09); sum = fma(sum, t, 7.737147033780934e-09);
    sum = fma(sum, t, -5.394456734259438e-09); sum = fma(sum, t, -1.346629294837396e-08);
    sum = fma(sum, t, -6.750552282740284e-09); sum = fma(sum, t, 7.566352487698237e-09);
    sum = fma(sum, t, 2.15488936175863e-08); sum = fma(sum, t, 3.932437699533459e-08);
    sum = fma(sum, t, 8.872214307451732e-08); sum = fma(sum, t, 2.9735996224521226e-07);
    sum = fma(sum, t, 1.4838475687894938e-06); sum = fma(sum, t, 1.1143033787545386e-05);
    sum = fma(sum, t, 0.00013621607439186705); sum = fma(sum, t, 0.0033605519836678944);
    sum = fma(sum, t, 0.4021765094450081);
    return sum;
}
__device__ inline double __wv_p1(double t) {
    double sum = 1.816970270156969e-15;
    sum = fma(sum, t, -4.717929599255695e-15); sum = fma(sum, t, 5.674955772868603e-15);
    sum = fma(sum, t, -1.8942692840813685e-14); sum = fma(sum, t, 7.88696401478986e-14);
    sum = fma(sum, t, -2.8606315288389805e-13); sum = fma(sum, t, 1.1384103301309482e-12);
    sum = fma(sum, t, -5.17567672866935e-12); sum = fma(sum, t, 2.7207265565791943e-11);
    sum = fma(sum, t, -1.713161670692846e-10); sum = fma(sum, t, 1.3603051333068624e-09);
    sum = fma(sum, t, -1.4708512088166258e-08); sum = fma(sum, t, 2.4536766228894186e-07);
    sum = fma(sum, t, -7.959694698494747e-06); sum = fma(sum, t, 0.0008988049416705562);
    sum = fma(sum, t, 1.0009070262780821);
    return sum;
}
__device__ inline double __wv_q1(double t) {
    double sum = 7.57712706269129e-15;
    sum = fma(sum, t, -1.7984559862793346e-14); sum = fma(sum, t, 1.243997539293916e-14);
    sum = fma(sum, t, -4.014899685310877e-14); sum = fma(sum, t, 1.892408919226445e-13);
    sum = fma(sum, t, -5.927406301655689e-13); sum = fma(sum, t, 1.961017798635848e-12);
    sum = fma(sum, t, -7.38782283172895e-12); sum = fma(sum, t, 3.102320803545726e-11);
    sum = fma(sum, t, -1.4819750517309826e-10); sum = fma(sum, t, 8.316027538862404e-10);
    sum = fma(sum, t, -5.720884249282114e-09); sum = fma(sum, t, 5.136106059369469e-08);
    sum = fma(sum, t, -6.633568567198776e-07); sum = fma(sum, t, 1.4569614809821726e-05);
    sum = fma(sum, t, -0.0007697167057643541); sum = fma(sum, t, 0.3742149922195918);
    return sum;
}
__device__ inline double __wv_i1(double t) {
    double sum = 1.845775442236299e-64;
    sum = fma(sum, t, 4.4298610613671176e-61); sum = fma(sum, t, 9.781133223498595e-58);
    sum = fma(sum, t, 1.9797013644361157e-54); sum = fma(sum, t, 3.658488121477942e-51);
    sum = fma(sum, t, 6.146260044082942e-48); sum = fma(sum, t, 9.342315267006072e-45);
    sum = fma(sum, t, 1.2780287285264307e-41); sum = fma(sum, t, 1.564307163716351e-38);
    sum = fma(sum, t, 1.7019661941233902e-35); sum = fma(sum, t, 1.6338875463584545e-32);
    sum = fma(sum, t, 1.3724655389411017e-29); sum = fma(sum, t, 9.991549123491221e-27);
    sum = fma(sum, t, 6.234726653058522e-24); sum = fma(sum, t, 3.2919356728148996e-21);
    sum = fma(sum, t, 1.4484516960385557e-18); sum = fma(sum, t, 5.214426105738801e-16);
    sum = fma(sum, t, 1.5017547184527747e-13); sum = fma(sum, t, 3.363930569334215e-11);
    sum = fma(sum, t, 5.651403356481481e-09); sum = fma(sum, t, 6.781684027777778e-07);
    sum = fma(sum, t, 5.425347222222222e-05); sum = fma(sum, t, 0.0026041666666666665); sum = fma(sum, t, 0.0625);
    sum = fma(sum, t, 0.5);
    return sum;
}
__device__ inline double __wv_l1(double t) {
    double sum = -1.9677083272584384e-11;
    sum = fma(sum, t, 6.135932778393812e-11); sum = fma(sum, t, 1.417650842869536e-10);
    sum = fma(sum, t, -4.6561597954216946e-10); sum = fma(sum, t, -4.798751536934023e-10);
    sum = fma(sum, t, 1.657764699456319e-09); sum = fma(sum, t, 1.0715528639398075e-09);
    sum = fma(sum, t, -3.75344338735913e-09); sum = fma(sum, t, -1.992076551203188e-09);
    sum = fma(sum, t, 6.202984113000443e-09); sum = fma(sum, t, 3.803814960536081e-09);
    sum = fma(sum, t, -7.863004697555056e-09); sum = fma(sum, t, -7.816968266767898e-09);
    sum = fma(sum, t, 5.963645798166707e-09); sum = fma(sum, t, 1.408852075202545e-08);
    sum = fma(sum, t, 6.737493433374833e-09); sum = fma(sum, t, -8.43880090582137e-09);
    sum = fma(sum, t, -2.337446787242448e-08); sum = fma(sum, t, -4.312778920167609e-08);
    sum = fma(sum, t, -1.0001282610189342e-07); sum = fma(sum, t, -3.4838567401229716e-07);
    sum = fma(sum, t, -1.8349101357991557e-06); sum = fma(sum, t, -1.5038547197358572e-05);
    sum = fma(sum, t, -0.00021923576383382282); sum = fma(sum, t, -0.009749577193235768);
    sum = fma(sum, t, 0.38939845902587233);
    return sum;
}

// ---- orders 0 and 1
__device__ inline double __wv_bessel_nan() { return __longlong_as_double(0x7fffffffffffffffll); }
__device__ inline double __wv_j0_small(double x) {
    double u = x * x;
    double rest = u < 16 ? __wv_j0a(u / 8 - 1) : u < 36 ? __wv_j0b((u - 26) / 10) : __wv_j0c((u - 50) / 14);
    double first = (x - 2.404825557695773 + 1.176691651530894e-16) * (x + 2.404825557695773);
    return first * ((x - 5.520078110286311 - 8.088597146146722e-17) * (x + 5.520078110286311)) * rest;
}
__device__ inline double __wv_j1_small(double x) {
    double u = x * x;
    double rest = u < 16 ? __wv_j1a(u / 8 - 1) : u < 36 ? __wv_j1b((u - 26) / 10) : __wv_j1c((u - 50) / 14);
    double first = (x - 3.8317059702075125 + 1.5269184090088067e-16) * (x + 3.8317059702075125);
    return x * (first * ((x - 7.015586669815619 + 9.414165653410389e-17) * (x + 7.015586669815619)) * rest);
}
// J or Y beyond 8: the product of an amplitude and of the sine or cosine of x less a quarter of a turn or its half.
__device__ inline double __wv_bessel_large(double x, int order, bool second) {
    double part = 8 / x, t = 2 * part * part - 1, sine, cosine;
    double even = order ? __wv_p1(t) : __wv_p0(t), odd = part * (order ? __wv_q1(t) : __wv_q0(t)) / 8;
    sincos(x, &sine, &cosine);
    double sum = sine + cosine, difference = sine - cosine;
    double in_phase = order ? difference : sum, behind = order ? -sum : difference;
    double size = 0.56418958354775629 / sqrt(x);
    return size * (second ? fma(even, behind, odd * in_phase) : fma(even, in_phase, -odd * behind));
}
__device__ inline double j0(double x) {
    double a = fabs(x);
    return isinf(a) ? 0.0 : a < 8 ? __wv_j0_small(a) : __wv_bessel_large(a, 0, false);
}
__device__ inline double j1(double x) {
    double a = fabs(x), size = isinf(a) ? 0.0 : a < 8 ? __wv_j1_small(a) : __wv_bessel_large(a, 1, false);
    return copysign(1.0, x) * size;
}
__device__ inline double y0(double x) {
    if (x == 0) return -__longlong_as_double(0x7ff0000000000000ll);
    if (!(x > 0)) return __wv_bessel_nan();
    if (x >= 8) return isinf(x) ? 0.0 : __wv_bessel_large(x, 0, true);
    return fma(0.63661977236758134 * log(x), __wv_j0_small(x), __wv_y0(x * x / 32 - 1));
}
__device__ inline double y1(double x) {
    if (x == 0) return -__longlong_as_double(0x7ff0000000000000ll);
    if (!(x > 0)) return __wv_bessel_nan();
    if (x >= 8) return isinf(x) ? 0.0 : __wv_bessel_large(x, 1, true);
    return fma(0.63661977236758134, fma(log(x), __wv_j1_small(x), -1 / x), x * __wv_y1(x * x / 32 - 1));
}

// ---- any order: by recurrence upwards, and downwards where that would lose all digits (J of an order beyond x)
__device__ inline double jn(int n, double x) {
    double a = fabs(x);
    if (n < 0 || isnan(x)) return __wv_bessel_nan();
    if (n == 0) return j0(x);
    if (n == 1) return j1(x);
    if (a == 0) return __wv_bessel_nan(); // as NVIDIA's, whose recurrence begins with 2 / x
    if (isinf(a)) return 0.0;
    double result = 0;
    if (a < 1e-5) {
        result = 1;
        for (int k = 1; k <= n; k++) result *= a / 2 / k;
    } else if (a > n) {
        double before = j0(a), now = j1(a);
        for (int k = 1; k < n; k++) {
            double next = 2 * k / a * now - before;
            before = now, now = next;
        }
        result = now;
    } else {
        double above = 0, now = 1, sum = 0;
        for (int k = 2 * ((n + 20 + (int)sqrt(160.0 * n)) / 2); k > 0; k--) {
            double below = 2 * k / a * now - above;
            above = now, now = below;
            if (fabs(now) > 1e200) now *= 1e-200, above *= 1e-200, sum *= 1e-200, result *= 1e-200;
            if (k % 2) sum += now;
            if (k == n) result = above;
        }
        result /= 2 * sum - now;
    }
    return x < 0 && n % 2 ? -result : result;
}
__device__ inline double yn(int n, double x) {
    if (n < 0 || isnan(x)) return __wv_bessel_nan();
    if (n == 0) return y0(x);
    double before = y0(x), now = y1(x);
    if (x == 0 && n > 1) return copysign(now, -x);
    for (int k = 1; k < n && !isinf(now); k++) {
        double next = 2 * k / x * now - before;
        before = now, now = next;
    }
    return now;
}

// ---- of an imaginary argument
__device__ inline double __wv_i_large(double x, double amplitude) {
    double half = exp(x / 2);
    return isinf(x) ? x : amplitude / sqrt(x) * half * half;
}
__device__ inline double cyl_bessel_i0(double x) {
    double a = fabs(x);
    return a < 8 ? __wv_i0(x * x) : __wv_i_large(a, __wv_l0(16 / a - 1));
}
__device__ inline double cyl_bessel_i1(double x) {
    double a = fabs(x);
    return a < 8 ? x * __wv_i1(x * x) : copysign(1.0, x) * __wv_i_large(a, __wv_l1(16 / a - 1));
}

__device__ inline float j0f(float x) { return (float)j0((double)x); }
__device__ inline float j1f(float x) { return (float)j1((double)x); }
__device__ inline float y0f(float x) { return (float)y0((double)x); }
__device__ inline float y1f(float x) { return (float)y1((double)x); }
__device__ inline float jnf(int n, float x) { return (float)jn(n, (double)x); }
__device__ inline float ynf(int n, float x) { return (float)yn(n, x == 0 ? 0.0 : (double)x); }
__device__ inline float cyl_bessel_i0f(float x) { return (float)cyl_bessel_i0((double)x); }
__device__ inline float cyl_bessel_i1f(float x) { return (float)cyl_bessel_i1((double)x); }
