// A subset of Thrust for course programs. Algorithms over device vectors are carried out by the host, on device memory as
// the host sees it: they give Thrust's results, but are no launches and have no counters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>
#include "cuda_runtime.h"
#include "thrust/composed_iterators.h"
#include "thrust/placeholders.h"

namespace thrust {

// ------------------------------------------------------------------------------------------------ pointers
template <class T> class device_ptr;

// An element of device memory: reading and assigning it copies one value.
template <class T> class device_reference {
  public:
    explicit device_reference(T *at) : at_(at) {}
    operator std::remove_const_t<T>() const {
        std::remove_const_t<T> value;
        cudaMemcpy(&value, at_, sizeof(T), cudaMemcpyDeviceToHost);
        return value;
    }
    const device_reference &operator=(const T &value) const {
        cudaMemcpy(at_, &value, sizeof(T), cudaMemcpyHostToDevice);
        return *this;
    }
    const device_reference &operator=(const device_reference &other) const { return *this = static_cast<T>(other); }
    device_ptr<T> operator&() const { return device_ptr<T>(at_); }
    template <class U> const device_reference &operator+=(const U &v) const { return *this = static_cast<T>(T(*this) + v); }
    template <class U> const device_reference &operator-=(const U &v) const { return *this = static_cast<T>(T(*this) - v); }
    template <class U> const device_reference &operator*=(const U &v) const { return *this = static_cast<T>(T(*this) * v); }
    const device_reference &operator++() const { return *this += 1; }

  private:
    T *at_;
};

template <class T> std::ostream &operator<<(std::ostream &out, const device_reference<T> &r) { return out << static_cast<T>(r); }

template <class T> class device_ptr {
  public:
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = device_ptr;
    using reference = device_reference<T>;
    using iterator_category = std::random_access_iterator_tag;
    device_ptr() = default;
    device_ptr(std::nullptr_t) {}
    explicit device_ptr(T *raw) : raw_(raw) {}
    template <class U, class = std::enable_if_t<std::is_convertible_v<U *, T *>>> device_ptr(device_ptr<U> o) : raw_(o.get()) {}
    T *get() const { return raw_; }
    reference operator*() const { return reference(raw_); }
    reference operator[](difference_type k) const { return reference(raw_ + k); }
    device_ptr &operator++() { return ++raw_, *this; }
    device_ptr operator++(int) { return device_ptr(raw_++); }
    device_ptr &operator--() { return --raw_, *this; }
    device_ptr &operator+=(difference_type k) { return raw_ += k, *this; }
    device_ptr &operator-=(difference_type k) { return raw_ -= k, *this; }
    device_ptr operator+(difference_type k) const { return device_ptr(raw_ + k); }
    device_ptr operator-(difference_type k) const { return device_ptr(raw_ - k); }
    difference_type operator-(device_ptr o) const { return raw_ - o.raw_; }
    bool operator==(device_ptr o) const { return raw_ == o.raw_; }
    bool operator!=(device_ptr o) const { return raw_ != o.raw_; }
    bool operator<(device_ptr o) const { return raw_ < o.raw_; }
    explicit operator bool() const { return raw_ != nullptr; }

  private:
    T *raw_ = nullptr;
};

template <class T> device_ptr<T> device_pointer_cast(T *raw) { return device_ptr<T>(raw); }
template <class T> T *raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <class T> T *raw_pointer_cast(T *p) { return p; }

template <class T> device_ptr<T> device_malloc(std::size_t n) {
    T *raw = nullptr;
    cudaMalloc(&raw, n * sizeof(T));
    return device_ptr<T>(raw);
}
template <class T> void device_free(device_ptr<T> p) { cudaFree(p.get()); }

// ------------------------------------------------------------------------------------------------ iterators
template <class T> class counting_iterator {
  public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T *;
    using reference = T;
    using iterator_category = std::random_access_iterator_tag;
    explicit counting_iterator(T at = T()) : at_(at) {}
    T operator*() const { return at_; }
    T operator[](difference_type k) const { return static_cast<T>(at_ + k); }
    counting_iterator &operator++() { return ++at_, *this; }
    counting_iterator operator++(int) { return counting_iterator(at_++); }
    counting_iterator &operator--() { return --at_, *this; }
    counting_iterator &operator+=(difference_type k) { return at_ += k, *this; }
    counting_iterator operator+(difference_type k) const { return counting_iterator(static_cast<T>(at_ + k)); }
    counting_iterator operator-(difference_type k) const { return counting_iterator(static_cast<T>(at_ - k)); }
    difference_type operator-(counting_iterator o) const { return static_cast<difference_type>(at_ - o.at_); }
    bool operator==(counting_iterator o) const { return at_ == o.at_; }
    bool operator!=(counting_iterator o) const { return at_ != o.at_; }
    bool operator<(counting_iterator o) const { return at_ < o.at_; }

  private:
    T at_;
};
template <class T> counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }

