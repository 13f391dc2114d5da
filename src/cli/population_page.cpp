// SPDX-License-Identifier: Apache-2.0
#include "cli/population_page.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "cli/study_options.h"
#include "population/distribution.h"
#include "population/job_values.h"
#include "population/tables.h"

namespace fathom {
namespace {

constexpr std::array<std::string_view, 2> verbs = {"read", "wrote"}, participles = {"read", "written"}, gerunds = {"reading", "writing"};

std::string percent(double share) { return std::isfinite(share) ? human_percent(share) : "-"; }
std::string heading(std::string_view text) { return fmt::format("\n{}\n", text); }
std::string rate(std::uint64_t threshold) { return human_size(threshold) + "/s"; }

class Page {
 public:
  Page(const Study& study, const PopulationOptions& options) : study_(study), options_(options) {}

  std::string text() {
    add_volumes();
    add_speed();
    add_activity();
    add_requests();
    add_opens_and_closes();
    add_metadata();
    add_overview();
    add_eighty_percent();
    add_small();
    add_selection();
    out_ += heading("What stands behind these numbers") + about(study_);
    add_undefined();
    return out_;
  }

 private:
  Distribution of(std::string_view key, Direction x, const Setting& setting = {}) const {
    return describe(sort_values(values_of(study_, {&job_value(key), x, setting})));
  }
  void say(const std::string& sentence) { out_ += sentence + "\n"; }

  void add_volumes() {
    out_ += fmt::format("The I/O of {} job{}\n\n", human_count(study_.analysis.jobs.size()), study_.analysis.jobs.size() == 1 ? "" : "s");
    const Distribution all = of("bytes", Direction::total);
    for (std::size_t d = 0; d < 2; ++d) {
      const Distribution found = of("bytes", static_cast<Direction>(d));
      if (found.n == 0) continue;
      say(fmt::format("80 % of the jobs {} {} or less; 20 % of the jobs are responsible for {} of the bytes {}.", verbs[d],
                      human_bytes(found.p80), percent(found.top20_share), participles[d]));
      say(fmt::format("  All together they {} {} ({} of all bytes), {} per job on average, {} at most.", verbs[d], human_bytes(found.sum),
                      percent(all.sum > 0 ? found.sum / all.sum : undefined), human_bytes(found.mean), human_bytes(found.max)));
    }
  }

  void add_speed() {
    for (std::size_t d = 0; d < 2; ++d) {
      const auto x = static_cast<Direction>(d);
      const Distribution bandwidth = of("bw_max_inner", x), operations = of("iops_max_inner", x);
      if (bandwidth.n == 0) continue;
      std::string sentence = fmt::format("80 % of the jobs never exceeded {}/s when {}", human_bytes(bandwidth.p80), gerunds[d]);
      if (operations.n > 0) sentence += fmt::format(", nor {} operations/s", human(operations.p80, ValueUnit::operations));
      say(sentence + fmt::format("; the fastest reached {}/s.", human_bytes(bandwidth.max)));
    }
    if (options_.peak <= 0) return;
    std::array<std::size_t, 2> above{};
    for (const AbovePeak& job : above_peak(study_, options_.peak)) ++above[static_cast<std::size_t>(job.x)];
    say(fmt::format("Above the machine's peak of {}/s: {} job{} when reading, {} when writing{}.", human_bytes(options_.peak), above[0],
                    above[0] == 1 ? "" : "s", above[1],
                    above[0] + above[1] > 0 ? " (caches, or a wrong link; --table above-peak lists them)" : ""));
  }

  void add_activity() {
    const std::size_t c = study_.options.thresholds.size() - 1;
    const std::uint64_t threshold = study_.options.thresholds[c];
    const Distribution reading = of("intensity", Direction::read, {c, 0}), writing = of("intensity", Direction::write, {c, 0});
    if (reading.n == 0 || writing.n == 0) return;
    say(fmt::format("80 % of the jobs read faster than {0} for at most {1} of their run time, and write faster than {0} for at most {2}.",
                    rate(threshold), percent(reading.p80), percent(writing.p80)));
  }

  void add_requests() {
    const AllRequests all = all_requests(study_);
    const double small_read = all.small_share(0, 0), small_write = all.small_share(1, 0);
    if (!std::isfinite(small_read) || !std::isfinite(small_write)) return;
    say(fmt::format(
        "{} of the read requests and {} of the write requests have {} or less; 80 % of all reads are below {}, of all writes below {}.",
        percent(small_read), percent(small_write), human_size(study_.options.small[0]), human_bytes(all.size_reached(0, 80)),
        human_bytes(all.size_reached(1, 80))));
  }

  void add_opens_and_closes() {
    const OpensAndCloses found = opens_and_closes(study_);
    if (found.more_opens + found.more_closes + found.equal == 0) return;
    say(fmt::format(
        "Jobs with more opens than closes: {}, with more closes: {}, with as many: {}; for 80 % of the jobs the difference is at most {} "
        "of both together.",
        human_count(found.more_opens), human_count(found.more_closes), human_count(found.equal), percent(found.p80_relative_difference)));
  }

