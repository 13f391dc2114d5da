// SPDX-License-Identifier: Apache-2.0
// expected_criteria FOLDER MACHINES: writes machines made by chance as counters_csv and jobs_csv, and beside them what `fathom criteria`
// must say of their jobs, for every way of linking, as the reference of the unit tests computes it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "characterise/made_machine_test.h"
#include "characterise/reference_test.h"

namespace fathom {
namespace {

constexpr std::int64_t second = 1'000'000;

/// Counters as running totals; a reset is a fall. Where no counter would fall nobody can see it: then it is none.
class CounterFiles {
 public:
  explicit CounterFiles(const std::string& folder) : folder_(folder) {}

  void write(reference::Series& series) {
    Counters totals;
    totals.fill(1000);
    const CounterMask has = series.increments[0].has;
    row(series.name, has, micros(series.increments[0].start), totals);
    for (Increment& i : series.increments) {
      bool falls = false;
      for (std::size_t c = 0; c < counter_count; ++c) falls |= holds(has, c) && i.amounts[c] < totals[c];
      if (!falls) i.flags = plain;
      for (std::size_t c = 0; c < counter_count; ++c) totals[c] = (i.flags == reset_inferred ? 0 : totals[c]) + i.amounts[c];
      row(series.name, has, micros(i.end), totals);
    }
  }

 private:
  void row(const SeriesName& name, CounterMask has, std::int64_t t, const Counters& totals) {
    std::ofstream& file = file_with(has);
    file << fmt::format("{}.{:06},{},{}", t / second, t % second, name.server, name.filesystem);
    for (std::size_t c = 0; c < counter_count; ++c)
      if (holds(has, c)) file << ',' << totals[c];
    file << '\n';
  }

  /// One file for each set of columns.
  std::ofstream& file_with(CounterMask has) {
    auto [file, is_new] = files_.try_emplace(has);
    if (is_new) {
      file->second.open(fmt::format("{}/counters-{:03}.csv", folder_, has));
      file->second << "t,server,filesystem";
      for (std::size_t c = 0; c < counter_count; ++c)
        if (holds(has, c)) file->second << ',' << counter_names[c];
      file->second << '\n';
    }
    return file->second;
  }

  std::string folder_;
  std::map<CounterMask, std::ofstream> files_;
};

void write_jobs(const std::string& folder, const reference::Machine& machine) {
  std::ofstream file(folder + "/jobs.csv");
  file << "job_id,start,end,user,name,servers\n";
  for (const Job& job : machine.jobs) {
    std::string servers;
    for (const std::string& server : job.servers) servers += (servers.empty() ? "" : ";") + server;
    file << fmt::format("{},{},{},{},{},{}\n", job.id, format_unix_seconds(job.start),
                        job.end == no_time ? "" : format_unix_seconds(job.end), job.user, job.name, servers);
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ";") + word;
  return text;
}

std::string number(const reference::Value& value) { return value ? fmt::format("{:.17g}", static_cast<double>(*value)) : ""; }

/// True if the mass run lists the job: it was measured, and it moved or asked for something.
bool listed(const reference::Expected& e) {
  if (!e.coverage || *e.coverage <= 0) return false;
  for (std::size_t k = 0; k < reference::columns().size(); ++k) {
    const std::string& name = reference::columns()[k];
    const bool volume = name == "read_bytes" || name == "write_bytes" || name == "read_ops" || name == "write_ops";
    if (volume && e.values[0][k].value_or(0) > 0) return true;
  }
  return false;
}

void write_expected(const std::string& folder, const reference::Machine& machine, const reference::Settings& settings) {
  std::ofstream file(fmt::format("{}/expected-{}.csv", folder, settings.link));
  file << "job_id,listed,units,start,end,duration,sampling_step,coverage,flags,unsure_flags,link,other_jobs,threshold,small";
  for (const std::string& name : reference::columns()) file << ',' << name;
  file << ",read_bytes_bound,write_bytes_bound\n";
  const auto expected = reference::characterise(machine, settings);
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const Job& job = machine.jobs[j];
    const reference::Expected& e = expected[j];
    if (!e.answerable) continue;
    for (std::size_t c = 0; c < settings.thresholds.size(); ++c) {
      for (std::size_t s = 0; s < settings.small.size(); ++s) {
        file << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}", job.id, listed(e) ? 1 : 0, e.units, format_unix_seconds(job.start),
                            format_unix_seconds(job.end), seconds(job.end - job.start),
                            e.sampling_step == 0 ? "" : fmt::format("{}", static_cast<double>(e.sampling_step) / 1e6), number(e.coverage),
                            joined(e.flags), joined(e.unsure_flags), settings.link, e.other_jobs, settings.thresholds[c],
                            settings.small[s]);
        const std::vector<reference::Value>& values = e.at(c, s, settings.small.size());
        for (const reference::Value& value : values) file << ',' << number(value);
        for (std::size_t d = 0; d < 2; ++d) {  // of bytes that were not counted nobody knows the error
          const auto bytes = std::find(reference::columns().begin(), reference::columns().end(), d == 0 ? "read_bytes" : "write_bytes");
          const bool known = e.coverage && *e.coverage > 0 && values[static_cast<std::size_t>(bytes - reference::columns().begin())];
          file << ',' << (known ? number(e.bound[d]) : "");
        }
        file << '\n';
      }
    }
  }
}

void run(const std::string& folder, int machines) {
  reference::Machine all;
  for (int m = 0; m < machines; ++m) {
    // One after the other with overlaps, over days and a month's end (1 March 2011).
    const std::int64_t begin = (1'298'937'600 - 80'000 + 900 * std::int64_t{m}) * second;
    MadeMachine made = make_machine(3'000'000 + static_cast<std::uint64_t>(m), {true, fmt::format("m{}", m), begin});
    for (Job& job : made.machine.jobs) all.jobs.push_back(std::move(job));
    for (reference::Series& series : made.machine.series) all.series.push_back(std::move(series));
  }
  CounterFiles files(folder);
  for (reference::Series& series : all.series) files.write(series);
  write_jobs(folder, all);
  for (const char* link : {"weighted", "simple", "discard", "double-count", "window"})
    write_expected(folder, all, {link, second, {0, 7, 1000, 1 << 20}, {512, 4096}});
}

}  // namespace
}  // namespace fathom

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: expected_criteria FOLDER MACHINES\n");
    return 2;
  }
  fathom::run(argv[1], std::atoi(argv[2]));
  return 0;
}
