// SPDX-License-Identifier: Apache-2.0
#include "synth/microbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "synth/bench_series.h"
#include "synth/blue_gene.h"
#include "synth/gpfs_logs.h"
#include "synth/io_phases.h"
#include "synth/truth.h"

namespace fathom {
namespace {

constexpr std::int64_t second = 1'000'000;
constexpr double mebibyte = 1u << 20;
const std::vector<std::string> io_nodes = {"ion-R87-M0-00", "ion-R87-M0-01"};
const std::vector<std::string> filesystems = {"work", "home"};
const std::string cluster = "jugene.zam";

/// What else runs on such a partition.
const std::vector<Application>& other_applications() {
  static const std::vector<Application> all = [] {
    std::vector<Application> made;
    for (const auto& [user, name] : {std::pair{"u011", "md_prep"}, {"u017", "qcd_test"}, {"u023", "fft_small"}, {"u031", "mesh_convert"}}) {
      Application one;
      one.user = user;
      one.name = name;
      one.nodes = nodes_per_io_node;
      made.push_back(one);
    }
    return made;
  }();
  return all;
}

class Session {
 public:
  explicit Session(const SynthOptions& options) : options_(options), random_(Random::stream(options.seed, 0x5e551u)) {
    period_.begin = first_second * second;
    if (options.days) period_.end = period_.begin + static_cast<std::int64_t>(std::clamp(*options.days, 0.0, 3650.0) * 86400) * second;
    free_.fill(period_.begin);
    for (std::size_t server = 0; server < io_nodes.size(); ++server) run_other(server);
    do run_series();
    while (options.days && has_room());
    for (std::size_t server = 0; server < io_nodes.size(); ++server) run_other(server);
    if (!options.days) period_.end = *std::max_element(free_.begin(), free_.end()) + 600 * second;
    settle_jobs();
  }

  void run(const std::function<void(const Answer&)>& out) {
    std::vector<Answer> answers;
    for (std::uint32_t server = 0; server < io_nodes.size(); ++server) {
      GpfsNode node(options_.seed, server, 0, filesystems, FaultRates{}, period_, truth_);
      std::stable_sort(flows_[server].begin(), flows_[server].end(), [](const Flow& a, const Flow& b) { return a.begin < b.begin; });
      for (const Flow& flow : flows_[server])
        if (flow.begin < period_.end) node.add(flow);
      node.advance(period_.end, [&](const Answer& answer) { answers.push_back(answer); });
      node.finish();
      options_.progress(static_cast<double>(server + 1) / static_cast<double>(io_nodes.size()));
    }
    std::stable_sort(answers.begin(), answers.end(), [](const Answer& a, const Answer& b) { return a.written < b.written; });
    for (const Answer& answer : answers) out(answer);
  }

  const Truth& truth() const { return truth_; }
  Period period() const { return period_; }

  Result<void> write_bench_truths(const std::string& directory) const {
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    if (failed) return Error{ErrorKind::unwritable, fmt::format("making the directory {}: {}", directory, failed.message())};
    for (const auto& [job, run] : runs_) {
      if (!truth_.jobs[job].complete) continue;
      BenchTruthFile file(fmt::format("{}/{}.csv", directory, run.head.job_id), run.head);
      for (BenchTruthRow row : run.rows) {
        const std::string name = data_file_name(run.head.parameters, row.task);
        row.file = name;
        file.add(row);
      }
      TRY_VOID(file.close());
    }
    return {};
  }

 private:
  bool has_room() const {
    const bool more_jobs = !options_.jobs || truth_.jobs.size() < *options_.jobs;
    return more_jobs && (!options_.days || *std::min_element(free_.begin(), free_.end()) < period_.end);
  }

  void run_series() {
    std::vector<BenchTest> tests = all_bench_tests();
    for (std::size_t i = tests.size(); i > 1; --i)  // each test with other neighbours for another seed
      std::swap(tests[i - 1], tests[static_cast<std::size_t>(random_.whole(0, static_cast<std::int64_t>(i) - 1))]);
    for (const BenchTest& test : tests) {
      std::size_t first = 0, count = io_nodes.size();
      if (test.nodes == nodes_per_io_node) {
        first = free_[0] <= free_[1] ? 0 : 1;
        count = 1;
      }
      for (std::size_t server = first; server < first + count; ++server)
        if (random_.chance(0.3)) run_other(server);
      run_test(test, first, count);
    }
  }

  /// The next job on these I/O nodes begins so many seconds after the last one on them ended.
  std::int64_t next_start(std::size_t first, std::size_t count) {
    const auto begin = free_.begin() + static_cast<std::ptrdiff_t>(first);
    return (*std::max_element(begin, begin + static_cast<std::ptrdiff_t>(count)) / second + random_.whole(30, 90)) * second;
  }

