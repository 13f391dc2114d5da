// SPDX-License-Identifier: Apache-2.0
#include "characterise/job_view.h"

#include <algorithm>
#include <thread>

#include "criteria/criterion.h"

namespace fathom {
namespace {

std::vector<UnitTotals> totals_by_unit(const Machine& machine, std::uint32_t job, const AssembledJob& assembled) {
  std::vector<UnitTotals> units;
  for (const std::uint32_t server : machine.units[job]) units.push_back({machine.servers[server], 0, {}});
  for (const Lane& lane : assembled.timeline.lanes)
    for (const auto part : lane.parts)
      for (const Stretch& s : part)
        for (std::size_t f = 0; f < flow_count; ++f) units[lane.unit].totals[f] += static_cast<double>(s.amounts[f]) * s.share();
  for (const auto& [place, part] : assembled.order) {
    UnitTotals& unit = units[place];
    unit.has |= part->has;
    for (std::size_t c = flow_count; c < counter_count; ++c) {
      unit.totals[c] += static_cast<double>(part->metadata[c - flow_count]);
      for (const SharedIncrement& shared : part->shared)
        unit.totals[c] += static_cast<double>(shared.metadata[c - flow_count]) * shared.weight;
    }
  }
  return units;
}

}  // namespace

Result<JobView> look_at_job(const Study& study, std::uint32_t job) {
  JobView view;
  view.job = job;
  TRY(LinkedJob linked, link_job(*study.snapshot, study.machine, view.job, study.options.link));
  view.assembled = assemble(study.machine, view.job, std::move(linked.parts));
  Sweeper sweeper({study.options.slot, study.options.thresholds, study.options.small, true});
  view.measured = measure(study.machine, view.job, view.assembled, sweeper, study.options.link);
  view.measured.other_jobs = linked.other_jobs;
  view.on_operations = operation_activity(view.assembled.timeline, study.options.slot);
  view.units = totals_by_unit(study.machine, view.job, view.assembled);
  // Nothing is known below the sampling step: the rhythm is looked for in slots of that length, in whole seconds.
  view.step = std::max<std::int64_t>(study.options.slot, (view.measured.sampling_step + 999'999) / 1'000'000 * 1'000'000);
  if (counted(view.measured, Counter::read_ops, Direction::total))
    walk_slots(view.assembled.timeline, view.step, 0,
               [&](const Slot& slot) { view.dominating.push_back(dominating(slot).value_or(Dominating::none)); });
  view.repetition = repetitions(view.dominating);
  if (view.dominating.empty())
    for (Repetition& each : view.repetition) each.evidence = why_no_types(view.measured);
  return view;
}

Result<JobView> look_at(const Study& study, std::size_t place) { return look_at_job(study, study.analysis.jobs[place]); }

std::vector<Slot> slots_of(const JobView& view, std::int64_t step, std::uint64_t threshold) {
  std::vector<Slot> slots;
  walk_slots(view.assembled.timeline, step, threshold, [&](const Slot& slot) { slots.push_back(slot); });
  return slots;
}

}  // namespace fathom
