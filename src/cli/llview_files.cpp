// SPDX-License-Identifier: Apache-2.0
#include "cli/llview_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/progress.h"
#include "characterise/job_view.h"
#include "cli/output.h"
#include "cli/timeline_rows.h"
#include "store/increment_scan.h"

namespace fathom {
namespace {

using SeriesNumbers = std::map<SeriesName, SeriesId>;  // those of the machine

/// Opens and closes of a job over time. Only bytes and requests flow through a timeline; so increments are linked once more, with opens and
/// closes in the place of bytes. They are shared among jobs by the same rules.
Result<AssembledJob> opens_and_closes(const Study& study, std::uint32_t job, const SeriesNumbers& numbers, Database& database) {
  const Machine& machine = study.machine;
  std::vector<std::uint8_t> wanted(machine.jobs.size(), 0);
  wanted[job] = 1;
  std::vector<LinkedPart> parts;
  SeriesIndex found;
  for (const DayTask& task : plan_days(machine, {job}, false)) {
    Linker linker(study.options.link, machine.spans, machine.rules);
    TRY_VOID(scan_increments(
        *study.snapshot, database, machine.days[task.day], found, {.servers = &task.servers}, [&](const IncrementRun& each) {
          IncrementRun run = each;
          run.series = numbers.at(found.names()[each.series]);
          for (const auto [from, to] : {std::pair{Counter::opens, Counter::read_bytes}, {Counter::closes, Counter::write_bytes}}) {
            run.amounts[index(to)] = each.amounts[index(from)];
            run.valid[index(to)] = each.valid[index(from)];
          }
          linker.link(run, wanted);
        }));
    for (LinkedPart& part : linker.take_parts())
      if (part.job == job) parts.push_back(std::move(part));
  }
  return assemble(machine, job, std::move(parts));
}

/// The bytes (or what stands in their place) of one unit in every slot of the job: read, written.
std::vector<std::array<double, 2>> amounts_of(const JobTimeline& job, std::uint32_t unit, std::int64_t step) {
  JobTimeline alone{job.start, job.end, 1, {}};
  for (const Lane& lane : job.lanes)
    if (lane.unit == unit) alone.lanes.emplace_back(lane).unit = 0;
  std::vector<std::array<double, 2>> amounts;
  walk_slots(alone, step, 0, [&](const Slot& slot) { amounts.push_back({slot.amounts[0], slot.amounts[1]}); });
  return amounts;
}

std::string in_one_word(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c <= ' '; }, '_');
  return text;
}

/// `jobid ts nodeid MbwR MbrR ocR`: mean rates of the slot that ends at ts. LLview leaves rows of zeros out; here the first server has all
/// of its rows, so that whoever reads the file knows when each interval began.
Result<std::string> usage_text(const Study& study, const JobView& view, const SeriesNumbers& numbers, Database& database) {
  const Job& job = study.machine.jobs[view.job];
  TRY(const AssembledJob metadata, opens_and_closes(study, view.job, numbers, database));
  const std::int64_t step = view.step, start = view.assembled.timeline.start;
  const std::int64_t base = start / step * step;
  const double seconds_of_slot = static_cast<double>(step) / 1e6;
  std::vector<std::vector<std::array<double, 2>>> bytes, calls;
  for (std::uint32_t unit = 0; unit < view.units.size(); ++unit) {
    bytes.push_back(amounts_of(view.assembled.timeline, unit, step));
    calls.push_back(amounts_of(metadata.timeline, unit, step));
  }
  const std::string id = in_one_word(job.id);
  std::string text = fmt::format("{:<12} {:>12} {:>20} {:>16} {:>16} {:>16}\n", "jobid", "ts", "nodeid", "MbwR", "MbrR", "ocR");
  const auto row = [&](std::int64_t moment, std::size_t unit, double written, double read, double opened) {
    text += fmt::format("{:<12} {:>12} {:>20} {:>16.9f} {:>16.9f} {:>16.9e}\n", id, moment / 1'000'000, in_one_word(view.units[unit].unit),
                        written / 0x1p20 / seconds_of_slot, read / 0x1p20 / seconds_of_slot, opened / seconds_of_slot);
  };
  if (!bytes.empty()) row(base, 0, 0, 0, 0);
  for (std::size_t slot = 0; !bytes.empty() && slot < bytes[0].size(); ++slot) {
    for (std::size_t unit = 0; unit < bytes.size(); ++unit) {
      const auto [read, written] = bytes[unit][slot];
      const auto [opens, closes] = calls[unit][slot];
      if (unit == 0 || read > 0 || written > 0 || opens + closes > 0)
        row(base + static_cast<std::int64_t>(slot + 1) * step, unit, written, read, opens + closes);
    }
  }
  return text;
}

/// A job id in a file's name: without what separates folders, or the parts of LLview's names. The same id may come again.
std::string file_word(std::string id, std::map<std::string, int>& used) {
  std::replace_if(
      id.begin(), id.end(), [](unsigned char c) { return !(std::isalnum(c) != 0 || c == '-' || c == '.'); }, '-');
  const int time = ++used[id];
  return time == 1 ? id : fmt::format("{}.{}", id, time);
}

}  // namespace

Result<LlviewAccount> write_llview_files(const Store& store, const std::string& folder) {
  TRY_VOID(make_directories(folder + "/llview"));
  TRY_VOID(make_directories(folder + "/timelines"));
  StudyOptions options;
  options.every_job = true;
  Progress progress("writing jobs", Progress::Unit::share);
  options.progress = [&](double share) { progress.update(static_cast<std::uint64_t>(share * 1e5), 1'000'000); };
  TRY(const Study found, study(store, options));
  LlviewAccount account;
  account.left_out = found.machine.jobs.size() - found.analysis.jobs.size();
  SeriesNumbers numbers;
  for (SeriesId s = 0; s < found.machine.series.size(); ++s) numbers[found.machine.series[s].name] = s;
  TRY(Database database, Database::open({.threads = 1}));
  std::map<std::string, int> used;
  for (std::size_t i = 0; i < found.analysis.jobs.size(); ++i) {
    TRY(const JobView view, look_at(found, i));
    const std::string word = file_word(found.machine.jobs[view.job].id, used);
    TRY(const std::string text, usage_text(found, view, numbers, database));
    TRY_VOID(write_text(text, {"table", fmt::format("{}/llview/FSusage_{}_all_node.dat", folder, word)}));
    TRY_VOID(write_table(slot_rows(slots_of(view, view.step, options.thresholds.front())),
                         {"csv", fmt::format("{}/timelines/{}.csv", folder, word)}));
    ++account.jobs;
    progress.update(100'000 + 900'000 * (i + 1) / found.analysis.jobs.size(), 1'000'000);
  }
  return account;
}

}  // namespace fathom
