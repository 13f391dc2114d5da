// SPDX-License-Identifier: Apache-2.0
#include "characterise/reference_linking_test.h"

#include <algorithm>

namespace fathom::reference {
namespace {

bool measured(const Increment& i) { return (i.flags & unmeasured_flags) == 0; }

/// Which counters of a server are used, so that nothing is counted twice: those tagged with jobs, else those of file systems, else its
/// total. In a window tags are the last choice.
std::vector<bool> used_series(const Machine& machine, bool window) {
  const auto rank = [&](const SeriesName& name) { return !name.job.empty() ? (window ? 1 : 4) : name.filesystem.empty() ? 2 : 3; };
  std::map<std::string, int> best;
  for (const Series& s : machine.series) best[s.name.server] = std::max(best[s.name.server], rank(s.name));
  std::vector<bool> used;
  for (const Series& s : machine.series) used.push_back(rank(s.name) == best[s.name.server]);
  return used;
}

bool lists(const Job& job, const std::string& server) {
  return std::find(job.servers.begin(), job.servers.end(), server) != job.servers.end();
}

/// True if increments of the series may belong to the job.
bool may_belong(const Series& series, const Job& job, bool window) {
  if (window) return true;
  return series.name.job.empty() ? lists(job, series.name.server) : series.name.job == job.id;
}

struct Overlap {
  std::size_t job;
  std::int64_t from, to;
};

std::vector<Overlap> overlaps_of(const Machine& machine, const Series& series, const Increment& increment, bool window) {
  std::vector<Overlap> found;
  for (std::size_t j = 0; j < machine.jobs.size(); ++j) {
    if (!may_belong(series, machine.jobs[j], window)) continue;
    const std::int64_t from = std::max(begin_of(machine.jobs[j]), micros(increment.start)),
                       to = std::min(end_of(machine.jobs[j]), micros(increment.end));
    if (from < to) found.push_back({j, from, to});
  }
  return found;
}

/// Who gets the increment, and own / together of it.
struct Gift {
  Overlap overlap;
  std::int64_t own, together;
};

std::vector<Gift> gifts_of(const Machine& machine, const Increment& increment, const std::vector<Overlap>& overlaps,
                           const std::string& link) {
  const bool conflicted = overlaps.size() > 1;
  std::int64_t sum = 0;
  for (const Overlap& o : overlaps) sum += o.to - o.from;
  std::vector<Gift> gifts;
  for (const Overlap& o : overlaps) {
    const std::int64_t own = o.to - o.from;
    const std::int64_t end = micros(increment.end);
    if (link == "simple") {
      if (begin_of(machine.jobs[o.job]) < end && end <= end_of(machine.jobs[o.job])) gifts.push_back({o, own, own});
    } else if (!conflicted || link == "double-count" || link == "window") {
      gifts.push_back({o, own, own});
    } else if (link == "weighted") {
      gifts.push_back({o, own, sum});
    }  // discard: nobody
  }
  return gifts;
}

/// Longer than 2.5 times.
bool is_gap(const Increment& i, std::int64_t usual) { return 2 * (micros(i.end) - micros(i.start)) > 5 * usual; }

/// A job without length overlaps nothing. What was counted, and on which series, when it was there is known from the increments, (start,
/// end], that hold its moment and cover it.
void note_moments(std::vector<Linked>& jobs, const Machine& machine, std::size_t s, const Increment& i, bool window, std::int64_t usual) {
  if (!measured(i) || is_gap(i, usual)) return;
  for (std::size_t j = 0; j < machine.jobs.size(); ++j) {
    const Job& job = machine.jobs[j];
    if (begin_of(job) != end_of(job) || !may_belong(machine.series[s], job, window)) continue;
    if (!(micros(i.start) < begin_of(job) && begin_of(job) <= micros(i.end))) continue;
    jobs[j].has |= i.has;
    jobs[j].server_has[machine.series[s].name.server] |= i.has;
    jobs[j].covered[s] += 0;
  }
}

/// The band, the coverage and the flags do not depend on who gets the increment.
void note(Linked& job, std::size_t series, const std::string& server, const Increment& i, const Overlap& overlap, std::int64_t together,
          bool conflicted, std::int64_t usual) {
  std::int64_t& covered = job.covered[series];
  if (!measured(i)) {
    job.gap = true;
    return;
  }
  job.has |= i.has;
  job.server_has[server] |= i.has;
  if ((i.flags & (after_reset | reset_inferred)) != 0) job.reset = true;
  if (is_gap(i, usual)) {
    job.gap = true;
  } else {
    covered += overlap.to - overlap.from;
  }
  for (std::size_t d = 0; d < 2; ++d) {
    if (!holds(i.has, d)) continue;
    job.upper[d] += i.amounts[d];
    job.largest[d] = std::max<unsigned long long>(job.largest[d], i.amounts[d]);
    if (!conflicted) job.lower[d] += i.amounts[d];
  }
  if (!conflicted) return;
  const long double weight = static_cast<long double>(overlap.to - overlap.from) / static_cast<long double>(together);
  job.doubt += std::max(weight, 1 - weight);
}

}  // namespace

std::int64_t usual_interval(const Series& series) {
  std::vector<std::int64_t> lengths;
  for (const Increment& i : series.increments) {
    if (!measured(i)) continue;
    const std::int64_t length = micros(i.end) - micros(i.start), unit = length < 10 * second ? 1000 : second;
    lengths.push_back((length + unit / 2) / unit * unit);
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths.empty() ? 0 : lengths[(lengths.size() - 1) / 2];
}

std::vector<Linked> link_all(const Machine& machine, const std::string& link) {
  const bool window = link == "window";
  std::vector<Linked> jobs(machine.jobs.size());
  const std::vector<bool> used = used_series(machine, window);
  for (std::size_t s = 0; s < machine.series.size(); ++s) {
    if (!used[s]) continue;
    const Series& series = machine.series[s];
    const std::int64_t usual = usual_interval(series);
    for (const Increment& i : series.increments) {
      const std::vector<Overlap> overlaps = overlaps_of(machine, series, i, window);
      std::int64_t together = 0;
      for (const Overlap& o : overlaps) together += o.to - o.from;
      for (const Overlap& o : overlaps) {
        note(jobs[o.job], s, series.name.server, i, o, together, overlaps.size() > 1, usual);
        for (const Overlap& other : overlaps)
          if (other.job != o.job) jobs[o.job].shares_with.insert(other.job);
      }
      note_moments(jobs, machine, s, i, window, usual);
      if (!measured(i)) continue;
      for (const Gift& gift : gifts_of(machine, i, overlaps, link)) {
        const Job& job = machine.jobs[gift.overlap.job];
        const bool inner = begin_of(job) <= micros(i.start) && micros(i.end) <= end_of(job);
        if (inner) jobs[gift.overlap.job].inner_has |= i.has;
        jobs[gift.overlap.job].pieces.push_back(
            {series.name.server, &i, gift.overlap.from, gift.overlap.to, gift.own, gift.together, inner});
      }
    }
  }
  return jobs;
}

std::set<std::string> units_of(const Machine& machine, const Job& job, bool window) {
  std::set<std::string> units, with_tags;
  const std::vector<bool> used = used_series(machine, window);
  bool tagged = false;
  for (std::size_t s = 0; s < machine.series.size(); ++s) {
    const SeriesName& name = machine.series[s].name;
    if (!used[s]) continue;
    if (window) {
      units.insert(name.server);
    } else if (!name.job.empty()) {
      with_tags.insert(name.server);
      if (name.job == job.id) units.insert(name.server), tagged = true;
    }
  }
  if (window) return units;
  for (const std::string& server : job.servers)
    if (!tagged || !with_tags.contains(server)) units.insert(server);
  return units;
}

Conservation conservation(const Machine& machine, const std::string& link) {
  Conservation sums;
  const bool window = link == "window";
  const std::vector<bool> used = used_series(machine, window);
  for (std::size_t s = 0; s < machine.series.size(); ++s) {
    for (const Increment& i : machine.series[s].increments) {
      if (!used[s] || !measured(i)) continue;
      const std::vector<Overlap> overlaps = overlaps_of(machine, machine.series[s], i, window);
      const std::vector<Gift> gifts = gifts_of(machine, i, overlaps, link);
      const std::size_t times = link == "weighted" ? std::min<std::size_t>(1, gifts.size()) : gifts.size();
      for (std::size_t k = 0; k < 4; ++k) {
        const unsigned long long amount = holds(i.has, k) ? i.amounts[k] : 0;
        sums.total[k] += amount;
        sums.to_jobs[k] += times * amount;
        if (times > 1) sums.repeated[k] += (times - 1) * amount;
        if (times == 0) (overlaps.empty() || link == "simple" ? sums.unattributed : sums.discarded)[k] += amount;
      }
    }
  }
  return sums;
}

}  // namespace fathom::reference