using std::make_reverse_iterator;
using std::reverse_iterator;

template <class T> class constant_iterator {
  public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T *;
    using reference = T;
    using iterator_category = std::random_access_iterator_tag;
    explicit constant_iterator(T value, difference_type at = 0) : value_(value), at_(at) {}
    T operator*() const { return value_; }
    T operator[](difference_type) const { return value_; }
    constant_iterator &operator++() { return ++at_, *this; }
    constant_iterator operator++(int) { return constant_iterator(value_, at_++); }
    constant_iterator &operator+=(difference_type k) { return at_ += k, *this; }
    constant_iterator operator+(difference_type k) const { return constant_iterator(value_, at_ + k); }
    difference_type operator-(constant_iterator o) const { return at_ - o.at_; }
    bool operator==(constant_iterator o) const { return at_ == o.at_; }
    bool operator!=(constant_iterator o) const { return at_ != o.at_; }

  private:
    T value_;
    difference_type at_;
};
template <class T> constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }

template <class I, class F> class transform_iterator {
  public:
    using value_type = std::decay_t<decltype(std::declval<F>()(*std::declval<I>()))>;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type *;
    using reference = value_type;
    using iterator_category = std::random_access_iterator_tag;
    transform_iterator(I base, F f) : base_(base), f_(f) {}
    value_type operator*() const { return f_(*base_); }
    value_type operator[](difference_type k) const { return f_(base_[k]); }
    transform_iterator &operator++() { return ++base_, *this; }
    transform_iterator operator++(int) { return transform_iterator(base_++, f_); }
    transform_iterator &operator+=(difference_type k) { return base_ += k, *this; }
    transform_iterator operator+(difference_type k) const { return transform_iterator(base_ + k, f_); }
    difference_type operator-(const transform_iterator &o) const { return base_ - o.base_; }
    bool operator==(const transform_iterator &o) const { return base_ == o.base_; }
    bool operator!=(const transform_iterator &o) const { return base_ != o.base_; }
    I base() const { return base_; }
    F functor() const { return f_; }

  private:
    I base_;
    mutable F f_;  // a function object of a course often forgets const
};
template <class I, class F> transform_iterator<I, F> make_transform_iterator(I base, F f) { return {base, f}; }

// ------------------------------------------------------------------------------------------------ execution
struct host_policy { host_policy on(cudaStream_t) const { return {}; } };
struct device_policy { device_policy on(cudaStream_t) const { return {}; } };
inline constexpr host_policy host, seq;
inline constexpr device_policy device;
namespace cuda { inline constexpr device_policy par; }
template <class P> inline constexpr bool is_device_policy = std::is_same_v<std::decay_t<P>, device_policy>;
template <class P> inline constexpr bool is_policy = is_device_policy<P> || std::is_same_v<std::decay_t<P>, host_policy>;

