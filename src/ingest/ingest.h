// SPDX-License-Identifier: Apache-2.0
/// From files to a store: recognise, read, clean, merge, commit. One thread reads while another writes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/harvest.h"
#include "ingest/merger.h"
#include "ingest/reader.h"
#include "store/store.h"

namespace fathom {

enum class ServerSharing { unknown, exclusive, shared };

struct IngestOptions {
  const Reader* reader = nullptr;  // --as; null: recognised file by file
  ReadOptions read;
  ServerSharing sharing = ServerSharing::unknown;
  /// Servers of a job whose log names only nodes (--map); null: left as they are.
  std::function<void(Job&)> map_servers;
  std::size_t batch_samples = std::size_t{1} << 19;
  std::uint64_t commit_samples = 8'000'000;  // committed at the end of a file when so many have come
  unsigned database_threads = 1;
  std::size_t memory_limit = std::size_t{384} << 20;
  /// Told the bytes read so far and in all, now and then.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = [](std::uint64_t, std::uint64_t) {};
  std::function<void()> waiting = [] {};  // another process writes to the store
};

/// What became of one file.
struct FileReport {
  std::string path;
  std::string format;
  SourceId source = 0;
  bool known = false;           // the same bytes were ingested before: nothing done
  std::string_view left_alone;  // found in a directory and not read: why, as in "FILE is of no known kind"
  ReadAccount account;
  MergeCounts merged;
};

/// A run that a file told, and the job it was linked to.
struct RunReport {
  std::string run, job_id, linked_by;
  std::uint64_t processes = 0, slices = 0;
};

struct IngestReport {
  std::vector<FileReport> files;
  std::vector<RunReport> runs;
  Repairs repairs;
  std::vector<std::string> conflict_examples;
};

/// Adds files, and all files below directories, to a store. What was committed before a failure stays.
Result<IngestReport> ingest(const Store& store, const std::vector<std::string>& paths, const IngestOptions& options);

/// Adds what `deliver` gives, as one source of that name (synthetic machines, collectors).
Result<IngestReport> ingest_from(const Store& store, const std::string& name, const std::string& format,
                                 const std::function<Result<void>(Harvest&)>& deliver, const IngestOptions& options);

/// Files to read: names as given; directories are walked in order of names, without hidden files and without
/// folders that hold a file `.fathom-ignore`. Links that lead out of the directory are not followed.
struct InputFile {
  std::string path;
  bool named = true;     // given by name, not found in a directory
  bool outside = false;  // a link that leads out of the directory: not followed
};
Result<std::vector<InputFile>> find_inputs(const std::vector<std::string>& paths);

}  // namespace fathom
