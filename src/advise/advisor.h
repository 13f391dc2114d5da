// SPDX-License-Identifier: Apache-2.0
/// Run or delay: whether a known application finds enough servers that are idle enough, with the reason in words and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "advise/adjustment.h"
#include "advise/trained.h"

namespace fathom::advise {

struct AdvisorSettings {
  double impact = 1.5;              // I/O may take so many times as long as alone (AID's tests: 1.5)
  double max_delay_seconds = 1800;  // then a job runs whatever the load
  double least_coverage = 0.25;     // of the 20 minutes; a server of which less is known is not counted on
};

enum class Verdict : std::uint8_t { run, delay };

/// One file system that a pattern may use.
struct PartitionView {
  std::string filesystem;
  std::size_t servers = 0;  // of the least loaded ones, that many were looked at
  double score = 0;         // their mean
  Limit limit;
  bool borrowed = false;  // the limit comes from neighbouring cells
  bool idle = false;      // they score as little as any server can: there is nothing to wait for, whatever the limit
  bool enough() const { return servers > 0 && (score < limit.score || idle); }
};

struct Advice {
  Verdict verdict = Verdict::run;
  std::string reason;
  std::vector<PartitionView> partitions;  // of the pattern that decided
};

class Advisor {
 public:
  static Result<Advisor> make(Trained trained, std::vector<Partition> partitions, std::size_t servers, const AdvisorSettings& settings,
                              double slot_seconds);

  /// The next slot of the load table, in bytes per second; `not_measured` where unknown.
  void add_slot(std::span<const double> throughput);
  /// A job of a known application: it is in nobody's load yet. `now` in seconds on any clock.
  void job_started(std::uint64_t job, const KnownApplication& application, double now, std::optional<double> limit_seconds);
  void job_ended(std::uint64_t job);

  /// Null: an application of which nothing is known. `delayed_seconds`: so long has this job been held back by advice.
  Advice recommend(const KnownApplication* application, double now, double delayed_seconds);
  /// Mean load of the m least loaded servers that a pattern would find, m being its footprint: what a training point records. Ranked by
  /// mean band, since weights are not known yet. Nothing where no server is known.
  std::optional<std::vector<double>> load_found_by(const KnownPattern& pattern, double now);

  const LoadTable& table() const { return table_; }
  /// Loads with the adjustments of running jobs, and the score of each server.
  const Loads& loads(double now);
  const std::vector<double>& scores(double now);

 private:
  struct Running {
    KnownApplication application;
    double start;
    std::optional<double> limit;
  };
  Advisor(Trained trained, std::vector<Partition> partitions, LoadTable table, const AdvisorSettings& settings)
      : trained_(std::move(trained)), partitions_(std::move(partitions)), settings_(settings), table_(std::move(table)) {}
  void refresh(double now);
  PartitionView view(const Partition& partition, const KnownPattern& pattern) const;
  std::vector<const Partition*> usable(const KnownPattern& pattern) const;

  Trained trained_;
  std::vector<Partition> partitions_;
  AdvisorSettings settings_;
  LoadTable table_;
  std::vector<std::pair<std::uint64_t, Running>> running_;  // in the order of their starts: adjustments depend on it
  std::optional<double> fresh_at_;
  Loads loads_;
  std::vector<double> scores_;
};

}  // namespace fathom::advise
