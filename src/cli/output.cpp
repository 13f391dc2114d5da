// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/parallel.h"
#include "cli/text_output.h"
#include "store/database.h"

namespace fathom {
namespace {

Result<void> write_parquet(const Table& table, const std::string& file) {
  if (file.empty()) return Error{ErrorKind::usage, "writing parquet: it goes to a file, name it with -o FILE"};
  std::vector<ColumnSchema> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const TableColumn& column = table.columns[i];
    ColumnType type = column.quantity == Quantity::text ? ColumnType::text : ColumnType::real;
    const bool fractions =
        std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return std::holds_alternative<double>(row[i]); });
    if ((column.quantity == Quantity::count || column.quantity == Quantity::bytes) && !fractions) type = ColumnType::number;
    columns.push_back({column.name, type, ""});
  }
  const TableSchema schema{"table", "", false, "", "", columns};
  Columns rows(schema);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (std::holds_alternative<std::monostate>(row[i])) {
        rows[i].add_null();
      } else if (columns[i].type == ColumnType::text) {
        rows[i].add(std::string_view(plain_text(row[i], table.columns[i].quantity)));
      } else if (columns[i].type == ColumnType::number) {
        rows[i].add(std::get<std::int64_t>(row[i]));
      } else {
        const auto* whole = std::get_if<std::int64_t>(&row[i]);
        const bool is_time = table.columns[i].quantity == Quantity::time || table.columns[i].quantity == Quantity::duration;
        // Plain units, as in csv and json: seconds.
        rows[i].add(whole != nullptr ? static_cast<double>(*whole) / (is_time ? 1e6 : 1) : std::get<double>(row[i]));
      }
    }
  }
  TRY(Database database, Database::open({}));
  return database.write_parquet(rows, file);
}

/// Texts that `next` gives until it returns false; each begins with the names of columns, of which the first are written.
Result<void> write_csv(const std::function<bool(std::string& text)>& next, const OutputOptions& options) {
  std::ofstream file;
  if (!options.file.empty()) file.open(options.file, std::ios::binary);
  std::ostream& out = options.file.empty() ? std::cout : file;
  bool first = true;
  for (std::string text; out && next(text); first = false) out << std::string_view(text).substr(first ? 0 : text.find('\n') + 1);
  if (out << std::flush) return {};
  return write_error(options.file, errno);
}

}  // namespace

std::shared_ptr<OutputOptions> add_output_options(CommandLine& line) {
  auto options = std::make_shared<OutputOptions>();
  line.add_option("--format", options->format, "table (default), csv, json or parquet")
      .one_of({"table", "csv", "json", "parquet"})
      .type_name("FORMAT");
  line.add_option("-o,--output", options->file, "write to this file instead of standard output; parquet needs it").type_name("FILE");
  return options;
}

Result<void> write_text(const std::string& text, const OutputOptions& options) {
  if (options.file.empty()) {
    std::cout << text << std::flush;
    return std::cout ? Result<void>{} : write_error({}, errno);
  }
  std::ofstream file(options.file, std::ios::binary);
  file << text << std::flush;
  return file ? Result<void>{} : write_error(options.file, errno);
}

Result<void> flush_output() { return std::fflush(stdout) == 0 ? Result<void>{} : write_error({}, errno); }

Result<void> write_table_in_parts(const std::function<bool(Table& part)>& next, const OutputOptions& options) {
  if (options.format != "csv") {
    Table whole;
    for (Table part; next(part);) {
      if (whole.columns.empty()) whole.columns = part.columns;
      std::move(part.rows.begin(), part.rows.end(), std::back_inserter(whole.rows));
    }
    return write_table(whole, options);
  }
  return write_csv(
      [&](std::string& text) {
        Table part;
        if (!next(part)) return false;
        text = as_csv(part);
        return true;
      },
      options);
}

Result<void> write_table_in_parts(const TableParts& parts, const OutputOptions& options, unsigned threads) {
  std::size_t at = 0;
  if (options.format != "csv")
    return write_table_in_parts(
        [&](Table& part) {
          if (at == parts.count) return false;
          part = parts.part(at++);
          return true;
        },
        options);
  std::vector<std::string> texts;  // of some parts at a time, one for each thread
  return write_csv(
      [&](std::string& text) {
        if (at == parts.count) return false;
        const std::size_t place = at % threads;
        if (place == 0) {
          texts.resize(std::min<std::size_t>(threads, parts.count - at));
          (void)in_parallel(texts.size(), threads, [&](unsigned, std::size_t i) -> Result<void> {
            texts[i] = as_csv(parts.part(at + i));
            return {};
          });
        }
        text = std::move(texts[place]);
        ++at;
        return true;
      },
      options);
}

Result<void> write_table(const Table& table, const OutputOptions& options) {
  if (options.format == "parquet") return write_parquet(table, options.file);
  return write_text(options.format == "csv" ? as_csv(table) : options.format == "json" ? as_json(table) : as_aligned_text(table), options);
}

Result<Time> parse_time_argument(const std::string& text, std::string_view option) {
  if (const auto unix_time = parse_unix_seconds(text)) return *unix_time;
  if (const auto reading = parse_iso8601(text)) return reading->in(Zone{});
  return Error{ErrorKind::usage, fmt::format("reading {} {}: neither ISO 8601 (2011-05-03T12:00:00Z) nor Unix seconds", option, text)};
}

}  // namespace fathom
