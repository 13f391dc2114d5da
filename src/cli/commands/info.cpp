// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "store/survey.h"

namespace fathom {
namespace {

struct Facts {
  StoreSurvey survey;
  StoreSurvey::Total total;
  std::set<std::string> servers, filesystems;
  std::map<std::int64_t, std::uint64_t> steps;  // usual interval in microseconds: how many series
  std::uint64_t jobs = 0, applications = 0, tagged_series = 0, segments = 0, bytes = 0, duplicates = 0, conflicts = 0, rejected = 0,
                left_out = 0;
  Time first_job = no_time, last_job = no_time;
  Table sources;
};

Result<void> read_sources(const Snapshot& snapshot, Database& database, Facts& facts) {
  facts.sources.columns = {{"id", Quantity::count},
                           {"name"},
                           {"format"},
                           {"size", Quantity::bytes},
                           {"added", Quantity::time},
                           {"samples", Quantity::count},
                           {"new", Quantity::count},
                           {"jobs", Quantity::count},
                           {"rejected", Quantity::count}};
  TRY(Rows rows, database.query(fmt::format(
                     "SELECT id, name, format, bytes, added, samples, new_samples, jobs, rejected, duplicates, conflicts, left_out "
                     "FROM {} ORDER BY id",
                     snapshot.rows_of(sources_table))));
  while (rows.next()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& row = facts.sources.rows.emplace_back();
      for (std::size_t c = 0; c < 9; ++c) {
        if (c == 1 || c == 2)
          row.push_back(cell(rows.text(c, i)));
        else
          row.push_back(rows.is_null(c, i) ? Cell{} : Cell{rows.number(c, i)});
      }
      facts.rejected += static_cast<std::uint64_t>(rows.number(8, i));
      facts.duplicates += static_cast<std::uint64_t>(rows.number(9, i));
      facts.conflicts += static_cast<std::uint64_t>(rows.number(10, i));
      facts.left_out += static_cast<std::uint64_t>(rows.number(11, i));
    }
  }
  return rows.status();
}

Result<Facts> collect(const std::string& path) {
  TRY(const Store store, Store::open(path));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Database database, Database::open({.progress_title = "reading the store"}));
  Facts facts;
  TRY(facts.survey, survey(snapshot, database));
  facts.total = facts.survey.total();
  for (const SeriesSurvey& series : facts.survey.series) {
    facts.servers.insert(series.name.server);
    if (!series.name.filesystem.empty()) facts.filesystems.insert(series.name.filesystem);
    if (!series.name.job.empty()) ++facts.tagged_series;
    if (series.increments > 0) ++facts.steps[series.usual_interval.count()];
  }
  for (const Segment& segment : snapshot.manifest().segments) {
    ++facts.segments;
    facts.bytes += segment.bytes;
  }
  TRY(Rows jobs,
      database.query(fmt::format(
          "SELECT count(*), count(DISTINCT (user_name, name, nodes)), min(start_time), max(coalesce(end_time, start_time)) FROM {}",
          snapshot.rows_of(jobs_table))));
  if (jobs.next()) {
    facts.jobs = static_cast<std::uint64_t>(jobs.number(0, 0));
    facts.applications = static_cast<std::uint64_t>(jobs.number(1, 0));
    facts.first_job = jobs.time(2, 0);
    facts.last_job = jobs.time(3, 0);
  }
  TRY_VOID(jobs.status());
  TRY_VOID(read_sources(snapshot, database, facts));
  return facts;
}

/// Whole seconds as an integer, others with their fraction.
nlohmann::ordered_json seconds_json(Time t) {
  if (t == no_time) return nullptr;
  if (micros(t) % 1000000 == 0) return micros(t) / 1000000;
  return static_cast<double>(micros(t)) / 1e6;
}

