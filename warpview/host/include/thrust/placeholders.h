// Expressions of placeholders as function objects: `_1 * 2 + _2`.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace thrust {
namespace detail {

// A function object of an expression; `F` takes all arguments.
template <class F> struct expression {
    F f;
    template <class... A> constexpr auto operator()(const A &...arguments) const { return f(arguments...); }
};
template <class F> expression(F) -> expression<F>;
template <class T> inline constexpr bool is_expression = false;
template <class F> inline constexpr bool is_expression<expression<F>> = true;

template <std::size_t N> struct argument {
    template <class... A> constexpr auto operator()(const A &...arguments) const { return std::get<N>(std::tie(arguments...)); }
};

// The value of an operand: of an expression for the arguments, else itself.
template <class T, class... A> constexpr auto value_in(const T &operand, const A &...arguments) {
    if constexpr (is_expression<T>) return operand(arguments...);
    else return operand;
}

#define WV_BINARY(op) \
    template <class L, class R, class = std::enable_if_t<is_expression<L> || is_expression<R>>> \
    constexpr auto operator op(const L &l, const R &r) { \
        return expression{[l, r](const auto &...a) { return value_in(l, a...) op value_in(r, a...); }}; \
    }
WV_BINARY(+) WV_BINARY(-) WV_BINARY(*) WV_BINARY(/) WV_BINARY(%) WV_BINARY(==) WV_BINARY(!=) WV_BINARY(<) WV_BINARY(<=)
WV_BINARY(>) WV_BINARY(>=) WV_BINARY(&&) WV_BINARY(||) WV_BINARY(&) WV_BINARY(|) WV_BINARY(^) WV_BINARY(<<) WV_BINARY(>>)
#undef WV_BINARY
#define WV_UNARY(op) \
    template <class F> constexpr auto operator op(const expression<F> &x) { \
        return expression{[x](const auto &...a) { return op x(a...); }}; \
    }
WV_UNARY(-) WV_UNARY(!) WV_UNARY(~)
#undef WV_UNARY

}  // namespace detail

namespace placeholders {
inline constexpr detail::expression<detail::argument<0>> _1{};
inline constexpr detail::expression<detail::argument<1>> _2{};
inline constexpr detail::expression<detail::argument<2>> _3{};
}  // namespace placeholders
}  // namespace thrust
