// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/units.h"

namespace fathom {

std::string missing(std::uint16_t needs, std::uint16_t given) {
  static constexpr std::array<std::string_view, 9> words = {"bytes over time",
                                                            "operations over time",
                                                            "opens and closes",
                                                            "units told apart",
                                                            "the size of every request",
                                                            "the file and offset of every request",
                                                            "the process of every request",
                                                            "several traced runs of the application",
                                                            "a declaration (fathom annotate)"};
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (((needs & ~given) >> i & 1) != 0) text += (text.empty() ? "needs " : ", ") + std::string(words[i]);
  return text;
}

std::string why_no_types(const Measured& job) {
  if (counted(job, Counter::read_ops, Direction::total)) return "";
  const bool one = counted(job, Counter::read_ops, Direction::read) || counted(job, Counter::read_ops, Direction::write);
  return one ? "operations of one direction alone were counted" : "operations were not counted";
}

std::string why_undefined(const Criterion& criterion, const Measured& job) {
  const auto needs = [&](std::uint16_t what) { return (criterion.needs & what) != 0; };
  const auto either = [&](Counter first) { return counted(job, first, Direction::read) || counted(job, first, Direction::write); };
  if (job.units == 0) return "its servers are not known";
  if (!was_measured(job)) return "nothing was measured while it ran";
  if (needs(needs_bytes) && !either(Counter::read_bytes)) return "bytes were not counted";
  if (needs(needs_operations) && !either(Counter::read_ops)) return why_no_types(job);
  // Of a job without length a number is known, its rate is not.
  const bool has_rates = std::any_of(criterion.columns.begin(), criterion.columns.end(),
                                     [](const CriterionColumn& column) { return column.unit == Unit::operations_per_second; });
  const bool lacks_length = job.duration() == 0 && has_rates && counted(job, Counter::metadata_ops);
  if (needs(needs_metadata) && !lacks_length) return "not counted by its servers";
  if (job.duration() == 0) return "it has no length";
  if (needs(needs_units) && job.units == 1) return "one unit: nothing to compare";
  if (needs(needs_bytes | needs_operations) && job.totals[0] + job.totals[1] + job.totals[2] + job.totals[3] <= 0)
    return "nothing was moved";
  return "";
}

std::string shown(double value, Unit unit) {
  if (std::isnan(value)) return "-";
  switch (unit) {
    case Unit::bytes: return human_bytes(value);
    case Unit::bytes_per_second: return human_bytes(value) + "/s";
    case Unit::fraction: return human_percent(value);
    default:
      return value >= 1e15                                ? fmt::format("{:.3g}", value)
             : value >= 100 || value == std::floor(value) ? human_count(static_cast<std::uint64_t>(std::llround(value)))
                                                          : fmt::format("{:.2f}", value);
  }
}

const Criterion* criterion_with_id(std::string_view id) {
  for (const Criterion* criterion : all_criteria())
    if (criterion->id == id) return criterion;
  return nullptr;
}

}  // namespace fathom
