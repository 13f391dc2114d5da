// SPDX-License-Identifier: Apache-2.0
#include "characterise/engine_test.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fathom {
namespace {

LinkStrategy strategy_of(const std::string& link) {
  return static_cast<LinkStrategy>(std::find(link_names.begin(), link_names.end(), link) - link_names.begin());
}

/// One series by column, as a scan delivers it.
struct SeriesColumns {
  std::vector<std::int64_t> start, end, flags;
  std::array<std::vector<std::int64_t>, counter_count> amounts;
  std::array<std::vector<std::uint64_t>, counter_count> valid;
  std::array<bool, counter_count> any{}, all{};

  explicit SeriesColumns(const reference::Series& series) {
    const std::size_t rows = series.increments.size();
    all.fill(true);
    for (std::size_t c = 0; c < counter_count; ++c) valid[c].assign(rows / 64 + 1, 0);
    for (std::size_t r = 0; r < rows; ++r) {
      const Increment& i = series.increments[r];
      start.push_back(micros(i.start));
      end.push_back(micros(i.end));
      flags.push_back(i.flags);
      for (std::size_t c = 0; c < counter_count; ++c) {
        const bool has = holds(i.has, c);
        amounts[c].push_back(has ? static_cast<std::int64_t>(i.amounts[c]) : 0);
        valid[c][r / 64] |= std::uint64_t{has} << (r % 64);
        any[c] |= has;
        all[c] &= has;
      }
    }
  }

  IncrementRun run(SeriesId series, std::size_t from, std::size_t to) const {
    IncrementRun run;
    run.series = series;
    run.size = to - from;
    run.start = start.data() + from;
    run.end = end.data() + from;
    run.flags = flags.data() + from;
    run.first_bit = from;
    for (std::size_t c = 0; c < counter_count; ++c) {
      if (any[c]) run.amounts[c] = amounts[c].data() + from;
      if (!all[c]) run.valid[c] = valid[c].data();
    }
    return run;
  }
};

IncrementFacts facts_of(const reference::Machine& machine) {
  IncrementFacts facts;
  for (const reference::Series& series : machine.series) {
    LengthCounts& lengths = facts.lengths[series.name];
    for (const Increment& i : series.increments) {
      const std::int64_t length = micros(i.end) - micros(i.start), unit = length < 10'000'000 ? 1000 : 1'000'000;
      if ((i.flags & unmeasured_flags) == 0) lengths.add((length + unit / 2) / unit * unit);
      facts.days[day_of(i.end)][series.name.server].add(micros(i.start), micros(i.end));
    }
  }
  return facts;
}

struct Piece {
  std::size_t series, from, to;
};

std::vector<Piece> cut(const reference::Machine& machine, Random* chance) {
  std::vector<Piece> pieces;
  for (std::size_t s = 0; s < machine.series.size(); ++s) {
    const std::size_t rows = machine.series[s].increments.size();
    for (std::size_t from = 0; from < rows;) {
      const std::size_t to = chance == nullptr ? rows : std::min(rows, from + static_cast<std::size_t>(chance->whole(1, 20)));
      pieces.push_back({s, from, to});
      from = to;
    }
  }
  if (chance != nullptr)
    for (std::size_t i = pieces.size(); i > 1; --i)
      std::swap(pieces[i - 1], pieces[static_cast<std::size_t>(chance->whole(0, static_cast<std::int64_t>(i) - 1))]);
  return pieces;
}

/// Every increment that can say something about the job must lie on a day that the engine reads for it.
void check_days(const reference::Machine& machine, const Machine& built, std::uint32_t job) {
  const std::vector<std::uint32_t> days = built.days_of(job);
  for (const reference::Series& series : machine.series) {
    const auto& units = built.units[job];
    if (std::find(units.begin(), units.end(), built.server_id(series.name.server)) == units.end()) continue;
    for (const Increment& i : series.increments) {
      const JobSpan& span = built.spans[job];
      const bool holds_moment = span.start == span.end && micros(i.end) == span.start;  // and where it ends later, too
      if (micros(i.start) >= span.end || (micros(i.end) <= span.start && !holds_moment)) continue;
      const bool found = std::any_of(days.begin(), days.end(), [&](std::uint32_t d) { return built.days[d] == day_of(i.end); });
      EXPECT_TRUE(found) << "a day of job " << built.jobs[job].id << " would not be read";
    }
  }
}

}  // namespace

