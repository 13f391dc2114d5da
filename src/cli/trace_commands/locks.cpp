// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/locks.h"

#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"

namespace fathom {
namespace {

using namespace trace;

struct Row {
  const Trace* trace;
  const FileLocks* locks;
};

std::vector<ShownColumn<Row>> columns() {
  const auto count = [](std::string name, Cell (*value)(const Row&), bool brief = true) {
    return ShownColumn<Row>{{std::move(name), Quantity::count}, value, brief};
  };
  const auto time = [](std::string name, Cell (*value)(const Row&), bool brief = true) {
    return ShownColumn<Row>{{std::move(name), Quantity::real}, value, brief};
  };
  const auto bytes = [](std::string name, Cell (*value)(const Row&), bool brief = true) {
    return ShownColumn<Row>{{std::move(name), Quantity::bytes}, value, brief};
  };
  return {{{"file"}, [](const Row& r) { return file_cell(*r.trace, r.locks->file, true); }},
          count("ranks", [](const Row& r) { return cell(std::uint64_t{r.locks->ranks}); }),
          count("lock_calls", [](const Row& r) { return cell(r.locks->lock_calls); }),
          count("unlock_calls", [](const Row& r) { return cell(r.locks->unlock_calls); }),
          count(
              "failed", [](const Row& r) { return cell(r.locks->failed); }, false),
          time("lock_time", [](const Row& r) { return seconds_cell(r.locks->lock_time); }),
          time("unlock_time", [](const Row& r) { return seconds_cell(r.locks->unlock_time); }),
          count("cycles", [](const Row& r) { return cell(r.locks->cycles); }),
          count(
              "not_unlocked", [](const Row& r) { return cell(r.locks->left); }, false),
          count(
              "exclusive", [](const Row& r) { return cell(r.locks->exclusive); }, false),
          time("held_time", [](const Row& r) { return seconds_cell(r.locks->held.sum()); }),
          time("held_mean", [](const Row& r) { return cell(r.locks->held.mean() / 1e9); }),
          time(
              "held_median", [](const Row& r) { return cell(r.locks->held.quantile(0.5) / 1e9); }, false),
          time(
              "held_p90", [](const Row& r) { return cell(r.locks->held.quantile(0.9) / 1e9); }, false),
          time(
              "held_p99", [](const Row& r) { return cell(r.locks->held.quantile(0.99) / 1e9); }, false),
          time("held_max", [](const Row& r) { return seconds_cell(r.locks->held.max()); }),
          time("wait_mean", [](const Row& r) { return cell(r.locks->wait.mean() / 1e9); }),
          time(
              "wait_median", [](const Row& r) { return cell(r.locks->wait.quantile(0.5) / 1e9); }, false),
          time(
              "wait_p99", [](const Row& r) { return cell(r.locks->wait.quantile(0.99) / 1e9); }, false),
          time("wait_max", [](const Row& r) { return seconds_cell(r.locks->wait.max()); }),
          count("conflicts", [](const Row& r) { return cell(r.locks->conflicts); }),
          time("conflict_wait", [](const Row& r) { return seconds_cell(r.locks->conflict_wait); }),
          count(
              "whole_file", [](const Row& r) { return cell(r.locks->whole_file); }, false),
          bytes(
              "range_min", [](const Row& r) { return r.locks->bytes.count() > 0 ? Cell{r.locks->bytes.min()} : Cell{}; }, false),
          bytes("range_mean", [](const Row& r) { return r.locks->bytes.count() > 0 ? cell(r.locks->bytes.mean()) : Cell{}; }),
          bytes(
              "range_max", [](const Row& r) { return r.locks->bytes.count() > 0 ? Cell{r.locks->bytes.max()} : Cell{}; }, false),
          bytes(
              "first_byte", [](const Row& r) { return r.locks->first_byte != INT64_MAX ? Cell{r.locks->first_byte} : Cell{}; }, false),
          bytes(
              "last_byte", [](const Row& r) { return r.locks->last_byte >= 0 ? Cell{r.locks->last_byte} : Cell{}; }, false)};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto directory = add_trace_argument(line);
  auto output = add_output_options(line);
  return [=]() -> Result<void> {
    TRY(const Trace trace, open_and_tell(*directory));
    LocksAnalysis analysis;
    TRY_VOID(walk_with_progress(trace, {&analysis}));
    std::vector<Row> rows;
    for (const FileLocks& file : analysis.files()) rows.push_back({&trace, &file});
    return write_table(table_of(rows, columns(), output->format == "table"), *output);
  };
}

}  // namespace

namespace trace_commands {
extern const Command locks;
constinit const Command locks{
    .name = "locks",
    .summary = "Who locks files, for how long, and who waits",
    .details =
        R"(One row for each file that was locked (fcntl, lockf, flock). A cycle is a lock and the unlock that releases all of it; it is held from the end of
the lock call to the start of the unlock. wait: time in lock calls. A conflict is a request for bytes that another rank held, or
got first, with at least one of the two exclusive. Medians and percentiles are exact to an eighth of a factor of two. Times in seconds.)",
    .examples = "  fathom trace locks traced\n  fathom trace locks traced --format csv",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
