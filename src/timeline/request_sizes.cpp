// SPDX-License-Identifier: Apache-2.0
#include "timeline/request_sizes.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fathom {

static_assert(size_classes_per_octave == 8, "size_class takes three bits of the mantissa");

std::size_t size_class(double bytes) {
  if (!(bytes >= 1)) return 0;
  const auto bits = std::bit_cast<std::uint64_t>(bytes);
  const std::uint64_t octave = (bits >> 52) - 1023, eighth = bits >> 49 & 7;
  return std::min<std::size_t>(1 + octave * 8 + eighth, size_class_count - 1);
}

double size_class_begin(std::size_t size_class) {
  if (size_class == 0) return 0;
  const std::size_t eighths = size_class - 1;
  return std::ldexp(1 + static_cast<double>(eighths % 8) / 8, static_cast<int>(eighths / 8));
}

void RequestSizes::prepare(std::size_t small_sizes, bool distribution) {
  for (std::size_t d = 0; d < 2; ++d) {
    small[d].assign(small_sizes, 0);
    classes[d].assign(distribution ? size_class_count : 0, 0);
  }
  sized = bytes_without_ops = {};
  increments_without_ops = {};
}

}  // namespace fathom
