// SPDX-License-Identifier: Apache-2.0
/// What findings are looked for in: sums per file and per rank of a run, gathered in one pass.
#pragma once

#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "trace_analysis/analysis.h"

namespace fathom::trace {

/// Ranges of bytes, at most so many; what comes when it is full is not remembered.
class ByteRanges {
 public:
  /// Adds [from, to); gives how many of its bytes were there already.
  std::uint64_t add(std::int64_t from, std::int64_t to);
  void clear() { ranges_.clear(); }
  std::size_t size() const { return ranges_.size(); }
  static constexpr std::size_t most = 1024;

 private:
  std::map<std::int64_t, std::int64_t> ranges_;
};

struct Some {  // a part of the calls of a file
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::int64_t time = 0;  // nanoseconds

  void add(std::uint64_t moved, std::int64_t duration) { ++calls, bytes += moved, time += duration; }
};

inline constexpr std::uint64_t tiny_request = 4096;      // and below
inline constexpr std::uint64_t small_request = 1 << 20;  // below

struct DirectionFacts {
  Some posix;              // requests to the file system; C's streams are not (they are buffered)
  Some tiny;               // of these
  Some placed, unaligned;  // of those that are not tiny: with an offset known; not at a multiple of `FileFacts::alignment`
};

/// MPI-IO writes that read a range of the file, change it in memory and write it back.
struct SieveFacts {
  Some writes;   // all MPI-IO writes
  Some sieving;  // of these: with a read and a write of the same range inside; bytes as asked for
  std::uint64_t cycles = 0, locks = 0;
  std::uint64_t moved = 0;    // by POSIX reads and writes in them
  std::int64_t overhead = 0;  // time in reads, locks and unlocks
};

struct FileFacts {
  std::uint32_t file = no_file;
  std::uint32_t ranks = 0;  // that read or wrote it
  std::uint32_t writers = 0;
  std::uint64_t alignment = 4096;    // the stripe, where a hint tells it
  std::array<DirectionFacts, 2> of;  // by direction
  SieveFacts sieve;
  Some independent;              // POSIX writes inside MPI-IO writes that are not collective
  Some small_strided;            // of these: below small_request, and not where the rank's last one ended
  Some opens, syncs, again;      // again: bytes read that the same rank had read, with nothing written between
  std::uint32_t opened_by = 0;   // ranks
  std::uint32_t most_opens = 0;  // of one rank
};

struct RankFacts {
  std::int64_t time = 0;  // in calls of the program on files: nanoseconds
  std::uint64_t bytes = 0;
  std::uint64_t opens = 0;
  std::int64_t open_time = 0;  // opens and closes
};

struct RunFacts {
  std::uint32_t ranks = 0;
  bool mpi = false;                // they are ranks of an MPI program
  std::int64_t duration = 0;       // of the run, nanoseconds
  std::int64_t io_time = 0;        // sum over ranks
  std::vector<RankFacts> by_rank;  // by unit; launchers are empty
  std::vector<FileFacts> files;    // in the order of the trace
};

class FactsAnalysis : public Analysis {
 public:
  explicit FactsAnalysis(const Trace& trace);
  void take(const Seen& seen) override;
  void finish() override;
  const RunFacts& facts() const { return facts_; }

 private:
  struct Use {  // of a file by a rank
    std::int64_t write_end = INT64_MIN;
    ByteRanges read;
    std::uint64_t read_version = 0;
    std::uint32_t opens = 0;
    std::uint8_t did = 0;  // 1 read, 2 wrote, 4 opened
  };
  struct OfFile {
    FileFacts facts;
    std::uint64_t version = 0;  // counts writes
  };
  struct MpiWrite {  // under way
    std::uint32_t file;
    std::int64_t end, duration;
    std::uint64_t asked;
    bool is_collective;
    bool sieving = false;
    std::int64_t read_from = 0, read_to = -1;
    std::uint64_t locks = 0, moved = 0;  // until it is known to be sieving
    std::int64_t overhead = 0;
  };
  OfFile& file_of(std::uint32_t file);
  void begin_mpi_write(const Seen& seen);
  void inside_mpi_write(const Seen& seen, MpiWrite& around);
  void move(const Seen& seen);
  void read_again(const Seen& seen, OfFile& file, Use& use);

  const Trace& trace_;
  RunFacts facts_;
  std::unordered_map<std::uint32_t, OfFile> files_;
  std::unordered_map<std::uint64_t, Use> uses_;             // by file and unit
  std::unordered_map<std::uint64_t, MpiWrite> mpi_writes_;  // by row
  std::size_t forget_at_ = 1024;
};

}  // namespace fathom::trace
