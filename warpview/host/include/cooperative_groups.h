// The names of cooperative groups, for the signatures of device functions: their bodies run on the device only.
#pragma once

namespace cooperative_groups {
struct thread_group {};
struct thread_block : thread_group {};
struct grid_group : thread_group {};
struct coalesced_group : thread_group {};
template <unsigned Size, class Parent = void> struct thread_block_tile : thread_group {};
template <class T> struct plus {};
template <class T> struct less {};
template <class T> struct greater {};
template <class T> struct bit_and {};
template <class T> struct bit_or {};
template <class T> struct bit_xor {};
}  // namespace cooperative_groups
