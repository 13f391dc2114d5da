// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

double intensity(const Measured& job, const Setting& setting, Direction x) {
  return rated(job, Counter::read_bytes, x) ? static_cast<double>(activity(job, setting, x).busy) / 1e6 / job.duration() : undefined;
}

constexpr CriterionColumn columns[] = {{"intensity", Unit::fraction, true, intensity}};

}  // namespace

extern const Criterion io_intensity;
constinit const Criterion io_intensity{
    .id = "1.6",
    .name = "io_intensity",
    .title = "I/O intensity",
    .symbol = "I",
    .question = "For what part of its time does it do I/O?",
    .formula =
        R"(I_x = time with H = 1 / (t_end - t_start); H = 1 where any unit moves more than c bytes per second in a slot (D Eqs. 3.30-3.32). For total: more than c read or more than c written.)",
    .needs = needs_bytes,
    .caveats = R"(Of machine and application together: a faster storage makes the same application less intense, so values of different
systems cannot be compared. Averages over a sampling interval make it larger than it was: 30 s of I/O every 2 minutes give 0.25
when sampled each 30 s and 1 when sampled each 2 minutes. At c = 0 status messages count as I/O; 1 MiB/s leaves them out.)",
    .columns = columns};
}  // namespace fathom::criteria
