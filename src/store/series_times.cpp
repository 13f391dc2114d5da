// SPDX-License-Identifier: Apache-2.0
#include "store/series_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>

#include "model/increment.h"
#include "store/increment_scan.h"

namespace fathom {
namespace {

constexpr std::string_view note_key = "fathom_series_times";
constexpr std::uint64_t rows_worth_a_note = 4;  // of a series, in the mean

/// To the second; to the millisecond below 10 s.
std::int64_t rounded(std::int64_t length) {
  return length < 10'000'000 ? (length + 500) / 1000 * 1000 : (length + 500'000) / 1'000'000 * 1'000'000;
}

/// Rows of one series that follow each other.
void add_run(SeriesTimes& times, const std::int64_t* start, const std::int64_t* end, const std::int64_t* flags, std::size_t size) {
  // Equal lengths follow each other: count them before looking for their class.
  std::int64_t length = -1;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    times.range.add(start[i], end[i]);
    if ((flags[i] & unmeasured_flags) != 0) continue;
    const std::int64_t next = rounded(end[i] - start[i]);
    if (next == length) {
      ++count;
      continue;
    }
    if (count > 0) times.lengths.add(length, count);
    length = next;
    count = 1;
  }
  if (count > 0) times.lengths.add(length, count);
  times.increments += size;
}

/// A line of a note, from its left to its right: texts and whole numbers between tabs.
class NoteLine {
 public:
  explicit NoteLine(std::string_view text) : rest_(text) {}
  bool more() const { return at_ <= rest_.size(); }
  std::string_view text() {
    const std::size_t end = std::min(rest_.find('\t', at_), rest_.size());
    const std::string_view field = more() ? rest_.substr(at_, end - at_) : std::string_view{};
    at_ = end + 1;
    return field;
  }
  template <class Number>
  Number number() {
    Number value{};
    const std::string_view field = text();
    const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
    good_ = good_ && problem == std::errc{} && end == field.data() + field.size();
    return value;
  }
  bool good() const { return good_; }

 private:
  std::string_view rest_;
  std::size_t at_ = 0;
  bool good_ = true;
};

bool can_be_noted(const SeriesName& name) { return (name.server + name.filesystem + name.job).find_first_of("\t\n") == std::string::npos; }

TimesBySeries by_name(const SeriesIndex& index, std::vector<SeriesTimes> times) {
  TimesBySeries named;
  for (std::size_t s = 0; s < times.size(); ++s) named[index.names()[s]] = std::move(times[s]);
  return named;
}

}  // namespace

void LengthCounts::add(std::int64_t length, std::uint64_t count) {
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (classes_[i].first != length) continue;
    classes_[i].second += count;
    if (i > 0) std::swap(classes_[i], classes_[i - 1]);  // what is frequent comes to the front
    return;
  }
  classes_.emplace_back(length, count);
}

void LengthCounts::add(const LengthCounts& other) {
  for (const auto& [length, count] : other.classes_) add(length, count);
}

std::vector<std::pair<std::int64_t, std::uint64_t>> LengthCounts::sorted() const {
  auto classes = classes_;
  std::sort(classes.begin(), classes.end());
  return classes;
}

bool LengthCounts::operator==(const LengthCounts& other) const { return sorted() == other.sorted(); }

std::int64_t LengthCounts::median() const {
  const auto classes = sorted();
  std::uint64_t all = 0, below = 0;
  for (const auto& [length, count] : classes) all += count;
  for (const auto& [length, count] : classes) {
    below += count;
    if (below * 2 >= all) return length;
  }
  return 0;
}

void SeriesTimes::add(const SeriesTimes& other) {
  range.add(other.range.from, other.range.to);
  increments += other.increments;
  lengths.add(other.lengths);
}

std::vector<FooterNote> notes_for(const Columns& rows) {
  if (&rows.schema() != &increments_table || !rows.even()) return {};
  const auto column = [&](std::string_view name) -> const Column& { return rows[increments_table.column(name)]; };
  const Column &server = column("server"), &filesystem = column("filesystem"), &job = column("job");
  const std::int64_t *start = column("start_time").values().data(), *end = column("end_time").values().data(),
                     *flags = column("flags").values().data();
  const auto text = [](const Column& of, std::size_t row) {
    return of.is_null(row) ? std::string_view{} : std::string_view(of.words()[static_cast<std::size_t>(of.values()[row])]);
  };
  const auto same = [](const Column& of, std::size_t a, std::size_t b) {
    return of.values()[a] == of.values()[b] && of.is_null(a) == of.is_null(b);
  };
  SeriesIndex index;
  std::vector<SeriesTimes> times;
  for (std::size_t begin = 0, next = 0; begin < rows.rows(); begin = next) {
    for (next = begin + 1; next < rows.rows() && same(server, begin, next) && same(filesystem, begin, next) && same(job, begin, next);)
      ++next;
    const SeriesId series = index.id(text(server, begin), text(filesystem, begin), text(job, begin));
    if (series == times.size()) times.emplace_back();
    add_run(times[series], start + begin, end + begin, flags + begin, next - begin);
  }
  return notes_for(by_name(index, std::move(times)));
}

