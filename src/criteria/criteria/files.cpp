// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

template <Counter counter>
double count(const Measured& job, const Setting&, Direction) {
  return counted(job, counter) ? job.totals[index(counter)] : undefined;
}

constexpr CriterionColumn columns[] = {{"opens", Unit::operations, false, count<Counter::opens>},
                                       {"closes", Unit::operations, false, count<Counter::closes>},
                                       {"dirs", Unit::operations, false, count<Counter::dirs>},
                                       {"inode_updates", Unit::operations, false, count<Counter::inode_updates>}};

}  // namespace

extern const Criterion files;
constinit const Criterion files{
    .id = "1.5",
    .name = "files",
    .title = "File operations",
    .symbol = "F",
    .question = "How much does it ask of the metadata service?",
    .formula =
        R"(Opens, closes, directory reads and inode updates in total. Files created, and the largest and smallest file, need a trace (D Eq. 3.29).)",
    .needs = needs_metadata,
    .caveats = R"(Counters do not tell a new file from an old one, nor two opens of one file from opens of two. Opens and closes of the
system that starts the job are counted too, and files that stay open show as more opens than closes.)",
    .columns = columns};
}  // namespace fathom::criteria
