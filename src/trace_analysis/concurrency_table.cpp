// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/tables.h"

namespace fathom::trace {
namespace {

struct Row {
  const Trace* trace;
  std::uint32_t file;
  std::size_t direction;
  const InFlight* flight;
  bool brief;
};

std::vector<ShownColumn<Row>> columns() {
  return {{{"file"}, [](const Row& r) { return file_cell(*r.trace, r.file, r.brief); }},
          {{"direction"}, [](const Row& r) { return cell(std::string_view(direction_names[r.direction])); }},
          {{"calls", Quantity::count}, [](const Row& r) { return cell(r.flight->calls); }},
          {{"most_at_once", Quantity::count}, [](const Row& r) { return cell(std::uint64_t{r.flight->most}); }},
          {{"mean_at_once", Quantity::real}, [](const Row& r) { return r.flight->busy > 0 ? cell(r.flight->mean()) : Cell{}; }},
          {{"time", Quantity::real}, [](const Row& r) { return seconds_cell(r.flight->time); }},
          {{"busy", Quantity::real}, [](const Row& r) { return seconds_cell(r.flight->busy); }},
          {{"serialisation", Quantity::real}, [](const Row& r) { return number_cell(r.flight->serialisation.index()); }},
          {{"served_at_once", Quantity::real}, [](const Row& r) { return number_cell(r.flight->serialisation.served_at_once()); }},
          {{"overlapping_calls", Quantity::count}, [](const Row& r) { return cell(r.flight->serialisation.calls); }},
          {{"groups", Quantity::count}, [](const Row& r) { return cell(r.flight->serialisation.groups); }, false},
          {{"waited", Quantity::real}, [](const Row& r) { return seconds_cell(r.flight->serialisation.lost); }}};
}

}  // namespace

Table concurrency_table(const Trace& trace, const ConcurrencyAnalysis& analysis, bool brief) {
  std::vector<Row> rows;
  const auto add = [&](std::uint32_t file, const InFlightByDirection& flights) {
    for (std::size_t d = 0; d < direction_count; ++d)
      if (flights[d].calls > 0 && (!brief || d < 2 || (flights[0].calls > 0 && flights[1].calls > 0)))
        rows.push_back({&trace, file, d, &flights[d], brief});
  };
  add(no_file, analysis.all());
  for (const auto& file : analysis.files()) add(file.file, file.flights);
  return table_of(rows, columns(), brief);
}

}  // namespace fathom::trace
