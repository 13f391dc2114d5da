// SPDX-License-Identifier: Apache-2.0
#include "characterise/packed.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace fathom {
namespace {

/// Writes or reads the same fields in the same order; both ends are the same program.
class Packer {
 public:
  std::string bytes;
  template <class T>
  void field(const T& value) requires std::is_trivially_copyable_v<T> {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void field(const std::vector<T>& values) {
    field(values.size());
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  bool good = true;
  bool at_end() const { return bytes_.empty(); }
  template <class T>
  void field(T& value) requires std::is_trivially_copyable_v<T> {
    take(&value, sizeof value);
  }
  template <class T>
  void field(std::vector<T>& values) {
    std::size_t size = 0;
    field(size);
    if (!good || size > bytes_.size() / sizeof(T)) return void(good = false);
    values.resize(size);
    take(values.data(), size * sizeof(T));
  }

 private:
  void take(void* to, std::size_t size) {
    if (size > bytes_.size()) return void(good = false);
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

template <class Stream, class Job>
void fields(Stream& stream, Job& m) {
  stream.field(m.start), stream.field(m.end), stream.field(m.units), stream.field(m.has), stream.field(m.coverage), stream.field(m.sampling_step);
  stream.field(m.totals), stream.field(m.lower), stream.field(m.upper), stream.field(m.bound), stream.field(m.other_jobs), stream.field(m.flags);
  auto& swept = m.swept;
  stream.field(swept.totals), stream.field(swept.peaks), stream.field(swept.inner), stream.field(swept.inner_has), stream.field(swept.activity);
  for (std::size_t d = 0; d < 2; ++d) stream.field(swept.sizes.small[d]), stream.field(swept.sizes.classes[d]);
  stream.field(swept.sizes.bytes_without_ops);
  stream.field(swept.sizes.sized);
}

}  // namespace

std::string pack(const Analysis& analysis) {
  Packer packer;
  packer.field(analysis.jobs);
  for (const Measured& m : analysis.measured) fields(packer, m);
  packer.field(analysis.ledger);
  packer.field(analysis.server_totals);
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
  std::vector<std::array<double, flow_count>> totals;
  unpacker.field(totals);
  if (!unpacker.good || !unpacker.at_end()) return Error{ErrorKind::malformed, "taking what another process found: not understood"};
  analysis.ledger.add(ledger);
  analysis.server_totals.resize(std::max(analysis.server_totals.size(), totals.size()));
  for (std::size_t s = 0; s < totals.size(); ++s)
    for (std::size_t f = 0; f < flow_count; ++f) analysis.server_totals[s][f] += totals[s][f];
  return {};
}

}  // namespace fathom
