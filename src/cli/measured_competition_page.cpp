// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "cli/measured_competition.h"

namespace fathom {
namespace {

using Q = Quantity;
constexpr std::array<std::string_view, 3> nouns = {"read", "write", "read and write"};

Cell maybe(const std::optional<double>& value) { return value ? cell(*value) : Cell{}; }
std::string clock(std::int64_t nanoseconds) {
  return format_iso8601(std::chrono::round<std::chrono::seconds>(time_from_micros(nanoseconds / 1000)));
}
std::string length(std::int64_t nanoseconds) { return human_duration(Duration{nanoseconds / 1000}); }
/// As Table 3 of the paper has it: 1:4.4.
Cell ratio(const std::optional<double>& value) { return value ? cell(fmt::format("{:.2f}", *value)) : Cell{}; }
Cell signed_percent(const std::optional<double>& value) { return value ? cell(fmt::format("{:+.1f} %", *value * 100)) : Cell{}; }
Cell seconds_text(const std::optional<double>& value) { return value ? cell(fmt::format("{:.1f} s", *value)) : Cell{}; }

class Page {
 public:
  explicit Page(const compete::Competition& competition) : given_(competition), all_(competition.all) {}

  std::string text() {
    add_overlap();
    add_throughput();
    add_evenness();
    add_times();
    if (!given_.pairs.empty()) add_pairs();
    return out_;
  }

 private:
  void add_overlap() {
    if (all_.together.empty()) {
      out_ += "overlap         none\n";
    } else {
      const std::size_t parts = all_.together.size();
      out_ += fmt::format("overlap         {} from {} to {}{}\n", length(length_of(all_.together)), clock(all_.together.front().begin),
                          clock(all_.together.back().end), parts > 1 ? fmt::format(", in {} parts", parts) : "");
    }
    const auto [first, slices] = all_.active;
    if (slices == 0) {
      out_ += "active overlap  none\n";
    } else {
      out_ += fmt::format("active overlap  {} ({} of {}) from {} to {}: every process {}\n", length(slices * all_.slice_length),
                          counted(static_cast<std::uint64_t>(slices), "slice"), length(all_.slice_length), clock(first * all_.slice_length),
                          clock((first + slices) * all_.slice_length),
                          std::array{"read", "wrote", "read or wrote"}[static_cast<std::size_t>(given_.options.direction)]);
    }
  }

  void add_throughput() {
    out_ += fmt::format("\n{} throughput: over {}, and in the active overlap\n", nouns[static_cast<std::size_t>(given_.options.direction)],
                        given_.options.trim ? "the I/O phase (without start-up and ending)" : "the whole run");
    Table table{{{"application"},
                 {"processes", Q::count},
                 {"nodes", Q::count},
                 {"bytes", Q::bytes},
                 {"overall", Q::bandwidth},
                 {"ratio", Q::real},
                 {"in overlap", Q::bandwidth},
                 {"ratio", Q::real},
                 {"share", Q::fraction},
                 {"by processes", Q::fraction},
                 {"by nodes", Q::fraction},
                 {"spread", Q::fraction}},
                {}};
    for (std::size_t i = 0; i < all_.contenders.size(); ++i) {
      const compete::Contender& one = all_.contenders[i];
      const compete::Fairness& fair = all_.fairness;
      table.rows.push_back({cell(one.label), cell(std::uint64_t{one.movers}), cell(std::uint64_t{one.nodes}), cell(one.bytes),
                            maybe(one.overall), ratio(one.overall_ratio), maybe(one.overlap), ratio(one.overlap_ratio),
                            i < fair.observed.size() ? cell(fair.observed[i]) : Cell{}, cell(fair.expected[0][i]),
                            cell(fair.expected[1][i]), maybe(one.spread)});
    }
    out_ += as_aligned_text(table);
  }

  void add_evenness() {
    std::size_t movers = 0;
    for (const compete::Contender& one : all_.contenders) movers += one.movers;
    if (all_.spread)
      out_ += fmt::format("\nspread          {} relative standard deviation of bytes per process in the active overlap, all {}\n",
                          human_percent(*all_.spread), counted(movers, "process"));
    const compete::Fairness& fair = all_.fairness;
    out_ += all_.spread ? "shares          " : "\nshares          ";
    if (!fair.nearer) {
      out_ += fmt::format("per process or per node cannot be told: {}\n", fair.why);
      return;
    }
    const auto near = static_cast<std::size_t>(*fair.nearer);
    out_ += fmt::format(
        "nearer to equal shares per {} than per {}: off by {:.3f} against {:.3f} (sum of differences of shares), and so in {} of {}\n",
        compete::share_names[near], compete::share_names[1 - near], fair.distance[near], fair.distance[1 - near], fair.slices,
        counted(static_cast<std::uint64_t>(all_.active.slices), "slice"));
  }

  void add_times() {
    const compete::Slowdowns& slow = given_.slowdowns;
    out_ += fmt::format("\ntimes; the model gives every {} the same share\n", compete::share_names[static_cast<std::size_t>(slow.share)]);
    Table table{{{"application"},
                 {"start-up", Q::real},
                 {"I/O phase", Q::real},
                 {"ending", Q::real},
                 {"alone", Q::real},
                 {"slowdown", Q::real},
                 {"predicted", Q::real},
                 {"error", Q::real},
                 {"alone, inferred", Q::real},
                 {"error", Q::real}},
                {}};
    for (std::size_t i = 0; i < all_.contenders.size(); ++i) {
      const compete::Contender& one = all_.contenders[i];
      const compete::Slowdown& times = slow.applications[i];
      const auto phase_part = [&](std::int64_t nanoseconds) {
        return one.phase.slices == 0 ? Cell{} : seconds_text(static_cast<double>(nanoseconds) / 1e9);
      };
      table.rows.push_back({cell(one.label), phase_part(one.phase.start_up), seconds_text(times.concurrent), phase_part(one.phase.ending),
                            seconds_text(times.alone), times.factor ? cell(fmt::format("{:.2f}", *times.factor)) : Cell{},
                            seconds_text(times.predicted), signed_percent(times.error), seconds_text(times.inferred),
                            signed_percent(times.inferred_error)});
    }
    out_ += as_aligned_text(table);
  }

  void add_pairs() {
    out_ += "\ntwo at a time\n";
    Table table{{{"a"},
                 {"b"},
                 {"overlap", Q::duration},
                 {"active overlap", Q::duration},
                 {"a in it", Q::bandwidth},
                 {"b in it", Q::bandwidth},
                 {"ratio", Q::real},
                 {"spread", Q::fraction},
                 {"nearer to shares per"}},
                {}};
    for (const compete::Pair& pair : given_.pairs) {
      const compete::Comparison& c = pair.comparison;
      const auto in_micros = [](std::int64_t nanoseconds) { return cell(Duration{nanoseconds / 1000}); };
      table.rows.push_back(
          {cell(c.contenders[0].label), cell(c.contenders[1].label), in_micros(length_of(c.together)),
           in_micros(c.active.slices * c.slice_length), maybe(c.contenders[0].overlap), maybe(c.contenders[1].overlap),
           ratio(c.contenders[1].overlap_ratio), maybe(c.spread),
           cell(c.fairness.nearer ? compete::share_names[static_cast<std::size_t>(*c.fairness.nearer)] : std::string_view("-"))});
    }
    out_ += as_aligned_text(table);
  }

  const compete::Competition& given_;
  const compete::Comparison& all_;
  std::string out_;
};

}  // namespace

std::string competition_page(const compete::Competition& competition) { return Page(competition).text(); }

}  // namespace fathom
