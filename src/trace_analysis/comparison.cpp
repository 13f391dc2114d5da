// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace fathom::trace {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

class Rows {
 public:
  Rows(const RunNumbers& a, const RunNumbers& b) : a_(a), b_(b) {}
  std::vector<ComparedRow> rows;

  template <class Value>
  void add(std::string section, std::string what, Quantity quantity, const Value& value) {
    rows.push_back({std::move(section), std::move(what), quantity, static_cast<double>(value(a_)), static_cast<double>(value(b_)), ""});
  }

 private:
  const RunNumbers &a_, &b_;
};

void add_run(Rows& rows) {
  rows.add("run", "ranks", Quantity::count, [](const RunNumbers& run) { return run.facts().ranks; });
  rows.add("run", "duration", Quantity::duration, [](const RunNumbers& run) { return seconds_of(run.facts().duration); });
  rows.add("run", "I/O time, mean over ranks", Quantity::duration,
           [](const RunNumbers& run) { return run.facts().ranks > 0 ? seconds_of(run.facts().io_time) / run.facts().ranks : none; });
}

/// RIOT Table 5 and Fig. 8.
void add_bandwidths(Rows& rows, Direction direction) {
  const std::string section = direction_names[static_cast<std::size_t>(direction)];
  rows.add(section, "perceived bandwidth", Quantity::bandwidth,
           [&](const RunNumbers& run) { return run.bandwidth().perceived(direction); });
  for (const Interface interface : {Interface::mpiio, Interface::posix}) {
    const std::string name(interface_names[static_cast<std::size_t>(interface)]);
    const auto moved = [&](const RunNumbers& run) -> const Moved& { return run.bandwidth().of(interface, direction); };
    rows.add(section, "effective bandwidth, " + name, Quantity::bandwidth, [&](const RunNumbers& run) { return moved(run).effective(); });
    rows.add(section, "bytes, " + name, Quantity::bytes, [&](const RunNumbers& run) { return moved(run).bytes; });
    rows.add(section, "calls, " + name, Quantity::count, [&](const RunNumbers& run) { return moved(run).calls; });
    rows.add(section, "mean request, " + name, Quantity::bytes, [&](const RunNumbers& run) {
      return moved(run).calls > 0 ? static_cast<double>(moved(run).bytes) / static_cast<double>(moved(run).calls) : none;
    });
    rows.add(section, "time, " + name, Quantity::duration, [&](const RunNumbers& run) { return seconds_of(moved(run).time); });
    rows.add(section, "span bandwidth, " + name, Quantity::bandwidth, [&](const RunNumbers& run) { return moved(run).span(); });
  }
  const auto d = static_cast<std::size_t>(direction);
  rows.add(section, "serialisation, posix", Quantity::real,
           [&](const RunNumbers& run) { return run.in_flight()[d].serialisation.index(); });
}

/// RIOT Fig. 5.
void add_decomposition(Rows& rows) {
  for (const char* total : {"read", "write"})
    for (std::size_t p = 0; p < part_count; ++p)
      rows.add("decomposition", fmt::format("MPI-IO {} time in: {}", total, part_names[p]), Quantity::fraction, [&](const RunNumbers& run) {
        const Decomposition& sum = *run.decomposition().total(total);
        return sum.time > 0 ? sum.share(static_cast<Part>(p)) : none;
      });
}

/// RIOT Table 3: the time that a call takes, by its name.
void add_calls(Rows& rows, const RunNumbers& a, const RunNumbers& b) {
  std::vector<std::string> names;
  for (const RunNumbers* run : {&a, &b})
    for (const Decomposition& call : run->decomposition().calls())
      if (std::find(names.begin(), names.end(), call.name) == names.end()) names.push_back(call.name);
  for (const std::string& name : names) {
    const auto of = [&](const RunNumbers& run) {
      const auto& calls = run.decomposition().calls();
      const auto found = std::find_if(calls.begin(), calls.end(), [&](const Decomposition& call) { return call.name == name; });
      return found == calls.end() ? Decomposition{} : *found;
    };
    rows.add("call", name + ": calls", Quantity::count, [&](const RunNumbers& run) { return of(run).calls; });
    rows.add("call", name + ": time", Quantity::duration, [&](const RunNumbers& run) { return seconds_of(of(run).time); });
    rows.add("call", name + ": mean time of a call", Quantity::real, [&](const RunNumbers& run) {
      const Decomposition call = of(run);
      return call.calls > 0 ? seconds_of(call.time) / static_cast<double>(call.calls) : none;
    });
  }
}

void add_findings(std::vector<ComparedRow>& rows, const RunNumbers& a, const RunNumbers& b) {
  std::map<std::string, std::pair<double, double>> shares;
  const auto gather = [&](const RunNumbers& run, double std::pair<double, double>::*place) {
    for (const Finding& finding : run.findings()) {
      const std::string name =
          fmt::format("{}{}", finding.kind->name, finding.file == no_file ? "" : " " + run.trace().files[finding.file].path);
      auto& both = shares.try_emplace(name, none, none).first->second;
      both.*place = std::max(std::isnan(both.*place) ? 0 : both.*place, finding.share_of_time);
    }
  };
  gather(a, &std::pair<double, double>::first);
  gather(b, &std::pair<double, double>::second);
  for (const auto& [name, both] : shares)
    rows.push_back({"finding", name, Quantity::fraction, both.first, both.second,
                    std::isnan(both.first)    ? "new"
                    : std::isnan(both.second) ? "gone"
                                              : "in both"});
}

}  // namespace

double ComparedRow::ratio() const { return a > 0 && std::isfinite(b) ? b / a : none; }

std::vector<ComparedRow> compare(const RunNumbers& a, const RunNumbers& b) {
  Rows rows(a, b);
  add_run(rows);
  for (const Direction direction : {Direction::read, Direction::write}) add_bandwidths(rows, direction);
  add_decomposition(rows);
  add_calls(rows, a, b);
  add_findings(rows.rows, a, b);
  // What neither run has says nothing.
  std::erase_if(rows.rows, [](const ComparedRow& row) { return !(row.a > 0 || row.b > 0) && row.section != "finding"; });
  return std::move(rows.rows);
}

}  // namespace fathom::trace
