// A ray tracer of spheres and materials with virtual functions, made on the device.
#include <iostream>
#include <fstream>
#include <time.h>
#include <float.h>
#include <curand_kernel.h>
#define checkCudaErrors(val) check_cuda((val), #val, __FILE__, __LINE__)
void check_cuda(cudaError_t result, char const *const func, const char *const file, int const line) {
  if (result) {
    std::cerr << "CUDA error = " << static_cast<unsigned int>(result) << " at " << file << ":" << line << " '" << func << "' \n";
    cudaDeviceReset();
    exit(99);
  }
}
class vec3 {
 public:
  __host__ __device__ vec3() {}
  __host__ __device__ vec3(float e0, float e1, float e2) { e[0] = e0; e[1] = e1; e[2] = e2; }
  __host__ __device__ inline float x() const { return e[0]; }
  __host__ __device__ inline float y() const { return e[1]; }
  __host__ __device__ inline float z() const { return e[2]; }
  __host__ __device__ inline float r() const { return e[0]; }
  __host__ __device__ inline float g() const { return e[1]; }
  __host__ __device__ inline float b() const { return e[2]; }
  __host__ __device__ inline const vec3 &operator+() const { return *this; }
  __host__ __device__ inline vec3 operator-() const { return vec3(-e[0], -e[1], -e[2]); }
  __host__ __device__ inline float operator[](int i) const { return e[i]; }
  __host__ __device__ inline float &operator[](int i) { return e[i]; };
  __host__ __device__ inline vec3 &operator+=(const vec3 &v2);
  __host__ __device__ inline vec3 &operator*=(const float t);
  __host__ __device__ inline vec3 &operator/=(const float t);
  __host__ __device__ inline float length() const { return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]); }
  __host__ __device__ inline float squared_length() const { return e[0] * e[0] + e[1] * e[1] + e[2] * e[2]; }
  __host__ __device__ inline void make_unit_vector();
  float e[3];
};
inline std::istream &operator>>(std::istream &is, vec3 &t) { is >> t.e[0] >> t.e[1] >> t.e[2]; return is; }
inline std::ostream &operator<<(std::ostream &os, const vec3 &t) { os << t.e[0] << " " << t.e[1] << " " << t.e[2]; return os; }
__host__ __device__ inline void vec3::make_unit_vector() { float k = 1.0 / sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]); e[0] *= k; e[1] *= k; e[2] *= k; }
__host__ __device__ inline vec3 operator+(const vec3 &v1, const vec3 &v2) { return vec3(v1.e[0] + v2.e[0], v1.e[1] + v2.e[1], v1.e[2] + v2.e[2]); }
__host__ __device__ inline vec3 operator-(const vec3 &v1, const vec3 &v2) { return vec3(v1.e[0] - v2.e[0], v1.e[1] - v2.e[1], v1.e[2] - v2.e[2]); }
__host__ __device__ inline vec3 operator*(const vec3 &v1, const vec3 &v2) { return vec3(v1.e[0] * v2.e[0], v1.e[1] * v2.e[1], v1.e[2] * v2.e[2]); }
__host__ __device__ inline vec3 operator*(float t, const vec3 &v) { return vec3(t * v.e[0], t * v.e[1], t * v.e[2]); }
__host__ __device__ inline vec3 operator/(vec3 v, float t) { return vec3(v.e[0] / t, v.e[1] / t, v.e[2] / t); }
__host__ __device__ inline vec3 operator*(const vec3 &v, float t) { return vec3(t * v.e[0], t * v.e[1], t * v.e[2]); }
__host__ __device__ inline float dot(const vec3 &v1, const vec3 &v2) { return v1.e[0] * v2.e[0] + v1.e[1] * v2.e[1] + v1.e[2] * v2.e[2]; }
__host__ __device__ inline vec3 &vec3::operator+=(const vec3 &v) { e[0] += v.e[0]; e[1] += v.e[1]; e[2] += v.e[2]; return *this; }
__host__ __device__ inline vec3 &vec3::operator*=(const float t) { e[0] *= t; e[1] *= t; e[2] *= t; return *this; }
__host__ __device__ inline vec3 &vec3::operator/=(const float t) { float k = 1.0 / t; e[0] *= k; e[1] *= k; e[2] *= k; return *this; }
__host__ __device__ inline vec3 unit_vector(vec3 v) { return v / v.length(); }
class ray {
 public:
  __device__ ray() {}
  __device__ ray(const vec3 &a, const vec3 &b) { A = a; B = b; }
  __device__ vec3 origin() const { return A; }
  __device__ vec3 direction() const { return B; }
  __device__ vec3 point_at_parameter(float t) const { return A + t * B; }
  vec3 A, B;
};
class material;
struct hit_record { float t; vec3 p; vec3 normal; material *mat_ptr; };
class hitable {
 public:
  __device__ virtual bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const = 0;
};
#define RANDVEC3 vec3(curand_uniform(local_rand_state), curand_uniform(local_rand_state), curand_uniform(local_rand_state))
__device__ vec3 random_in_unit_sphere(curandState *local_rand_state) {
  vec3 p;
  do { p = 2.0f * RANDVEC3 - vec3(1, 1, 1); } while (p.squared_length() >= 1.0f);
  return p;
}
__device__ vec3 reflect(const vec3 &v, const vec3 &n) { return v - 2.0f * dot(v, n) * n; }
class material {
 public:
  __device__ virtual bool scatter(const ray &r_in, const hit_record &rec, vec3 &attenuation, ray &scattered, curandState *local_rand_state) const = 0;
};
class lambertian : public material {
 public:
  __device__ lambertian(const vec3 &a) : albedo(a) {}
  __device__ virtual bool scatter(const ray &r_in, const hit_record &rec, vec3 &attenuation, ray &scattered, curandState *local_rand_state) const {
    vec3 target = rec.p + rec.normal + random_in_unit_sphere(local_rand_state);
    scattered = ray(rec.p, target - rec.p);
    attenuation = albedo;
    return true;
  }
  vec3 albedo;
};
class metal : public material {
 public:
  __device__ metal(const vec3 &a, float f) : albedo(a) { if (f < 1) fuzz = f; else fuzz = 1; }
  __device__ virtual bool scatter(const ray &r_in, const hit_record &rec, vec3 &attenuation, ray &scattered, curandState *local_rand_state) const {
    vec3 reflected = reflect(unit_vector(r_in.direction()), rec.normal);
    scattered = ray(rec.p, reflected + fuzz * random_in_unit_sphere(local_rand_state));
    attenuation = albedo;
    return (dot(scattered.direction(), rec.normal) > 0.0f);
  }
  vec3 albedo;
  float fuzz;
};
class sphere : public hitable {
 public:
  __device__ sphere() {}
  __device__ sphere(vec3 cen, float r, material *m) : center(cen), radius(r), mat_ptr(m) {};
  __device__ virtual bool hit(const ray &r, float tmin, float tmax, hit_record &rec) const;
  vec3 center;
  float radius;
  material *mat_ptr;
};
__device__ bool sphere::hit(const ray &r, float t_min, float t_max, hit_record &rec) const {
  vec3 oc = r.origin() - center;
  float a = dot(r.direction(), r.direction());
  float b = dot(oc, r.direction());
  float c = dot(oc, oc) - radius * radius;
  float discriminant = b * b - a * c;
  if (discriminant > 0) {
    float temp = (-b - sqrt(discriminant)) / a;
    if (temp < t_max && temp > t_min) {
      rec.t = temp; rec.p = r.point_at_parameter(rec.t); rec.normal = (rec.p - center) / radius; rec.mat_ptr = mat_ptr;
      return true;
    }
    temp = (-b + sqrt(discriminant)) / a;
    if (temp < t_max && temp > t_min) {
      rec.t = temp; rec.p = r.point_at_parameter(rec.t); rec.normal = (rec.p - center) / radius; rec.mat_ptr = mat_ptr;
      return true;
    }
  }
  return false;
}
class hitable_list : public hitable {
 public:
  __device__ hitable_list() {}
  __device__ hitable_list(hitable **l, int n) { list = l; list_size = n; }
  __device__ virtual bool hit(const ray &r, float tmin, float tmax, hit_record &rec) const;
  hitable **list;
  int list_size;
};
__device__ bool hitable_list::hit(const ray &r, float t_min, float t_max, hit_record &rec) const {
  hit_record temp_rec;
  bool hit_anything = false;
  float closest_so_far = t_max;
  for (int i = 0; i < list_size; i++) {
    if (list[i]->hit(r, t_min, closest_so_far, temp_rec)) { hit_anything = true; closest_so_far = temp_rec.t; rec = temp_rec; }
  }
  return hit_anything;
}
class camera {
 public:
  __device__ camera() {
    lower_left_corner = vec3(-2.0, -1.0, -1.0); horizontal = vec3(4.0, 0.0, 0.0); vertical = vec3(0.0, 2.0, 0.0); origin = vec3(0.0, 0.0, 0.0);
  }
  __device__ ray get_ray(float u, float v) { return ray(origin, lower_left_corner + u * horizontal + v * vertical - origin); }
  vec3 origin, lower_left_corner, horizontal, vertical;
};
__device__ vec3 color(const ray &r, hitable **world, curandState *local_rand_state) {
  ray cur_ray = r;
  vec3 cur_attenuation = vec3(1.0, 1.0, 1.0);
  for (int i = 0; i < 10; i++) {
    hit_record rec;
    if ((*world)->hit(cur_ray, 0.001f, FLT_MAX, rec)) {
      ray scattered; vec3 attenuation;
      if (rec.mat_ptr->scatter(cur_ray, rec, attenuation, scattered, local_rand_state)) {
        cur_attenuation = cur_attenuation * attenuation; cur_ray = scattered;
      } else return vec3(0.0, 0.0, 0.0);
    } else {
      vec3 unit_direction = unit_vector(cur_ray.direction());
      float t = 0.5f * (unit_direction.y() + 1.0f);
      vec3 c = (1.0f - t) * vec3(1.0, 1.0, 1.0) + t * vec3(0.5, 0.7, 1.0);
      return cur_attenuation * c;
    }
  }
  return vec3(0.0, 0.0, 0.0);
}
__global__ void render_init(int max_x, int max_y, curandState *rand_state) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int j = threadIdx.y + blockIdx.y * blockDim.y;
  if ((i >= max_x) || (j >= max_y)) return;
  int pixel_index = j * max_x + i;
  curand_init(1984 + pixel_index, 0, 0, &rand_state[pixel_index]);
}
__global__ void render(vec3 *fb, int max_x, int max_y, int ns, camera **cam, hitable **world, curandState *rand_state) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int j = threadIdx.y + blockIdx.y * blockDim.y;
  if ((i >= max_x) || (j >= max_y)) return;
  int pixel_index = j * max_x + i;
  curandState local_rand_state = rand_state[pixel_index];
  vec3 col(0, 0, 0);
  for (int s = 0; s < ns; s++) {
    float u = float(i + curand_uniform(&local_rand_state)) / float(max_x);
    float v = float(j + curand_uniform(&local_rand_state)) / float(max_y);
    ray r = (*cam)->get_ray(u, v);
    col += color(r, world, &local_rand_state);
  }
  rand_state[pixel_index] = local_rand_state;
  col /= float(ns);
  col[0] = sqrt(col[0]); col[1] = sqrt(col[1]); col[2] = sqrt(col[2]);
  fb[pixel_index] = col;
}
__global__ void create_world(hitable **d_list, hitable **d_world, camera **d_camera) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    d_list[0] = new sphere(vec3(0, 0, -1), 0.5, new lambertian(vec3(0.8, 0.3, 0.3)));
    d_list[1] = new sphere(vec3(0, -100.5, -1), 100, new lambertian(vec3(0.8, 0.8, 0.0)));
    d_list[2] = new sphere(vec3(1, 0, -1), 0.5, new metal(vec3(0.8, 0.6, 0.2), 1.0));
    d_list[3] = new sphere(vec3(-1, 0, -1), 0.5, new metal(vec3(0.8, 0.8, 0.8), 0.3));
    *d_world = new hitable_list(d_list, 4);
    *d_camera = new camera();
  }
}
__global__ void free_world(hitable **d_list, hitable **d_world, camera **d_camera) {
  for (int i = 0; i < 4; i++) { delete ((sphere *)d_list[i])->mat_ptr; delete d_list[i]; }
  delete *d_world;
  delete *d_camera;
}
int main() {
  int nx = 32, ny = 16, ns = 2, tx = 8, ty = 8;
  std::cerr << "Rendering a " << nx << "x" << ny << " image with " << ns << " samples per pixel in " << tx << "x" << ty << " blocks.\n";
  int num_pixels = nx * ny;
  size_t fb_size = num_pixels * sizeof(vec3);
  vec3 *fb;
  checkCudaErrors(cudaMallocManaged((void **)&fb, fb_size));
  curandState *d_rand_state;
  checkCudaErrors(cudaMalloc((void **)&d_rand_state, num_pixels * sizeof(curandState)));
  hitable **d_list;
  checkCudaErrors(cudaMalloc((void **)&d_list, 4 * sizeof(hitable *)));
  hitable **d_world;
  checkCudaErrors(cudaMalloc((void **)&d_world, sizeof(hitable *)));
  camera **d_camera;
  checkCudaErrors(cudaMalloc((void **)&d_camera, sizeof(camera *)));
  create_world<<<1, 1>>>(d_list, d_world, d_camera);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  dim3 blocks(nx / tx + 1, ny / ty + 1);
  dim3 threads(tx, ty);
  render_init<<<blocks, threads>>>(nx, ny, d_rand_state);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  render<<<blocks, threads>>>(fb, nx, ny, ns, d_camera, d_world, d_rand_state);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  std::cout << "P3\n" << nx << " " << ny << "\n255\n";
  for (int j = ny - 1; j >= 0; j--)
    for (int i = 0; i < nx; i++) {
      size_t p = j * nx + i;
      std::cout << int(255.99 * fb[p].r()) << " " << int(255.99 * fb[p].g()) << " " << int(255.99 * fb[p].b()) << "\n";
    }
  checkCudaErrors(cudaDeviceSynchronize());
  free_world<<<1, 1>>>(d_list, d_world, d_camera);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaFree(d_camera));
  checkCudaErrors(cudaFree(d_world));
  checkCudaErrors(cudaFree(d_list));
  checkCudaErrors(cudaFree(d_rand_state));
  checkCudaErrors(cudaFree(fb));
  cudaDeviceReset();
}
