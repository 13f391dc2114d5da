// SPDX-License-Identifier: Apache-2.0
#include "ingest/repair_book.h"

#include <algorithm>

namespace fathom {
namespace {

/// Job-tagged series remembered at a time; of more, those that were met are judged by what is known of them.
constexpr std::size_t most_jobs = 1u << 16;

/// To the second, below 10 s to the millisecond.
std::int64_t rounded(std::int64_t length) {
  return length < 10'000'000 ? (length + 500) / 1000 * 1000 : (length + 500'000) / 1'000'000 * 1'000'000;
}

std::uint64_t not_negative(std::int64_t count) { return count > 0 ? static_cast<std::uint64_t>(count) : 0; }

/// Increments longer than gap_factor times the median.
std::uint64_t gaps_among(const std::map<std::int64_t, std::int64_t>& lengths) {
  std::uint64_t all = 0, below = 0, gaps = 0;
  for (const auto& [length, count] : lengths) all += not_negative(count);
  double limit = -1;
  for (const auto& [length, count] : lengths) {
    below += not_negative(count);
    if (limit >= 0 && static_cast<double>(length) > limit) gaps += not_negative(count);
    if (limit < 0 && below * 2 >= all) limit = gap_factor * static_cast<double>(length);
  }
  return gaps;
}

}  // namespace

void RepairBook::count_flags(const Increment& increment, int by) {
  if ((increment.flags & after_reset) != 0) resets_[name_->server][increment.start] += by;
  if ((increment.flags & reset_inferred) != 0) resets_inferred_ += by;
  if ((increment.flags & wrapped) != 0) wraps_ += by;
  if ((increment.flags & unmounted) != 0) unmounts_ += by;
  if ((increment.flags & expired) != 0) expiries_ += by;
}

void RepairBook::count(const Increment& increment, int by) {
  if (lengths_ == nullptr) open_series();
  if (increment.flags != plain) {
    count_flags(increment, by);
    if ((increment.flags & unmeasured_flags) != 0) return;
  }
  if (lengths_ == &unused_) return;
  const std::int64_t length = rounded((increment.end - increment.start).count());
  if (last_length_ == nullptr || last_length_->first != length) last_length_ = &*lengths_->try_emplace(length, 0).first;
  last_length_->second += by;
}

void RepairBook::open_series() {
  Server& server = servers_[name_->server];
  last_length_ = nullptr;
  lengths_ = &unused_;
  if (rank(*name_) < server.rank) return;
  server.rank = rank(*name_);
  if (jobs_ >= most_jobs) judge_jobs();
  const auto [at, fresh] = all_.try_emplace(*name_);
  jobs_ += fresh && !name_->job.empty();
  lengths_ = &at->second;
}

void RepairBook::judge_jobs() {
  for (const auto& [name, lengths] : all_)
    if (!name.job.empty()) servers_[name.server].gaps[static_cast<std::size_t>(rank(name))] += gaps_among(lengths);
  std::erase_if(all_, [](const auto& series) { return !series.first.job.empty(); });
  jobs_ = 0;
}

void RepairBook::raise_rank(const std::string& server, int rank) {
  const auto found = servers_.find(server);
  if (found != servers_.end()) found->second.rank = std::max(found->second.rank, rank);
}

std::unordered_map<std::string, RepairBook::Server> RepairBook::with_all_gaps() const {
  auto servers = servers_;
  for (const auto& [name, lengths] : all_) servers[name.server].gaps[static_cast<std::size_t>(rank(name))] += gaps_among(lengths);
  return servers;
}

bool RepairBook::depends_on_ranks() const {
  const auto servers = with_all_gaps();
  return std::any_of(servers.begin(), servers.end(), [](const auto& each) {
    return each.second.rank < highest_rank && each.second.gaps[static_cast<std::size_t>(each.second.rank)] > 0;
  });
}

Repairs RepairBook::sums() const {
  Repairs sums{.resets = 0,
               .resets_inferred = not_negative(resets_inferred_),
               .wraps = not_negative(wraps_),
               .gaps = 0,
               .unmounts = not_negative(unmounts_),
               .expiries = not_negative(expiries_)};
  for (const auto& [server, times] : resets_)
    sums.resets += static_cast<std::uint64_t>(std::count_if(times.begin(), times.end(), [](const auto& time) { return time.second > 0; }));
  for (const auto& [name, server] : with_all_gaps()) sums.gaps += server.gaps[static_cast<std::size_t>(server.rank)];
  return sums;
}

}  // namespace fathom