std::vector<FooterNote> notes_for(const TimesBySeries& times) {
  std::uint64_t rows = 0;
  for (const auto& [name, each] : times) rows += each.increments;
  if (rows < rows_worth_a_note * times.size()) return {};
  std::string text;
  for (const auto& [name, each] : times) {
    if (!can_be_noted(name)) return {};
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}", name.server, name.filesystem, name.job, each.range.from,
                   each.range.to, each.increments);
    for (const auto& [length, count] : each.lengths.classes()) fmt::format_to(std::back_inserter(text), "\t{}\t{}", length, count);
    text += '\n';
  }
  return {{std::string(note_key), std::move(text)}};
}

std::optional<TimesBySeries> times_from_note(std::string_view text) {
  TimesBySeries times;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;  // cut off
    NoteLine line(text.substr(0, end));
    text.remove_prefix(end + 1);
    SeriesName name;
    name.server = line.text(), name.filesystem = line.text(), name.job = line.text();
    SeriesTimes each;
    const auto from = line.number<std::int64_t>(), to = line.number<std::int64_t>();
    each.range.add(from, to);
    each.increments = line.number<std::uint64_t>();
    while (line.more()) {
      const auto length = line.number<std::int64_t>();
      each.lengths.add(length, line.number<std::uint64_t>());
    }
    if (!line.good()) return std::nullopt;
    const auto at = times.empty() || times.rbegin()->first < name ? times.end() : times.lower_bound(name);  // they are in order
    if (at != times.end() && at->first == name) return std::nullopt;
    times.emplace_hint(at, std::move(name), std::move(each));
  }
  return times;
}

Result<TimesBySeries> read_times_of_rows(Database& database, const std::vector<SegmentFile>& increments) {
  enum : std::size_t { server, filesystem, job, start, end, flags };
  TRY(Rows rows, database.query(fmt::format("SELECT server, filesystem, job, start_time, end_time, flags FROM {}",
                                            relation(increments_table, increments))));
  SeriesIndex index;
  std::vector<SeriesTimes> times;
  while (rows.next())
    for (std::size_t begin = 0, next = 0; begin < rows.size(); begin = next) {
      next = rows.end_of_run(job + 1, begin);
      const SeriesId series = index.id(rows.text(server, begin), rows.text(filesystem, begin), rows.text(job, begin));
      if (series == times.size()) times.emplace_back();
      add_run(times[series], rows.numbers(start) + begin, rows.numbers(end) + begin, rows.numbers(flags) + begin, next - begin);
    }
  TRY_VOID(rows.status());
  return by_name(index, std::move(times));
}

Result<TimesBySeries> read_times(Database& database, const std::vector<SegmentFile>& increments) {
  if (increments.empty()) return TimesBySeries{};
  std::string paths;
  for (const SegmentFile& file : increments) paths += fmt::format("{}{}", paths.empty() ? "" : ", ", sql_text(file.path));
  std::unordered_map<std::string, TimesBySeries> noted;
  TRY(Rows notes, database.query(fmt::format("SELECT file_name, value FROM parquet_kv_metadata([{}]) WHERE key = {}::BLOB", paths,
                                             sql_text(note_key))));
  while (notes.next())
    for (std::size_t i = 0; i < notes.size(); ++i)
      if (auto times = times_from_note(notes.text(1, i))) noted.insert_or_assign(std::string(notes.text(0, i)), std::move(*times));
  TRY_VOID(notes.status());
  std::vector<SegmentFile> without;
  std::copy_if(increments.begin(), increments.end(), std::back_inserter(without),
               [&](const SegmentFile& file) { return !noted.contains(file.path); });
  TimesBySeries all;
  if (!without.empty()) {
    TRY(all, read_times_of_rows(database, without));
  }
  for (const auto& [file, times] : noted)
    for (const auto& [name, each] : times) all[name].add(each);
  return all;
}

}  // namespace fathom
