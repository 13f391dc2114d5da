// SPDX-License-Identifier: Apache-2.0
/// One input format: how it is recognised, read and documented. Each has a file of its own in readers/.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.h"
#include "base/result.h"
#include "base/time.h"
#include "ingest/harvest.h"

namespace fathom {

/// What the user said about the input.
struct ReadOptions {
  std::optional<Zone> timezone;      // --timezone; where times carry no zone and none is given: UTC, with a notice
  bool per_interval = false;         // --per-interval (counters_csv)
  std::optional<Duration> step;      // --step; of Darshan logs the length of a slice
  std::string job;                   // --job: the job of a Darshan log, in place of the one that it names
  std::string job_id_pattern;        // --job-id-pattern (lustre_job_stats); empty: the reader's default
  std::string default_server;        // --server: for a dump that does not name its server
  std::optional<Time> default_time;  // --time: for a dump that carries no time
  std::uint64_t first_line = 1;
  std::vector<std::string> hdf5_command;  // what opens HDF5 files in a process of its own, but for their name; empty: nothing does
  std::chrono::milliseconds hdf5_limit = std::chrono::hours(1);  // of that process; its CPU time is bounded, waiting is not
};

struct Reader {
  std::string_view name;     // the word for --as, the page in docs/
  std::string_view summary;  // one line
  /// Some sentences for the documentation: where such files come from, what is taken from them, which traps are handled.
  std::string_view details;
  /// A few real lines.
  std::string_view example;
  /// Does a file that begins like this look like ours? `path` may help where content cannot tell.
  bool (*recognises)(std::string_view first_bytes, std::string_view path);
  Result<void> (*read)(LineInput& input, const ReadOptions& options, Harvest& harvest);
};

/// Every reader, in the order they are asked to recognise a file.
std::span<const Reader* const> all_readers();

const Reader* reader_named(std::string_view name);

/// The reader for a file, or an error that lists the kinds and what was tried.
Result<const Reader*> reader_for(LineInput& input);

/// Everything a text gives, in memory: for tests and fuzzing.
struct Gathered {
  SeriesTable series;
  Batch batch;
  ReadAccount account;
};
Result<Gathered> gather(const Reader& reader, std::string_view text, const ReadOptions& options = {}, std::string name = "input");
Result<Gathered> gather(const Reader& reader, LineInput input, const ReadOptions& options = {});

}  // namespace fathom
