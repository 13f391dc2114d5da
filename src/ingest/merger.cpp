// SPDX-License-Identifier: Apache-2.0
#include "ingest/merger.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ingest/revise.h"

namespace fathom {
namespace {

/// The samples of a series lie far apart in a batch: they are asked of the memory this many ahead.
constexpr std::ptrdiff_t fetch_ahead = 16;

/// Last samples remembered at a time; with more series (job tags) they are asked of the store again.
constexpr std::size_t most_tails = 1u << 16;

}  // namespace

Result<void> Merger::begin() {
  store_has_extents_ = !transaction_.manifest().of(extents_table.name).empty();
  return marks_.load(transaction_);
}

const Sample* Merger::tail(SeriesId series) const {
  const auto found = tails_.find(series);
  return found == tails_.end() ? nullptr : &found->second;
}

void Merger::forget_tails() {
  for (const auto& [series, sample] : tails_) tail_states_[series] = Tail::stored;
  tails_.clear();
}

void Merger::note_conflict(const SeriesName& name, const Sample& kept) {
  if (conflict_examples_.size() < Harvest::kept_rejects)
    conflict_examples_.push_back(fmt::format("{}{}{} at {}: two readings of the same moment differ, the larger is kept", name.server,
                                             name.filesystem.empty() ? "" : "/", name.filesystem, format_iso8601(kept.t)));
}

/// Groups the batch by series (counting sort), the groups in order of names as segments are.
void Merger::sort_batch(const std::vector<Sample>& samples) {
  std::vector<std::uint32_t> count(names_.size() + 1, 0);
  for (const Sample& sample : samples) ++count[sample.series + 1];
  std::vector<SeriesId> present;
  for (SeriesId id = 0; id < names_.size(); ++id)
    if (count[id + 1] != 0) present.push_back(id);
  std::partial_sum(count.begin(), count.end(), count.begin());
  runs_.clear();
  for (const SeriesId id : present) runs_.push_back({id, count[id], count[id + 1]});
  order_.resize(samples.size());
  for (std::uint32_t i = 0; i < samples.size(); ++i) order_[count[samples[i].series]++] = i;
  std::sort(runs_.begin(), runs_.end(), [&](const Run& a, const Run& b) { return names_.less(a.series, b.series); });
}

/// Brings a series' samples into order of time and keeps one of each moment.
void Merger::sort_run(const std::vector<Sample>& samples, Run& run) {
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(run.begin), end = order_.begin() + static_cast<std::ptrdiff_t>(run.end);
  auto earlier = [&](std::uint32_t a, std::uint32_t b) { return samples[a].t < samples[b].t; };
  bool sorted = true;
  for (auto at = begin; at != end; ++at) {
    if (end - at > fetch_ahead) __builtin_prefetch(&samples[at[fetch_ahead]]);
    sorted = sorted && (at == begin || samples[at[-1]].t < samples[*at].t);
  }
  const auto& horizon = transaction_.manifest().forgotten_before;
  if (sorted && (!horizon || day_of(samples[*begin].t) >= *horizon) && micros(samples[*begin].t) >= 0) return;
  std::stable_sort(begin, end, earlier);
  auto kept = begin;
  for (auto at = begin; at != end; ++at) {
    const Sample& sample = samples[*at];
    if (micros(sample.t) < 0 || (horizon && day_of(sample.t) < *horizon)) {
      ++counts_[sample.source].before_horizon;
    } else if (kept != begin && samples[*std::prev(kept)].t == sample.t) {
      const Sample& other = samples[*std::prev(kept)];
      if (same_reading(sample, other)) {
        ++counts_[sample.source].duplicates;
        note_overlap(other.source, sample.source);
      } else {
        ++counts_[sample.source].conflicts;
        const bool replaces = prefer(sample, other);
        replaces ? note_overlap(sample.source, other.source) : note_overlap(other.source, sample.source);
        if (replaces) *std::prev(kept) = *at;
        note_conflict(names_.name(run.series), sample);
      }
    } else {
      *kept++ = *at;
    }
  }
  run.end = static_cast<std::size_t>(kept - order_.begin());
}

/// The last sample of each series of this batch, where the store may know one that is not remembered here.
Result<void> Merger::load_tails() {
  tail_states_.resize(names_.size(), Tail::unmet);
  Columns touched = touched_series();
  for (const Run& run : runs_) {
    const Tail state = tail_states_[run.series];
    tail_states_[run.series] = Tail::remembered;
    if (state == Tail::stored || (state == Tail::unmet && store_has_extents_)) add_touched(touched, names_.name(run.series), run.series);
  }
  if (touched.empty()) return {};
  TRY_VOID(transaction_.settle());
  TRY_VOID(transaction_.database().create_table("touched", touched));
  TRY(Rows rows, transaction_.database().query(
                     fmt::format("SELECT DISTINCT ON (k.rank) k.rank, {} FROM {} e JOIN touched k ON {} ORDER BY k.rank, e.last_time DESC",
                                 extent_fields("last"), transaction_.rows_of(extents_table), same_series("e", "k"))));
  while (rows.next()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto id = static_cast<SeriesId>(rows.number(0, i));
      tails_.insert_or_assign(id, read_extent_sample(rows, 1, i, id));
    }
  }
  return rows.status();
}