  /// No job begins after the logs have ended.
  bool is_too_late(std::int64_t start, std::size_t first, std::size_t count) {
    if (!options_.days || start < period_.end) return false;
    std::fill_n(free_.begin() + static_cast<std::ptrdiff_t>(first), count, start);
    return true;
  }

  void run_test(const BenchTest& test, std::size_t first, std::size_t count) {
    if (!has_room()) return;
    const auto job = static_cast<std::uint32_t>(truth_.jobs.size());
    const std::int64_t start = next_start(first, count);
    if (is_too_late(start, first, count)) return;
    BenchRun run = run_of(test, job, start, options_.seed, job);
    add_job("u900", name_of(test), test.nodes, start, run.end, first, count);
    run.head.job_id = truth_.jobs.back().job.id;
    for (const Flow& flow : run.flows) flows_[first + flow.server].push_back(flow);
    runs_.emplace_back(job, std::move(run));
  }

  /// A job of somebody else, with modest I/O.
  void run_other(std::size_t server) {
    if (!has_room()) return;
    const auto job = static_cast<std::uint32_t>(truth_.jobs.size());
    const std::int64_t start = next_start(server, 1);
    if (is_too_late(start, server, 1)) return;
    Run run;
    run.number = job;
    run.application = &other_applications()[static_cast<std::size_t>(random_.whole(0, 3))];
    run.nodes = nodes_per_io_node;
    run.seconds = random_.whole(180, 1500);
    run.read_bytes = static_cast<std::uint64_t>(random_.lognormal(300, 0.8) * mebibyte);
    run.write_bytes = static_cast<std::uint64_t>(random_.lognormal(200, 1) * mebibyte);
    run.read_requests = 1 + run.read_bytes / 131072;
    run.write_requests = 1 + run.write_bytes / 65536;
    run.write_duty = random_.uniform(0.1, 0.6);
    run.read_rate = 60 * mebibyte;
    run.write_rate = 30 * mebibyte;
    add_job(run.application->user, run.application->name, run.nodes, start, start + run.seconds * second, server, 1);
    for (const Flow& flow : io_of(run, job, start, 1, static_cast<std::uint8_t>(filesystems.size()), options_.seed))
      flows_[server].push_back(flow);
  }

  void add_job(std::string user, std::string name, std::uint64_t nodes, std::int64_t start, std::int64_t end, std::size_t first,
               std::size_t count) {
    JobTruth one;
    Job& job = one.job;
    job.id = fmt::format("j{:06}", 200000 + truth_.jobs.size());
    job.user = std::move(user);
    job.name = std::move(name);
    job.nodes = nodes;
    for (std::size_t server = first; server < first + count; ++server) {
      job.node_list += fmt::format("{}R87-M0-N{:02}", job.node_list.empty() ? "" : ",", server);
      job.servers.push_back(io_nodes[server]);
      free_[server] = end;
    }
    job.submit = time_from_micros(start - random_.whole(60, 7200) * second);
    job.start = time_from_micros(start);
    job.end = time_from_micros(end);
    job.time_limit = std::chrono::seconds(3600);
    job.state = "COMPLETED";
    job.partition = "small";
    truth_.jobs.push_back(std::move(one));
  }

  /// The logs may end before a job does.
  void settle_jobs() {
    for (JobTruth& one : truth_.jobs) {
      one.complete = micros(one.job.end) <= period_.end;
      if (one.complete) continue;
      one.job.end = no_time;
      one.job.state = "RUNNING";
    }
  }

  const SynthOptions& options_;
  Random random_;
  Period period_;
  std::array<std::int64_t, 2> free_{};  // when the last job of each I/O node ends
  std::array<std::vector<Flow>, 2> flows_;
  std::vector<std::pair<std::uint32_t, BenchRun>> runs_;
  Truth truth_;
};

const GpfsNames names{io_nodes, filesystems, cluster};

}  // namespace

Result<void> write_microbench(const SynthOptions& options, const std::string& directory) {
  Session session(options);
  TRY_VOID(write_counter_logs(
      names, session.period(), [&](const auto& out) { session.run(out); }, directory));
  TRY_VOID(write_jobs(directory + "/jobs.csv", session.truth().jobs));
  TRY_VOID(session.truth().write(directory + "/truth", io_nodes, filesystems));
  return session.write_bench_truths(directory + "/truth/bench");
}

Result<void> deliver_microbench(const SynthOptions& options, Harvest& harvest) {
  Session session(options);
  deliver_counters(
      names, [&](const auto& out) { session.run(out); }, harvest);
  for (const JobTruth& one : session.truth().jobs) harvest.job(one.job);
  return {};
}

}  // namespace fathom
