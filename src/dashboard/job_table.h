// SPDX-License-Identifier: Apache-2.0
/// All jobs of a store as columns in memory, by start: filters and lists run over them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/store.h"

namespace fathom::dashboard {

/// Texts that occur often, once each.
class Words {
 public:
  std::uint32_t place(std::string_view text);
  const std::string& operator[](std::uint32_t place) const { return texts_[place]; }
  std::size_t size() const { return texts_.size(); }
  /// UINT32_MAX if there is none.
  std::uint32_t find(std::string_view text) const;

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> places_;
};

struct JobTable {
  std::vector<std::string> ids;
  std::vector<std::uint32_t> user, name;  // places in the words
  std::vector<std::uint32_t> nodes;       // 0: unknown
  std::vector<double> start, end;         // Unix seconds; end NaN: still running when logged
  Words users, names;
  double longest = 0;                  // run time of the longest with an end, seconds
  std::vector<std::uint32_t> running;  // rows without an end

  std::size_t size() const { return ids.size(); }
  double duration(std::size_t row) const { return end[row] - start[row]; }  // NaN while it runs
  /// Rows with this id, by start: Slurm uses numbers again.
  std::vector<std::uint32_t> rows_of(std::string_view id) const;
  /// Rows of jobs that ran at some time in [from, to), by start.
  std::vector<std::uint32_t> overlapping(double from, double to) const;

  void index();

 private:
  std::unordered_multimap<std::string_view, std::uint32_t> rows_;
};

Result<JobTable> read_job_table(const Snapshot& snapshot);

}  // namespace fathom::dashboard
