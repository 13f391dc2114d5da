// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

double bytes(const Measured& job, const Setting&, Direction x) {
  return counted(job, Counter::read_bytes, x) ? amount(job, Counter::read_bytes, x) : undefined;
}

double sum(const std::array<double, 2>& of, Direction x) { return x == Direction::total ? of[0] + of[1] : of[static_cast<std::size_t>(x)]; }

double lower(const Measured& job, const Setting&, Direction x) {
  return counted(job, Counter::read_bytes, x) ? sum(job.lower, x) : undefined;
}

double upper(const Measured& job, const Setting&, Direction x) {
  return counted(job, Counter::read_bytes, x) ? sum(job.upper, x) : undefined;
}

constexpr CriterionColumn columns[] = {
    {"bytes", Unit::bytes, true, bytes}, {"bytes_lower", Unit::bytes, true, lower}, {"bytes_upper", Unit::bytes, true, upper}};

}  // namespace

extern const Criterion total_data;
constinit const Criterion total_data{
    .id = "1.1",
    .name = "total_data",
    .title = "Total amount of data",
    .symbol = "S",
    .question = "How much does it read and write?",
    .formula = R"(S_x = sum of bytes of all units (D Eqs. 3.9, 3.10). lower, upper: what `discard` and `double-count` would give.)",
    .needs = needs_bytes,
    .caveats = R"(Nearly independent of the layer where it is measured, except with compression or data sieving. Says how much storage is
moved, not how much is stored: the same data may be read again and again.)",
    .columns = columns};
}  // namespace fathom::criteria
