// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

template <Counter first>
double read_share(const Measured& job, const Setting&, Direction) {
  if (!rated(job, first, Direction::total)) return undefined;
  const double all = amount(job, first, Direction::total);
  return all > 0 ? amount(job, first, Direction::read) / all : undefined;
}

constexpr CriterionColumn columns[] = {{"read_share_ops", Unit::fraction, false, read_share<Counter::read_ops>},
                                       {"read_share_bytes", Unit::fraction, false, read_share<Counter::read_bytes>}};

}  // namespace

extern const Criterion type_share;
constinit const Criterion type_share{
    .id = "2.4",
    .name = "type_share",
    .title = "Share of reading",
    .symbol = "p_r",
    .question = "Does it mostly read or mostly write?",
    .formula = R"(Reads / (reads + writes), by operations and by bytes (D Eqs. 3.38-3.41).)",
    .needs = needs_bytes | needs_operations,
    .caveats =
        R"(Simulations tend to write more, data analysis to read more; but data that is read again counts again. By bytes it is hardly
changed by the layers in between, by operations it is.)",
    .columns = columns};
}  // namespace fathom::criteria
