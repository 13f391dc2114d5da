// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/trace_criteria.h"

#include <cmath>

#include "timeline/sweep.h"

namespace fathom::trace {

TraceMeasurement::TraceMeasurement(const Trace& trace, TraceCriteriaOptions options)
    : trace_(trace),
      options_(std::move(options)),
      timeline_(trace, options_.layer, options_.slot, options_.small),
      spatial_(options_.layer),
      files_(trace, options_.layer, options_.slot),
      sizes_(trace, options_.layer) {}

std::vector<Analysis*> TraceMeasurement::analyses() {
  std::vector<Analysis*> all{&timeline_, &spatial_, &files_};
  if (options_.size_sequences) all.push_back(&sizes_);
  return all;
}

void TraceMeasurement::measure() {
  const JobTimeline& job = timeline_.timeline();
  Measured& m = measured_;
  m.start = job.start;
  m.end = job.end;
  m.units = job.units;
  m.has = static_cast<CounterMask>(all_counters & ~mask(Counter::inode_updates));
  if (m.duration() > 0 && m.units > 0) m.coverage = 1;
  Sweeper sweeper({options_.slot, options_.thresholds, options_.small, true});
  m.swept = sweeper.sweep(job);
  m.swept.sizes = timeline_.sizes();  // of every request, not of the averages of slots
  for (const auto& unit : timeline_.units()) {
    for (std::size_t f = 0; f < flow_count; ++f) m.totals[f] += static_cast<double>(unit.flows[f]);
    m.totals[index(Counter::opens)] += static_cast<double>(unit.opens);
    m.totals[index(Counter::closes)] += static_cast<double>(unit.closes);
    m.totals[index(Counter::dirs)] += static_cast<double>(unit.lists);
    m.totals[index(Counter::metadata_ops)] += static_cast<double>(unit.metadata);
  }
  m.lower = m.upper = {m.totals[0], m.totals[1]};
  on_operations_ = operation_activity(job, options_.slot);
  walk_slots(job, options_.slot, options_.thresholds.front(), [&](const Slot& slot) { slots_.push_back(slot); });
}

namespace {

nlohmann::ordered_json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return value;
}

nlohmann::ordered_json values_json(const CriterionAnswer& answer) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const CriterionValue& value : answer.values) {
    if (!value.text.empty()) {
      values[value.name] = value.text;
    } else if (value.per_direction) {
      for (std::size_t d = 0; d < direction_count; ++d)
        values[std::string(direction_names[d]) + "_" + value.name] = number(value.values[d]);
    } else {
      values[value.name] = number(value.values[2]);
    }
  }
  for (const auto& [key, more] : answer.more.items()) values[key] = more;
  return values;
}

}  // namespace

nlohmann::ordered_json criteria_json(const TraceMeasurement& run, const std::vector<CriterionAnswer>& answers) {
  nlohmann::ordered_json document;
  const Measured& m = run.measured();
  std::uint64_t lost = 0;
  for (const Process& process : run.trace().processes) lost += process.lost;
  document["run"] = {{"layer", interface_names[static_cast<std::size_t>(run.options().layer)]},
                     {"ranks", m.units},
                     {"start", static_cast<double>(m.start) / 1e6},
                     {"end", static_cast<double>(m.end) / 1e6},
                     {"duration", m.duration()},
                     {"slot", static_cast<double>(run.options().slot) / 1e6},
                     {"threshold", run.options().thresholds},
                     {"small", run.options().small},
                     {"lost_calls", lost}};
  for (const CriterionAnswer& answer : answers) {
    nlohmann::ordered_json& entry = document[std::string(answer.criterion->id)];
    entry["name"] = answer.criterion->name;
    entry["title"] = answer.criterion->title;
    if (!answer.reason.empty()) entry["reason"] = answer.reason;
    if (answer.values.empty()) {
      entry["values"] = nullptr;
      continue;
    }
    if (answer.measured_now) entry["measured"] = true;
    entry["values"] = values_json(answer);
    if (!answer.note.empty()) entry["note"] = answer.note;
  }
  return document;
}

}  // namespace fathom::trace
