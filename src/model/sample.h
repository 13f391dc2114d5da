// SPDX-License-Identifier: Apache-2.0
/// What readers take from counter logs: samples of a series, and marks that explain them.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"
#include "model/counters.h"

namespace fathom {

using SeriesId = std::uint32_t;  // within one ingest; see ingest/harvest.h
using SourceId = std::uint32_t;  // one ingested file; 0 is none

/// One counted thing: a server's share of a file system, for one job where the server tags its counters.
struct SeriesName {
  std::string server;
  std::string filesystem;  // empty: the server's total
  std::string job;         // empty: not tagged by job

  bool operator==(const SeriesName&) const = default;
  auto operator<=>(const SeriesName&) const = default;
};

/// How the values of a sample are to be understood; bits.
enum SampleTraits : std::uint8_t {
  cumulative = 0,
  per_interval = 1,     // the amount since the previous sample, not a running total
  narrow_ops = 2,       // every counter but the two byte counters is unsigned 32-bit and wraps (mmpmon)
  drop_is_unmount = 4,  // a fall means that a file system left the total (mmpmon _io_s_)
  drop_is_expiry = 8,   // a fall means that an idle entry was thrown away (Lustre job_stats)
};

/// The counters of a series as read at time t.
struct Sample {
  Time t{};
  /// When the counters were last zero, if the log says so (Lustre start_time); for per_interval samples the
  /// start of the interval where the row tells it (its step). no_time where unknown.
  Time since = no_time;
  SeriesId series = 0;
  SourceId source = 0;
  CounterMask has = 0;  // counters that this source reports; the others are unknown, not zero
  std::uint8_t traits = cumulative;
  Counters values{};
};

/// Facts about a server that are not counters.
enum class MarkKind : std::uint8_t {
  reset = 0,  // the counters of all its file systems were set to zero at this time
  visit = 1,  // its job-tagged counters were all read at this time: a job not among them had none
};

struct Mark {
  std::string server;
  std::string filesystem;  // empty: all of them
  MarkKind kind = MarkKind::reset;
  Time t{};
  SourceId source = 0;

  bool operator==(const Mark&) const = default;
  auto operator<=>(const Mark&) const = default;
};

}  // namespace fathom