/// Marks that fall before samples which the store has already: their series must be looked at again.
Result<void> Merger::late_marks(const std::vector<Mark>& fresh, Revisions& revisions) {
  // Mostly a reset is told before the samples that follow it.
  const bool late = std::any_of(fresh.begin(), fresh.end(), [&](const Mark& mark) {
    const auto last = last_of_server_.find(mark.server);
    return store_has_extents_ || (last != last_of_server_.end() && last->second > mark.t);
  });
  if (!late) return {};
  TRY_VOID(transaction_.settle());
  const Time first = std::min_element(fresh.begin(), fresh.end(), [](const Mark& a, const Mark& b) { return a.t < b.t; })->t;
  if (transaction_.manifest().of(extents_table.name, day_of(first)).empty()) return {};
  Columns marks(marks_table);
  for (const Mark& mark : fresh) add_mark(marks, mark);
  TRY_VOID(transaction_.database().create_table("fresh_marks", marks));
  // A visit matters only to job-tagged series, a reset only to the others.
  TRY(Rows rows, transaction_.database().query(fmt::format(
                     "SELECT DISTINCT e.server, e.filesystem, coalesce(e.job, ''), m.t FROM {} e JOIN fresh_marks m ON e.server = m.server "
                     "AND e.last_time > m.t AND (m.kind = 'visit') = (e.job IS NOT NULL)",
                     transaction_.rows_of(extents_table, day_of(first)))));
  while (rows.next()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      SeriesName name{std::string(rows.text(0, i)), std::string(rows.text(1, i)), std::string(rows.text(2, i))};
      Revision& revision = revisions.try_emplace(name, Revision{name, {}, {}}).first->second;
      revision.days.insert(day_of(rows.time(3, i)));
    }
  }
  return rows.status();
}

/// Counts samples as new to the store; mostly all of a run are of one source.
void Merger::appended(const std::vector<Sample>& samples, const Run& run) {
  std::size_t begin = run.begin;
  for (std::size_t i = run.begin; i <= run.end; ++i) {
    if (i < run.end && samples[order_[i]].source == samples[order_[begin]].source) continue;
    counts_[samples[order_[begin]].source].new_samples += i - begin;
    begin = i;
  }
}

/// The usual case: all samples of the run are later than what is known of the series.
void Merger::append(const std::vector<Sample>& samples, const Run& run) {
  const SeriesName name = names_.name(run.series);
  const Sample* before = tail(run.series);
  const MarkBook::Of marks = marks_.of(name);
  sheets_.begin_series(name);
  repairs_.begin_series(name);
  for (std::size_t i = run.begin; i < run.end; ++i) {
    if (i + fetch_ahead < order_.size()) {
      const auto* ahead = reinterpret_cast<const char*>(&samples[order_[i + fetch_ahead]]);
      __builtin_prefetch(ahead);
      __builtin_prefetch(ahead + 64);
    }
    const Sample& sample = samples[order_[i]];
    const auto increment = join(before, sample, marks.context(before != nullptr ? before->t : no_time, sample.t));
    if (increment) {
      sheets_.add(*increment);
      repairs_.add(*increment);
    }
    sheets_.add_sample(sample, links(before, sample, increment));
    before = &sample;
  }
  sheets_.end_series();
  Time& last = last_of_server_.try_emplace(name.server, before->t).first->second;
  last = std::max(last, before->t);
  tails_.insert_or_assign(run.series, Sample(*before));
}

