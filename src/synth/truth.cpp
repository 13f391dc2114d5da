// SPDX-License-Identifier: Apache-2.0
#include "synth/truth.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/time.h"
#include "synth/io_flow.h"

namespace fathom {
namespace {

using Text = fmt::memory_buffer;

template <class... Args>
void put(Text& text, fmt::format_string<Args...> form, Args&&... args) {
  fmt::format_to(std::back_inserter(text), form, std::forward<Args>(args)...);
}

Result<void> save(const std::string& path, const Text& text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return Error{ErrorKind::unwritable, fmt::format("writing {}: {}", path, std::strerror(errno))};
  return {};
}

std::string moment(std::int64_t micros_since_epoch) { return format_unix_seconds(time_from_micros(micros_since_epoch)); }

std::string moment_or_nothing(Time t) { return t == no_time ? std::string() : format_unix_seconds(t); }

}  // namespace

Counters Truth::recoverable() const {
  Counters sum{};
  for (const SeriesTruth& one : series) add_to(sum, one.recoverable);
  return sum;
}

Result<void> Truth::write(const std::string& directory, const std::vector<std::string>& servers, const std::vector<std::string>& filesystems) const {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) return Error{ErrorKind::unwritable, fmt::format("making the directory {}: {}", directory, failed.message())};

  Text totals;
  put(totals, "counter,happened,recoverable\n");
  const Counters known = recoverable();
  for (std::size_t i = 0; i < counter_count; ++i) put(totals, "{},{},{}\n", counter_names[i], happened[i], known[i]);
  TRY_VOID(save(directory + "/totals.csv", totals));

  Text rows;
  put(rows, "server,filesystem,first,last,samples,increments,{}\n", fmt::join(counter_names, ","));
  std::uint64_t increments = 0;
  std::set<std::uint32_t> seen_servers;
  std::set<std::uint8_t> seen_filesystems;
  for (const SeriesTruth& one : series) {
    if (one.samples == 0) continue;
    put(rows, "{},{},{},{},{},{},{}\n", servers[one.server], filesystems[one.filesystem], moment(one.first), moment(one.last), one.samples, one.increments,
        fmt::join(one.recoverable, ","));
    increments += one.increments;
    seen_servers.insert(one.server);
    seen_filesystems.insert(one.filesystem);
  }
  TRY_VOID(save(directory + "/series.csv", rows));

  auto ordered = faults;
  std::stable_sort(ordered.begin(), ordered.end(), [](const FaultRow& a, const FaultRow& b) { return a.t < b.t; });
  Text faulty;
  put(faulty, "kind,server,filesystem,t,t_end,visible,note\n");
  for (const FaultRow& row : ordered)
    put(faulty, "{},{},{},{},{},{},{}\n", row.kind, servers[row.server], row.filesystem, moment(row.t), moment(row.t_end), row.visible ? "yes" : "no", row.note);
  TRY_VOID(save(directory + "/faults.csv", faulty));

  Text counts;
  put(counts, "what,count\n");
  const std::pair<std::string_view, std::uint64_t> counted[] = {
      {"increments", increments}, {"servers", seen_servers.size()}, {"filesystems", seen_filesystems.size()}, {"jobs", jobs.size()},
      {"resets", resets}, {"resets_inferred", resets_inferred}, {"wraps", wraps}, {"gaps", gaps}, {"duplicates", duplicates},
      {"rejected", 0}, {"left_out", left_out}, {"lines", lines}};
  for (const auto& [what, count] : counted) put(counts, "{},{}\n", what, count);
  TRY_VOID(save(directory + "/counts.csv", counts));

  Text list;
  put(list, "job_id,user,name,nodes,start,end,complete,read_bytes,write_bytes,read_ops,write_ops\n");
  for (const JobTruth& one : jobs)
    put(list, "{},{},{},{},{},{},{},{},{},{},{}\n", one.job.id, one.job.user, one.job.name, one.job.nodes, moment_or_nothing(one.job.start),
        moment_or_nothing(one.job.end), one.complete ? "yes" : "no", one.amounts[0], one.amounts[1], one.amounts[2], one.amounts[3]);
  return save(directory + "/jobs.csv", list);
}

Result<void> write_jobs(const std::string& path, const std::vector<JobTruth>& jobs) {
  Text list;
  put(list, "job_id,user,name,nodes,node_list,servers,submit,start,end,timelimit,state,partition\n");
  for (const auto& [job, complete, amounts] : jobs) {
    put(list, "{},{},{},{},\"{}\",{},{},{},{},{},{},{}\n", job.id, job.user, job.name, job.nodes, job.node_list, fmt::join(job.servers, ";"),
        moment_or_nothing(job.submit), moment_or_nothing(job.start), moment_or_nothing(job.end), job.time_limit->count() / 1'000'000, job.state, job.partition);
  }
  return save(path, list);
}

}  // namespace fathom
