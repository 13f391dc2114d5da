// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/csv.h"
#include "base/text.h"
#include "base/units.h"

namespace fathom {
namespace {

bool is_number(Quantity quantity) { return quantity != Quantity::text; }

/// Columns a text takes on a terminal: UTF-8 characters, not bytes.
std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return width;
}

}  // namespace

std::string human(const Cell& cell, Quantity quantity) {
  if (std::holds_alternative<std::monostate>(cell)) return "-";
  if (const auto* text = std::get_if<std::string>(&cell)) return as_utf8(*text);  // it goes to a terminal, and names come from outside
  const auto* whole = std::get_if<std::int64_t>(&cell);
  const double real = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
  switch (quantity) {
    case Quantity::bytes: return human_bytes(real);
    case Quantity::bandwidth: return human_bytes(real) + "/s";
    case Quantity::duration: return human_duration(whole != nullptr ? Duration{*whole} : Duration{std::llround(real * 1e6)});
    case Quantity::time:
      return format_iso8601(std::chrono::round<std::chrono::seconds>(time_from_micros(whole != nullptr ? *whole : std::llround(real))));
    case Quantity::fraction: return human_percent(real);
    case Quantity::count:
      return whole != nullptr && *whole >= 0 ? human_count(static_cast<std::uint64_t>(*whole)) : fmt::format("{}", real);
    default: return fmt::format("{:.6g}", real);
  }
}

std::string plain_text(const Cell& cell, Quantity quantity) {
  if (std::holds_alternative<std::monostate>(cell)) return "";
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    if (quantity == Quantity::time || quantity == Quantity::duration) return format_unix_seconds(time_from_micros(*whole));
    return fmt::format("{}", *whole);
  }
  return fmt::format("{}", std::get<double>(cell));
}

std::string as_aligned_text(const Table& table) {
  std::vector<std::vector<std::string>> texts;
  std::vector<std::size_t> widths;
  for (const TableColumn& column : table.columns) widths.push_back(display_width(column.name));
  for (const auto& row : table.rows) {
    auto& line = texts.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      line.push_back(human(row[i], table.columns[i].quantity));
      widths[i] = std::max(widths[i], display_width(line.back()));
    }
  }
  std::string out;
  auto put = [&](const std::string& text, std::size_t i) {
    const std::string pad(widths[i] - display_width(text), ' ');
    out += is_number(table.columns[i].quantity) ? pad + text : (i + 1 < widths.size() ? text + pad : text);
    out += i + 1 < widths.size() ? "  " : "\n";
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) put(table.columns[i].name, i);
  for (const auto& line : texts)
    for (std::size_t i = 0; i < line.size(); ++i) put(line[i], i);
  return out;
}

std::string as_csv(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += (i == 0 ? "" : ",") + csv_field(table.columns[i].name);
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += ',';
      if (const auto* text = std::get_if<std::string>(&row[i])) {
        out += csv_field(*text);
      } else if (const auto* real = std::get_if<double>(&row[i])) {
        fmt::format_to(std::back_inserter(out), "{}", *real);  // most cells of long tables: not by way of a text of its own
      } else {
        out += plain_text(row[i], table.columns[i].quantity);
      }
    }
    out += '\n';
  }
  return out;
}

std::string as_json(const Table& table) {
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const TableColumn& column = table.columns[i];
      if (std::holds_alternative<std::monostate>(row[i])) {
        object[column.name] = nullptr;
      } else if (const auto* text = std::get_if<std::string>(&row[i])) {
        object[column.name] = *text;
      } else if (const auto* whole = std::get_if<std::int64_t>(&row[i])) {
        const bool scaled = column.quantity == Quantity::time || column.quantity == Quantity::duration;
        if (scaled && *whole % 1000000 != 0) {
          object[column.name] = static_cast<double>(*whole) / 1e6;
        } else {
          object[column.name] = scaled ? *whole / 1000000 : *whole;
        }
      } else {
        object[column.name] = std::get<double>(row[i]);
      }
    }
    document.push_back(std::move(object));
  }
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace fathom
