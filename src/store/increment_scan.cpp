// SPDX-License-Identifier: Apache-2.0
#include "store/increment_scan.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {
namespace {

enum ScanColumn : std::size_t { server, filesystem, job, start_time, end_time, flags, first_amount };

/// What is asked for, and what that is made from.
CounterMask selected_counters(const ScanOptions& options) {
  CounterMask selected = options.counters;
  if (holds(selected, index(Counter::metadata_ops)))
    for (const Counter part : metadata_parts) selected |= mask(part);
  return selected;
}

std::string select(const Snapshot& snapshot, std::int32_t day, const ScanOptions& options) {
  std::string list = "server, filesystem, job, start_time, end_time, flags";
  for (std::size_t c = 0; c < counter_count; ++c)
    if (holds(selected_counters(options), c)) list += fmt::format(", {}", counter_names[c]);
  std::string where;
  if (options.servers != nullptr) {
    for (const std::string& name : *options.servers)
      where += fmt::format("{}{}", where.empty() ? " WHERE server IN (" : ", ", sql_text(name));
    where += options.servers->empty() ? " WHERE false" : ")";
  }
  if (options.filesystem != nullptr)
    where += fmt::format("{} filesystem = {}", where.empty() ? " WHERE" : " AND", sql_text(*options.filesystem));
  if (options.after != no_time)
    where += fmt::format("{} end_time > make_timestamp({})", where.empty() ? " WHERE" : " AND", micros(options.after));
  if (options.until != no_time)
    where += fmt::format("{} end_time <= make_timestamp({})", where.empty() ? " WHERE" : " AND", micros(options.until));
  return fmt::format("SELECT {} FROM {}{}", list, snapshot.rows_of(increments_table, day, day), where);
}

bool all_set(const std::uint64_t* bits, std::size_t rows) {
  for (std::size_t i = 0; i < rows; i += 64) {
    const std::uint64_t wanted = rows - i >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (rows - i)) - 1;
    if ((bits[i / 64] & wanted) != wanted) return false;
  }
  return true;
}

bool none_set(const std::uint64_t* bits, std::size_t rows) {
  for (std::size_t i = 0; i < rows; i += 64) {
    const std::uint64_t wanted = rows - i >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (rows - i)) - 1;
    if ((bits[i / 64] & wanted) != 0) return false;
  }
  return true;
}

/// The counters of a chunk by column, all metadata operations made from their parts where only these are known. Done here, not by the
/// query: a coalesce() of five columns takes longer than reading them.
class Chunk {
 public:
  Chunk(const Rows& rows, const ScanOptions& options) {
    std::size_t column = first_amount;
    const CounterMask selected = selected_counters(options);
    for (std::size_t c = 0; c < counter_count; ++c) {
      if (!holds(selected, c)) continue;
      amounts[c] = rows.numbers(column);
      valid[c] = rows.validity(column++);
    }
    if (holds(selected, index(Counter::metadata_ops))) add_up(rows.size());
  }

  std::array<const std::int64_t*, counter_count> amounts{};
  std::array<const std::uint64_t*, counter_count> valid{};

 private:
  bool has(std::size_t counter, std::size_t row) const {
    return valid[counter] == nullptr || (valid[counter][row / 64] >> (row % 64) & 1u) != 0;
  }

  void add_up(std::size_t rows) {
    constexpr std::size_t all = index(Counter::metadata_ops);
    if (valid[all] == nullptr || all_set(valid[all], rows)) return;
    bool whole = none_set(valid[all], rows);
    for (const Counter part : metadata_parts) {
      const std::uint64_t* const bits = valid[index(part)];
      whole = whole && (bits == nullptr || all_set(bits, rows));
      if (bits != nullptr && none_set(bits, rows)) return;  // no row has all of them
    }
    sums_.assign(rows, 0);
    bits_.assign(rows / 64 + 1, whole ? ~std::uint64_t{0} : 0);
    for (std::size_t i = 0; i < rows; ++i) {
      std::uint64_t sum = 0;
      for (const Counter part : metadata_parts) sum += static_cast<std::uint64_t>(amounts[index(part)][i]);
      sums_[i] = static_cast<std::int64_t>(sum);
    }
    for (std::size_t i = 0; !whole && i < rows; ++i) {
      bool known = has(all, i);
      if (known)
        sums_[i] = amounts[all][i];
      else
        known = std::all_of(metadata_parts.begin(), metadata_parts.end(), [&](Counter part) { return has(index(part), i); });
      bits_[i / 64] |= std::uint64_t{known} << (i % 64);
    }
    amounts[all] = sums_.data();
    valid[all] = whole ? nullptr : bits_.data();
  }

  std::vector<std::int64_t> sums_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

std::string amount_of(std::size_t counter) {
  if (counter != index(Counter::metadata_ops)) return std::string(counter_names[counter]);
  std::string parts;
  for (const Counter part : metadata_parts) parts += fmt::format("{}{}", parts.empty() ? "" : " + ", counter_names[index(part)]);
  return fmt::format("coalesce({}, try({}))", counter_names[counter], parts);
}

SeriesId SeriesIndex::id(std::string_view of_server, std::string_view of_filesystem, std::string_view of_job) {
  key_.assign(of_server).append(1, '\0').append(of_filesystem).append(1, '\0').append(of_job);
  const auto [at, added] = ids_.try_emplace(key_, static_cast<SeriesId>(names_.size()));
  if (added) names_.push_back({std::string(of_server), std::string(of_filesystem), std::string(of_job)});
  return at->second;
}

std::vector<std::int32_t> increment_days(const Snapshot& snapshot) {
  std::vector<std::int32_t> days;
  for (const Segment* segment : snapshot.manifest().of(increments_table.name))
    if (days.empty() || days.back() != segment->day) days.push_back(segment->day);
  return days;
}

Result<void> scan_increments(const Snapshot& snapshot, Database& database, std::int32_t day, SeriesIndex& series,
                             const ScanOptions& options, const std::function<void(const IncrementRun&)>& take) {
  TRY(Rows rows, database.query(select(snapshot, day, options)));
  while (rows.next()) {
    const Chunk chunk(rows, options);
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t end = rows.end_of_run(job + 1, begin);
      IncrementRun run;
      run.series = series.id(rows.text(server, begin), rows.text(filesystem, begin), rows.text(job, begin));
      run.size = end - begin;
      run.start = rows.numbers(start_time) + begin;
      run.end = rows.numbers(end_time) + begin;
      run.flags = rows.numbers(flags) + begin;
      run.first_bit = begin;
      for (std::size_t c = 0; c < counter_count; ++c) {
        if (!holds(options.counters, c)) continue;
        run.amounts[c] = chunk.amounts[c] + begin;
        run.valid[c] = chunk.valid[c];
      }
      take(run);
      begin = end;
    }
  }
  return rows.status();
}

}  // namespace fathom
