// SPDX-License-Identifier: Apache-2.0
/// One traced run that is served: a thread goes through its events once, and answers come from what it kept.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "dashboard/endpoint.h"
#include "dashboard/kept_calls.h"
#include "dashboard/store_source.h"
#include "report/table.h"
#include "slices/profile.h"

namespace fathom::dashboard {

/// What the pass over all events found; the same as the commands of `fathom trace` print.
struct TraceAnswers {
  explicit TraceAnswers(const trace::Trace& trace, const KeepLimits& limits) : calls(trace, limits) {}
  KeptCalls calls;
  Json summary;
  Table bandwidth, decomposition, findings, files;
  std::array<Table, trace::interface_count> concurrency;  // by interface
  std::uint64_t unreadable_blocks = 0;
};

class TraceSource {
 public:
  using Changed = std::function<void(const TraceSource&)>;
  TraceSource(std::string id, std::string path, trace::Trace trace, Changed changed, KeepLimits limits = {});
  ~TraceSource();
  TraceSource(const TraceSource&) = delete;

  void start();
  const std::string& id() const { return id_; }
  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }
  const trace::Trace& trace() const { return trace_; }
  bool has_calls() const { return trace_.records > 0; }
  bool has_slices() const;
  const std::string& program() const { return program_; }
  const std::string& job() const { return job_; }

  Preparation progress() const;
  /// Waits a little; fails while the trace is gone through, or if that could not be done.
  Result<std::shared_ptr<const TraceAnswers>> answers() const;
  /// The same without waiting; null: not yet.
  std::shared_ptr<const TraceAnswers> peek() const;
  /// Its time slices.
  Result<std::shared_ptr<const slices::Profile>> profile() const;
  /// Changes whenever an answer could.
  std::string version() const;
  std::string problem() const;

 private:
  void prepare();
  Result<void> go_through(TraceAnswers& answers);
  void set(bool ready, double done, std::string problem = {});

  const std::string id_, path_, name_;
  const trace::Trace trace_;
  const Changed changed_;
  const KeepLimits limits_;
  std::string program_, job_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable news_;
  Preparation state_;
  std::shared_ptr<const TraceAnswers> answers_;
  mutable std::shared_ptr<const slices::Profile> profile_;
  std::uint64_t revision_ = 0;
  std::thread thread_;
};

/// As it is from the root, so that two can be compared.
std::filesystem::path whole_path(const std::string& path);

/// Opens a folder that `fathom run` wrote.
Result<trace::Trace> open_traced_run(const std::string& path);

/// A ClientSide of web/src/lib/api.ts: bytes per second that the run's POSIX calls moved, from `from` to `to` in Unix seconds. Nothing
/// where the trace has no calls, or is not gone through yet.
std::optional<Json> client_side(const TraceSource& trace, double from, double to, std::size_t bins);

}  // namespace fathom::dashboard
