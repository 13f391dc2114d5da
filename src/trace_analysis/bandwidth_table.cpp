// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/tables.h"

namespace fathom::trace {
namespace {

struct Row {
  const Trace* trace;
  const Bandwidth* bandwidth;
  Direction direction;
  bool brief;
};

constexpr std::array<std::string_view, 3> bound_names = {"holds", "does not hold", ""};

Cell bound_cell(Bound bound) { return bound == Bound::unknown ? Cell{} : cell(bound_names[static_cast<std::size_t>(bound)]); }

template <Interface interface>
const Moved& of(const Row& row) {
  return row.bandwidth->of(interface, row.direction);
}

template <Interface interface>
void add_interface(std::vector<ShownColumn<Row>>& columns, bool brief) {
  const std::string name(interface_names[static_cast<std::size_t>(interface)]);
  columns.push_back({{name + "_calls", Quantity::count}, [](const Row& row) { return cell(of<interface>(row).calls); }, brief});
  columns.push_back({{name + "_bytes", Quantity::bytes}, [](const Row& row) { return cell(of<interface>(row).bytes); }, brief});
  columns.push_back({{name + "_time", Quantity::real}, [](const Row& row) { return seconds_cell(of<interface>(row).time); }, brief});
  columns.push_back({{name + "_busy", Quantity::real}, [](const Row& row) { return seconds_cell(of<interface>(row).busy); }, false});
  columns.push_back(
      {{name + "_ranks", Quantity::count}, [](const Row& row) { return cell(std::uint64_t{of<interface>(row).ranks}); }, false});
  columns.push_back(
      {{"effective_" + name, Quantity::bandwidth}, [](const Row& row) { return number_cell(of<interface>(row).effective()); }, brief});
}

std::vector<ShownColumn<Row>> columns() {
  std::vector<ShownColumn<Row>> columns = {
      {{"file"}, [](const Row& row) { return file_cell(*row.trace, row.bandwidth->file, row.brief); }},
      {{"direction"}, [](const Row& row) { return cell(std::string_view(direction_names[static_cast<std::size_t>(row.direction)])); }},
      {{"ranks", Quantity::count}, [](const Row& row) { return cell(std::uint64_t{row.bandwidth->ranks}); }},
      {{"perceived", Quantity::bandwidth}, [](const Row& row) { return number_cell(row.bandwidth->perceived(row.direction)); }},
      {{"perceived_at"},
       [](const Row& row) { return cell(interface_names[static_cast<std::size_t>(row.bandwidth->perceived_at(row.direction))]); }},
      {{"span", Quantity::bandwidth},
       [](const Row& row) { return number_cell(row.bandwidth->of(row.bandwidth->perceived_at(row.direction), row.direction).span()); }}};
  add_interface<Interface::mpiio>(columns, true);
  add_interface<Interface::posix>(columns, true);
  add_interface<Interface::hdf5>(columns, false);
  add_interface<Interface::pnetcdf>(columns, false);
  columns.push_back({{"posix_while_busy", Quantity::bandwidth},
                     [](const Row& row) { return number_cell(of<Interface::posix>(row).while_busy()); },
                     false});
  columns.push_back({{"lower_bound"}, [](const Row& row) { return bound_cell(row.bandwidth->lower_bound(row.direction)); }});
  columns.push_back({{"upper_bound"}, [](const Row& row) { return bound_cell(row.bandwidth->upper_bound(row.direction)); }});
  return columns;
}

}  // namespace

Table bandwidth_table(const Trace& trace, const BandwidthAnalysis& analysis, bool brief) {
  const std::vector<Bandwidth> files = analysis.files();
  std::vector<Row> rows;
  const auto add = [&](const Bandwidth& bandwidth) {
    for (const Direction direction : {Direction::read, Direction::write}) {
      bool any = bandwidth.file == no_file;
      for (const auto& interface : bandwidth.moved) any = any || interface[static_cast<std::size_t>(direction)].calls > 0;
      if (any) rows.push_back({&trace, &bandwidth, direction, brief});
    }
  };
  add(analysis.all());
  for (const Bandwidth& file : files) add(file);
  return table_of(rows, columns(), brief);
}

}  // namespace fathom::trace
