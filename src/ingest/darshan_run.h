// SPDX-License-Identifier: Apache-2.0
/// A Darshan log as a run of its job: the header that all its printed forms share, and time slices of what its processes did.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/reader.h"
#include "slices/sheet.h"

namespace fathom {

/// `# darshan log version: 3.41` or another line of the header, at the begin of a file.
bool begins_as_darshan_log(std::string_view first_bytes);

/// A stretch of a run: Unix times in nanoseconds, the begin not after the end.
struct RunStretch {
  std::int64_t begin = 0, end = 0;
};

class DarshanRun {
 public:
  DarshanRun(const ReadOptions& options, Harvest& harvest);

  /// A line that begins with '#': `# jobid: 4478544`. Others than the header's are passed over.
  void comment(std::string_view line);
  bool has_start() const { return start_.has_value(); }

  /// From seconds since the log's start; nothing where they make no sense.
  std::optional<RunStretch> stretch(std::optional<double> begin, std::optional<double> end) const;
  /// All of the run, as far as the header tells it.
  RunStretch whole() const;

  /// Adds an amount, evenly over the stretch. False where it is so much that sums would overflow.
  bool add(std::int32_t rank, std::string_view host, RunStretch stretch, slices::Counter counter, std::uint64_t amount);
  /// Times inside calls, in nanoseconds: those beyond what a sum holds are cut off.
  void add_time(std::int32_t rank, std::string_view host, RunStretch stretch, slices::Counter counter, double seconds);

  /// Hands the run over. An error where the header does not tell job and start, or where slices would be too many.
  Result<void> deliver(const std::string& path);

 private:
  slices::Sheet& sheet(std::int32_t rank, std::string_view host);
  std::int64_t told_end() const;
  Result<void> fill(JobRun& run, const std::string& path);

  const ReadOptions& options_;
  Harvest& harvest_;
  std::int64_t length_;  // of a slice, nanoseconds
  std::string job_, user_, command_;
  std::optional<Time> start_, end_;
  double run_time_ = 0;
  std::int64_t ranks_ = 0;
  std::int64_t last_ = 0;  // of all stretches
  std::uint64_t total_ = 0, total_time_ = 0;
  using Unit = std::pair<std::int32_t, std::string>;  // rank and host
  std::map<Unit, slices::Sheet> sheets_;
  std::map<Unit, slices::Sheet>::iterator latest_;
};

/// Goes through a printed log: lines that begin with '#', and the others that are not empty with their numbers. Counts them for the
/// harvest.
Result<void> for_each_darshan_line(LineInput& input, const ReadOptions& options, Harvest& harvest,
                                   const std::function<void(std::string_view line)>& comment,
                                   const std::function<void(std::string_view line, std::uint64_t number)>& entry);

/// A rank as Darshan prints it; -1 stands for all ranks together.
std::optional<std::int32_t> darshan_rank(std::string_view text);

}  // namespace fathom
