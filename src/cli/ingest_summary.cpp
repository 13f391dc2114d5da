// SPDX-License-Identifier: Apache-2.0
#include "cli/ingest_summary.h"

#include <fmt/format.h>

#include <initializer_list>
#include <map>
#include <set>
#include <string_view>

#include "base/talk.h"
#include "base/units.h"
#include "report/table.h"

namespace fathom {
namespace {

constexpr std::size_t files_shown = 12;

/// One line per file; of many files, one per format.
Table what_was_read(const IngestReport& report) {
  Table table{{{"file"},
               {"format"},
               {"lines", Quantity::count},
               {"samples", Quantity::count},
               {"new", Quantity::count},
               {"known", Quantity::count},
               {"jobs", Quantity::count},
               {"rejected", Quantity::count},
               {"left out", Quantity::count}},
              {}};
  struct Sum {
    std::uint64_t files = 0, lines = 0, samples = 0, fresh = 0, known = 0, jobs = 0, rejected = 0, left_out = 0;
  };
  std::map<std::string, Sum> sums;
  std::size_t read = 0;
  for (const FileReport& file : report.files) read += !file.known && file.left_alone.empty();
  for (const FileReport& file : report.files) {
    if (file.known || !file.left_alone.empty()) continue;
    Sum& sum = sums[read <= files_shown ? file.path + "\n" + file.format : "\n" + file.format];
    ++sum.files;
    sum.lines += file.account.lines;
    sum.samples += file.account.samples;
    sum.fresh += file.merged.new_samples;
    sum.known += file.merged.duplicates;
    sum.jobs += file.account.jobs;
    sum.rejected += file.account.rejected + file.merged.conflicts;
    sum.left_out += file.merged.before_horizon;
    for (const auto& [reason, count] : file.account.left_out) sum.left_out += count;
  }
  for (const auto& [key, sum] : sums) {
    const auto cut = key.find('\n');
    const std::string name = cut == 0 ? counted(sum.files, "file") : key.substr(0, cut);
    table.rows.push_back({cell(name), cell(key.substr(cut + 1)), cell(sum.lines), cell(sum.samples), cell(sum.fresh), cell(sum.known),
                          cell(sum.jobs), cell(sum.rejected), cell(sum.left_out)});
  }
  return table;
}

void print_rejects(const IngestReport& report) {
  std::size_t shown = 0;
  for (const FileReport& file : report.files) {
    for (const Reject& reject : file.account.first_rejects) {
      if (++shown > 10) return;
      tell("rejected: {}:{}: {}{}{}\n", reject.path, reject.line, reject.why, reject.text.empty() ? "" : ": ", reject.text);
    }
  }
}

struct Counted {
  std::uint64_t count;
  std::string_view one, many;
};

/// "repaired: 1 reset, 2 wraps"; nothing where all are 0.
std::string listed(std::string_view heading, std::initializer_list<Counted> all) {
  std::string text;
  for (const auto& [count, one, many] : all)
    if (count > 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", counted(count, one, many));
  return text.empty() ? text : fmt::format("{}: {}", heading, text);
}

void print_repairs(const Repairs& found) {
  std::string text = listed(
      "repaired",
      {{found.resets, "reset", "resets"}, {found.resets_inferred, "reset inferred", "resets inferred"}, {found.wraps, "wrap", "wraps"}});
  const std::string flagged = listed(
      "flagged",
      {{found.gaps, "gap", "gaps"}, {found.unmounts, "unmount", "unmounts"}, {found.expiries, "expired job entry", "expired job entries"}});
  if (!text.empty() && !flagged.empty()) text += "; ";
  text += flagged;
  if (!text.empty()) tell("{}\n", text);
}

}  // namespace

void print_ingest_summary(const IngestReport& report) {
  const Table table = what_was_read(report);
  if (!table.rows.empty()) tell("{}", as_aligned_text(table));
  print_repairs(report.repairs);
  std::uint64_t known = 0, conflicts = 0, forgotten = 0;
  std::vector<const FileReport*> left_alone;
  std::map<std::string, std::uint64_t> left_out;
  std::set<std::string> notices;
  for (const FileReport& file : report.files) {
    known += file.known;
    if (!file.left_alone.empty()) left_alone.push_back(&file);
    conflicts += file.merged.conflicts;
    forgotten += file.merged.before_horizon;
    for (const auto& [reason, count] : file.account.left_out) left_out[reason] += count;
    notices.insert(file.account.notices.begin(), file.account.notices.end());
  }
  for (const RunReport& run : report.runs)
    tell("fathom: {}: run of job {} (known by {}): {}, {}\n", run.run, run.job_id, run.linked_by, counted(run.processes, "process"),
         counted(run.slices, "slice"));
  if (forgotten > 0) left_out["record from before the days that 'fathom forget' keeps"] += forgotten;
  // The readers' words, whatever the number.
  for (const auto& [reason, count] : left_out) tell("left out: {} x {}\n", human_count(count), reason);
  if (known > 0) tell("known: {} of the files {} ingested before: nothing added\n", known, known == 1 ? "was" : "were");
  if (conflicts > 0) {
    tell("conflicts: {} another one of the same moment\n", counted(conflicts, "reading contradicts", "readings contradict"));
    for (const std::string& example : report.conflict_examples) tell("  {}\n", example);
  }
  print_rejects(report);
  for (std::size_t i = 0; i < left_alone.size() && i < 5; ++i) tell("left alone: {} {}\n", left_alone[i]->path, left_alone[i]->left_alone);
  if (left_alone.size() > 5) tell("left alone: and {} more\n", left_alone.size() - 5);
  for (const std::string& notice : notices) tell("notice: {}\n", notice);
}

}  // namespace fathom