Result<void> Merger::add(Batch& batch) {
  names_.add(batch.names);
  // A forgotten reset would give the first sample that is kept a past again.
  std::erase_if(batch.marks, [&](const Mark& mark) {
    const bool forgotten = transaction_.manifest().forgotten_before && day_of(mark.t) < *transaction_.manifest().forgotten_before;
    counts_[mark.source].before_horizon += forgotten;
    return forgotten;
  });
  sort_batch(batch.samples);
  for (Run& run : runs_) sort_run(batch.samples, run);
  std::erase_if(runs_, [](const Run& run) { return run.begin == run.end; });
  TRY_VOID(load_tails());

  bool any_tagged = std::any_of(batch.marks.begin(), batch.marks.end(), [](const Mark& mark) { return mark.kind == MarkKind::visit; });
  for (const Run& run : runs_) any_tagged = any_tagged || !names_.job(run.series).empty();
  if (any_tagged) {
    std::int32_t from = INT32_MAX, to = INT32_MIN;
    auto cover = [&](Time t) { from = std::min(from, day_of(t)), to = std::max(to, day_of(t)); };
    for (const Sample& sample : batch.samples) cover(sample.t);
    for (const Mark& mark : batch.marks) cover(mark.t);
    TRY_VOID(marks_.load_visits(transaction_, from, to));
  }
  Revisions revisions;
  TRY_VOID(late_marks(marks_.add(std::move(batch.marks)), revisions));

  std::vector<SeriesId> revised;
  for (const Run& run : runs_) {
    const Sample* last = tail(run.series);
    const bool late = last != nullptr && batch.samples[order_[run.begin]].t <= last->t;
    if (!late && (revisions.empty() || !revisions.contains(names_.name(run.series)))) {
      append(batch.samples, run);
      appended(batch.samples, run);
      continue;
    }
    const SeriesName name = names_.name(run.series);
    Revision& revision = revisions.try_emplace(name, Revision{name, {}, {}}).first->second;
    for (std::size_t i = run.begin; i < run.end; ++i) {
      revision.samples.push_back(batch.samples[order_[i]]);
      revision.days.insert(day_of(revision.samples.back().t));
    }
    revised.push_back(run.series);
    Time& last_known = last_of_server_.try_emplace(name.server, revision.samples.back().t).first->second;
    last_known = std::max(last_known, revision.samples.back().t);
  }
  batch.clear();
  TRY_VOID(sheets_.stage(transaction_));
  TRY_VOID(marks_.stage(transaction_));
  if (tails_.size() > most_tails) forget_tails();
  if (revisions.empty()) return {};
  TRY_VOID(transaction_.settle());
  TRY_VOID(Reviser(*this, revisions, std::nullopt).run());
  for (const SeriesId id : revised) {  // to be asked for again
    tails_.erase(id);
    tail_states_[id] = Tail::stored;
  }
  return {};
}

Result<Repairs> Merger::repairs() {
  if (!store_has_extents_ || !repairs_.depends_on_ranks()) return repairs_.sums();
  // A server's gaps count in its file systems alone, if the store has any from before.
  TRY_VOID(transaction_.settle());
  TRY(Rows rows, transaction_.database().query(
                     fmt::format("SELECT DISTINCT server, CASE WHEN job IS NOT NULL THEN 0 WHEN filesystem = '' THEN 1 ELSE 2 END FROM {}",
                                 transaction_.rows_of(extents_table))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) repairs_.raise_rank(std::string(rows.text(0, i)), static_cast<int>(rows.number(1, i)));
  TRY_VOID(rows.status());
  return repairs_.sums();
}

Result<std::uint64_t> Merger::remove_source(SourceId source) {
  Revisions revisions;
  TRY(Rows touched,
      transaction_.database().query(
          fmt::format("SELECT DISTINCT server, filesystem, coalesce(job, ''), epoch_us(end_time) // 86400000000 FROM {} WHERE source = {} "
                      "UNION SELECT server, filesystem, coalesce(job, ''), epoch_us(first_time) // 86400000000 FROM {} WHERE source = {}",
                      transaction_.rows_of(increments_table), source, transaction_.rows_of(extents_table), source)));
  while (touched.next()) {
    for (std::size_t i = 0; i < touched.size(); ++i) {
      SeriesName name{std::string(touched.text(0, i)), std::string(touched.text(1, i)), std::string(touched.text(2, i))};
      revisions.try_emplace(name, Revision{name, {}, {}}).first->second.days.insert(static_cast<std::int32_t>(touched.number(3, i)));
    }
  }
  TRY_VOID(touched.status());

  std::vector<Mark> gone;
  TRY(Rows marks, transaction_.database().query(fmt::format("SELECT server, filesystem, kind, t FROM {} WHERE source = {}",
                                                            transaction_.rows_of(marks_table), source)));
  while (marks.next()) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      gone.push_back({std::string(marks.text(0, i)), std::string(marks.text(1, i)),
                      marks.text(2, i) == "reset" ? MarkKind::reset : MarkKind::visit, marks.time(3, i), source});
      marks_.remove(gone.back());
    }
  }
  TRY_VOID(marks.status());
  store_has_extents_ = true;
  TRY_VOID(late_marks(gone, revisions));
  std::vector<Segment> with_marks;
  for (const Segment* segment : transaction_.manifest().of(marks_table.name)) with_marks.push_back(*segment);
  if (!gone.empty())
    for (const Segment& segment : with_marks)
      TRY_VOID(transaction_.rewrite(segment, fmt::format("SELECT * FROM {} WHERE source <> {}", transaction_.rows_of(segment), source)));

  // Visits that stay must be known while days are rebuilt.
  std::int32_t first = INT32_MAX, last = INT32_MIN;
  for (const auto& [name, revision] : revisions)
    first = std::min(first, *revision.days.begin()), last = std::max(last, *revision.days.rbegin());
  if (revisions.empty()) return 0;
  TRY_VOID(marks_.load_visits(transaction_, first, last + 1));
  Reviser reviser(*this, revisions, source);
  TRY_VOID(reviser.run());
  return reviser.removed_samples();
}

}  // namespace fathom