namespace detail {
// What an algorithm works on: an iterator of the host as it is, device memory as the host sees it.
template <class I> struct opener {
    static I of(I iterator) { return iterator; }
};
template <class I> auto open(I iterator) { return opener<I>::of(iterator); }
template <class T> struct opener<device_ptr<T>> {
    static T *of(device_ptr<T> p) {
        wv::ask("thrust", wv::here(nullptr, 0), {wv::word(p.get())});
        return reinterpret_cast<T *>(wv::visible(p.get()));
    }
};
template <class I, class F> struct opener<transform_iterator<I, F>> {
    static auto of(transform_iterator<I, F> i) { return make_transform_iterator(open(i.base()), i.functor()); }
};
template <class E, class M> struct opener<permutation_iterator<E, M>> {
    static auto of(permutation_iterator<E, M> i) { return make_permutation_iterator(open(i.elements()), open(i.map())); }
};
template <class... I> struct opener<zip_iterator<std::tuple<I...>>> {
    static auto of(zip_iterator<std::tuple<I...>> i) {
        return std::apply([](I... part) { return make_zip_iterator(std::make_tuple(open(part)...)); }, i.get_iterator_tuple());
    }
};
// Raw pointers are to device memory where an algorithm is told to run on the device, also within other iterators.
template <class A> A on_device(A argument) { return argument; }
template <class T, class = std::enable_if_t<std::is_object_v<T>>> device_ptr<T> on_device(T *raw) { return device_ptr<T>(raw); }
template <class I, class F> auto on_device(transform_iterator<I, F> i) { return make_transform_iterator(on_device(i.base()), i.functor()); }
template <class E, class M> auto on_device(permutation_iterator<E, M> i) {
    return make_permutation_iterator(on_device(i.elements()), on_device(i.map()));
}
template <class... I> auto on_device(zip_iterator<std::tuple<I...>> i) {
    return std::apply([](I... part) { return make_zip_iterator(std::make_tuple(on_device(part)...)); }, i.get_iterator_tuple());
}
// What an algorithm returns, raw where it was given raw pointers.
template <bool RAW, class R> auto returned(R result) { return result; }
template <bool RAW, class T> auto returned(device_ptr<T> result) {
    if constexpr (RAW) return result.get();
    else return result;
}
template <bool RAW, class A, class B> auto returned(std::pair<A, B> result) {
    return std::make_pair(returned<RAW>(result.first), returned<RAW>(result.second));
}
// Sums of a range in pairs, as a device adds up: the errors of rounding grow with the logarithm of its length.
template <class T, class I, class F> T in_pairs(I first, std::ptrdiff_t count, F f) {
    if (count > 32) return f(in_pairs<T>(first, count / 2, f), in_pairs<T>(first + count / 2, count - count / 2, f));
    T sum = *first;
    for (std::ptrdiff_t k = 1; k < count; ++k) sum = f(sum, static_cast<T>(first[k]));
    return sum;
}
// Where an algorithm ended, in the iterators of its caller.
template <class I, class O> I close(I first, O begun, O ended) {
    if constexpr (std::is_same_v<I, O>) return ended;
    else return first + (ended - begun);
}
}  // namespace detail

// ------------------------------------------------------------------------------------------------ vectors
template <class T> class device_vector;

template <class T> class host_vector : public std::vector<T> {
  public:
    using std::vector<T>::vector;
    host_vector() = default;
    host_vector(const std::vector<T> &other) : std::vector<T>(other) {}
    host_vector(const device_vector<T> &other) { *this = other; }
    host_vector &operator=(const device_vector<T> &other);
};

