// SPDX-License-Identifier: Apache-2.0
#include "synth/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

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

std::string moment(Time t) { return t == no_time ? std::string() : format_unix_seconds(t); }

template <class Range>
std::string joined(const Range& range, char separator) {
  std::string text;
  for (const auto& one : range) {
    if (!text.empty()) text += separator;
    text += fmt::format("{}", one);
  }
  return text;
}

struct Names {
  const std::vector<std::string>& servers;
  const std::vector<std::string>& filesystems;
};

/// mmpmon has no count of all metadata operations: readers take the sum of those that it has.
Counters with_metadata(Counters amounts) {
  for (const Counter part : metadata_parts) amounts[index(Counter::metadata_ops)] += amounts[index(part)];
  return amounts;
}

Text totals_table(const Truth& truth) {
  Text text;
  put(text, "counter,happened,recoverable\n");
  const Counters happened = with_metadata(truth.happened), known = with_metadata(truth.recoverable());
  for (std::size_t i = 0; i < counter_count; ++i) put(text, "{},{},{}\n", counter_names[i], happened[i], known[i]);
  return text;
}

Text series_table(const Truth& truth, const Names& names) {
  Text text;
  put(text, "server,filesystem,first,last,samples,increments,{}\n", joined(counter_names, ','));
  for (const SeriesTruth& one : truth.series) {
    if (one.samples == 0) continue;
    put(text, "{},{},{},{},{},{},{}\n", names.servers[one.server], names.filesystems[one.filesystem], moment(one.first), moment(one.last),
        one.samples, one.increments, joined(with_metadata(one.recoverable), ','));
  }
  return text;
}

Text faults_table(const Truth& truth, const Names& names) {
  auto ordered = truth.faults;
  std::stable_sort(ordered.begin(), ordered.end(), [](const FaultRow& a, const FaultRow& b) { return a.t < b.t; });
  Text text;
  put(text, "kind,server,filesystem,t,t_end,visible,note\n");
  for (const FaultRow& row : ordered)
    put(text, "{},{},{},{},{},{},{}\n", row.kind, names.servers[row.server], row.filesystem, moment(row.t), moment(row.t_end),
        row.visible ? "yes" : "no", row.note);
  return text;
}

/// In the words of `fathom info`. Dead-node lines and lines with a return code carry no data and are left out, not rejected.
Text counts_table(const Truth& truth) {
  std::uint64_t increments = 0;
  std::set<std::uint32_t> servers;
  std::set<std::uint8_t> filesystems;
  for (const SeriesTruth& one : truth.series) {
    if (one.samples == 0) continue;
    increments += one.increments;
    servers.insert(one.server);
    filesystems.insert(one.filesystem);
  }
  const std::pair<std::string_view, std::uint64_t> counted[] = {{"increments", increments},
                                                                {"servers", servers.size()},
                                                                {"filesystems", filesystems.size()},
                                                                {"jobs", truth.jobs.size()},
                                                                {"resets", truth.resets},
                                                                {"resets_inferred", truth.resets_inferred},
                                                                {"wraps", truth.wraps},
                                                                {"gaps", truth.gaps},
                                                                {"duplicates", truth.duplicates},
                                                                {"rejected", 0},
                                                                {"left_out", truth.left_out},
                                                                {"lines", truth.lines}};
  Text text;
  put(text, "what,count\n");
  for (const auto& [what, count] : counted) put(text, "{},{}\n", what, count);
  return text;
}

Text jobs_table(const Truth& truth) {
  Text text;
  put(text, "job_id,user,name,nodes,start,end,complete,read_bytes,write_bytes,read_ops,write_ops\n");
  for (const auto& [job, complete, amounts] : truth.jobs)
    put(text, "{},{},{},{},{},{},{},{},{},{},{}\n", job.id, job.user, job.name, job.nodes, moment(job.start), moment(job.end),
        complete ? "yes" : "no", amounts[0], amounts[1], amounts[2], amounts[3]);
  return text;
}

}  // namespace

Counters Truth::recoverable() const {
  Counters sum{};
  for (const SeriesTruth& one : series) add_to(sum, one.recoverable);
  return sum;
}

Result<void> Truth::write(const std::string& directory, const std::vector<std::string>& servers,
                          const std::vector<std::string>& filesystems) const {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) return Error{ErrorKind::unwritable, fmt::format("making the directory {}: {}", directory, failed.message())};
  const Names names{servers, filesystems};
  TRY_VOID(save(directory + "/totals.csv", totals_table(*this)));
  TRY_VOID(save(directory + "/series.csv", series_table(*this, names)));
  TRY_VOID(save(directory + "/faults.csv", faults_table(*this, names)));
  TRY_VOID(save(directory + "/counts.csv", counts_table(*this)));
  return save(directory + "/jobs.csv", jobs_table(*this));
}

Result<void> write_jobs(const std::string& path, const std::vector<JobTruth>& jobs) {
  Text text;
  put(text, "job_id,user,name,nodes,node_list,servers,submit,start,end,timelimit,state,partition\n");
  for (const auto& [job, complete, amounts] : jobs) {
    put(text, "{},{},{},{},\"{}\",{},{},{},{},{},{},{}\n", job.id, job.user, job.name, job.nodes, job.node_list, joined(job.servers, ';'),
        moment(job.submit), moment(job.start), moment(job.end), job.time_limit->count() / 1'000'000, job.state, job.partition);
  }
  return save(path, text);
}

}  // namespace fathom
