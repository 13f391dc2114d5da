// SPDX-License-Identifier: Apache-2.0
#include "ingest/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/input.h"
#include "ingest/join.h"
#include "ingest/revise.h"
#include "store/series_times.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

class Checker {
 public:
  using Watch = std::function<void(std::uint64_t done, std::uint64_t total)>;

  Checker(const Store& store, const Snapshot& snapshot, Database database, const Watch& progress)
      : store_(store), snapshot_(snapshot), database_(std::move(database)), progress_(progress) {}

  Result<CheckReport> run() {
    std::map<std::int32_t, std::uint64_t> days;  // and their bytes
    for (const TableSchema* table : {&extents_table, &increments_table})
      for (const Segment* segment : snapshot_.manifest().of(table->name)) days[segment->day] += segment->bytes;
    std::uint64_t total = 0, done = 0;
    for (const Segment& segment : snapshot_.manifest().segments) total += segment.bytes;
    for (const auto& [day, bytes] : days) total += bytes;
    for (const Segment& segment : snapshot_.manifest().segments) {
      TRY_VOID(check_segment(segment));
      progress_(done += segment.bytes, total);
    }
    TRY_VOID(look_for_strays());
    if (!report_.problems.empty()) return std::move(report_);
    for (const auto& [day, bytes] : days) {
      TRY_VOID(check_day(day));
      progress_(done += bytes, total);
    }
    TRY_VOID(check_sources());
    return std::move(report_);
  }

 private:
  void problem(std::string text) {
    ++report_.problem_count;
    if (report_.problems.size() < 20) report_.problems.push_back(std::move(text));
  }

  Result<void> check_segment(const Segment& segment) {
    ++report_.segments;
    const std::string file = snapshot_.pinned_path(segment);
    const TableSchema* table = table_named(segment.table);
    if (table == nullptr) {
      problem(fmt::format("{}: belongs to a table '{}' that this program does not know", segment.path, segment.table));
      return {};
    }
    TRY(const std::string hash, hash_file(file));
    if (hash != segment.hash) {
      problem(fmt::format("{}: its bytes are not the ones that were written (damaged or replaced)", segment.path));
      return {};
    }
    const auto rows = database_.number(fmt::format("SELECT count(*) FROM {}", snapshot_.rows_of(segment)));
    if (!rows) {
      problem(fmt::format("{}: cannot be read: {}", segment.path, rows.error().message));
    } else if (static_cast<std::uint64_t>(*rows) != segment.rows) {
      problem(fmt::format("{}: has {} rows, the manifest says {}", segment.path, *rows, segment.rows));
    }
    if (table->by_day && rows) {
      TRY(const std::int64_t strangers, database_.number(fmt::format("SELECT count(*) FROM {} WHERE epoch_us({}) // 86400000000 <> {}",
                                                                     snapshot_.rows_of(segment), table->day_column, segment.day)));
      if (strangers > 0) problem(fmt::format("{}: {} rows belong to another day", segment.path, strangers));
    }
    if (table == &increments_table && rows) return check_note(segment);
    return {};
  }

  /// What a footer notes of the rows is what they say.
  Result<void> check_note(const Segment& segment) {
    const std::vector<SegmentFile> file{{snapshot_.pinned_path(segment), segment.format}};
    TRY(const TimesBySeries noted, read_times(database_, file));
    TRY(const TimesBySeries found, read_times_of_rows(database_, file));
    if (noted != found) problem(fmt::format("{}: its footer notes other times of its series than its rows have", segment.path));
    return {};
  }

  static std::set<std::string> known_files(const Manifest& manifest) {
    std::set<std::string> known(manifest.removed.begin(), manifest.removed.end());
    for (const Segment& segment : manifest.segments) known.insert(segment.path);
    return known;
  }

  Result<void> look_for_strays() {
    const std::set<std::string> known = known_files(snapshot_.manifest());
    std::vector<std::string> strays;
    for (const TableSchema* table : all_tables()) {
      std::error_code problem_code;
      const fs::path folder = fs::path(store_.path()) / table->name;
      for (fs::recursive_directory_iterator it(folder, problem_code), end; !problem_code && it != end; it.increment(problem_code)) {
        const std::string path = fs::relative(it->path(), store_.path());
        if (it->is_regular_file() && !known.contains(path)) strays.push_back(path);
      }
    }
    if (!strays.empty()) {
      // A commit names its files before it puts them into place: those of one that was made meanwhile are named by now.
      TRY(const Snapshot latest, store_.snapshot());
      const std::set<std::string> named = known_files(latest.manifest());
      std::error_code gone;
      for (const std::string& path : strays)
        if (!named.contains(path) && fs::exists(store_.path() + "/" + path, gone))
          problem(fmt::format("{}: is not in the manifest; whoever reads by file pattern counts it", path));
    }
    std::error_code none;
    if (fs::exists(store_.path() + "/staging", none) && !fs::is_empty(store_.path() + "/staging", none))
      report_.remarks.push_back("a change is under way or was interrupted; the next writer finishes or clears it");
    return {};
  }