template <class T> class device_vector {
  public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = device_reference<T>;
    using pointer = device_ptr<T>;
    using iterator = device_ptr<T>;
    using const_iterator = device_ptr<const T>;
    device_vector() = default;
    explicit device_vector(size_type n, const T &value = T()) { fill_from(std::vector<T>(n, value)); }
    device_vector(std::initializer_list<T> values) { fill_from(std::vector<T>(values)); }
    device_vector(const device_vector &other) { *this = other; }
    device_vector(device_vector &&other) noexcept { swap(other); }
    device_vector(const std::vector<T> &other) { fill_from(other); }
    template <class I, class = typename std::iterator_traits<I>::iterator_category> device_vector(I first, I last) { assign(first, last); }
    ~device_vector() { if (raw_) cudaFree(raw_); }
    device_vector &operator=(const device_vector &other) {
        if (this == &other) return *this;
        reserve_exactly(other.size_);
        if (size_) cudaMemcpy(raw_, other.raw_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
        return *this;
    }
    device_vector &operator=(device_vector &&other) noexcept { return swap(other), *this; }
    device_vector &operator=(const std::vector<T> &other) { return fill_from(other), *this; }
    template <class I> void assign(I first, I last) {
        auto begun = detail::open(first), ended = begun + (last - first);
        fill_from(std::vector<T>(begun, ended));
    }
    void resize(size_type n, const T &value = T()) {
        std::vector<T> kept = values();
        kept.resize(n, value);
        fill_from(kept);
    }
    void push_back(const T &value) { resize(size_ + 1, value); }
    void pop_back() { resize(size_ - 1); }
    iterator erase(iterator first, iterator last) {
        const difference_type from = first - begin(), to = last - begin();
        std::vector<T> kept = values();
        kept.erase(kept.begin() + from, kept.begin() + to);
        fill_from(kept);
        return begin() + from;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }
    iterator insert(iterator at, const T &value) {
        const difference_type from = at - begin();
        std::vector<T> all = values();
        all.insert(all.begin() + from, value);
        fill_from(all);
        return begin() + from;
    }
    void clear() { reserve_exactly(0); }
    void shrink_to_fit() {}
    void reserve(size_type) {}
    void swap(device_vector &other) noexcept { std::swap(raw_, other.raw_), std::swap(size_, other.size_); }
    size_type size() const { return size_; }
    bool empty() const { return size_ == 0; }
    iterator begin() { return iterator(raw_); }
    iterator end() { return iterator(raw_ + size_); }
    const_iterator begin() const { return const_iterator(raw_); }
    const_iterator end() const { return const_iterator(raw_ + size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    pointer data() { return pointer(raw_); }
    device_ptr<const T> data() const { return device_ptr<const T>(raw_); }
    reference operator[](size_type k) { return reference(raw_ + k); }
    T operator[](size_type k) const { return T(device_reference<const T>(raw_ + k)); }
    reference front() { return (*this)[0]; }
    reference back() { return (*this)[size_ - 1]; }
    std::vector<T> values() const {
        std::vector<T> all(size_);
        if (size_) cudaMemcpy(all.data(), raw_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return all;
    }

  private:
    void reserve_exactly(size_type n) {
        if (n == size_) return;
        if (raw_) cudaFree(raw_);
        raw_ = nullptr;
        if (n && cudaMalloc(&raw_, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
        size_ = n;
    }
    template <class V> void fill_from(const V &all) {
        reserve_exactly(all.size());
        if constexpr (std::is_same_v<T, bool>) {
            std::unique_ptr<bool[]> plain(new bool[all.size()]);
            std::copy(all.begin(), all.end(), plain.get());
            if (size_) cudaMemcpy(raw_, plain.get(), size_, cudaMemcpyHostToDevice);
        } else if (size_) {
            cudaMemcpy(raw_, all.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
        }
    }
    T *raw_ = nullptr;
    size_type size_ = 0;
};

template <class T> host_vector<T> &host_vector<T>::operator=(const device_vector<T> &other) {
    static_cast<std::vector<T> &>(*this) = other.values();
    return *this;
}
template <class T> bool operator==(const device_vector<T> &a, const device_vector<T> &b) { return a.values() == b.values(); }
template <class T> bool operator==(const device_vector<T> &a, const std::vector<T> &b) { return a.values() == b; }
template <class T> bool operator==(const std::vector<T> &a, const device_vector<T> &b) { return a == b.values(); }

// ------------------------------------------------------------------------------------------------ function objects
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
// Bases of older functors, which name their types.
template <class A, class R> struct unary_function { using argument_type = A; using result_type = R; };
template <class A, class B, class R> struct binary_function { using first_argument_type = A; using second_argument_type = B; using result_type = R; };
using std::plus;
using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tuple;
template <class T = void> struct maximum { constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T = void> struct minimum { constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <class T = void> struct identity { constexpr const T &operator()(const T &a) const { return a; } };
template <class T = void> struct square { constexpr T operator()(const T &a) const { return a * a; } };

// ------------------------------------------------------------------------------------------------ algorithms
}  // namespace thrust
#include "thrust/algorithms.h"
namespace thrust {

// ------------------------------------------------------------------------------------------------ random numbers
// The engine of Thrust's default: x -> 48271 x mod 2^31 - 1.
class minstd_rand {
  public:
    using result_type = unsigned int;
    static constexpr result_type min = 1u, max = 2147483646u;
    explicit minstd_rand(result_type seed = 1u) : x_(seed % 2147483647u ? seed % 2147483647u : 1u) {}
    void seed(result_type s) { *this = minstd_rand(s); }
    result_type operator()() { return x_ = static_cast<result_type>(48271ull * x_ % 2147483647ull); }
    void discard(unsigned long long n) { while (n--) (*this)(); }

  private:
    result_type x_;
};
using default_random_engine = minstd_rand;
template <class T = double> class uniform_real_distribution {
  public:
    explicit uniform_real_distribution(T a = T(0), T b = T(1)) : a_(a), b_(b) {}
    template <class E> T operator()(E &engine) {
        T unit = static_cast<T>(engine() - E::min) / (T(1) + static_cast<T>(E::max - E::min));
        return unit * (b_ - a_) + a_;
    }

  private:
    T a_, b_;
};
template <class T = int> class uniform_int_distribution {
  public:
    explicit uniform_int_distribution(T a = T(0), T b = T(2147483647)) : a_(a), b_(b) {}
    template <class E> T operator()(E &engine) {
        double unit = static_cast<double>(engine() - E::min) / (1.0 + static_cast<double>(E::max - E::min));
        return static_cast<T>(unit * (static_cast<double>(b_) - a_ + 1.0) + a_);
    }

  private:
    T a_, b_;
};
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}  // namespace random

}  // namespace thrust
