// SPDX-License-Identifier: Apache-2.0
/// Amounts as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace fathom {

std::string human_bytes(double bytes);         // 12.7 GiB
std::string human_size(std::uint64_t bytes);   // 4 KiB, 1 TiB; what is not whole as human_bytes
std::string human_count(std::uint64_t count);  // 1,257,276
/// 1 reset, 1,234 resets, 2 processes; `many` where another ending makes the plural.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});
std::string human_duration(Duration length);  // 2 d 03:15:00, 120 s
std::string human_percent(double fraction);   // 99.8 %; 100 % only when it is

/// An amount of bytes as people type it: 4096, 4K, 4Ki, 4KiB, 1M, 2G, all in powers of 1024. Nothing for anything else.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

}  // namespace fathom
