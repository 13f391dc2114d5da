// SPDX-License-Identifier: Apache-2.0
/// What a storage server counts, in one fixed order for every log format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom {

enum class Counter : std::uint8_t { read_bytes, write_bytes, read_ops, write_ops, opens, closes, dirs, inode_updates, metadata_ops };

inline constexpr std::size_t counter_count = 9;

/// Names as they stand in files and on the command line.
inline constexpr std::array<std::string_view, counter_count> counter_names = {
    "read_bytes", "write_bytes", "read_ops", "write_ops", "opens", "closes", "dirs", "inode_updates", "metadata_ops"};

using Counters = std::array<std::uint64_t, counter_count>;

/// A set of counters: which ones a source has, which ones fell, ...
using CounterMask = std::uint16_t;

constexpr std::size_t index(Counter c) { return static_cast<std::size_t>(c); }
constexpr CounterMask mask(Counter c) { return static_cast<CounterMask>(1u << index(c)); }
constexpr bool holds(CounterMask set, std::size_t i) { return (set >> i & 1u) != 0; }

inline constexpr CounterMask all_counters = (1u << counter_count) - 1;
inline constexpr CounterMask byte_counters = mask(Counter::read_bytes) | mask(Counter::write_bytes);
/// Data: bytes and requests. A server that counts none of these is one for metadata.
inline constexpr CounterMask data_counters = byte_counters | mask(Counter::read_ops) | mask(Counter::write_ops);
/// What GPFS's mmpmon counts: metadata operations kind by kind, with no count of all of them.
inline constexpr CounterMask mmpmon_counters = all_counters & ~mask(Counter::metadata_ops);
/// Kinds of metadata operations that a server may count one by one. Who has no count of all of them takes the sum of these four, where all
/// are known.
inline constexpr std::array<Counter, 4> metadata_parts = {Counter::opens, Counter::closes, Counter::dirs, Counter::inode_updates};

}  // namespace fathom
