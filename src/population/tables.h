// SPDX-License-Identifier: Apache-2.0
/// The papers' tables about all jobs: 80 % values by threshold, small requests, request sizes, opens against closes, jobs above the peak.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "characterise/study.h"

namespace fathom {

/// One row of P Table II: what 80 % of the jobs do not exceed; read and write.
struct EightyPercentRow {
  std::uint64_t threshold;
  std::array<double, 2> intensity, burstiness, parallel_intensity;
};
std::vector<EightyPercentRow> eighty_percent_table(const Study& study);

/// All requests of all jobs together (D Figs. 4.24, 4.25, Table 4.9); read and write.
struct AllRequests {
  std::array<std::vector<double>, 2> by_class;  // operations; classes of timeline/request_sizes.h
  std::array<std::vector<double>, 2> small;     // operations of at most StudyOptions::small[k] bytes
  std::array<double, 2> operations{};
  std::array<double, 2> bytes_without_operations{};  // no size can be told

  double small_share(std::size_t direction, std::size_t k) const;  // NaN without operations
  /// The end of the first size class with which at least `percent` % of the requests are counted; NaN without requests.
  double size_reached(std::size_t direction, unsigned percent) const;
};
AllRequests all_requests(const Study& study);

/// D 4.5.3, classification 1.5: files that are opened should be closed.
struct OpensAndCloses {
  std::uint64_t more_opens = 0, more_closes = 0, equal = 0;
  std::uint64_t unknown = 0;       // not counted, or neither opens nor closes
  double p80_relative_difference;  // |opens - closes| / (opens + closes)
};
OpensAndCloses opens_and_closes(const Study& study);

/// A job that was faster than the machine can be: buffering, or a wrong link.
struct AbovePeak {
  std::size_t at;  // index into Analysis::jobs
  Direction x;
  double bandwidth;
};
/// Read before write, fastest first.
std::vector<AbovePeak> above_peak(const Study& study, double peak);

}  // namespace fathom
