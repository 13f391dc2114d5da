// SPDX-License-Identifier: Apache-2.0
/// One MPI-IO call with the POSIX calls inside it, on every rank that took part (RIOT Figs. 6 and 7).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace_analysis/decompose.h"

namespace fathom::trace {

/// Says which calls of the ranks are one collective call: the n-th collective call on a file.
class CollectiveCalls {
 public:
  /// From 1 on; 0 if the call is not collective. To be asked once for every event, in order.
  std::uint64_t number(const Seen& seen);

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> made_;  // by file and unit
};

/// A call to be drawn: one row, or all rows of a collective call.
struct CallChoice {
  std::uint64_t row = no_row;
  std::uint32_t file = no_file;
  std::uint64_t number = 0;   // of the collective call on the file; 0: only `row`
  std::int64_t duration = 0;  // of the longest of its rows
};

/// Looks for MPI-IO reads and writes: one by its row, or the longest ones.
class FindCalls : public Analysis {
 public:
  static FindCalls with_row(std::uint64_t row) { return FindCalls(row, 0); }
  static FindCalls worst(std::size_t count) { return FindCalls(no_row, count); }
  void take(const Seen& seen) override;
  void finish() override;
  const std::vector<CallChoice>& found() const { return found_; }

 private:
  FindCalls(std::uint64_t row, std::size_t count) : row_(row), count_(count) {}
  std::uint64_t row_;
  std::size_t count_;
  CollectiveCalls collective_;
  std::vector<CallChoice> found_;
};

struct PicturedPart {
  std::int64_t start, end;
  Part part;
};

struct PicturedRank {
  std::uint32_t unit = 0;
  std::uint64_t row = no_row;
  std::int64_t start = 0, end = 0;
  std::uint64_t bytes = 0;
  std::vector<PicturedPart> parts;
  std::array<std::uint64_t, part_count> calls{};
};

struct CallPicture {
  CallChoice choice;
  std::string call;
  std::int64_t start = INT64_MAX, end = INT64_MIN;  // of all ranks
  std::vector<PicturedRank> ranks;
};

/// Collects what pictures of the chosen calls show.
class PictureAnalysis : public Analysis {
 public:
  explicit PictureAnalysis(const std::vector<CallChoice>& choices);
  void take(const Seen& seen) override;
  void finish() override;
  const std::vector<CallPicture>& pictures() const { return pictures_; }

 private:
  struct Place {
    std::size_t picture, rank;
  };
  std::optional<std::size_t> picture_of(const Seen& seen, std::uint64_t number) const;

  CollectiveCalls collective_;
  std::vector<CallPicture> pictures_;
  std::unordered_map<std::uint64_t, Place> places_;  // by row
};

/// A bar of `width` letters: what most of each part of the time was spent in, blank outside the call.
std::string bar_of(const PicturedRank& rank, std::int64_t start, std::int64_t end, std::size_t width);
/// All of it as text; at most `most` ranks.
std::string picture_text(const CallPicture& picture, const Trace& trace, std::size_t width, std::size_t most);

}  // namespace fathom::trace
