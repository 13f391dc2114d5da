// SPDX-License-Identifier: Apache-2.0
#include "compete/competition.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::compete {
namespace {

using Json = nlohmann::ordered_json;

double in_seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }
Cell maybe(const std::optional<double>& value) { return value ? cell(*value) : Cell{}; }
Cell at(const Shares& shares, std::size_t i) { return i < shares.size() ? cell(shares[i]) : Cell{}; }
Cell moment(std::int64_t nanoseconds) { return cell(time_from_micros(nanoseconds / 1000)); }
Cell seconds_cell(std::int64_t nanoseconds) { return cell(in_seconds(nanoseconds)); }

Json as_object(const Table& table, std::size_t row) {
  Table one{table.columns, {table.rows[row]}};
  return Json::parse(as_json(one))[0];
}

}  // namespace

std::vector<std::string> Competition::notices() const {
  std::vector<std::string> found = all.notices;
  for (const std::string& notice : slowdowns.notices)
    if (std::find(found.begin(), found.end(), notice) == found.end()) found.push_back(notice);
  return found;
}

Competition compete(std::span<const Application> applications, std::span<const std::optional<Alone>> alone, const Options& options,
                    std::optional<Share> share, bool pairs_too) {
  Competition found;
  found.options = options;
  found.all = compare(applications, options);
  if (applications.size() > 2 || pairs_too) found.pairs = pairs(applications, options);
  found.slowdowns = slowdowns(applications, alone, options.direction, share.value_or(found.all.fairness.nearer.value_or(Share::process)));
  return found;
}

Result<Alone> alone_from(const slices::Profile& profile, std::int64_t length, Direction direction) {
  if (profile.length != length)
    return Error{
        ErrorKind::unsupported,
        fmt::format("its slices are {:g} s long, those of the runs to compare {:g} s: run it with the same length (fathom run --slice)",
                    in_seconds(profile.length), in_seconds(length))};
  TRY(const slices::Series series, slices::add_up(profile));
  const slices::Phase phase = slices::io_phase(series, direction);
  if (phase.slices == 0) return Error{ErrorKind::malformed, "that run moved nothing in this direction"};
  return Alone{in_seconds(phase.length()),
               slices::bytes_in(series, direction, series.first, static_cast<std::int64_t>(series.sums.size()))};
}

std::vector<ModelCourse> model_courses(std::span<const Application> applications, const Competition& competition) {
  const Slowdowns& slow = competition.slowdowns;
  const bool predicted = !slow.predicted_course.turns.empty();
  const sharing::Course& course = predicted ? slow.predicted_course : slow.observed_course;
  std::vector<ModelCourse> all;
  for (std::size_t k = 0; k < slow.competing.size(); ++k) {
    const Application& one = applications[slow.competing[k]];
    const Slowdown& times = slow.applications[slow.competing[k]];
    const double alone = (predicted ? times.alone : times.inferred).value_or(0);
    if (!(alone > 0)) continue;
    const double speed =
        static_cast<double>(bytes_in(one.series, competition.options.direction, one.phase.first, one.phase.slices)) / alone;
    ModelCourse& line = all.emplace_back();
    line.label = one.label;
    for (const sharing::Segment& segment : course.segments_of(k))
      line.steps.push_back({course.origin + segment.begin, course.origin + segment.end, speed * segment.share(slow.weights[k])});
  }
  return all;
}

