// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace fathom {

std::string human_bytes(double bytes) {
  static constexpr const char* names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (std::abs(bytes) >= 1024 && unit < 6) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 2 : 1, names[unit]);
}

std::string human_size(std::uint64_t bytes) {
  static constexpr const char* names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  int unit = 0;
  while (bytes >= 1024 && bytes % 1024 == 0 && unit < 5) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 && bytes >= 1024 ? human_bytes(static_cast<double>(bytes)) : fmt::format("{} {}", bytes, names[unit]);
}

std::string human_count(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}{}", human_count(count), one, one.ends_with('s') ? "es" : "s")
                      : fmt::format("{} {}", human_count(count), many);
}

std::string human_duration(Duration length) {
  const double total = seconds(length);
  if (total < 600) return total == std::floor(total) ? fmt::format("{:.0f} s", total) : fmt::format("{:.3g} s", total);
  const auto whole = static_cast<std::int64_t>(std::llround(total));
  const std::string clock = fmt::format("{:02}:{:02}:{:02}", whole / 3600 % 24, whole / 60 % 60, whole % 60);
  return whole >= 86400 ? fmt::format("{} d {}", whole / 86400, clock) : clock;
}

std::string human_percent(double fraction) {
  const double percent = fraction * 100;
  for (int digits = 1; digits <= 4; ++digits) {
    std::string text = fmt::format("{:.{}f}", percent, digits);
    const double shown = std::stod(text);
    if ((shown == 100 && percent != 100) || (shown == 0 && percent != 0)) continue;
    if (percent == 100) return "100 %";
    return text + " %";
  }
  return percent > 50 ? "> 99.9999 %" : "< 0.0001 %";
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  if (text.ends_with("iB")) text.remove_suffix(1);
  const bool binary = text.ends_with('i');
  if (binary) text.remove_suffix(1);
  const std::size_t power = text.empty() ? std::string_view::npos : std::string_view("KMGTP").find(text.back());
  if (power == std::string_view::npos && binary) return std::nullopt;
  const unsigned shift = power == std::string_view::npos ? 0 : 10 * static_cast<unsigned>(power + 1);
  if (shift > 0) text.remove_suffix(1);
  const auto number = parse_u64(text);
  if (!number || *number > (UINT64_MAX >> shift)) return std::nullopt;
  return *number << shift;
}

}  // namespace fathom