  void add_metadata() {
    const Distribution all = of("metadata_ops", Direction::total), rates = of("metadata_rate_max", Direction::total);
    if (all.n == 0 || rates.n == 0) return;
    say(fmt::format(
        "80 % of the jobs made {} metadata operations or less; 20 % of the jobs are responsible for {} of them; the highest rate was {}.",
        human(all.p80, ValueUnit::operations), percent(all.top20_share), human(rates.max, ValueUnit::operations_per_second)));
  }

  void add_overview() {
    out_ += heading("Distribution over jobs");
    Table table{{{"criterion"}, {"value"}, {"jobs", Quantity::count}}, {}};
    for (const char* name : {"median", "80 % value", "mean", "max", "top 20 % have"}) table.columns.push_back({name, Quantity::real});
    for (const AskedValue& asked : all_asked(study_.options)) {
      if (asked.value->varies != Varies::no || (asked.value->per_direction() && asked.x == Direction::total)) continue;
      const Distribution d = describe(sort_values(values_of(study_, asked)));
      if (d.n == 0 && asked.value->criterion == "1.7") continue;  // many machines count no metadata operations
      auto& row = table.rows.emplace_back();
      row = {cell(asked.value->criterion), cell(asked.label()), cell(d.n)};
      for (const double value : {d.median, d.p80, d.mean, d.max}) row.push_back(cell(human(value, asked.value->unit)));
      // A share of a sum means something where sums do.
      const bool adds_up = asked.value->unit != ValueUnit::fraction && asked.value->key != "mean_request";
      row.push_back(cell(adds_up ? percent(d.top20_share) : "-"));
    }
    out_ += as_aligned_text(table);
  }

  void add_eighty_percent() {
    out_ += heading("80 % of the jobs are equal or below, by threshold (read / write)");
    Table table{{{"a server is active above"}}, {}};
    for (const char* name : {"I/O intensity", "burstiness", "parallel I/O intensity"}) table.columns.push_back({name, Quantity::real});
    for (const EightyPercentRow& found : eighty_percent_table(study_)) {
      auto& row = table.rows.emplace_back();
      row.push_back(cell(rate(found.threshold)));
      for (const auto& both : {found.intensity, found.burstiness, found.parallel_intensity})
        row.push_back(cell(fmt::format("{} / {}", human(both[0], ValueUnit::fraction), human(both[1], ValueUnit::fraction))));
    }
    out_ += as_aligned_text(table);
  }

  void add_small() {
    out_ += heading("Small requests: share of all requests with at most this size");
    const AllRequests all = all_requests(study_);
    Table table{{{"size"}}, {{cell(std::string_view("read"))}, {cell(std::string_view("write"))}}};
    for (std::size_t k = 0; k < study_.options.small.size(); ++k) {
      table.columns.push_back({human_size(study_.options.small[k]), Quantity::real});
      for (std::size_t d = 0; d < 2; ++d) table.rows[d].push_back(cell(percent(all.small_share(d, k))));
    }
    out_ += as_aligned_text(table);
    const double without = all.bytes_without_operations[0] + all.bytes_without_operations[1];
    if (without > 0) say(fmt::format("{} came in samples without operations: their sizes are not known.", human_bytes(without)));
  }

  void add_selection() {
    out_ += heading("Jobs worth a closer look (fathom criteria STORE --job ID)");
    const SelectedJobs selected = select_jobs(study_, options_.selection);
    Table table{{{"job"},
                 {"nodes", Quantity::count},
                 {"run time", Quantity::duration},
                 {"read", Quantity::bytes},
                 {"written", Quantity::bytes},
                 {"why"}},
                {}};
    for (const SelectedJob& one : selected.jobs) {
      const Job& job = study_.machine.jobs[study_.analysis.jobs[one.at]];
      const Measured& m = study_.analysis.measured[one.at];
      for (std::size_t i = 0; i < one.reasons.size(); ++i) {
        const Cell reason = cell(one.reasons[i]), blank = cell(std::string_view(""));
        if (i == 0)
          table.rows.push_back({cell(job.id), job.nodes == 0 ? Cell{} : cell(job.nodes), cell(job.end - job.start), cell(m.totals[0]),
                                cell(m.totals[1]), reason});
        else
          table.rows.push_back({blank, blank, blank, blank, blank, reason});
      }
    }
    out_ += as_aligned_text(table);
    for (const std::string& note : selected.notes) say(note);
  }

  /// Maxima need an increment that lies wholly inside the job; parallel I/O intensity needs two servers.
  void add_undefined() {
    const Distribution fastest = of("bw_max_inner", Direction::total), parallel = of("parallel_intensity", Direction::total);
    if (fastest.undefined > 0)
      say(fmt::format("{} sample wholly inside the run time, so no maximum", counted(fastest.undefined, "job has no", "jobs have no")));
    if (parallel.undefined > 0)
      say(fmt::format("{} parallel I/O intensity: one server, or not counted", counted(parallel.undefined, "job has no", "jobs have no")));
  }

  const Study& study_;
  const PopulationOptions& options_;
  std::string out_;
};

}  // namespace

std::string population_page(const Study& study, const PopulationOptions& options) {
  if (study.analysis.jobs.empty()) return "No job is left to look at.\n" + about(study);
  return Page(study, options).text();
}

}  // namespace fathom
