// SPDX-License-Identifier: Apache-2.0
/// A list of things with named columns, and the ways to print it. The only writer of tables.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace fathom {

/// What a column holds decides how people see it; files carry plain units (bytes, seconds, Unix time, fractions).
enum class Quantity { text, count, bytes, bandwidth, duration, time, fraction, real };

/// Nothing, a whole number (count, bytes, microseconds of a time or duration), a real number, or text.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct TableColumn {
  std::string name;
  Quantity quantity = Quantity::text;
};

struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::vector<Cell>> rows;
};

inline Cell cell(Time t) { return t == no_time ? Cell{} : Cell{micros(t)}; }
inline Cell cell(Duration d) { return Cell{static_cast<std::int64_t>(d.count())}; }
inline Cell cell(std::uint64_t n) { return Cell{static_cast<std::int64_t>(n)}; }
inline Cell cell(double x) { return Cell{x}; }
inline Cell cell(std::string text) { return Cell{std::move(text)}; }
inline Cell cell(std::string_view text) { return Cell{std::string(text)}; }

/// As people read it: 12.7 GiB, 2016-12-27T20:12:01Z.
std::string human(const Cell& cell, Quantity quantity);
/// As programs read it: 13636521165, 1482869521.
std::string plain_text(const Cell& cell, Quantity quantity);

std::string as_aligned_text(const Table& table);
std::string as_csv(const Table& table);
std::string as_json(const Table& table);

}  // namespace fathom
