// SPDX-License-Identifier: Apache-2.0
#include "ingest/mark_book.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {
namespace {

bool insert_sorted(std::vector<Time>& times, Time t) {
  const auto at = std::lower_bound(times.begin(), times.end(), t);
  if (at != times.end() && *at == t) return false;
  times.insert(at, t);
  return true;
}

/// The latest of `times` in [from, before).
Time latest(const std::vector<Time>& times, Time from, Time before) {
  const auto at = std::lower_bound(times.begin(), times.end(), before);
  return at == times.begin() || *std::prev(at) < from ? no_time : *std::prev(at);
}

}  // namespace

void add_mark(Columns& rows, const Mark& mark) {
  rows[0].add(std::string_view(mark.server));
  rows[1].add(std::string_view(mark.filesystem));
  rows[2].add(std::string_view(mark.kind == MarkKind::reset ? "reset" : "visit"));
  rows[3].add(mark.t);
  rows[4].add(std::int64_t{mark.source});
}

Result<void> MarkBook::load(Transaction& transaction) {
  if (transaction.manifest().of(marks_table.name).empty()) return {};
  TRY(Rows rows, transaction.database().query(
                     fmt::format("SELECT server, t FROM {} WHERE kind = 'reset' ORDER BY t", transaction.rows_of(marks_table))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) insert_sorted(resets_[std::string(rows.text(0, i))], rows.time(1, i));
  return rows.status();
}

Result<void> MarkBook::load_visits(Transaction& transaction, std::int32_t from_day, std::int32_t to_day) {
  from_day -= 1;  // visit_reach
  if (from_day >= visits_from_ && to_day <= visits_to_) return {};
  visits_from_ = std::min(visits_from_, from_day);
  visits_to_ = std::max(visits_to_, to_day);
  if (transaction.manifest().of(marks_table.name, visits_from_, visits_to_).empty()) return {};
  TRY(Rows rows, transaction.database().query(fmt::format("SELECT server, t FROM {} WHERE kind = 'visit' ORDER BY t",
                                                          transaction.rows_of(marks_table, visits_from_, visits_to_))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) insert_sorted(visits_[std::string(rows.text(0, i))], rows.time(1, i));
  return rows.status();
}

std::vector<Mark> MarkBook::add(std::vector<Mark> marks) {
  std::vector<Mark> fresh;
  for (Mark& mark : marks) {
    if (!insert_sorted(by(mark.kind)[mark.server], mark.t)) continue;
    fresh.push_back(mark);
    unstaged_.push_back(std::move(mark));
  }
  return fresh;
}

void MarkBook::remove(const Mark& mark) { std::erase(by(mark.kind)[mark.server], mark.t); }

MarkBook::Of MarkBook::of(const SeriesName& series) const {
  Of marks;
  const auto& times = series.job.empty() ? resets_ : visits_;
  const auto found = times.find(series.server);
  if (found != times.end()) (series.job.empty() ? marks.resets_ : marks.visits_) = &found->second;
  return marks;
}

Context MarkBook::Of::context(Time before, Time sample) const {
  Context context;
  if (resets_ != nullptr) context.last_reset = latest(*resets_, before, sample);
  if (visits_ != nullptr && before == no_time) context.last_visit = latest(*visits_, sample - visit_reach, sample);
  return context;
}

Result<void> MarkBook::stage(Transaction& transaction) {
  std::sort(unstaged_.begin(), unstaged_.end());
  std::map<std::int32_t, Columns> by_day;
  for (const Mark& mark : unstaged_) {
    add_mark(by_day.try_emplace(day_of(mark.t), marks_table).first->second, mark);
  }
  unstaged_.clear();
  for (const auto& [day, rows] : by_day) TRY_VOID(transaction.stage(rows, day));
  return {};
}

}  // namespace fathom
