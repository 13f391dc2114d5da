// SPDX-License-Identifier: Apache-2.0
#include "ingest/job_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace fathom {

std::string_view first_line_of(std::string_view first_bytes) {
  if (first_bytes.starts_with("\xef\xbb\xbf")) first_bytes.remove_prefix(3);
  while (!first_bytes.empty()) {
    const std::string_view line = trim(take_until(first_bytes, '\n'));
    if (!line.empty()) return line;
  }
  return {};
}

std::optional<Duration> parse_time_span(std::string_view text, Duration plain) {
  constexpr std::uint64_t most = 1'000'000'000;  // of any unit; keeps every sum far from overflow
  std::uint64_t part[3] = {0, 0, 0};
  std::size_t parts = 0;
  std::uint64_t days = 0;
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto parsed = parse_u64(text.substr(0, dash));
    if (!parsed || *parsed > 1'000'000) return std::nullopt;
    days = *parsed;
    text.remove_prefix(dash + 1);
  }
  if (text.empty() || text.back() == ':') return std::nullopt;
  while (!text.empty()) {
    const auto parsed = parse_u64(take_until(text, ':'));
    if (!parsed || *parsed > most || parts == 3) return std::nullopt;
    part[parts++] = *parsed;
  }
  using std::chrono::hours, std::chrono::minutes;
  const auto first = static_cast<std::int64_t>(part[0]), second = static_cast<std::int64_t>(part[1]);
  const std::chrono::seconds third{static_cast<std::int64_t>(part[2])};
  if (dash != std::string_view::npos) return hours{24 * static_cast<std::int64_t>(days) + first} + minutes{second} + third;
  if (parts == 3) return hours{first} + minutes{second} + third;
  if (parts == 2) return minutes{first} + std::chrono::seconds{second};
  return plain * first;
}

std::optional<Time> JobText::time(std::string_view text, Time after) {
  if (const auto unix_time = parse_unix_seconds(text)) return unix_time;
  const auto reading = parse_iso8601(text);
  if (!reading) return std::nullopt;
  if (!reading->offset_seconds) zone_assumed_ = true;
  const Time first = reading->in(zone_);
  return after == no_time || first >= after ? first : reading->again_in(zone_).value_or(first);
}

Time JobText::local_time(std::int64_t local_seconds) {
  zone_assumed_ = true;
  return zone_.to_utc(local_seconds);
}

std::optional<Duration> JobText::time_limit(std::string_view text, Duration plain) {
  static constexpr std::string_view none[] = {"", "UNLIMITED", "Partition_Limit", "INVALID", "NOT_SET", "None", "N/A", "Unknown"};
  if (std::any_of(std::begin(none), std::end(none), [&](std::string_view word) { return equal_ignoring_case(text, word); }))
    return std::nullopt;
  const auto limit = parse_time_span(text, plain);
  if (!limit && unreadable_limits_++ == 0) unreadable_limit_ = excerpt(text, 40);
  return limit;
}

void JobText::tell(Harvest& harvest) const {
  if (zone_assumed_ && !zone_given_) harvest.notice("times carry no zone: taken as UTC (--timezone to change)");
  if (unreadable_limits_ > 0)
    harvest.notice(fmt::format("{} jobs have a time limit that cannot be read (the first: '{}'); they are kept without one",
                               unreadable_limits_, unreadable_limit_));
}

}  // namespace fathom
