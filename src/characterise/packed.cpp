// SPDX-License-Identifier: Apache-2.0
#include "characterise/packed.h"

#include <algorithm>

#include "base/packing.h"

namespace fathom {
namespace {

template <class Stream, class Job>
void fields(Stream& stream, Job& m) {
  stream.field(m.start), stream.field(m.end), stream.field(m.units), stream.field(m.has), stream.field(m.coverage),
      stream.field(m.sampling_step);
  stream.field(m.totals), stream.field(m.lower), stream.field(m.upper), stream.field(m.bound), stream.field(m.other_jobs),
      stream.field(m.flags);
  auto& swept = m.swept;
  stream.field(swept.totals), stream.field(swept.peaks), stream.field(swept.inner), stream.field(swept.inner_has),
      stream.field(swept.activity);
  for (std::size_t d = 0; d < 2; ++d) stream.field(swept.sizes.small[d]), stream.field(swept.sizes.classes[d]);
  stream.field(swept.sizes.bytes_without_ops), stream.field(swept.sizes.increments_without_ops);
  stream.field(swept.sizes.sized), stream.field(swept.sized_bytes);
}

}  // namespace

std::string pack(const Analysis& analysis) {
  Packer packer;
  packer.field(analysis.jobs);
  for (const Measured& m : analysis.measured) fields(packer, m);
  packer.field(analysis.ledger);
  packer.field(analysis.server_totals);
  packer.field(analysis.server_has);
  return std::move(packer.bytes);
}

Result<void> unpack_into(Analysis& analysis, std::string_view bytes) {
  Unpacker unpacker(bytes);
  std::vector<std::uint32_t> jobs;
  unpacker.field(jobs);
  for (const std::uint32_t job : jobs) {
    analysis.jobs.push_back(job);
    fields(unpacker, analysis.measured.emplace_back());
  }
  Ledger ledger;
  unpacker.field(ledger);
  std::vector<std::array<double, stretch_flows>> totals;
  std::vector<CounterMask> has;
  unpacker.field(totals), unpacker.field(has);
  if (!unpacker.good || !unpacker.at_end()) return Error{ErrorKind::malformed, "taking what another process found: not understood"};
  analysis.ledger.add(ledger);
  analysis.server_totals.resize(std::max(analysis.server_totals.size(), totals.size()));
  analysis.server_has.resize(std::max(analysis.server_has.size(), has.size()));
  for (std::size_t s = 0; s < totals.size(); ++s)
    for (std::size_t f = 0; f < stretch_flows; ++f) analysis.server_totals[s][f] += totals[s][f];
  for (std::size_t s = 0; s < has.size(); ++s) analysis.server_has[s] |= has[s];
  return {};
}

}  // namespace fathom
