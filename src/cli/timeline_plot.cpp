// SPDX-License-Identifier: Apache-2.0
#include "cli/timeline_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/terminal.h"
#include "base/units.h"
#include "cli/criteria_rows.h"
#include "cli/plot_panel.h"
#include "criteria/criterion.h"

namespace fathom {
namespace {

/// `needs`: counters without which there is no value.
template <class Of>
PlotValues values(const std::vector<Slot>& slots, CounterMask needs, Of of) {
  PlotValues all;
  for (const Slot& slot : slots)
    all.push_back(slot.measured == 0 || (slot.has & needs) != needs ? std::nullopt : std::optional<double>(of(slot)));
  return all;
}

std::string type_strip(const std::vector<Slot>& slots) {
  std::string strip;
  for (const Slot& slot : slots) {
    const std::string_view letters[] = {glyphs().none, "r", "w", "m"};
    const auto type = dominating(slot);
    strip += slot.measured == 0 || !type ? glyphs().missing : letters[static_cast<std::size_t>(*type)];
  }
  return strip;
}

}  // namespace

std::string timeline_plot(const Study& study, const JobView& view, double step, std::size_t width) {
  const Job& job = study.machine.jobs[view.job];
  const Measured& m = view.measured;
  std::string out = fmt::format("job {}: {} {} ({}), {} server{}, {} from {}\n", job.id, job.user, job.name,
                                job.nodes > 0 ? human_count(job.nodes) + " nodes" : "nodes unknown", m.units, m.units == 1 ? "" : "s",
                                human_duration(job.end - job.start), format_iso8601(job.start));
  out += !was_measured(m) ? "nothing was measured while it ran"
                          : fmt::format("measured {}, sampled every {}", m.coverage ? human_percent(*m.coverage) : "-",
                                        human_duration(Duration{m.sampling_step}));
  out += (m.flags == 0 ? "" : "; " + flag_names(m.flags)) + "\n";
  if (job.end <= job.start) return out + "it has no length: there is nothing to plot\n";
  const std::int64_t length = step > 0 ? static_cast<std::int64_t>(step * 1e6) : nice_step(m.end - m.start, width - plot_label_width - 2);
  const std::uint64_t threshold = study.options.thresholds.front();
  const std::vector<Slot> slots = slots_of(view, length, threshold);
  const auto rate = [](double amount, const Slot& slot) { return amount * 1e6 / static_cast<double>(slot.length); };
  static constexpr CounterMask bytes[] = {mask(Counter::read_bytes), mask(Counter::write_bytes)};
  for (std::size_t d = 0; d < 2; ++d) {
    const PlotValues all = values(slots, bytes[d], [&](const Slot& slot) { return rate(slot.amounts[d], slot); });
    plot_panel(out,
               fmt::format("2.8  {} over time, {} a column, mean of each", d == 0 ? "reads" : "writes", human_duration(Duration{length})),
               all, largest(all), per_second(largest(all)), 5);
  }
  const bool all_known = std::all_of(slots.begin(), slots.end(), [](const Slot& slot) { return slot.measured > 0 && dominating(slot); });
  out += fmt::format("\n2.5  dominating type by operations: r read, w write, m mixed, {} none{}\n{:>{}} {}{}\n", glyphs().none,
                     all_known ? "" : fmt::format(", {} not measured", glyphs().missing), "", plot_label_width, glyphs().axis,
                     type_strip(slots));
  out += "\n3.3  servers: largest, mean and smallest\n";
  for (std::size_t d = 0; d < 2; ++d) {
    const PlotValues most = values(slots, bytes[d], [&](const Slot& slot) { return rate(slot.units[d].max, slot); });
    const double top = largest(most);
    const std::string x = direction_names[d];
    plot_line(out, x + " max", most, top);
    plot_line(out, "mean", values(slots, bytes[d], [&](const Slot& slot) { return rate(slot.units[d].mean, slot); }), top);
    plot_line(out, "min", values(slots, bytes[d], [&](const Slot& slot) { return rate(slot.units[d].min, slot); }), top);
  }
  plot_panel(out, fmt::format("3.2  servers above {}/s", human_bytes(static_cast<double>(threshold))),
             values(slots, 0, [&](const Slot& slot) { return static_cast<double>(slot.active[2]); }), m.units, fmt::format("{}", m.units),
             3);
  time_axis(out, job.start, job.end, slots.size());
  return out;
}

}  // namespace fathom
