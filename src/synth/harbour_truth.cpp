// SPDX-License-Identifier: Apache-2.0
#include "synth/harbour_truth.h"

#include <algorithm>
#include <set>

#include "synth/text_file.h"

namespace fathom::quayside {
namespace {

Amounts total_of(const Traffic& traffic, std::uint32_t job, std::uint32_t ost) {
  Amounts sum{};
  for (const auto& [at, amounts] : traffic.of(job, ost)) add_to(sum, amounts);
  return sum;
}

std::set<std::uint32_t> servers_of(const Traffic& traffic, std::uint32_t job) {
  std::set<std::uint32_t> servers;
  for (std::uint32_t ost = 0; ost < ost_count; ++ost)
    if (!traffic.of(job, ost).empty()) servers.insert(ost);
  return servers;
}

std::int64_t unix_seconds(Micros t) { return t / second; }

/// job_id,...: one row for each, with what is in the counters of the log.
Result<void> write_jobs(const Played& played, const std::string& path) {
  TextFile file(path);
  file.put("job_id,user,name,nodes,kind,start,end,traced,read_bytes,write_bytes,read_ops,write_ops,servers\n");
  for (std::uint32_t j = 0; j < played.jobs.size(); ++j) {
    const PlannedJob& job = played.jobs[j];
    Amounts sum{};
    std::string servers;
    for (const std::uint32_t ost : servers_of(played.traffic, j)) {
      add_to(sum, total_of(played.traffic, j, ost));
      servers += (servers.empty() ? "" : ";") + server_name(ost);
    }
    file.print("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", job.id, job.application->user, job.application->name, job.application->nodes,
               kind_name(job.application->kind), unix_seconds(job.start), unix_seconds(job.end), job.traced ? 1 : 0, sum[0], sum[1], sum[2],
               sum[3], servers);
  }
  return file.close();
}

/// What each job (nobody: an empty id) did to each server in the step that ended at t; steps in which it did nothing are left out.
Result<void> write_traffic(const Played& played, const std::string& path) {
  TextFile file(path);
  file.put("t,job_id,server,read_bytes,write_bytes,read_ops,write_ops\n");
  for (std::uint32_t j = 0; j <= played.traffic.nobody(); ++j) {
    const std::string id = j == played.traffic.nobody() ? "" : fmt::format("{}", played.jobs[j].id);
    for (std::uint32_t ost = 0; ost < ost_count; ++ost)
      for (const auto& [at, amounts] : played.traffic.of(j, ost))
        file.print("{},{},{},{},{},{},{}\n", unix_seconds(reading_time(at + 1)), id, server_name(ost), amounts[0], amounts[1], amounts[2],
                   amounts[3]);
  }
  return file.close();
}

/// Both sides of the traced run: its clients' bytes, its bytes on the servers, and all bytes of the servers that it used.
Result<void> write_both_sides(const Played& played, std::uint32_t job, const std::string& path) {
  const PlannedJob& run = played.jobs[job];
  const std::set<std::uint32_t> servers = servers_of(played.traffic, job);
  TextFile file(path);
  file.put("t,client_read_bytes,client_write_bytes,server_read_bytes,server_write_bytes,servers_bytes\n");
  for (std::int64_t at = step_of(run.start); at <= step_of(run.end - 1); ++at) {
    Amounts own{};
    std::uint64_t all = 0;
    for (const std::uint32_t ost : servers)
      for (std::uint32_t j = 0; j <= played.traffic.nobody(); ++j) {
        const auto found = played.traffic.of(j, ost).find(at);
        if (found == played.traffic.of(j, ost).end()) continue;
        all += found->second[0] + found->second[1];
        if (j == job) add_to(own, found->second);
      }
    const auto client = played.clients.steps().find(at);
    const Amounts done = client == played.clients.steps().end() ? Amounts{} : client->second;
    file.print("{},{},{},{},{},{}\n", unix_seconds(reading_time(at)), done[0], done[1], own[0], own[1], all);
  }
  return file.close();
}

Result<void> write_traced(const Played& played, const PlannedJob& job, const std::string& path) {
  const RunTruth& truth = played.traced;
  TextFile file(path);
  file.put("job_id,ranks,calls,client_read_bytes,client_write_bytes,server_read_bytes,server_write_bytes,server_requests,write_delay_s\n");
  file.print("{},{},{},{},{},{},{},{},{:.6f}\n", job.id, ranks, truth.calls, truth.client_read, truth.client_write, truth.server_read,
             truth.server_write, truth.server_requests, truth.delay);
  return file.close();
}

/// The checkpoint writer's rhythm, as its runs had it.
Result<void> write_applications(const Played& played, const std::string& path) {
  double period = 0;
  std::uint64_t periods = 0, bursts = 0, bytes = 0, runs = 0;
  const Application* application = nullptr;
  for (std::uint32_t j = 0; j < played.jobs.size(); ++j) {
    const PlannedJob& job = played.jobs[j];
    if (job.application->kind != Kind::checkpoint) continue;
    application = job.application;
    ++runs;
    bursts += job.bursts.size();
    for (std::size_t i = 1; i < job.bursts.size(); ++i, ++periods)
      period += static_cast<double>(job.bursts[i].begin - job.bursts[i - 1].begin) / 1e6;
    for (std::uint32_t ost = 0; ost < ost_count; ++ost) bytes += total_of(played.traffic, j, ost)[1];
  }
  TextFile file(path);
  file.put("user,name,nodes,runs,bursts,period_s,burst_bytes,footprint\n");
  if (application != nullptr)
    file.print("{},{},{},{},{},{:.3f},{},{}\n", application->user, application->name, application->nodes, runs, bursts,
               periods > 0 ? period / static_cast<double>(periods) : 0, bursts > 0 ? bytes / bursts : 0, stripe_count);
  return file.close();
}

}  // namespace

void ClientSteps::take(const ClientCall& call) {
  if (call.kind != ClientKind::read && call.kind != ClientKind::write) return;
  const bool reads = call.kind == ClientKind::read;
  const std::int64_t length = step * 1000, zero = log_start * 1000;  // nanoseconds
  const std::int64_t last = (call.end - zero) / length;
  std::uint64_t given = 0;
  for (std::int64_t at = (call.start - zero) / length; at <= last; ++at) {
    const std::int64_t from = std::max(call.start, zero + at * length), to = std::min(call.end, zero + (at + 1) * length);
    const std::uint64_t part = at == last
                                   ? call.bytes - given
                                   : call.bytes * static_cast<std::uint64_t>(to - from) / static_cast<std::uint64_t>(call.end - call.start);
    given += part;
    steps_[at][reads ? 0 : 1] += part;
  }
  ++steps_[last][reads ? 2 : 3];
}

Result<void> write_truth(const Played& played, const std::string& directory) {
  TRY_VOID(write_jobs(played, directory + "/jobs.csv"));
  TRY_VOID(write_traffic(played, directory + "/traffic.csv"));
  TRY_VOID(write_applications(played, directory + "/applications.csv"));
  for (std::uint32_t j = 0; j < played.jobs.size(); ++j)
    if (played.jobs[j].traced) {
      TRY_VOID(write_both_sides(played, j, directory + "/both_sides.csv"));
      TRY_VOID(write_traced(played, played.jobs[j], directory + "/traced.csv"));
    }
  return {};
}

}  // namespace fathom::quayside