  /// Every raw sample is the one before it plus the increments between; intervals of a series do not overlap.
  Result<void> check_day(std::int32_t day) {
    TRY(Rows extents,
        database_.query(fmt::format("SELECT e.server, e.filesystem, coalesce(e.job, ''), {}, {} FROM {} e ORDER BY 1, 2, 3, e.first_time",
                                    extent_fields("first"), extent_fields("last"), snapshot_.rows_of(extents_table, day, day))));
    std::map<SeriesName, std::vector<std::pair<Sample, Sample>>> of_series;
    while (extents.next())
      for (std::size_t i = 0; i < extents.size(); ++i)
        of_series[{std::string(extents.text(0, i)), std::string(extents.text(1, i)), std::string(extents.text(2, i))}].emplace_back(
            read_extent_sample(extents, 3, i, 0), read_extent_sample(extents, 3 + extent_field_count, i, 0));
    TRY_VOID(extents.status());

    std::string counters;
    for (const std::string_view counter : counter_names) counters += fmt::format(", {}", counter);
    TRY(Rows rows, database_.query(fmt::format(
                       "SELECT server, filesystem, coalesce(job, ''), start_time, end_time, flags{} FROM {} ORDER BY 1, 2, 3, 5", counters,
                       snapshot_.rows_of(increments_table, day, day))));
    SeriesName name;
    std::vector<Increment> increments;
    auto finish = [&] {
      if (!increments.empty()) check_series(name, of_series[name], increments);
      of_series.erase(name);
      increments.clear();
    };
    while (rows.next()) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.text(0, i) != name.server || rows.text(1, i) != name.filesystem || rows.text(2, i) != name.job) {
          finish();
          name = {std::string(rows.text(0, i)), std::string(rows.text(1, i)), std::string(rows.text(2, i))};
        }
        Increment& increment = increments.emplace_back();
        increment.start = rows.time(3, i);
        increment.end = rows.time(4, i);
        increment.flags = static_cast<std::uint8_t>(rows.number(5, i));
        for (std::size_t c = 0; c < counter_count; ++c) {
          if (rows.is_null(6 + c, i)) continue;
          increment.has |= static_cast<CounterMask>(1u << c);
          if (rows.number(6 + c, i) < 0)
            problem(fmt::format("{}/{}: a negative amount at {}", name.server, name.filesystem, format_iso8601(increment.end)));
          increment.amounts[c] = static_cast<std::uint64_t>(rows.number(6 + c, i));
        }
        ++report_.increments;
      }
    }
    finish();
    for (const auto& [other, list] : of_series) check_series(other, list, {});
    return rows.status();
  }

  void check_series(const SeriesName& name, const std::vector<std::pair<Sample, Sample>>& extents,
                    const std::vector<Increment>& increments) {
    const std::string label = name.server + "/" + name.filesystem + (name.job.empty() ? "" : "/" + name.job);
    Time& last_end = last_end_.try_emplace(name, no_time).first->second;
    for (const Increment& increment : increments) {
      if (increment.start >= increment.end || increment.start < last_end)
        problem(fmt::format("{}: the interval that ends at {} overlaps another or has no length", label, format_iso8601(increment.end)));
      last_end = increment.end;
    }
    std::size_t at = 0;
    for (const auto& [first, last] : extents) {
      Sample sample = first;
      if (at < increments.size() && increments[at].end == sample.t) ++at;
      for (; at < increments.size() && increments[at].end <= last.t; ++at) sample = advance(sample, increments[at]);
      if (sample.t != last.t || sample.values != last.values)
        problem(fmt::format("{}: raw samples and increments do not agree between {} and {}", label, format_iso8601(first.t),
                            format_iso8601(last.t)));
    }
    if (at != increments.size())
      problem(fmt::format("{}: increments on {} without raw samples", label, format_day(day_of(increments.front().end))));
  }

  Result<void> check_sources() {
    TRY(const std::int64_t orphans, database_.number(fmt::format("SELECT count(*) FROM (SELECT DISTINCT source FROM {} UNION SELECT "
                                                                 "DISTINCT source FROM {}) u ANTI JOIN {} s ON u.source = s.id",
                                                                 snapshot_.rows_of(increments_table), snapshot_.rows_of(jobs_table),
                                                                 snapshot_.rows_of(sources_table))));
    if (orphans > 0) problem(fmt::format("rows come from {} sources that are not listed", orphans));
    return {};
  }

  const Store& store_;
  const Snapshot& snapshot_;
  Database database_;
  const Watch& progress_;
  CheckReport report_;
  std::map<SeriesName, Time> last_end_;
};

/// A folder that nobody else can have made before, and that goes away; without one nothing is spilled.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code problem;
    std::string pattern = (fs::temp_directory_path(problem) / "fathom-check-XXXXXX").string();
    if (!problem && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Without all of its files a store cannot be read: then those that are missing are what there is to say.
Result<CheckReport> missing_files(const Store& store, const Error& why) {
  TRY(const Manifest manifest, load_manifest(store.path()));
  const auto is_there = [&](const std::string& path) { return !path.empty() && fs::exists(fs::path(store.path()) / path); };
  CheckReport report;
  for (const Segment& segment : manifest.segments) {
    ++report.segments;
    if (is_there(segment.path) || is_there(segment.staged)) continue;
    ++report.problem_count;
    if (report.problems.size() < 20) report.problems.push_back(fmt::format("{}: is missing", segment.path));
  }
  if (report.problem_count == 0) return why;
  return report;
}

}  // namespace

Result<CheckReport> check_store(const Store& store, const std::function<void(std::uint64_t done, std::uint64_t total)>& progress) {
  const auto snapshot = store.snapshot();
  if (!snapshot) return missing_files(store, snapshot.error());
  // A day of a large machine is sorted, which may need more than memory; the store itself may be read-only.
  DatabaseOptions options;
  const ScratchFolder scratch;
  options.scratch_directory = scratch.path();
  TRY(Database database, Database::open(options));
  return Checker(store, *snapshot, std::move(database), progress).run();
}

}  // namespace fathom
