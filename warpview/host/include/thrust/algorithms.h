// The algorithms of Thrust, carried out by the host. Included by detail.h, whose iterators and policies they use.
#pragma once

namespace thrust {

#define WV_WITH_POLICY(name) \
    template <class P, class I, class... A, class = std::enable_if_t<is_policy<P>>> auto name(const P &, I first, A... further) { \
        if constexpr (!is_device_policy<P>) return thrust::name(first, further...); \
        else if constexpr (std::is_void_v<decltype(thrust::name(detail::on_device(first), detail::on_device(further)...))>) \
            thrust::name(detail::on_device(first), detail::on_device(further)...); \
        else \
            return detail::returned<std::is_pointer_v<I>>(thrust::name(detail::on_device(first), detail::on_device(further)...)); \
    }
template <class I> using value_of = typename std::iterator_traits<I>::value_type;
template <class I> using if_iterator = std::enable_if_t<!is_policy<I>>;

#define WV_OPEN auto b = detail::open(first), e = b + (last - first)
template <class I, class T, class = if_iterator<I>> void fill(I first, I last, const T &value) { WV_OPEN; std::fill(b, e, value); }
template <class I, class N, class T, class = if_iterator<I>> I fill_n(I first, N n, const T &value) { fill(first, first + n, value); return first + n; }
template <class I, class = if_iterator<I>> void sequence(I first, I last) { WV_OPEN; std::iota(b, e, value_of<I>(0)); }
template <class I, class T, class = if_iterator<I>> void sequence(I first, I last, T start) { WV_OPEN; std::iota(b, e, value_of<I>(start)); }
template <class I, class T, class S, class = if_iterator<I>> void sequence(I first, I last, T start, S step) { WV_OPEN; for (T v = start; b != e; ++b, v += step) *b = v; }
template <class I, class F, class = if_iterator<I>> void generate(I first, I last, F f) { WV_OPEN; std::generate(b, e, f); }
template <class I, class F, class = if_iterator<I>> void tabulate(I first, I last, F f) { WV_OPEN; for (std::ptrdiff_t k = 0; b != e; ++b, ++k) *b = f(k); }
template <class I, class O, class = if_iterator<I>> O copy(I first, I last, O to) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::copy(b, e, t)); }
template <class I, class N, class O, class = if_iterator<I>> O copy_n(I first, N n, O to) { return thrust::copy(first, first + n, to); }
template <class I, class O, class F, class = if_iterator<I>> O copy_if(I first, I last, O to, F f) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::copy_if(b, e, t, f)); }
template <class I, class F, class = if_iterator<I>> I for_each(I first, I last, F f) { WV_OPEN; for (; b != e; ++b) f(*b); return last; }
template <class I, class N, class F, class = if_iterator<I>> I for_each_n(I first, N n, F f) { return thrust::for_each(first, first + n, f); }
template <class I, class S, class O, class F, class = if_iterator<I>> O copy_if(I first, I last, S stencil, O to, F f) {
    WV_OPEN;
    auto s = detail::open(stencil);
    auto t = detail::open(to);
    auto end = t;
    for (; b != e; ++b, ++s)
        if (f(*s)) *end++ = *b;
    return detail::close(to, t, end);
}
template <class I, class O, class F, class C, class = if_iterator<I>> O transform_if(I first, I last, O to, F f, C condition) { WV_OPEN; auto t = detail::open(to); for (; b != e; ++b, ++t, ++to) if (condition(*b)) *t = f(*b); return to; }
template <class I, class O, class F, class = if_iterator<I>> O transform(I first, I last, O to, F f) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::transform(b, e, t, f)); }
template <class I, class J, class O, class F, class = if_iterator<I>> O transform(I first, I last, J other, O to, F f) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::transform(b, e, detail::open(other), t, f)); }
template <class I, class T, class F, class = if_iterator<I>> T reduce(I first, I last, T start, F f) { WV_OPEN; return b == e ? start : f(start, detail::in_pairs<T>(b, e - b, f)); }
template <class I, class T, class = if_iterator<I>> T reduce(I first, I last, T start) { return thrust::reduce(first, last, start, std::plus<T>()); }
template <class I, class = if_iterator<I>> value_of<I> reduce(I first, I last) { return thrust::reduce(first, last, value_of<I>(0)); }
template <class I, class U, class T, class F, class = if_iterator<I>> T transform_reduce(I first, I last, U unary, T start, F f) { auto values = make_transform_iterator(first, unary); return thrust::reduce(values, values + (last - first), start, f); }
template <class I, class J, class T, class F, class G, class = if_iterator<I>> T inner_product(I first, I last, J other, T start, F f, G g) {
    WV_OPEN;
    auto o = detail::open(other);
    auto products = make_transform_iterator(counting_iterator<std::ptrdiff_t>(0), [=](std::ptrdiff_t k) { return g(b[k], o[k]); });
    return b == e ? start : f(start, detail::in_pairs<T>(products, e - b, f));
}
template <class I, class J, class T, class = if_iterator<I>> T inner_product(I first, I last, J other, T start) { return thrust::inner_product(first, last, other, start, std::plus<T>(), std::multiplies<>()); }
template <class I, class T, class = if_iterator<I>> std::ptrdiff_t count(I first, I last, const T &value) { WV_OPEN; return std::count(b, e, value); }
template <class I, class F, class = if_iterator<I>> std::ptrdiff_t count_if(I first, I last, F f) { WV_OPEN; return std::count_if(b, e, f); }
template <class I, class F = std::less<>, class = if_iterator<I>> I min_element(I first, I last, F f = F()) { WV_OPEN; return detail::close(first, b, std::min_element(b, e, f)); }
template <class I, class F = std::less<>, class = if_iterator<I>> I max_element(I first, I last, F f = F()) { WV_OPEN; return detail::close(first, b, std::max_element(b, e, f)); }
template <class I, class = if_iterator<I>> std::pair<I, I> minmax_element(I first, I last) { WV_OPEN; auto r = std::minmax_element(b, e); return {detail::close(first, b, r.first), detail::close(first, b, r.second)}; }
template <class I, class F = std::less<>, class = if_iterator<I>> void sort(I first, I last, F f = F()) { WV_OPEN; std::stable_sort(b, e, f); }
template <class I, class F = std::less<>, class = if_iterator<I>> void stable_sort(I first, I last, F f = F()) { thrust::sort(first, last, f); }
template <class I, class F = std::less<>, class = if_iterator<I>> bool is_sorted(I first, I last, F f = F()) { WV_OPEN; return std::is_sorted(b, e, f); }
template <class I, class J, class F = std::less<>, class = if_iterator<I>> void stable_sort_by_key(I first, I last, J values, F f = F()) {
    WV_OPEN;
    auto v = detail::open(values);
    std::vector<std::pair<value_of<I>, value_of<J>>> both;
    for (std::ptrdiff_t k = 0; k < e - b; ++k) both.emplace_back(b[k], v[k]);
    std::stable_sort(both.begin(), both.end(), [&](const auto &x, const auto &y) { return f(x.first, y.first); });
    for (std::size_t k = 0; k < both.size(); ++k) b[k] = both[k].first, v[k] = both[k].second;
}
template <class I, class J, class F = std::less<>, class = if_iterator<I>> void sort_by_key(I first, I last, J values, F f = F()) { thrust::stable_sort_by_key(first, last, values, f); }
template <class I, class O, class F = std::plus<>, class = if_iterator<I>> O inclusive_scan(I first, I last, O to, F f = F()) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::partial_sum(b, e, t, f)); }
template <class I, class O, class T, class F, class = if_iterator<I>> O exclusive_scan(I first, I last, O to, T start, F f) {
    WV_OPEN;
    auto t = detail::open(to);
    for (; b != e; ++b, ++t, ++to) {
        T next = f(start, *b);
        *t = start;
        start = next;
    }
    return to;
}
template <class I, class O, class T, class = if_iterator<I>> O exclusive_scan(I first, I last, O to, T start) { return thrust::exclusive_scan(first, last, to, start, std::plus<>()); }
template <class I, class O, class = if_iterator<I>> O exclusive_scan(I first, I last, O to) { return thrust::exclusive_scan(first, last, to, value_of<I>(0)); }
template <class I, class O, class U, class F, class = if_iterator<I>> O transform_inclusive_scan(I first, I last, O to, U unary, F f) {
    WV_OPEN;
    auto t = detail::open(to);
    if (b == e) return to;
    auto sum = unary(*b);
    for (;;) {
        *t = sum;
        ++t, ++to;
        if (++b == e) return to;
        sum = f(sum, unary(*b));
    }
}
template <class I, class O, class U, class T, class F, class = if_iterator<I>> O transform_exclusive_scan(I first, I last, O to, U unary, T start, F f) {
    WV_OPEN;
    auto t = detail::open(to);
    for (; b != e; ++b, ++t, ++to) {
        T next = f(start, unary(*b));
        *t = start;
        start = next;
    }
    return to;
}
template <class I, class J, class O, class E = std::equal_to<>, class F = std::plus<>, class = if_iterator<I>> O inclusive_scan_by_key(I first, I last, J values, O to, E equal = E(), F f = F()) {
    WV_OPEN;
    auto v = detail::open(values);
    auto t = detail::open(to);
    for (std::ptrdiff_t k = 0; k < e - b; ++k) t[k] = k && equal(b[k - 1], b[k]) ? f(t[k - 1], v[k]) : v[k];
    return to + (last - first);
}
template <class I, class J, class O, class T = value_of<J>, class E = std::equal_to<>, class F = std::plus<>, class = if_iterator<I>> O exclusive_scan_by_key(I first, I last, J values, O to, T start = T(0), E equal = E(), F f = F()) {
    WV_OPEN;
    auto v = detail::open(values);
    auto t = detail::open(to);
    T sum = start;
    for (std::ptrdiff_t k = 0; k < e - b; ++k) {
        if (k && !equal(b[k - 1], b[k])) sum = start;
        T next = f(sum, v[k]);
        t[k] = sum;
        sum = next;
    }
    return to + (last - first);
}
template <class I, class O, class F = std::minus<>, class = if_iterator<I>> O adjacent_difference(I first, I last, O to, F f = F()) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::adjacent_difference(b, e, t, f)); }
template <class I, class J, class K, class V, class E = std::equal_to<>, class F = std::plus<>, class = if_iterator<I>>
std::pair<K, V> reduce_by_key(I first, I last, J values, K keys, V sums, E equal = E(), F f = F()) {
    WV_OPEN;
    auto v = detail::open(values);
    auto k = detail::open(keys);
    auto s = detail::open(sums);
    while (b != e) {
        auto key = *b;
        auto sum = *v;
        for (++b, ++v; b != e && equal(key, *b); ++b, ++v) sum = f(sum, *v);
        *k = key, *s = sum;
        ++k, ++s, ++keys, ++sums;
    }
    return {keys, sums};
}
template <class I, class F = std::equal_to<>, class = if_iterator<I>> I unique(I first, I last, F f = F()) { WV_OPEN; return detail::close(first, b, std::unique(b, e, f)); }
template <class I, class O, class F = std::equal_to<>, class = if_iterator<I>> O unique_copy(I first, I last, O to, F f = F()) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::unique_copy(b, e, t, f)); }
template <class I, class J, class F = std::equal_to<>, class = if_iterator<I>> std::pair<I, J> unique_by_key(I first, I last, J values, F f = F()) {
    WV_OPEN;
    auto v = detail::open(values);
    std::ptrdiff_t kept = 0;
    for (std::ptrdiff_t k = 0; k < e - b; ++k)
        if (!kept || !f(b[kept - 1], b[k])) b[kept] = b[k], v[kept] = v[k], ++kept;
    return {first + kept, values + kept};
}
template <class I, class F, class = if_iterator<I>> I remove_if(I first, I last, F f) { WV_OPEN; return detail::close(first, b, std::remove_if(b, e, f)); }
template <class I, class S, class F, class = if_iterator<I>> I remove_if(I first, I last, S stencil, F f) {
    WV_OPEN;
    auto s = detail::open(stencil);
    auto kept = b;
    for (auto from = b; from != e; ++from, ++s)
        if (!f(*s)) *kept++ = *from;
    return detail::close(first, b, kept);
}
template <class I, class O, class F, class = if_iterator<I>> O remove_copy_if(I first, I last, O to, F f) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::remove_copy_if(b, e, t, f)); }
template <class I, class O, class T, class = if_iterator<I>> O remove_copy(I first, I last, O to, const T &v) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::remove_copy(b, e, t, v)); }
template <class I, class T, class = if_iterator<I>> I remove(I first, I last, const T &v) { WV_OPEN; return detail::close(first, b, std::remove(b, e, v)); }
template <class I, class F, class = if_iterator<I>> I partition(I first, I last, F f) { WV_OPEN; return detail::close(first, b, std::stable_partition(b, e, f)); }
template <class I, class F, class = if_iterator<I>> I stable_partition(I first, I last, F f) { return thrust::partition(first, last, f); }
template <class I, class O, class P, class F, class = if_iterator<I>> std::pair<O, P> partition_copy(I first, I last, O holds, P others, F f) {
    WV_OPEN;
    auto h = detail::open(holds);
    auto o = detail::open(others);
    auto r = std::partition_copy(b, e, h, o, f);
    return {detail::close(holds, h, r.first), detail::close(others, o, r.second)};
}
template <class I, class O, class P, class F, class = if_iterator<I>> std::pair<O, P> stable_partition_copy(I first, I last, O holds, P others, F f) { return thrust::partition_copy(first, last, holds, others, f); }
template <class I, class F, class = if_iterator<I>> bool is_partitioned(I first, I last, F f) { WV_OPEN; return std::is_partitioned(b, e, f); }
template <class I, class T, class U, class = if_iterator<I>> void replace(I first, I last, const T &from, const U &to) { WV_OPEN; std::replace(b, e, value_of<I>(from), value_of<I>(to)); }
template <class I, class F, class T, class = if_iterator<I>> void replace_if(I first, I last, F f, const T &to) { WV_OPEN; std::replace_if(b, e, f, value_of<I>(to)); }
template <class I, class O, class F, class T, class = if_iterator<I>> O replace_copy_if(I first, I last, O to, F f, const T &v) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::replace_copy_if(b, e, t, f, value_of<I>(v))); }
template <class I, class J, class = if_iterator<I>> J swap_ranges(I first, I last, J other) { WV_OPEN; auto o = detail::open(other); return detail::close(other, o, std::swap_ranges(b, e, o)); }
template <class I, class O, class = if_iterator<I>> O reverse_copy(I first, I last, O to) { WV_OPEN; auto t = detail::open(to); return detail::close(to, t, std::reverse_copy(b, e, t)); }
template <class I, class = if_iterator<I>> void reverse(I first, I last) { WV_OPEN; std::reverse(b, e); }
template <class I, class T, class = if_iterator<I>> I find(I first, I last, const T &value) { WV_OPEN; return detail::close(first, b, std::find(b, e, value)); }
template <class I, class F, class = if_iterator<I>> I find_if(I first, I last, F f) { WV_OPEN; return detail::close(first, b, std::find_if(b, e, f)); }
template <class I, class F, class = if_iterator<I>> I find_if_not(I first, I last, F f) { WV_OPEN; return detail::close(first, b, std::find_if_not(b, e, f)); }
template <class I, class J, class = if_iterator<I>> std::pair<I, J> mismatch(I first, I last, J other) { WV_OPEN; auto o = detail::open(other); auto r = std::mismatch(b, e, o); return {detail::close(first, b, r.first), detail::close(other, o, r.second)}; }
template <class I, class T, class = if_iterator<I>> I lower_bound(I first, I last, const T &value) { WV_OPEN; return detail::close(first, b, std::lower_bound(b, e, value)); }
template <class I, class T, class = if_iterator<I>> I upper_bound(I first, I last, const T &value) { WV_OPEN; return detail::close(first, b, std::upper_bound(b, e, value)); }
template <class I, class T, class = if_iterator<I>> bool binary_search(I first, I last, const T &value) { WV_OPEN; return std::binary_search(b, e, value); }
// The same searches for each of a range of values.
template <class I, class J, class O, class = if_iterator<I>> O lower_bound(I first, I last, J values, J values_end, O to) { WV_OPEN; auto v = detail::open(values); auto t = detail::open(to); return detail::close(to, t, std::transform(v, v + (values_end - values), t, [&](const auto &x) { return std::lower_bound(b, e, x) - b; })); }
template <class I, class J, class O, class = if_iterator<I>> O upper_bound(I first, I last, J values, J values_end, O to) { WV_OPEN; auto v = detail::open(values); auto t = detail::open(to); return detail::close(to, t, std::transform(v, v + (values_end - values), t, [&](const auto &x) { return std::upper_bound(b, e, x) - b; })); }
template <class I, class J, class F = std::equal_to<>, class = if_iterator<I>> bool equal(I first, I last, J other, F f = F()) { WV_OPEN; return std::equal(b, e, detail::open(other), f); }
template <class I, class F, class = if_iterator<I>> bool all_of(I first, I last, F f) { WV_OPEN; return std::all_of(b, e, f); }
template <class I, class F, class = if_iterator<I>> bool any_of(I first, I last, F f) { WV_OPEN; return std::any_of(b, e, f); }
template <class I, class F, class = if_iterator<I>> bool none_of(I first, I last, F f) { WV_OPEN; return std::none_of(b, e, f); }
template <class I, class J, class O, class = if_iterator<I>> O gather(I first, I last, J from, O to) { WV_OPEN; auto s = detail::open(from); auto t = detail::open(to); for (; b != e; ++b, ++t, ++to) *t = s[*b]; return to; }
template <class I, class J, class O, class = if_iterator<I>> void scatter(I first, I last, J map, O to) { WV_OPEN; auto m = detail::open(map); auto t = detail::open(to); for (; b != e; ++b, ++m) t[*m] = *b; }
// Algorithms of two sorted ranges.
#define WV_OF_TWO(name) \
    template <class I, class J, class O, class F = std::less<>, class = if_iterator<I>> O name(I first, I last, J first2, J last2, O to, F f = F()) { \
        WV_OPEN; \
        auto c = detail::open(first2); \
        auto t = detail::open(to); \
        return detail::close(to, t, std::name(b, e, c, c + (last2 - first2), t, f)); \
    }
