// SPDX-License-Identifier: Apache-2.0
// bytes,seconds,kind,nodes,tasks
// 1073741824,0.93,write,1,8
#include "fit/run_times.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/csv.h"
#include "base/text.h"

namespace fathom::fit {
namespace {

constexpr std::array<std::string_view, 5> columns = {"bytes", "seconds", "kind", "nodes", "tasks"};
enum Column : std::size_t { bytes, seconds, kind, nodes, tasks };
constexpr std::size_t needed = 3;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

class RunTimesReader {
 public:
  explicit RunTimesReader(LineInput& input) : input_(input) {}

  Result<std::vector<RunTime>> read() {
    TRY_VOID(input_.for_each_line([&](std::string_view line, std::uint64_t number) {
      number_ = number;
      if (number == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
      problem_ = take(line);
      return problem_.empty();
    }));
    if (!problem_.empty()) return failure(fmt::format("{} ({}:{})", problem_, input_.path(), number_));
    if (input_.overlong_lines() > 0) return failure(fmt::format("a line is too long ({})", input_.path()));
    if (where_.empty())
      return failure(fmt::format("it is empty; a header bytes,seconds,kind and one line for each run are needed ({})", input_.path()));
    return std::move(runs_);
  }

 private:
  Error failure(const std::string& why) const { return {ErrorKind::malformed, "reading the runs: " + why}; }

  std::string take(std::string_view line) {
    if (trim(line).empty() || line.front() == '#') return {};
    if (const char* wrong = record_.split(line)) return wrong;
    return where_.empty() ? take_header() : take_run();
  }

  std::string take_header() {
    where_ = find_columns(record_.fields(), columns);
    for (std::size_t i = 0; i < needed; ++i)
      if (where_[i] == no_column) return fmt::format("there is no column {}: the first line must name bytes, seconds and kind", columns[i]);
    return {};
  }

  std::string_view field(Column column) const {
    const std::size_t at = where_[column];
    return at < record_.fields().size() ? trim(record_.fields()[at]) : std::string_view{};
  }

  /// Above zero, and such that squares can be summed; or nothing.
  std::optional<double> amount(Column column) const {
    const auto value = parse_double(field(column));
    return value && *value >= 1e-12 && *value <= 1e24 ? value : std::nullopt;
  }

  std::string take_run() {
    RunTime run;
    run.where = fmt::format("{}:{}", input_.path(), number_);
    const std::pair<Column, double*> amounts[] = {{bytes, &run.bytes}, {seconds, &run.seconds}, {nodes, &run.nodes}, {tasks, &run.tasks}};
    for (const auto& [column, to] : amounts) {
      if (column >= needed && field(column).empty()) continue;
      const auto value = amount(column);
      if (!value) return fmt::format("{} must be a number above 0, not '{}'", columns[column], excerpt(field(column), 40));
      *to = *value;
    }
    const std::string_view word = field(kind);
    if (word != simulate::kind_names[0] && word != simulate::kind_names[1])
      return fmt::format("kind must be read or write, not '{}'", excerpt(word, 40));
    run.kind = word == simulate::kind_names[0] ? simulate::Kind::read : simulate::Kind::write;
    runs_.push_back(std::move(run));
    return {};
  }

  LineInput& input_;
  CsvRecord record_;
  std::vector<std::size_t> where_;
  std::vector<RunTime> runs_;
  std::string problem_;
  std::uint64_t number_ = 0;
};

}  // namespace

Result<std::vector<RunTime>> read_run_times(LineInput& input) { return RunTimesReader(input).read(); }

Result<std::vector<RunTime>> read_run_times(const std::string& path) {
  TRY(LineInput input, LineInput::open(path));
  return read_run_times(input);
}

}  // namespace fathom::fit
