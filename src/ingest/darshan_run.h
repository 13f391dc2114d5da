// SPDX-License-Identifier: Apache-2.0
/// A Darshan log as a run of its job: the header that all its printed forms share, and time slices of what its processes did.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
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
  static constexpr std::size_t usual_most_slices = std::size_t{1} << 21;  // some 500 MB

  /// `most_slices`: of all processes together.
  DarshanRun(const ReadOptions& options, Harvest& harvest, std::size_t most_slices = usual_most_slices);

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

  /// There were too many slices: nothing more is added, and deliver() will say so.
  bool full() const { return full_; }

  /// Hands the run over. An error where the header does not tell job and start, or where slices would be too many.
  Result<void> deliver(const std::string& path);

 private:
  /// Slices of a process, and the numbers of those that stretches begin and end in.
  struct Process {
    explicit Process(std::int64_t length) : sheet(length) {}
    slices::Sheet sheet;
    std::unordered_set<std::int64_t> met;
    std::int64_t latest = -1;  // of them
  };
  using Unit = std::pair<std::int32_t, std::string>;  // rank and host

  Process& process(std::int32_t rank, std::string_view host);
  void meet(Process& process, std::int64_t slice);
  void spread(std::int32_t rank, std::string_view host, RunStretch stretch, slices::Counter counter, std::uint64_t amount);
  Error too_many(const std::string& path) const;
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
  std::size_t most_slices_, slices_ = 0;
  bool full_ = false;
  std::map<Unit, Process> processes_;
  std::map<Unit, Process>::iterator latest_;
};

/// Goes through a printed log, until the run is full: lines that begin with '#', and the others that are not empty with their numbers.
/// Counts them for the harvest.
Result<void> for_each_darshan_line(LineInput& input, const ReadOptions& options, Harvest& harvest, const DarshanRun& run,
                                   const std::function<void(std::string_view line)>& comment,
                                   const std::function<void(std::string_view line, std::uint64_t number)>& entry);

/// A rank as Darshan prints it; -1 stands for all ranks together.
std::optional<std::int32_t> darshan_rank(std::string_view text);

}  // namespace fathom
