// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_background.h"

#include <algorithm>
#include <cmath>

#include "synth/spider_workload.h"

namespace fathom::titan {

namespace {

constexpr std::uint64_t interactive_stream = 0x400000002u;
constexpr std::uint64_t small_stream = 0x400000003u;

constexpr double by_hand_per_hour = 190;
constexpr double backups_per_hour = 150;
constexpr Millis backup_begins = 7 * hour;  // 02:00 in Tennessee
constexpr Millis backup_ends = 10 * hour;
constexpr Millis purge_begins = 8 * hour;
constexpr Millis purge_ends = 12 * hour;
constexpr std::size_t purge_width = 42;  // OSTs that a purge works on at a time: six servers

constexpr Millis level_lasts = 5 * minute;
constexpr double median_bytes_per_second[] = {165e3, 530e3};  // of one OST: read, write
constexpr double wander_sigma[] = {0.9, 0.6};
constexpr double step_sigma[] = {0.8, 0.5};
constexpr double silent_steps[] = {0.30, 0.04};
constexpr double surge_sigma = 0.35;

Millis time_of_day(Millis t) { return ((t % day) + day) % day; }

}  // namespace

Interactive::Interactive(std::uint64_t seed, double often) : random_(Random::stream(seed, interactive_stream)), often_(often) {}

Burst Interactive::by_hand() {
  static constexpr std::uint32_t widths[] = {1, 1, 4, 4, 4, 8};
  const std::uint32_t width = widths[random_.whole(0, 5)];
  const auto rate = static_cast<std::uint64_t>(std::clamp(random_.lognormal(16'000, 0.6), 2'000.0, 120'000.0));
  const double length_ms = std::clamp(random_.lognormal(45'000, 0.8), 5'000.0, 900'000.0);
  Burst burst = make_burst(static_cast<std::uint64_t>(length_ms * static_cast<double>(rate * width)), width,
                           static_cast<std::size_t>(random_.whole(0, partition_count - 1)), rate, random_);
  burst.direction = random_.chance(0.6) ? Direction::read : Direction::write;
  return burst;
}

Burst Interactive::backup() {
  const auto rate = static_cast<std::uint64_t>(random_.whole(90'000, 320'000));
  const auto length_ms = static_cast<std::uint64_t>(random_.whole(30'000, 150'000));
  Burst burst = make_burst(length_ms * rate * stripe_count, stripe_count, static_cast<std::size_t>(random_.whole(0, partition_count - 1)),
                           rate, random_);
  burst.direction = Direction::read;
  return burst;
}

void Interactive::begin_until(Millis to, Traffic& traffic) {
  const auto start = [&](Burst burst, Millis at) {
    burst.begin = at;
    traffic.begin(std::move(burst));
  };
  while (next_by_hand_ < to) {
    start(by_hand(), next_by_hand_);
    next_by_hand_ +=
        1 + static_cast<Millis>(random_.exponential(static_cast<double>(hour) / (often_ * by_hand_per_hour * daytime(next_by_hand_))));
  }
  while (next_backup_ < to) {
    const Millis at = time_of_day(next_backup_);
    if (at >= backup_begins && at < backup_ends) start(backup(), next_backup_);
    next_backup_ += 1 + static_cast<Millis>(random_.exponential(static_cast<double>(hour) / (often_ * backups_per_hour)));
  }
}

SmallRequests::SmallRequests(std::uint64_t seed, double much)
    : random_(Random::stream(seed, small_stream)), much_(much), next_change_(INT64_MIN) {
  for (std::size_t d = 0; d < 2; ++d)
    for (auto& factor : factors_[d])
      factor =
          random_.chance(silent_steps[d]) ? 0 : static_cast<std::uint32_t>(std::min(random_.lognormal(65536, step_sigma[d]), 65536.0 * 60));
  for (auto& busy : busyness_) busy = static_cast<float>(random_.lognormal(1, 0.25));
  for (std::size_t d = 0; d < 2; ++d)
    for (auto& wander : wander_[d]) wander = static_cast<float>(wander_sigma[d] * random_.normal());
}

/// An autoregressive walk: the level forgets half of what it was in about an hour.
void SmallRequests::change_levels(Millis from) {
  constexpr double kept = 0.945;
  const double fresh = std::sqrt(1 - kept * kept);
  const Millis at = time_of_day(from);
  const bool purging = at >= purge_begins && at < purge_ends;
  const auto purged = static_cast<std::size_t>((at - purge_begins) * static_cast<Millis>(ost_count) / (purge_ends - purge_begins));
  constexpr Millis seconds = step / second;
  static_assert(seconds * second == step);
  for (std::size_t d = 0; d < 2; ++d) {
    const double everywhere = much_ * median_bytes_per_second[d] * static_cast<double>(seconds) * daytime(from);
    for (std::size_t ost = 0; ost < ost_count; ++ost) {
      wander_[d][ost] = static_cast<float>(kept * static_cast<double>(wander_[d][ost]) + fresh * wander_sigma[d] * random_.normal());
      double level = everywhere * static_cast<double>(busyness_[ost]) * std::exp(static_cast<double>(wander_[d][ost]));
      if (purging && ost >= purged && ost < purged + purge_width) level *= 5;
      levels_[d][ost] = static_cast<std::uint64_t>(level);
    }
  }
  next_change_ = from + level_lasts;
}

/// A partition's requests come and go together within a minute or so, else a thousand OSTs would add up to a smooth line.
std::uint64_t SmallRequests::change_surge(std::size_t partition) {
  constexpr double kept = 0.86;
  surge_[partition] = kept * surge_[partition] + std::sqrt(1 - kept * kept) * surge_sigma * random_.normal();
  return static_cast<std::uint64_t>(65536 * std::exp(surge_[partition]));
}

void SmallRequests::add(Millis from, StepBytes& bytes) {
  if (from >= next_change_) change_levels(from);
  constexpr std::uint64_t most = small_capacity / 2 * static_cast<std::uint64_t>(step);
  constexpr std::uint64_t page = 4096;
  for (std::size_t partition = 0; partition < partition_count; ++partition) {
    const std::uint64_t surge = change_surge(partition);
    for (std::size_t ost = partition * partition_osts; ost < (partition + 1) * partition_osts; ++ost) {
      const std::uint64_t bits = random_.next();
      const std::uint64_t read = (levels_[0][ost] * factors_[0][bits % table_size] >> 16) * surge >> 16;
      const std::uint64_t written = (levels_[1][ost] * factors_[1][(bits >> 32) % table_size] >> 16) * surge >> 16;
      bytes[0][ost] += std::min(read, most) / page * page;
      bytes[1][ost] += std::min(written, most) / page * page;
    }
  }
}

}  // namespace fathom::titan
