// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "job_summary/job_summary.h"
#include "model/counters.h"

namespace fathom {
namespace {

/// Fewer requests, or less data, matter to nobody.
constexpr double some_requests = 1000, some_bytes = 100 * 1024.0 * 1024.0;
constexpr double mostly_small = 0.5, often = 0.05, most_of_the_time = 0.5, one_at_a_time = 0.2, uneven = 0.8, many_opens = 10,
                 few_bytes_per_open = 1024.0 * 1024.0;
constexpr std::size_t enough_runs = 3;
constexpr double much_longer = 1.3, much_more = 3;

std::string percent_of(const JobSummary& s, std::string_view x, std::string_view column) {
  return human_percent(s.value(fmt::format("{}_{}", x, column)));
}
std::string count(double number) { return human_count(static_cast<std::uint64_t>(std::llround(number))); }

void small_requests(const JobSummary& s, std::vector<SummaryNotice>& notices) {
  for (const auto& [x, verb] : {std::pair{"write", "Write"}, {"read", "Read"}}) {
    const double share = s.value(fmt::format("{}_small_fraction", x)), ops = s.value(fmt::format("{}_ops", x));
    if (!(share >= mostly_small) || !(ops >= some_requests)) continue;
    notices.push_back({fmt::format("{} in larger pieces: buffer, or use collective I/O.", verb),
                       fmt::format("{} of {} {}s were of at most {} (mean {}).", human_percent(share), count(ops), x,
                                   human_size(s.options.small.front()), human_bytes(s.value(fmt::format("{}_mean_request", x))))});
  }
}

void one_server_at_a_time(const JobSummary& s, std::vector<SummaryNotice>& notices) {
  const double parallel = s.value("total_parallel_intensity"), intensity = s.value("total_intensity");
  if (s.facts.units < 2 || !(parallel <= one_at_a_time) || !(intensity >= often) || !(s.value("total_bytes") >= some_bytes)) return;
  notices.push_back({"Let more processes read and write at once, or spread files over more servers.",
                     fmt::format("While it moved data, few of its {} servers did so together: parallelism {} (0 one at a time, 100 % all).",
                                 s.facts.units, percent_of(s, "total", "parallel_intensity"))});
}

void many_files(const JobSummary& s, std::vector<SummaryNotice>& notices) {
  const double opens = s.value("opens"), length = seconds(s.job.end - s.job.start), bytes = s.value("total_bytes");
  if (!(opens >= some_requests) || !(length > 0) || opens / length < many_opens || !(bytes / opens < few_bytes_per_open)) return;
  notices.push_back(
      {"Open fewer files, or keep them open: use a container format such as HDF5.",
       fmt::format("{} files were opened, {:.0f} each second, for {} each.", count(opens), opens / length, human_bytes(bytes / opens))});
}

void mostly_input_and_output(const JobSummary& s, std::vector<SummaryNotice>& notices) {
  const double intensity = s.value("total_intensity");
  if (!(intensity >= most_of_the_time)) return;
  notices.push_back(
      {"See whether it waits for I/O: record a run with `fathom run` and look at `fathom trace decompose`.",
       fmt::format("In {} of its time it moved more than {}/s.", human_percent(intensity), human_size(s.options.thresholds.front()))});
}

void unlike_earlier_runs(const JobSummary& s, std::vector<SummaryNotice>& notices) {
  if (s.earlier < enough_runs) return;
  const double length = seconds(s.job.end - s.job.start);
  if (s.usual_duration > 0 && length > much_longer * s.usual_duration)
    notices.push_back({"It ran longer than usual: compare its timeline with that of an earlier run.",
                       fmt::format("{} against {} of {} earlier runs (median).", human_duration(s.job.end - s.job.start),
                                   human_duration(Duration{std::llround(s.usual_duration * 1e6)}), s.earlier)});
  for (const Compared& each : s.compared)
    if (each.column.ends_with("_bytes") && each.usual && each.own >= some_bytes && each.own > much_more * *each.usual)
      notices.push_back(
          {fmt::format("It moved more than usual ({}): see whether that was meant.", each.words),
           fmt::format("{} against {} of {} earlier runs (median).", human_bytes(each.own), human_bytes(*each.usual), s.earlier)});
}

void bursts(const JobSummary& s, std::vector<SummaryNotice>& notices) {
  if (!(s.value("write_burstiness") >= uneven) || !(s.value("write_bytes") >= some_bytes) || !(s.value("write_intensity") < often)) return;
  notices.push_back(
      {"Write while it computes, if the program can: all of its data come at once.",
       fmt::format("{} were written in {} of the time: burstiness {} (0 even, 100 % bursts).", human_bytes(s.value("write_bytes")),
                   percent_of(s, "write", "intensity"), percent_of(s, "write", "burstiness"))});
}

}  // namespace

std::vector<SummaryNotice> notices_for(const JobSummary& summary) {
  std::vector<SummaryNotice> notices;
  for (const auto rule : {small_requests, one_server_at_a_time, many_files, unlike_earlier_runs, mostly_input_and_output, bursts})
    rule(summary, notices);
  return notices;
}

}  // namespace fathom
