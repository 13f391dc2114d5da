// SPDX-License-Identifier: Apache-2.0
#include "cli/both_sides_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "cli/plot_panel.h"

namespace fathom {
namespace {

std::optional<double> share_of(const SideSlot& slot) {
  if (!slot.server || !slot.servers || !(*slot.servers > 0)) return std::nullopt;
  double own = 0;
  for (const double bytes : *slot.server) own += std::isnan(bytes) ? 0 : bytes;  // what these servers do not count is in neither
  return own / *slot.servers;
}

template <class Of>
PlotValues values(const BothSides& both, Of of) {
  PlotValues all;
  for (const SideSlot& slot : both.slots) all.push_back(of(slot));
  return all;
}

std::string ratio_text(double client, double server) { return client > 0 ? fmt::format(", {:.3f} times as much", server / client) : ""; }

}  // namespace

Table both_sides_rows(const BothSides& both) {
  Table table{{{"t", Quantity::time},
               {"length", Quantity::duration},
               {"client_read_bytes", Quantity::bytes},
               {"client_write_bytes", Quantity::bytes},
               {"server_read_bytes", Quantity::bytes},
               {"server_write_bytes", Quantity::bytes},
               {"servers_bytes", Quantity::bytes},
               {"share", Quantity::fraction}},
              {}};
  for (const SideSlot& slot : both.slots) {
    auto& row = table.rows.emplace_back();
    row = {cell(time_from_micros(slot.begin)), cell(Duration{slot.length}), cell(slot.client[0]), cell(slot.client[1])};
    for (std::size_t d = 0; d < 2; ++d) row.push_back(slot.server && !std::isnan((*slot.server)[d]) ? cell((*slot.server)[d]) : Cell{});
    row.push_back(slot.servers ? cell(*slot.servers) : Cell{});
    const auto share = share_of(slot);
    row.push_back(share ? cell(*share) : Cell{});
  }
  return table;
}

Result<std::string> both_sides_plot(const Study& study, const JobView& view, const std::vector<ClientRun>& clients, double step,
                                    std::size_t width) {
  const Job& job = study.machine.jobs[view.job];
  const Measured& m = view.measured;
  std::string out = fmt::format("job {}: {} {} ({}), {}, {} from {}\n", job.id, job.user, job.name,
                                job.nodes > 0 ? counted(job.nodes, "node") : "nodes unknown", counted(m.units, "server"),
                                human_duration(job.end - job.start), format_iso8601(job.start));
  if (job.end <= job.start) return out + "it has no length: there is nothing to plot\n";
  const std::int64_t length =
      step > 0 ? static_cast<std::int64_t>(step * 1e6)
               : std::max(nice_step(m.end - m.start, width - plot_label_width - 2), (m.sampling_step + 999'999) / 1'000'000 * 1'000'000);
  TRY(const BothSides both, both_sides(study, view, clients, length));
  for (std::size_t d = 0; d < 2; ++d) {
    if (!(both.client[d] > 0) && !(both.server[d] > 0)) continue;
    const std::string verb = d == 0 ? "reads" : "writes";
    const auto rate = [](double amount, const SideSlot& slot) { return amount * 1e6 / static_cast<double>(slot.length); };
    const PlotValues client = values(both, [&](const SideSlot& slot) { return std::optional<double>(rate(slot.client[d], slot)); });
    const PlotValues server = values(both, [&](const SideSlot& slot) {
      return slot.server && !std::isnan((*slot.server)[d]) ? std::optional<double>(rate((*slot.server)[d], slot)) : std::nullopt;
    });
    const double top = std::max(largest(client), largest(server));
    plot_panel(out, fmt::format("clients: {} of its processes, {} a column", verb, human_duration(Duration{length})), client, top,
               per_second(top), 4);
    plot_panel(out, fmt::format("servers: {} that they did for it", verb), server, top, per_second(top), 4);
  }
  plot_panel(out, "share of all traffic of its servers that is the job's", values(both, share_of), 1, "100 %", 3);
  time_axis(out, job.start, job.end, both.slots.size());
  return out + "\n" + both_sides_summary(both);
}

std::string both_sides_summary(const BothSides& both) {
  std::string out;
  static constexpr const char* client_verbs[] = {"read", "wrote"};
  for (std::size_t d = 0; d < 2; ++d) {
    if (!(both.client[d] > 0) && !(both.server[d] > 0)) continue;
    out += fmt::format("its processes {} {}; the servers ", client_verbs[d], human_bytes(both.client[d]));
    out += both.counted[d]
               ? fmt::format("{} {} for it{}\n", client_verbs[d], human_bytes(both.server[d]), ratio_text(both.client[d], both.server[d]))
               : std::string("do not count that\n");
  }
  if (both.servers > 0)
    out += fmt::format("of all {} that these servers moved meanwhile {} are the job's\n", human_bytes(both.servers),
                       human_percent((both.server[0] + both.server[1]) / both.servers));
  if (both.delay)
    out += fmt::format("{} reach the servers {:.1f} s after the clients (correlation {:.2f})\n",
                       both.delay->direction == 0 ? "reads" : "writes", both.delay->seconds, both.delay->correlation);
  else
    out += "the two sides do not rise and fall together: no delay can be told\n";
  return out;
}

}  // namespace fathom
