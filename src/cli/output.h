// SPDX-License-Identifier: Apache-2.0
/// Where a command's list goes: --format table|csv|json|parquet and -o FILE, the same for every command that lists.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/command_line.h"
#include "report/table.h"

namespace fathom {

struct OutputOptions {
  std::string format = "table";
  std::string file;
};

/// Declares --format and -o.
std::shared_ptr<OutputOptions> add_output_options(CommandLine& line);
/// A long table in parts, which `next` fills until it returns false; all have the same columns. As csv no more than one part is held at a
/// time.
Result<void> write_table_in_parts(const std::function<bool(Table& part)>& next, const OutputOptions& options);
/// The same, of a table whose parts can be made in any order and by several threads.
struct TableParts {
  std::size_t count = 0;
  std::function<Table(std::size_t number)> part;
};
Result<void> write_table_in_parts(const TableParts& parts, const OutputOptions& options, unsigned threads);
Result<void> write_table(const Table& table, const OutputOptions& options);
/// Text as it is, to standard output or the file.
Result<void> write_text(const std::string& text, const OutputOptions& options);
/// What was printed and is still waiting; only then it is known whether it can be written.
Result<void> flush_output();

/// A point in time on the command line: ISO 8601 (UTC unless it says otherwise) or Unix seconds.
Result<Time> parse_time_argument(const std::string& text, std::string_view option);

}  // namespace fathom
