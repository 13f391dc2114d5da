// SPDX-License-Identifier: Apache-2.0
/// Which files there are, who uses them and how many at a time (criteria 1.5, 2.6 and 3.4), and by which interfaces (4.2).
#pragma once

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "trace_analysis/analysis.h"

namespace fathom::trace {

struct FileUse {
  std::uint32_t file = no_file;
  std::uint32_t units = 0;  // that read or wrote it
  std::uint64_t opens = 0, closes = 0, bytes = 0;
  bool created = false;            // by an open of this run
  std::int64_t size = -1;          // the largest known; -1: never learnt
  std::uint32_t most_at_once = 0;  // units in one slot
  std::uint64_t busy_slots = 0;    // with at least one
  std::uint64_t unit_slots = 0;    // sum over slots of the units in it
};

struct InterfaceUse {
  std::uint64_t calls = 0, reads = 0, writes = 0, bytes = 0;
};

/// Opens, reads and writes are those of one interface; sizes and creation are taken from whoever tells them.
class FileUseAnalysis : public Analysis {
 public:
  FileUseAnalysis(const Trace& trace, Interface layer, std::int64_t slot) : trace_(trace), layer_(layer), slot_(slot * 1000) {}
  void take(const Seen& seen) override;
  void finish() override;

  /// Files that were opened, read or written, in the order of the trace.
  const std::vector<FileUse>& files() const { return result_; }
  const std::array<InterfaceUse, 4>& interfaces() const { return interfaces_; }

 private:
  struct OfFile {
    FileUse use;
    std::map<std::int64_t, std::uint32_t> slots;  // not yet over: units in each
  };
  void move(const Seen& seen, OfFile& file);
  static void settle(OfFile& file, std::int64_t before);

  const Trace& trace_;
  Interface layer_;
  std::int64_t slot_;  // nanoseconds
  std::unordered_map<std::uint32_t, OfFile> files_;
  std::unordered_map<std::uint64_t, std::int64_t> last_slot_;  // by file and unit: counted up to here
  std::array<InterfaceUse, 4> interfaces_;
  std::vector<FileUse> result_;
};

}  // namespace fathom::trace