EngineAnswer run_engine(const reference::Machine& machine, const reference::Settings& settings, Random* pieces) {
  EngineAnswer answer;
  const LinkStrategy link = strategy_of(settings.link);
  auto built = build_machine(machine.jobs, facts_of(machine), {link, "", {}});
  if (!built) throw std::runtime_error("building the machine failed");
  answer.machine = std::move(*built);
  std::vector<std::uint32_t> series_number(machine.series.size());
  std::vector<SeriesColumns> columns;
  for (std::size_t s = 0; s < machine.series.size(); ++s) {
    const auto same = [&](const MachineSeries& m) { return m.name == machine.series[s].name; };
    series_number[s] = static_cast<std::uint32_t>(std::find_if(answer.machine.series.begin(), answer.machine.series.end(), same) -
                                                  answer.machine.series.begin());
    columns.emplace_back(machine.series[s]);
  }
  std::vector<std::vector<LinkedPart>> parts(machine.jobs.size());
  const std::vector<std::uint8_t> wanted(machine.jobs.size(), 1);
  std::optional<Linker> linker;
  const auto collect = [&] {
    if (!linker) return;
    for (LinkedPart& part : linker->take_parts()) parts[part.job].push_back(std::move(part));
    answer.ledger.add(linker->ledger());
    linker.reset();
  };
  for (const Piece& piece : cut(machine, pieces)) {
    if (pieces != nullptr && pieces->chance(0.3)) collect();  // another day, another thread
    if (!linker) linker.emplace(link, answer.machine.spans, answer.machine.rules);
    linker->link(columns[piece.series].run(series_number[piece.series], piece.from, piece.to), wanted);
  }
  collect();
  Sweeper sweeper({settings.slot, settings.thresholds, settings.small, false});
  for (std::size_t j = 0; j < machine.jobs.size(); ++j) {
    const auto same = [&](const Job& job) { return job.id == machine.jobs[j].id; };
    const auto at = static_cast<std::uint32_t>(std::find_if(answer.machine.jobs.begin(), answer.machine.jobs.end(), same) -
                                               answer.machine.jobs.begin());
    answer.place.push_back(at);
    answer.parts.push_back(parts[at]);
    auto& measured = answer.jobs.emplace_back();
    if (machine.jobs[j].end == no_time || answer.machine.units[at].empty()) continue;
    check_days(machine, answer.machine, at);
    const AssembledJob assembled = assemble(answer.machine, at, std::move(parts[at]));
    measured = measure(answer.machine, at, assembled, sweeper, link);
  }
  return answer;
}

bool identical(const Measured& a, const Measured& b) {
  const auto peaks = [](const Peaks& p, const Peaks& q) { return p.bytes == q.bytes && p.ops == q.ops; };
  return a.start == b.start && a.end == b.end && a.units == b.units && a.has == b.has && a.coverage == b.coverage &&
         a.sampling_step == b.sampling_step && a.totals == b.totals && a.lower == b.lower && a.upper == b.upper && a.bound == b.bound &&
         a.flags == b.flags && a.swept.totals == b.swept.totals && peaks(a.swept.peaks, b.swept.peaks) &&
         peaks(a.swept.inner, b.swept.inner) && a.swept.inner_has == b.swept.inner_has && a.swept.activity == b.swept.activity &&
         a.swept.sizes.small == b.swept.sizes.small && a.swept.sizes.sized == b.swept.sizes.sized &&
         a.swept.sizes.bytes_without_ops == b.swept.sizes.bytes_without_ops &&
         a.swept.sizes.increments_without_ops == b.swept.sizes.increments_without_ops && a.swept.sized_bytes == b.swept.sized_bytes;
}

}  // namespace fathom
