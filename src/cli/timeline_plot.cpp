// SPDX-License-Identifier: Apache-2.0
#include "cli/timeline_plot.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/terminal.h"
#include "base/units.h"
#include "cli/criteria_rows.h"
#include "report/plot.h"

namespace fathom {
namespace {

using Values = std::vector<std::optional<double>>;
constexpr std::size_t label_width = 12;

/// A length of slots that people like: 1, 2, 5, 10, 30 s, 1, 2, 5, 10, 30 min, hours.
std::int64_t nice_step(std::int64_t duration, std::size_t width) {
  for (const std::int64_t s : {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400})
    if (duration / (s * 1'000'000) < static_cast<std::int64_t>(width)) return s * 1'000'000;
  return (duration / static_cast<std::int64_t>(width) / 86'400'000'000 + 1) * 86'400'000'000;
}

template <class Of>
Values values(const std::vector<Slot>& slots, Of of) {
  Values all;
  for (const Slot& slot : slots) all.push_back(slot.measured == 0 ? std::nullopt : std::optional<double>(of(slot)));
  return all;
}

double largest(const Values& all) {
  double most = 0;
  for (const auto& value : all) most = std::max(most, value.value_or(0));
  return most;
}

std::string per_second(double bytes) { return human_bytes(bytes) + "/s"; }

void panel(std::string& out, const std::string& title, const Values& all, double top, const std::string& top_label, std::size_t height) {
  out += fmt::format("\n{}\n", title);
  const auto rows = bar_plot(all, top, height);
  for (std::size_t r = 0; r < rows.size(); ++r) out += fmt::format("{:>{}} {}{}\n", r == 0 ? top_label : r + 1 == rows.size() ? "0" : "", label_width, glyphs().axis, rows[r]);
}

void line(std::string& out, const std::string& label, const Values& all, double top) {
  out += fmt::format("{:>{}} {}{}\n", label, label_width, glyphs().axis, bar_plot(all, top, 1).front());
}

std::string type_strip(const std::vector<Slot>& slots) {
  std::string strip;
  for (const Slot& slot : slots) {
    const std::string_view letters[] = {glyphs().none, "r", "w", "m"};
    strip += slot.measured == 0 ? glyphs().missing : letters[static_cast<std::size_t>(dominating(slot.amounts[2], slot.amounts[3]))];
  }
  return strip;
}

}  // namespace

std::string timeline_plot(const Study& study, const JobView& view, double step, std::size_t width) {
  const Job& job = study.machine.jobs[view.job];
  const Measured& m = view.measured;
  std::string out = fmt::format("job {}: {} {} ({}), {} server{}, {} from {}\n", job.id, job.user, job.name,
                                job.nodes > 0 ? human_count(job.nodes) + " nodes" : "nodes unknown", m.units, m.units == 1 ? "" : "s", human_duration(job.end - job.start), format_iso8601(job.start));
  out += fmt::format("measured {}, sampled every {}{}\n", m.coverage ? human_percent(*m.coverage) : "-", human_duration(Duration{m.sampling_step}),
                     m.flags == 0 ? "" : "; " + flag_names(m.flags));
  if (job.end <= job.start) return out + "it has no length: there is nothing to plot\n";
  const std::int64_t length = step > 0 ? static_cast<std::int64_t>(step * 1e6) : nice_step(m.end - m.start, width - label_width - 2);
  const std::uint64_t threshold = study.options.thresholds.front();
  const std::vector<Slot> slots = slots_of(view, length, threshold);
  const auto rate = [](double amount, const Slot& slot) { return amount * 1e6 / static_cast<double>(slot.length); };
  for (std::size_t d = 0; d < 2; ++d) {
    const Values all = values(slots, [&](const Slot& slot) { return rate(slot.amounts[d], slot); });
    panel(out, fmt::format("2.8  {} over time, {} a column, mean of each", d == 0 ? "reads" : "writes", human_duration(Duration{length})), all, largest(all), per_second(largest(all)), 5);
  }
  out += fmt::format("\n2.5  dominating type by operations: r read, w write, m mixed, {} none{}\n{:>{}} {}{}\n", glyphs().none, m.coverage && *m.coverage < 1 ? fmt::format(", {} not measured", glyphs().missing) : "", "", label_width, glyphs().axis, type_strip(slots));
  out += "\n3.3  servers: largest, mean and smallest\n";
  for (std::size_t d = 0; d < 2; ++d) {
    const Values most = values(slots, [&](const Slot& slot) { return rate(slot.units[d].max, slot); });
    const double top = largest(most);
    const std::string x = direction_names[d];
    line(out, x + " max", most, top);
    line(out, "mean", values(slots, [&](const Slot& slot) { return rate(slot.units[d].mean, slot); }), top);
    line(out, "min", values(slots, [&](const Slot& slot) { return rate(slot.units[d].min, slot); }), top);
  }
  panel(out, fmt::format("3.2  servers above {}/s", human_bytes(static_cast<double>(threshold))),
        values(slots, [&](const Slot& slot) { return static_cast<double>(slot.active[2]); }), m.units, fmt::format("{}", m.units), 3);
  const std::string first = format_iso8601(job.start).substr(0, 19), last = format_iso8601(job.end).substr(0, 19);
  const std::size_t space = slots.size() > first.size() + last.size() ? slots.size() - first.size() - last.size() : 1;
  out += fmt::format("{:>{}} {}{}{}{}\n", "", label_width, glyphs().corner, first, std::string(space, ' '), last);
  return out;
}

}  // namespace fathom
