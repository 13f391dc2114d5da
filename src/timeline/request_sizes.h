// SPDX-License-Identifier: Apache-2.0
/// How large requests are. Traces give every size; counters give the average of each increment, weighted by its operations.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/wide.h"
#include "timeline/stretch.h"

namespace fathom {

/// Classes of sizes: eight to each factor of two, and one for empty requests.
inline constexpr std::size_t size_classes_per_octave = 8;
inline constexpr std::size_t size_class_count = 1 + 48 * size_classes_per_octave;

/// The class of a size in bytes, 0 for sizes below 1; the last class holds all that is larger.
std::size_t size_class(double bytes);
/// Smallest size of a class.
double size_class_begin(std::size_t size_class);

struct RequestSizes {
  /// Operations with at most small[k] bytes, for the sizes asked for.
  std::array<std::vector<double>, 2> small;  // read, write
  /// All operations of which the size is known.
  std::array<double, 2> sized{};
  /// Operations by class; empty unless asked for.
  std::array<std::vector<double>, 2> classes;
  /// Increments that counted bytes but no operation: no size can be told. Their bytes, as far as they are the job's, and their number.
  std::array<double, 2> bytes_without_ops{};
  std::array<std::uint64_t, 2> increments_without_ops{};

  void prepare(std::size_t small_sizes, bool distribution);
  /// Takes a stretch's requests in one direction: `ops` operations with `bytes` in all, of which `share` are the job's.
  void add(std::size_t direction, std::int64_t bytes, std::int64_t ops, double share, std::span<const std::uint64_t> small_sizes) {
    if (ops <= 0) {
      if (bytes > 0) bytes_without_ops[direction] += static_cast<double>(bytes) * share, ++increments_without_ops[direction];
      return;
    }
    const double weight = static_cast<double>(ops) * share;
    sized[direction] += weight;
    // Averages are compared without dividing: bytes <= size * ops, exactly.
    for (std::size_t k = small_sizes.size(); k-- > 0;) {
      if (static_cast<Uint128>(small_sizes[k]) * static_cast<std::uint64_t>(ops) < static_cast<std::uint64_t>(bytes)) break;
      small[direction][k] += weight;
    }
    if (!classes[direction].empty()) classes[direction][size_class(static_cast<double>(bytes) / static_cast<double>(ops))] += weight;
  }
};

}  // namespace fathom
