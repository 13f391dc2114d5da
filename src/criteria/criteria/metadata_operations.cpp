// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

namespace fathom::criteria {
namespace {

bool known(const Measured& job) { return counted(job, Counter::metadata_ops); }

double total(const Measured& job, const Setting&, Direction) { return known(job) ? job.totals[index(Counter::metadata_ops)] : undefined; }

double largest_rate(const Measured& job, const Setting&, Direction) {
  return known(job) && job.duration() > 0 ? job.swept.peaks.metadata : undefined;
}

double mean_rate(const Measured& job, const Setting& setting, Direction x) {
  return job.duration() > 0 ? total(job, setting, x) / job.duration() : undefined;
}

constexpr CriterionColumn columns[] = {{"metadata_ops", Unit::operations, false, total},
                                       {"metadata_rate_max", Unit::operations_per_second, false, largest_rate},
                                       {"metadata_rate_mean", Unit::operations_per_second, false, mean_rate}};

}  // namespace

extern const Criterion metadata_operations;
constinit const Criterion metadata_operations{
    .id = "1.7",
    .name = "metadata_operations",
    .title = "Metadata operations",
    .symbol = "M",
    .question = "How many requests for metadata of all kinds does it make, and how many a second?",
    .formula =
        R"(The total; max: largest amount in a slot / its length inside the job, summed over units; mean: the total / (t_end - t_start). As 1.4, for
operations on metadata.)",
    .needs = needs_metadata,
    .caveats =
        R"(What is counted depends on the server: a Lustre MDT counts all kinds (getattr, setattr, unlink, ...), GPFS's mmpmon only opens, closes,
directory reads and inode updates, a trace the calls of the program, of which many are answered by caches. The largest rate is an average over the
sampling step. Without tags, what others ask of a shared metadata server is in it, as for bytes.)",
    .columns = columns};
}  // namespace fathom::criteria
