// SPDX-License-Identifier: Apache-2.0
/// Amounts as people read them.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

namespace fathom {

std::string human_bytes(double bytes);         // 12.7 GiB
std::string human_size(std::uint64_t bytes);    // 4 KiB, 1 TiB; what is not whole as human_bytes
std::string human_count(std::uint64_t count);  // 1,257,276
std::string human_duration(Duration length);   // 2 d 03:15:00, 120 s
std::string human_percent(double fraction);    // 99.8 %; 100 % only when it is

}  // namespace fathom