Table competition_rows(const Competition& competition) {
  using Q = Quantity;
  Table table{{{"application"},
               {"processes", Q::count},
               {"active_processes", Q::count},
               {"nodes", Q::count},
               {"start", Q::time},
               {"end", Q::time},
               {"bytes", Q::bytes},
               {"throughput", Q::bandwidth},
               {"ratio", Q::real},
               {"overlap", Q::duration},
               {"active_overlap", Q::duration},
               {"overlap_bytes", Q::bytes},
               {"overlap_throughput", Q::bandwidth},
               {"overlap_ratio", Q::real},
               {"share", Q::fraction},
               {"process_share", Q::fraction},
               {"node_share", Q::fraction},
               {"spread", Q::fraction},
               {"start_up", Q::duration},
               {"io_phase", Q::duration},
               {"ending", Q::duration},
               {"standalone", Q::duration},
               {"slowdown", Q::real},
               {"predicted", Q::duration},
               {"relative_error", Q::fraction},
               {"inferred_standalone", Q::duration},
               {"inferred_relative_error", Q::fraction}},
              {}};
  const Comparison& all = competition.all;
  for (std::size_t i = 0; i < all.contenders.size(); ++i) {
    const Contender& one = all.contenders[i];
    const Slowdown& slow = competition.slowdowns.applications[i];
    table.rows.push_back({cell(one.label),
                          cell(std::uint64_t{one.processes}),
                          cell(std::uint64_t{one.movers}),
                          cell(std::uint64_t{one.nodes}),
                          moment(one.start),
                          moment(one.end),
                          cell(one.bytes),
                          maybe(one.overall),
                          maybe(one.overall_ratio),
                          seconds_cell(length_of(all.together)),
                          seconds_cell(all.active.slices * all.slice_length),
                          cell(one.overlap_bytes),
                          maybe(one.overlap),
                          maybe(one.overlap_ratio),
                          at(all.fairness.observed, i),
                          at(all.fairness.expected[0], i),
                          at(all.fairness.expected[1], i),
                          maybe(one.spread),
                          seconds_cell(one.phase.start_up),
                          maybe(slow.concurrent),
                          seconds_cell(one.phase.ending),
                          maybe(slow.alone),
                          maybe(slow.factor),
                          maybe(slow.predicted),
                          maybe(slow.error),
                          maybe(slow.inferred),
                          maybe(slow.inferred_error)});
  }
  return table;
}

Table pair_rows(const Competition& competition) {
  using Q = Quantity;
  Table table{{{"a"},
               {"b"},
               {"overlap", Q::duration},
               {"active_overlap", Q::duration},
               {"a_overlap_throughput", Q::bandwidth},
               {"b_overlap_throughput", Q::bandwidth},
               {"overlap_ratio", Q::real},
               {"spread", Q::fraction},
               {"nearer"}},
              {}};
  for (const Pair& pair : competition.pairs) {
    const Comparison& c = pair.comparison;
    const auto& nearer = c.fairness.nearer;
    table.rows.push_back({cell(c.contenders[0].label), cell(c.contenders[1].label), seconds_cell(length_of(c.together)),
                          seconds_cell(c.active.slices * c.slice_length), maybe(c.contenders[0].overlap), maybe(c.contenders[1].overlap),
                          maybe(c.contenders[1].overlap_ratio), maybe(c.spread),
                          nearer ? cell(share_names[static_cast<std::size_t>(*nearer)]) : Cell{}});
  }
  return table;
}

Json competition_json(const Competition& competition) {
  const Comparison& all = competition.all;
  const Fairness& fair = all.fairness;
  const auto stretch = [](double begin, double length) { return Json{{"start", begin}, {"length", length}}; };
  Json data{{"direction", slices::direction_names[static_cast<std::size_t>(competition.options.direction)]},
            {"trim", competition.options.trim},
            {"slice_length", in_seconds(all.slice_length)}};
  data["overlap"] = Json{{"length", in_seconds(length_of(all.together))}, {"parts", Json::array()}};
  for (const Stretch& one : all.together)
    data["overlap"]["parts"].push_back(stretch(in_seconds(one.begin), in_seconds(one.end - one.begin)));
  data["active_overlap"] = Json{{"slices", all.active.slices}, {"length", in_seconds(all.active.slices * all.slice_length)}};
  if (all.active.slices > 0) {
    data["active_overlap"]["first_slice"] = all.active.first;
    data["active_overlap"]["start"] = in_seconds(all.active.first * all.slice_length);
  }
  data["spread"] = all.spread ? Json(*all.spread) : Json(nullptr);
  data["fairness"] = Json{{"nearer", fair.nearer ? Json(share_names[static_cast<std::size_t>(*fair.nearer)]) : Json(nullptr)},
                          {"why_not", fair.nearer ? Json(nullptr) : Json(fair.why)}};
  for (std::size_t s = 0; s < 2; ++s)
    data["fairness"][std::string(share_names[s]) + "_distance"] = all.active.slices > 0 ? Json(fair.distance[s]) : Json(nullptr);
  data["fairness"]["slices"] = fair.slices;
  data["share"] = share_names[static_cast<std::size_t>(competition.slowdowns.share)];
  data["applications"] = Json::array();
  const Table rows = competition_rows(competition), two = pair_rows(competition);
  for (std::size_t i = 0; i < rows.rows.size(); ++i) data["applications"].push_back(as_object(rows, i));
  data["pairs"] = Json::array();
  for (std::size_t i = 0; i < two.rows.size(); ++i) data["pairs"].push_back(as_object(two, i));
  data["notices"] = competition.notices();
  return data;
}

}  // namespace fathom::compete
