// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/text.h"

namespace fathom {
namespace {

std::int64_t big_endian(std::string_view bytes) {
  std::int64_t value = static_cast<signed char>(bytes.front());
  for (const char c : bytes.substr(1)) value = value * 256 + static_cast<unsigned char>(c);
  return value;
}

/// `+02:00`, `-0330`, `+2`
std::optional<std::int32_t> parse_offset(std::string_view text) {
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto colon = text.find(':');
  std::string_view hours = text.substr(0, colon), minutes;
  if (colon != std::string_view::npos) {
    minutes = text.substr(colon + 1);
  } else if (text.size() > 2) {
    hours = text.substr(0, text.size() - 2);
    minutes = text.substr(text.size() - 2);
  }
  const auto h = parse_u64(hours);
  const auto m = minutes.empty() ? std::optional<std::uint64_t>{0} : parse_u64(minutes);
  if (!h || !m || *h > 15 || *m > 59) return std::nullopt;
  return sign * static_cast<std::int32_t>(*h * 3600 + *m * 60);
}

/// Up to six digits of a fraction as microseconds; more digits are cut.
std::optional<std::int64_t> parse_fraction(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  std::int64_t value = 0;
  int scale = 100000;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value += (c - '0') * scale;
    scale /= 10;
  }
  return value;
}

}  // namespace

Result<Zone> Zone::named(std::string_view name) {
  Zone zone;
  zone.name_ = std::string(name);
  if (name == "UTC" || name == "Z" || name == "GMT") return zone;
  if (const auto offset = parse_offset(name)) {
    zone.first_offset_ = *offset;
    return zone;
  }
  const Error unknown{ErrorKind::usage, fmt::format("reading time zone '{}': not in the system's zone database "
                                                    "(try UTC, Europe/Berlin or +01:00)",
                                                    name)};
  if (name.empty() || name.find("..") != std::string_view::npos || name.front() == '/') return unknown;
  std::ifstream file("/usr/share/zoneinfo/" + zone.name_, std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(file), {}};
  // TZif (RFC 9636): a 32-bit block that is skipped, then the 64-bit one.
  auto block_size = [&](std::size_t at, std::size_t time_size) -> std::size_t {
    auto count = [&](std::size_t i) { return static_cast<std::size_t>(big_endian(std::string_view(data).substr(at + 20 + 4 * i, 4))); };
    return 44 + count(3) * (time_size + 1) + count(4) * 6 + count(5) + count(2) * (time_size + 4) + count(1) + count(0);
  };
  if (data.size() < 44 || data.substr(0, 4) != "TZif" || data[4] < '2') return unknown;
  const std::size_t start = block_size(0, 4);
  if (data.size() < start + 44 || data.size() < start + block_size(start, 8)) return unknown;
  const std::string_view view = std::string_view(data).substr(start);
  const auto times = static_cast<std::size_t>(big_endian(view.substr(32, 4)));
  const auto types = static_cast<std::size_t>(big_endian(view.substr(36, 4)));
  const std::string_view at = view.substr(44), which = view.substr(44 + times * 8), kinds = view.substr(44 + times * 9);
  if (types == 0) return unknown;
  auto offset_of = [&](std::size_t type) { return static_cast<std::int32_t>(big_endian(kinds.substr(type * 6, 4))); };
  zone.first_offset_ = offset_of(0);
  for (std::size_t i = 0; i < times; ++i) {
    const auto type = static_cast<unsigned char>(which[i]);
    if (type >= types) return unknown;
    zone.changes_.push_back({big_endian(at.substr(i * 8, 8)), offset_of(type)});
  }
  return zone;
}

std::int32_t Zone::offset_at(std::int64_t utc_seconds) const {
  const auto after =
      std::upper_bound(changes_.begin(), changes_.end(), utc_seconds, [](std::int64_t t, const Change& change) { return t < change.at; });
  return after == changes_.begin() ? first_offset_ : std::prev(after)->offset;
}

