// SPDX-License-Identifier: Apache-2.0
/// A question put to a store: which jobs, linked how, above which thresholds; and the answer with what was left out and why.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "characterise/analyse.h"
#include "characterise/exchange.h"
#include "store/store.h"

namespace fathom {

struct StudyOptions {
  LinkStrategy link = LinkStrategy::weighted;
  std::vector<std::uint64_t> thresholds = {1u << 20};  // bytes per second, ascending
  std::vector<std::uint64_t> small = {4096};           // bytes, ascending
  std::int64_t slot = 1'000'000;
  double min_runtime = 3600;         // seconds
  bool both_directions = false;      // leave out jobs that do not read or do not write
  std::vector<std::string> exclude;  // job names
  std::string filesystem;            // empty: the sum over all
  std::vector<std::string> job_ids;  // only these, whatever the filters say
  bool distribution = false;         // also the distribution of request sizes
  bool every_job = false;            // no filters at all
  bool keep = false;                 // take values from the store where they are up to date, and put there what was computed
  unsigned threads = 0;              // 0: one per core
  std::function<void(double share)> progress = [](double) {};
  Exchange exchange;  // the processes that share the work; rank 0 gets the answer, the others an empty one
};

struct LeftOut {
  std::string reason;
  std::uint64_t jobs = 0;
};

/// A job whose values were in the store already.
struct KeptJob {
  std::uint32_t job = 0;
  std::uint32_t units = 0;
  std::optional<double> coverage;
  std::int64_t sampling_step = 0;
  std::uint8_t flags = 0;
  std::uint32_t other_jobs = 0;
  std::array<double, 2> bound{};
  std::vector<std::vector<double>> values;  // by threshold, then small size; in the order of value_columns()
};

struct Study {
  StudyOptions options;
  std::shared_ptr<const Snapshot> snapshot;
  Machine machine;
  Analysis analysis;          // jobs that were computed and passed the filters
  std::vector<KeptJob> kept;  // jobs that were not computed again
  std::vector<LeftOut> left_out;
  std::uint64_t increments = 0;
  std::string not_kept;          // why the results could not be written into the store
  std::string_view measured_by;  // "trace", "slices": jobs were measured by these; empty: by counters
  bool whole = true;             // all increments were read, so the ledger is about all of them
};

Result<Study> study(const Store& store, const StudyOptions& options);

/// The servers whose sources were declared as shared by jobs (ingest --servers shared).
Result<std::vector<std::string>> shared_servers(const Snapshot& snapshot, Database& database);

}  // namespace fathom
