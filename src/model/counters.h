// SPDX-License-Identifier: Apache-2.0
/// What a storage server counts, in one fixed order for every log format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom {

enum class Counter : std::uint8_t { read_bytes, write_bytes, read_ops, write_ops, opens, closes, dirs, inode_updates };

inline constexpr std::size_t counter_count = 8;

/// Names as they stand in files and on the command line.
inline constexpr std::array<std::string_view, counter_count> counter_names = {
    "read_bytes", "write_bytes", "read_ops", "write_ops", "opens", "closes", "dirs", "inode_updates"};

using Counters = std::array<std::uint64_t, counter_count>;

/// A set of counters: which ones a source has, which ones fell, ...
using CounterMask = std::uint8_t;

constexpr std::size_t index(Counter c) { return static_cast<std::size_t>(c); }
constexpr CounterMask mask(Counter c) { return static_cast<CounterMask>(1u << index(c)); }
constexpr bool holds(CounterMask set, std::size_t i) { return (set >> i & 1u) != 0; }

inline constexpr CounterMask all_counters = 0xff;
inline constexpr CounterMask byte_counters = mask(Counter::read_bytes) | mask(Counter::write_bytes);

}  // namespace fathom