Time Zone::to_utc(std::int64_t local_seconds, std::int64_t micros) const {
  // The offset before a change is tried first: of an hour that happens twice, the first one.
  const std::int32_t earlier = offset_at(local_seconds - 86400);
  std::int64_t utc = local_seconds - earlier;
  const std::int32_t later = offset_at(utc);
  if (later != earlier && offset_at(local_seconds - later) == later) utc = local_seconds - later;
  return time_from_seconds(utc) + Duration{micros};
}

std::optional<Time> Zone::again(std::int64_t local_seconds, std::int64_t micros) const {
  const std::int32_t earlier = offset_at(local_seconds - 86400), later = offset_at(local_seconds + 86400);
  const std::int64_t first = local_seconds - earlier, second = local_seconds - later;
  if (second <= first || offset_at(first) != earlier || offset_at(second) != later) return std::nullopt;
  return time_from_seconds(second) + Duration{micros};
}

std::optional<std::int64_t> days_from_civil(int year, int month, int day) {
  using namespace std::chrono;
  const year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date}.time_since_epoch().count();
}

std::optional<ClockReading> parse_iso8601(std::string_view text) {
  auto number = [&](std::size_t at, std::size_t size) -> int {
    const auto value = at + size <= text.size() ? parse_u64(text.substr(at, size)) : std::nullopt;
    return value ? static_cast<int>(*value) : -1;
  };
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int year = number(0, 4);
  const auto days = year < 0 ? std::nullopt : days_from_civil(year, number(5, 2), number(8, 2));
  if (!days) return std::nullopt;
  ClockReading reading;
  reading.local_seconds = *days * 86400;
  if (text.size() == 10) return reading;
  if (text.size() < 16 || (text[10] != 'T' && text[10] != ' ' && text[10] != '-') || text[13] != ':') return std::nullopt;
  const int hour = number(11, 2), minute = number(14, 2);
  int second = 0;
  std::string_view rest = text.substr(16);
  if (!rest.empty() && rest[0] == ':') {
    second = number(17, 2);
    rest = text.size() >= 19 ? text.substr(19) : std::string_view{};
  }
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
  reading.local_seconds += hour * 3600 + minute * 60 + second;
  if (!rest.empty() && (rest[0] == '.' || rest[0] == ',')) {
    const std::size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    const auto fraction = parse_fraction(rest.substr(1, end - 1));
    if (!fraction) return std::nullopt;
    reading.micros = *fraction;
    rest.remove_prefix(end);
  }
  if (rest.empty()) return reading;
  if (rest == "Z" || rest == "z") {
    reading.offset_seconds = 0;
  } else {
    reading.offset_seconds = parse_offset(rest);
    if (!reading.offset_seconds) return std::nullopt;
  }
  return reading;
}

std::optional<Time> parse_unix_seconds(std::string_view text) {
  const auto dot = text.find('.');
  const auto whole = parse_u64(text.substr(0, dot));
  // Years beyond 9999 are no times but something else in the wrong column.
  if (!whole || *whole > 253402300799u) return std::nullopt;
  std::int64_t fraction = 0;
  if (dot != std::string_view::npos) {
    const auto parsed = parse_fraction(text.substr(dot + 1));
    if (!parsed) return std::nullopt;
    fraction = *parsed;
  }
  return time_from_seconds(static_cast<std::int64_t>(*whole)) + Duration{fraction};
}

std::string format_day(std::int32_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string format_iso8601(Time t) {
  const std::int32_t day = day_of(t);
  const std::int64_t rest = micros(t) - std::int64_t{day} * 86400 * 1000000;
  const std::int64_t second = rest / 1000000, fraction = rest % 1000000;
  std::string text = fmt::format("{}T{:02}:{:02}:{:02}", format_day(day), second / 3600, second / 60 % 60, second % 60);
  if (fraction != 0) text += fmt::format(".{:06}", fraction);
  return text + "Z";
}

std::string format_unix_seconds(Time t) {
  const std::int64_t value = micros(t);
  if (value % 1000000 == 0) return fmt::format("{}", value / 1000000);
  std::string text = fmt::format("{}{}.{:06}", value < 0 ? "-" : "", std::abs(value) / 1000000, std::abs(value) % 1000000);
  while (text.back() == '0') text.pop_back();
  return text;
}

}  // namespace fathom
