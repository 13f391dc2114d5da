// SPDX-License-Identifier: Apache-2.0
#include "simulate/quantity.h"

#include <fmt/format.h>

#include "base/text.h"
#include "base/wide.h"

namespace fathom::simulate {
namespace {

/// A unit is worth above / below of the base unit (byte, byte per second, picosecond).
struct UnitWord {
  std::string_view word;
  Dimension dimension;
  std::uint64_t above, below = 1;
};

constexpr UnitWord units[] = {
    {"B", Dimension::bytes, 1},
    {"KiB", Dimension::bytes, KiB},
    {"MiB", Dimension::bytes, MiB},
    {"GiB", Dimension::bytes, GiB},
    {"TiB", Dimension::bytes, TiB},
    {"kB", Dimension::bytes, 1000},
    {"MB", Dimension::bytes, 1'000'000},
    {"GB", Dimension::bytes, 1'000'000'000},
    {"TB", Dimension::bytes, 1'000'000'000'000},
    {"B/s", Dimension::bytes_per_second, 1},
    {"KiB/s", Dimension::bytes_per_second, KiB},
    {"MiB/s", Dimension::bytes_per_second, MiB},
    {"GiB/s", Dimension::bytes_per_second, GiB},
    {"TiB/s", Dimension::bytes_per_second, TiB},
    {"kB/s", Dimension::bytes_per_second, 1000},
    {"MB/s", Dimension::bytes_per_second, 1'000'000},
    {"GB/s", Dimension::bytes_per_second, 1'000'000'000},
    {"TB/s", Dimension::bytes_per_second, 1'000'000'000'000},
    {"kbit/s", Dimension::bytes_per_second, 1000, 8},
    {"Mbit/s", Dimension::bytes_per_second, 1'000'000, 8},
    {"Gbit/s", Dimension::bytes_per_second, 1'000'000'000, 8},
    {"Tbit/s", Dimension::bytes_per_second, 1'000'000'000'000, 8},
    {"ps", Dimension::time, 1},
    {"ns", Dimension::time, 1000},
    {"us", Dimension::time, 1'000'000},
    {"ms", Dimension::time, 1'000'000'000},
    {"s", Dimension::time, 1'000'000'000'000},
    {"min", Dimension::time, 60'000'000'000'000},
    {"h", Dimension::time, 3'600'000'000'000'000},
    {"d", Dimension::time, 86'400'000'000'000'000},
};

/// 12.5 as 125 and 10.
struct Decimal {
  std::uint64_t digits = 0, below = 1;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
  const std::size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  Decimal number;
  if (point != std::string_view::npos) {
    const std::string_view fraction = text.substr(point + 1);
    if (digits.empty() || fraction.empty() || fraction.size() > 12) return std::nullopt;
    digits += fraction;
    for (std::size_t i = 0; i < fraction.size(); ++i) number.below *= 10;
  }
  const auto value = parse_u64(digits);
  if (!value) return std::nullopt;
  number.digits = *value;
  return number;
}

}  // namespace

std::optional<std::uint64_t> parse_quantity(std::string_view text, Dimension dimension) {
  text = trim(text);
  const std::size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string_view::npos) return std::nullopt;  // a number without a unit is no text
  const auto number = parse_decimal(text.substr(0, end));
  const std::string_view word = trim(text.substr(end));
  if (!number) return std::nullopt;
  for (const UnitWord& unit : units) {
    if (unit.word != word || unit.dimension != dimension) continue;
    const Uint128 above = Uint128{number->digits} * unit.above, below = Uint128{number->below} * unit.below;
    if (above % below != 0 || above / below > UINT64_MAX) return std::nullopt;
    return static_cast<std::uint64_t>(above / below);
  }
  return std::nullopt;
}

std::string_view example_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::bytes: return "bytes like 4194304 or \"4 MiB\"";
    case Dimension::bytes_per_second: return "bytes per second, or a text like \"850 MiB/s\" or \"10 Gbit/s\"";
    case Dimension::time: return "seconds, or a text like \"2 min\" or \"500 us\"";
  }
  return "";
}

std::string quantity_text(std::uint64_t value, Unit unit, std::span<const std::string_view> words) {
  if (unit == Unit::count) return fmt::format("{}", value);
  if (unit == Unit::choice) return fmt::format("\"{}\"", words[value]);
  const std::string_view suffix = unit == Unit::bytes_per_second ? "/s" : "";
  if (unit == Unit::bytes_per_second && value > 0 && value % Gbit == 0) return fmt::format("\"{} Gbit/s\"", value / Gbit);
  for (const auto& [size, word] : {std::pair{TiB, "TiB"}, {GiB, "GiB"}, {MiB, "MiB"}, {KiB, "KiB"}})
    if (value > 0 && value % size == 0) return fmt::format("\"{} {}{}\"", value / size, word, suffix);
  return fmt::format("{}", value);
}

}  // namespace fathom::simulate