std::string as_json(const Facts& facts) {
  nlohmann::ordered_json json;
  const auto& total = facts.total;
  json["increments"] = total.increments;
  json["servers"] = facts.servers.size();
  json["filesystems"] = facts.filesystems.size();
  json["jobs"] = facts.jobs;
  json["applications"] = facts.applications;
  json["start"] = seconds_json(total.any ? total.first : facts.first_job);
  json["end"] = seconds_json(total.any ? total.last : facts.last_job);
  for (std::size_t c = 0; c < counter_count; ++c) {
    const std::string name(counter_names[c]);
    if (holds(total.has, c))
      json[name] = total.sums[c];
    else
      json[name] = nullptr;
  }
  json["resets"] = facts.survey.resets;
  json["resets_inferred"] = facts.survey.resets_inferred;
  json["wraps"] = facts.survey.wraps;
  json["gaps"] = total.gaps;
  json["unmounts"] = facts.survey.unmounts;
  json["expiries"] = facts.survey.expiries;
  json["duplicates"] = facts.duplicates;
  json["conflicts"] = facts.conflicts;
  json["rejected"] = facts.rejected;
  json["left_out"] = facts.left_out;
  if (total.any)
    json["coverage"] = total.coverage;
  else
    json["coverage"] = nullptr;
  for (const auto& [step, count] : facts.steps)
    json["sampling_steps"].push_back({{"seconds", static_cast<double>(step) / 1e6}, {"series", count}});
  json["segments"] = facts.segments;
  json["bytes"] = facts.bytes;
  json["sources"] = nlohmann::ordered_json::parse(fathom::as_json(facts.sources));
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string as_key_values(const Facts& facts) {
  std::string out = "what,value\n";
  const auto json = nlohmann::ordered_json::parse(as_json(facts));
  for (const auto& [key, value] : json.items())
    if (!value.is_structured()) out += fmt::format("{},{}\n", key, value.is_null() ? "" : value.dump());
  return out;
}

std::string some_names(const std::set<std::string>& names) {
  std::string text;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (++shown > 4) return text + ", ...";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::string as_page(const Facts& facts, const std::string& path, bool all_sources) {
  std::string out;
  auto line = [&](std::string_view label, const std::string& text) { out += fmt::format("{:<14}{}\n", label, text); };
  const auto& total = facts.total;
  line("store", fmt::format("{}: {} in {}", path, human_bytes(static_cast<double>(facts.bytes)), counted(facts.segments, "segment")));
  if (total.any) {
    line("time",
         fmt::format("{} to {} ({})", format_iso8601(std::chrono::floor<std::chrono::seconds>(total.first)),
                     format_iso8601(std::chrono::ceil<std::chrono::seconds>(total.last)), human_duration(total.last - total.first)));
    line("servers", fmt::format("{} ({})", human_count(facts.servers.size()), some_names(facts.servers)));
    line("file systems",
         facts.filesystems.empty() ? "not told apart" : fmt::format("{} ({})", facts.filesystems.size(), some_names(facts.filesystems)));
    if (facts.tagged_series > 0) line("job tags", counted(facts.tagged_series, "series carries a job's id", "series carry a job's id"));
    std::string steps;
    std::multimap<std::uint64_t, std::int64_t, std::greater<>> by_count;
    for (const auto& [step, count] : facts.steps) by_count.emplace(count, step);
    std::size_t shown = 0;
    for (const auto& [count, step] : by_count) {
      if (++shown > 3) break;
      steps += fmt::format("{}{} ({} series)", steps.empty() ? "" : ", ", human_duration(Duration{step}), human_count(count));
    }
    line("sampled every", steps);
    line("increments", human_count(total.increments));
    for (const Counter c : {Counter::read_bytes, Counter::write_bytes}) {
      const Counter ops = c == Counter::read_bytes ? Counter::read_ops : Counter::write_ops;
      if (!holds(total.has, index(c))) continue;
      std::string text = human_bytes(static_cast<double>(total.sums[index(c)]));
      if (holds(total.has, index(ops))) text += " in " + counted(total.sums[index(ops)], "request");
      line(c == Counter::read_bytes ? "read" : "written", text);
    }
    if (holds(total.has, index(Counter::metadata_ops))) line("metadata", counted(total.sums[index(Counter::metadata_ops)], "operation"));
    line("coverage", fmt::format("{} of the servers' time was measured", human_percent(total.coverage)));
    line("repaired",
         fmt::format("{} told by logs, {} inferred, {} corrected, {}", counted(facts.survey.resets, "reset"),
                     human_count(facts.survey.resets_inferred), counted(facts.survey.wraps, "wrap"), counted(total.gaps, "gap")));
    if (facts.survey.unmounts + facts.survey.expiries > 0)
      line("not measured", fmt::format("{}, {}", counted(facts.survey.unmounts, "unmount"),
                                       counted(facts.survey.expiries, "expired job entry", "expired job entries")));
    line("input", fmt::format("{}, {}, {} rejected, {} left out", counted(facts.duplicates, "duplicate"),
                              counted(facts.conflicts, "conflict"), human_count(facts.rejected), human_count(facts.left_out)));
  }
  if (facts.jobs > 0) {
    line("jobs", fmt::format("{} of {}, {} to {}", human_count(facts.jobs), counted(facts.applications, "application"),
                             format_iso8601(std::chrono::floor<std::chrono::seconds>(facts.first_job)),
                             format_iso8601(std::chrono::ceil<std::chrono::seconds>(facts.last_job))));
  }
  if (!total.any && facts.jobs == 0) line("", "nothing yet: fathom ingest STORE FILE... adds logs");
  Table sources = facts.sources;
  const std::size_t hidden = !all_sources && sources.rows.size() > 15 ? sources.rows.size() - 15 : 0;
  sources.rows.erase(sources.rows.begin(), sources.rows.begin() + static_cast<std::ptrdiff_t>(hidden));
  if (!sources.rows.empty()) out += "\nsources\n" + as_aligned_text(sources);
  if (hidden > 0) out += fmt::format("({}: --all-sources shows all)\n", counted(hidden, "older source"));
  return out;
}

std::function<Result<void>()> declare(CommandLine& line) {
  struct Options {
    std::string store;
    bool all_sources = false;
  };
  auto options = std::make_shared<Options>();
  line.add_option("STORE", options->store, "the store").required();
  line.add_flag("--all-sources", options->all_sources, "list every ingested file, not only the last 15");
  auto output = add_output_options(line);
  return [options, output]() -> Result<void> {
    TRY(const Facts facts, collect(options->store));
    if (output->format == "parquet") return write_table(facts.sources, *output);
    return write_text(output->format == "json"  ? as_json(facts)
                      : output->format == "csv" ? as_key_values(facts)
                                                : as_page(facts, options->store, options->all_sources),
                      *output);
  };
}

}  // namespace

namespace commands {
extern const Command info;
constinit const Command info{
    .name = "info",
    .summary = "What is in a store: sources, servers, time span, coverage, repairs, jobs",
    .details = R"(Sums count each byte once: where a server has counters per file system and also a total or counters per job, those per
file system count. A gap is an increment longer than 2.5 times its series' usual interval (the median): its bytes count,
its seconds are not covered.

json and csv hold the same numbers in plain units. parquet holds the list of sources only.)",
    .examples = R"(  fathom info store
  fathom info store --format json)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