WV_OF_TWO(merge)
WV_OF_TWO(set_union)
WV_OF_TWO(set_intersection)
WV_OF_TWO(set_difference)
WV_OF_TWO(set_symmetric_difference)
#undef WV_OF_TWO
#undef WV_OPEN

#define WV_ALL(W) \
    W(fill) W(fill_n) W(sequence) W(generate) W(tabulate) W(copy) W(copy_n) W(copy_if) W(for_each) W(for_each_n) W(transform) \
    W(reduce) W(transform_reduce) W(inner_product) W(count) W(count_if) W(min_element) W(max_element) W(minmax_element) \
    W(sort) W(stable_sort) W(is_sorted) W(stable_sort_by_key) W(sort_by_key) W(inclusive_scan) W(exclusive_scan) \
    W(adjacent_difference) W(reduce_by_key) W(unique) W(remove_if) W(remove) W(partition) W(replace) W(replace_if) \
    W(reverse) W(find) W(find_if) W(lower_bound) W(upper_bound) W(binary_search) W(equal) W(all_of) W(any_of) W(none_of) \
    W(gather) W(scatter) W(merge) W(set_union) W(set_intersection) W(set_difference) W(set_symmetric_difference) \
    W(stable_partition) W(partition_copy) W(stable_partition_copy) W(is_partitioned) W(unique_copy) W(unique_by_key) \
    W(remove_copy_if) W(remove_copy) W(replace_copy_if) W(swap_ranges) W(reverse_copy) W(find_if_not) W(mismatch) \
    W(transform_if) W(transform_inclusive_scan) W(transform_exclusive_scan) W(inclusive_scan_by_key) \
    W(exclusive_scan_by_key)
WV_ALL(WV_WITH_POLICY)
#undef WV_ALL
#undef WV_WITH_POLICY

}  // namespace thrust
