// SPDX-License-Identifier: Apache-2.0
/// One store that is served: a thread of its own follows its changes and prepares what answers need.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "characterise/study.h"
#include "dashboard/job_table.h"
#include "dashboard/kept_values.h"
#include "dashboard/overview.h"
#include "mine/knowledge.h"

namespace fathom::dashboard {

struct Preparation {
  bool ready = false;
  double done = 0;
  std::string problem;
};

/// A store at one moment, with what was made of it. Whoever holds it can go on reading, whatever happens to the store.
struct StoreMoment {
  std::shared_ptr<const Snapshot> snapshot;
  std::uint64_t commit = 0;
  std::shared_ptr<const JobTable> jobs;
  std::shared_ptr<KeptValues> kept;
  std::shared_ptr<const std::vector<mine::KnownApplication>> applications;
  std::optional<LoadCounters> counters;           // none: the store has no counters
  std::optional<LoadCounters> metadata_counters;  // none: nobody counts operations on metadata
  bool shared = false;                            // servers are shared by jobs
  // What takes longer; of an earlier commit while the new one is prepared.
  std::shared_ptr<const Overview> overview;
  std::shared_ptr<const UsualIntervals> usual;
  std::shared_ptr<const Study> study;  // the machine; no analysis
  std::shared_ptr<const std::vector<std::uint32_t>>
      machine_rows;  // by row of the job table: the job of the machine; UINT32_MAX: it is newer
  std::string study_problem;
};

class StoreSource {
 public:
  using Changed = std::function<void(const StoreSource&)>;
  StoreSource(std::string id, std::string path, Changed changed);
  ~StoreSource();
  StoreSource(const StoreSource&) = delete;

  void start();
  const std::string& id() const { return id_; }
  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }

  /// As it is now; waits a little for the first one. Fails where the store cannot be read.
  Result<std::shared_ptr<const StoreMoment>> moment() const;
  /// The same without waiting; null: there is none yet.
  std::shared_ptr<const StoreMoment> peek() const;
  Preparation overview_progress() const;
  Preparation machine_progress() const;
  /// Changes whenever an answer could.
  std::string version() const;
  /// Why the store cannot be read now; empty if it can.
  std::string problem() const;

 private:
  void follow();
  bool look();  // true: there was something to do
  Result<void> take(const Store& store);
  Result<void> prepare();
  Result<void> read_facts(const Snapshot& snapshot);
  Result<void> read_overview();
  Result<void> build_study();
  Result<void> read_usual_columns();
  void publish(std::shared_ptr<const StoreMoment> moment);
  void set(Preparation& which, bool ready, double done, std::string problem = {});
  bool stopping() const { return stopping_.load(); }

  const std::string id_, path_, name_;
  const Changed changed_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable news_;
  std::shared_ptr<const StoreMoment> moment_;
  Preparation overview_state_, machine_state_;
  std::string problem_;
  std::uint64_t revision_ = 0;
  std::thread thread_;

  // Of the thread alone.
  std::shared_ptr<Overview> overview_ = std::make_shared<Overview>();
  struct DayFacts {
    std::uint64_t segments = 0;
    IncrementFacts facts;
  };
  std::map<std::int32_t, DayFacts> facts_;
  std::map<std::string, std::uint64_t> tables_;  // hash of a table's segments, as they were last read
  std::uint64_t prepared_commit_ = UINT64_MAX;
};

}  // namespace fathom::dashboard
