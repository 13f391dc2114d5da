// SPDX-License-Identifier: Apache-2.0
#include "dashboard/trace_source.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "trace_analysis/tables.h"
#include "trace_analysis/walk.h"

namespace fathom::dashboard {
namespace {

using namespace std::chrono_literals;
using trace::Interface;

constexpr auto patience = 2s;

/// The program of the first rank, or of the first process that is no launcher.
const trace::Process* main_process(const trace::Trace& trace) {
  for (const trace::Process& process : trace.processes)
    if (process.rank == 0) return &process;
  for (const trace::Process& process : trace.processes)
    if (!trace.units[process.unit].launcher) return &process;
  return nullptr;
}

}  // namespace

std::filesystem::path whole_path(const std::string& path) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();  // a/b/ is a/b
}

Result<trace::Trace> open_traced_run(const std::string& path) {
  TRY(trace::Trace trace, trace::open_trace(path));
  if (trace.processes.empty())
    return Error{ErrorKind::not_found, fmt::format("reading the trace in {}: no process of it left anything", path)};
  return trace;
}

TraceSource::TraceSource(std::string id, std::string path, trace::Trace trace, Changed changed, KeepLimits limits)
    : id_(std::move(id)),
      path_(std::move(path)),
      name_(whole_path(path_).filename().string()),
      trace_(std::move(trace)),
      changed_(std::move(changed)),
      limits_(limits) {
  if (const trace::Process* process = main_process(trace_)) program_ = std::filesystem::path(process->executable).filename().string();
  for (const trace::Process& process : trace_.processes)
    if (job_.empty()) job_ = process.job;
}

TraceSource::~TraceSource() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  news_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TraceSource::start() {
  thread_ = std::thread([this] { prepare(); });
}

bool TraceSource::has_slices() const {
  return std::any_of(trace_.processes.begin(), trace_.processes.end(), [](const trace::Process& process) { return process.has_slices; });
}

Preparation TraceSource::progress() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

Result<std::shared_ptr<const TraceAnswers>> TraceSource::answers() const {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, patience, [&] { return answers_ != nullptr || !state_.problem.empty() || stopping_; });
  if (!state_.problem.empty()) return Error{ErrorKind::unreadable, state_.problem};
  if (answers_ == nullptr)
    return Error{ErrorKind::busy, fmt::format("going through the events of trace {}: {:.0f} % are done; try again in a moment", name_,
                                              std::floor(state_.done * 100))};
  return answers_;
}

std::shared_ptr<const TraceAnswers> TraceSource::peek() const {
  const std::lock_guard lock(mutex_);
  return answers_;
}

Result<std::shared_ptr<const slices::Profile>> TraceSource::profile() const {
  {
    const std::lock_guard lock(mutex_);
    if (profile_) return profile_;
  }
  TRY(slices::Profile read, slices::profile_of(trace_));
  auto made = std::make_shared<const slices::Profile>(std::move(read));
  const std::lock_guard lock(mutex_);
  profile_ = made;
  return made;
}

std::string TraceSource::version() const {
  const std::lock_guard lock(mutex_);
  return fmt::format("{}-{}", id_, revision_);
}

std::string TraceSource::problem() const {
  const std::lock_guard lock(mutex_);
  return state_.problem;
}

void TraceSource::set(bool ready, double done, std::string problem) {
  {
    const std::lock_guard lock(mutex_);
    state_ = {ready, done, std::move(problem)};
    ++revision_;
  }
  news_.notify_all();
  changed_(*this);
}

void TraceSource::prepare() {
  auto made = std::make_shared<TraceAnswers>(trace_, limits_);
  const auto done = go_through(*made);
  if (stopping_) return;
  if (!done) return set(false, progress().done, done.error().message);
  {
    const std::lock_guard lock(mutex_);
    answers_ = std::move(made);
  }
  set(true, 1);
}

Result<void> TraceSource::go_through(TraceAnswers& answers) {
  trace::SummaryAnalysis summary(trace_);
  trace::BandwidthAnalysis bandwidth(trace_);
  trace::DecomposeAnalysis decompose;
  trace::FactsAnalysis facts(trace_);
  std::array concurrency = {trace::ConcurrencyAnalysis(Interface::posix), trace::ConcurrencyAnalysis(Interface::mpiio),
                            trace::ConcurrencyAnalysis(Interface::hdf5), trace::ConcurrencyAnalysis(Interface::pnetcdf)};
  static_assert(std::tuple_size_v<decltype(concurrency)> == trace::interface_count);
  trace::Walk walk(trace_, {&summary, &bandwidth, &decompose, &facts, &concurrency[0], &concurrency[1], &concurrency[2], &concurrency[3],
                            &answers.calls});
  trace::EventStream stream(trace_);
  std::uint64_t seen = 0;
  double told = 0;
  for (;;) {
    if (stopping_) return {};
    TRY(const auto events, stream.next());
    if (events.empty()) break;
    for (const trace::Event& event : events) walk.take(event);
    seen += events.size();
    const double done = 0.9 * std::min(1.0, static_cast<double>(seen) / static_cast<double>(std::max<std::uint64_t>(seen, trace_.records)));
    if (done - told >= 0.05) set(false, told = done);
  }
  walk.finish();
  answers.unreadable_blocks = stream.unreadable_blocks();
  answers.summary = trace::summary_json(trace_, summary.summary(), bandwidth.all());
  answers.bandwidth = trace::bandwidth_table(trace_, bandwidth, false);
  answers.decomposition = trace::decomposition_table(decompose, false);
  for (std::size_t i = 0; i < concurrency.size(); ++i) answers.concurrency[i] = trace::concurrency_table(trace_, concurrency[i], false);
  answers.findings = trace::finding_table(trace_, trace::find_all({trace_, facts.facts(), concurrency[0].files()}));
  if (stopping_) return {};
  TRY(const auto totals, trace::file_totals(trace_));
  answers.files = trace::file_table(trace_, totals, false);
  return {};
}

std::optional<Json> client_side(const TraceSource& trace, double from, double to, std::size_t bins) {
  const auto answers = trace.peek();
  if (!trace.has_calls() || !answers || !(to > from) || bins == 0) return std::nullopt;
  const TimeWindow window{std::llround(from * 1e9), std::llround(to * 1e9)};
  const MovedBytes moved = answers->calls.moved(window, bins);
  const double step = (to - from) / static_cast<double>(bins);
  Json side{{"source", "trace"}, {"trace", trace.id()},   {"name", trace.name()},  {"t0", from},
            {"step", step},      {"read", Json::array()}, {"write", Json::array()}};
  for (std::size_t d = 0; d < 2; ++d) {
    Json& line = side[d == 0 ? "read" : "write"];
    for (const double bytes : moved.bytes[d]) line.push_back(bytes / step);
  }
  for (std::size_t d = 0; d < 2; ++d)
    side[d == 0 ? "read_bytes" : "write_bytes"] = std::round(std::accumulate(moved.bytes[d].begin(), moved.bytes[d].end(), 0.0));
  return side;
}

}  // namespace fathom::dashboard
