// Annotations of NVIDIA Tools Extension as objects of C++, which say nothing here.
#pragma once

#include "nvToolsExt.h"

namespace nvtx3 {
struct domain {
    struct global {};
};
struct rgb { template <class... T> explicit constexpr rgb(T...) {} };
struct argb { template <class... T> explicit constexpr argb(T...) {} };
struct payload { template <class T> explicit constexpr payload(T) {} };
struct event_attributes { template <class... T> explicit event_attributes(const T &...) {} };
template <class D> struct registered_string_in { template <class T> explicit registered_string_in(T) {} };
template <class D> struct named_category_in { template <class... T> explicit named_category_in(T...) {} };
template <class D> struct scoped_range_in {
    template <class... T> explicit scoped_range_in(const T &...) {}
    scoped_range_in(const scoped_range_in &) = delete;
};
template <class D> struct unique_range_in { template <class... T> explicit unique_range_in(const T &...) {} };
template <class D, class... T> void mark_in(const T &...) {}

using registered_string = registered_string_in<domain::global>;
using named_category = named_category_in<domain::global>;
using scoped_range = scoped_range_in<domain::global>;
using unique_range = unique_range_in<domain::global>;
template <class... T> void mark(const T &...) {}
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IN(D)
