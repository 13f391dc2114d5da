// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/bandwidth.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace fathom::trace {
namespace {

double per_second(std::uint64_t bytes, double nanoseconds) {
  return nanoseconds > 0 ? static_cast<double>(bytes) / (nanoseconds / 1e9) : std::numeric_limits<double>::quiet_NaN();
}

/// Rounding of the division must not decide.
Bound at_most(double a, double b) {
  if (!(a >= 0) || !(b >= 0)) return Bound::unknown;
  return a <= b * (1 + 1e-12) ? Bound::holds : Bound::does_not_hold;
}

}  // namespace

double Moved::effective() const { return per_second(bytes, static_cast<double>(time)); }
double Moved::perceived(std::uint32_t of) const {
  return of == 0 ? std::numeric_limits<double>::quiet_NaN() : per_second(bytes, static_cast<double>(time) / of);
}
double Moved::while_busy() const { return per_second(bytes, static_cast<double>(busy)); }
double Moved::span() const {
  return calls == 0 ? std::numeric_limits<double>::quiet_NaN() : per_second(bytes, static_cast<double>(last - first));
}

Interface Bandwidth::perceived_at(Direction direction) const {
  return of(Interface::mpiio, direction).calls > 0 ? Interface::mpiio : Interface::posix;
}

double Bandwidth::perceived(Direction direction) const {
  const Interface interface = perceived_at(direction);
  return of(interface, direction).perceived(mean_over(interface, direction));
}

Bound Bandwidth::lower_bound(Direction direction) const {
  if (of(Interface::mpiio, direction).calls == 0) return Bound::unknown;
  return at_most(perceived(direction), of(Interface::posix, direction).while_busy());
}

Bound Bandwidth::upper_bound(Direction direction) const {
  const Moved& posix = of(Interface::posix, direction);
  return at_most(posix.while_busy(), posix.effective() * mean_over(Interface::posix, direction));
}

BandwidthAnalysis::BandwidthAnalysis(const Trace& trace) : run_ranks_(trace.ranks()), has_ranks_(has_mpi_ranks(trace)) {}

void BandwidthAnalysis::add(Account& account, const Seen& seen) {
  const auto interface = static_cast<std::size_t>(seen.call.interface), direction = static_cast<std::size_t>(*seen.direction);
  Moved& moved = account.bandwidth.moved[interface][direction];
  const Event& event = seen.event;
  moved.calls += seen.moves();
  moved.bytes += seen.bytes_moved();
  moved.time += event.duration();
  moved.first = std::min(moved.first, event.start);
  moved.last = std::max(moved.last, event.end);
  std::int64_t& until = account.busy_until[interface][direction];
  moved.busy += std::max<std::int64_t>(0, event.end - std::max(event.start, until));
  until = std::max(until, event.end);
}

void BandwidthAnalysis::take(const Seen& seen) {
  if (!seen.counts || !seen.told() || !seen.direction) return;
  const std::uint32_t file = seen.event.file;
  add(all_, seen);
  Account& account = files_[file];
  account.bandwidth.file = file;
  add(account, seen);
  const auto bit =
      static_cast<std::uint8_t>(1u << (2 * static_cast<unsigned>(seen.call.interface) + static_cast<unsigned>(*seen.direction)));
  used_[static_cast<std::uint64_t>(file) << 32 | seen.event.unit] |= bit;
}

void BandwidthAnalysis::finish() {
  std::unordered_map<std::uint32_t, std::uint8_t> by_unit;
  const auto count = [](Bandwidth& bandwidth, std::uint8_t bits) {
    for (std::size_t i = 0; i < 2 * interface_count; ++i) bandwidth.moved[i / 2][i % 2].ranks += bits >> i & 1u;
    ++bandwidth.ranks;
  };
  for (const auto& [key, bits] : used_) {
    count(files_[static_cast<std::uint32_t>(key >> 32)].bandwidth, bits);
    by_unit[static_cast<std::uint32_t>(key)] |= bits;
  }
  for (const auto& [unit, bits] : by_unit) count(all_.bandwidth, bits);
  all_.bandwidth.ranks = run_ranks_;
  all_.bandwidth.over_all = has_ranks_;
}

std::vector<Bandwidth> BandwidthAnalysis::files() const {
  std::vector<Bandwidth> files;
  for (const auto& [file, account] : files_) files.push_back(account.bandwidth);
  std::sort(files.begin(), files.end(), [](const Bandwidth& a, const Bandwidth& b) { return a.file < b.file; });
  return files;
}

}  // namespace fathom::trace
