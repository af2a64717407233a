// Iterators of Thrust over other iterators: several side by side, elements picked by a map, results thrown away.
#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

namespace thrust {

template <class Tuple> class zip_iterator;

// Goes through several sequences at once. Its elements are tuples of references, to read and to assign to.
template <class... I> class zip_iterator<std::tuple<I...>> {
  public:
    using value_type = std::tuple<typename std::iterator_traits<I>::value_type...>;
    using reference = std::tuple<decltype(*std::declval<I>())...>;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using iterator_category = std::random_access_iterator_tag;
    zip_iterator() = default;
    zip_iterator(std::tuple<I...> parts) : parts_(parts) {}
    reference operator*() const {
        return std::apply([](const I &...part) { return reference(*part...); }, parts_);
    }
    reference operator[](difference_type k) const { return *(*this + k); }
    zip_iterator &operator+=(difference_type k) {
        std::apply([k](I &...part) { ((part += k), ...); }, parts_);
        return *this;
    }
    zip_iterator &operator-=(difference_type k) { return *this += -k; }
    zip_iterator &operator++() { return *this += 1; }
    zip_iterator &operator--() { return *this += -1; }
    zip_iterator operator++(int) { auto before = *this; return ++*this, before; }
    zip_iterator operator--(int) { auto before = *this; return --*this, before; }
    zip_iterator operator+(difference_type k) const { auto moved = *this; return moved += k; }
    zip_iterator operator-(difference_type k) const { auto moved = *this; return moved += -k; }
    difference_type operator-(const zip_iterator &o) const { return std::get<0>(parts_) - std::get<0>(o.parts_); }
    bool operator==(const zip_iterator &o) const { return std::get<0>(parts_) == std::get<0>(o.parts_); }
    bool operator!=(const zip_iterator &o) const { return !(*this == o); }
    bool operator<(const zip_iterator &o) const { return *this - o < 0; }
    const std::tuple<I...> &get_iterator_tuple() const { return parts_; }

  private:
    std::tuple<I...> parts_;
};
template <class... I> zip_iterator<std::tuple<I...>> make_zip_iterator(std::tuple<I...> parts) { return {parts}; }
template <class... I> zip_iterator<std::tuple<I...>> make_zip_iterator(I... parts) { return {std::tuple<I...>(parts...)}; }

// Calls a function with the elements of a tuple as its arguments.
template <class F> struct zip_function {
    F f;
    explicit zip_function(F f) : f(f) {}
    template <class Tuple> decltype(auto) operator()(Tuple &&elements) const { return std::apply(f, std::forward<Tuple>(elements)); }
};
template <class F> zip_function<F> make_zip_function(F f) { return zip_function<F>(f); }

// Goes through the elements of one sequence in the order of the indices in another.
template <class E, class M> class permutation_iterator {
  public:
    using value_type = typename std::iterator_traits<E>::value_type;
    using reference = decltype(std::declval<E>()[0]);
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using iterator_category = std::random_access_iterator_tag;
    permutation_iterator(E elements, M map) : elements_(elements), map_(map) {}
    reference operator*() const { return elements_[static_cast<difference_type>(*map_)]; }
    reference operator[](difference_type k) const { return *(*this + k); }
    permutation_iterator &operator+=(difference_type k) { return map_ += k, *this; }
    permutation_iterator &operator++() { return ++map_, *this; }
    permutation_iterator operator++(int) { return permutation_iterator(elements_, map_++); }
    permutation_iterator operator+(difference_type k) const { return permutation_iterator(elements_, map_ + k); }
    permutation_iterator operator-(difference_type k) const { return permutation_iterator(elements_, map_ - k); }
    difference_type operator-(const permutation_iterator &o) const { return map_ - o.map_; }
    bool operator==(const permutation_iterator &o) const { return map_ == o.map_; }
    bool operator!=(const permutation_iterator &o) const { return map_ != o.map_; }
    E elements() const { return elements_; }
    M map() const { return map_; }

  private:
    E elements_;
    M map_;
};
template <class E, class M> permutation_iterator<E, M> make_permutation_iterator(E elements, M map) { return {elements, map}; }

// Takes any value and keeps none.
class discard_iterator {
  public:
    struct sink { template <class T> const sink &operator=(const T &) const { return *this; } };
    using value_type = sink;
    using reference = sink;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using iterator_category = std::random_access_iterator_tag;
    explicit discard_iterator(difference_type at = 0) : at_(at) {}
    sink operator*() const { return {}; }
    sink operator[](difference_type) const { return {}; }
    discard_iterator &operator++() { return ++at_, *this; }
    discard_iterator operator++(int) { return discard_iterator(at_++); }
    discard_iterator &operator+=(difference_type k) { return at_ += k, *this; }
    discard_iterator operator+(difference_type k) const { return discard_iterator(at_ + k); }
    difference_type operator-(discard_iterator o) const { return at_ - o.at_; }
    bool operator==(discard_iterator o) const { return at_ == o.at_; }
    bool operator!=(discard_iterator o) const { return at_ != o.at_; }

  private:
    difference_type at_;
};
inline discard_iterator make_discard_iterator() { return discard_iterator(); }

}  // namespace thrust
