// SPDX-License-Identifier: Apache-2.0
#include "cli/slice_rows.h"

#include <algorithm>

namespace fathom {
namespace {

using slices::Counter, slices::value_of;

double in_seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

Time begin_of(std::int64_t slice, std::int64_t length) { return time_from_micros(slice * length / 1000); }

Quantity quantity_of(std::size_t counter) {
  const std::string_view name = trace::slice_counter_names[counter];
  return name.ends_with("_bytes") ? Quantity::bytes : name.ends_with("_time") ? Quantity::duration : Quantity::count;
}

void add_counter_columns(Table& table) {
  for (std::size_t c = 0; c < trace::slice_counters; ++c)
    table.columns.push_back({std::string(trace::slice_counter_names[c]), quantity_of(c)});
}

void add_counters(std::vector<Cell>& row, const slices::Values& values) {
  for (std::size_t c = 0; c < trace::slice_counters; ++c)
    row.push_back(quantity_of(c) == Quantity::duration ? cell(in_seconds(values[c])) : cell(values[c]));
}

bool nothing(const slices::Values& values) {
  return std::all_of(values.begin(), values.end(), [](std::uint64_t value) { return value == 0; });
}

/// Of the time that the processes had, how much they spent in I/O; threads can make it more than 1.
Cell io_share(const slices::Values& values, std::uint64_t processes, std::int64_t length) {
  if (processes == 0) return {};
  return cell(static_cast<double>(value_of(values, Counter::io_time)) / (static_cast<double>(processes) * static_cast<double>(length)));
}

void add_rates(std::vector<Cell>& row, const slices::Values& values, std::int64_t length) {
  const double seconds = static_cast<double>(length) / 1e9;
  for (const Counter counter : {Counter::read_bytes, Counter::write_bytes})
    row.push_back(cell(static_cast<double>(value_of(values, counter)) / seconds));
}

/// What people get of a slice, whoever did it.
void add_brief_columns(Table& table) {
  for (TableColumn column :
       {TableColumn{"read", Quantity::bytes}, TableColumn{"written", Quantity::bytes}, TableColumn{"read/s", Quantity::bandwidth},
        TableColumn{"written/s", Quantity::bandwidth}, TableColumn{"opens", Quantity::count}, TableColumn{"in I/O", Quantity::fraction}})
    table.columns.push_back(std::move(column));
}

void add_brief(std::vector<Cell>& row, const slices::Values& values, std::uint64_t processes, std::int64_t length) {
  for (const Counter counter : {Counter::read_bytes, Counter::write_bytes}) row.push_back(cell(value_of(values, counter)));
  add_rates(row, values, length);
  row.push_back(cell(value_of(values, Counter::opens)));
  row.push_back(io_share(values, processes, length));
}

}  // namespace

Table application_slices(const compete::Application& application, const SliceRowsOptions& options) {
  const slices::Series& series = application.series;
  Table table;
  if (options.brief) {
    table.columns = {{"application"}, {"t"}, {"processes", Quantity::count}, {"active", Quantity::count}};
    add_brief_columns(table);
  } else {
    table.columns = {{"application"},
                     {"slice", Quantity::count},
                     {"start", Quantity::time},
                     {"length", Quantity::duration},
                     {"processes", Quantity::count},
                     {"active", Quantity::count}};
    add_counter_columns(table);
    for (const char* name : {"read_throughput", "write_throughput"}) table.columns.push_back({name, Quantity::bandwidth});
    table.columns.push_back({"io_share", Quantity::fraction});
  }
  for (std::int64_t number = series.first; number <= series.last(); ++number) {
    const slices::Sum& sum = series.at(number);
    if ((options.trim && !application.phase.holds(number)) || (options.brief && nothing(sum.values))) continue;
    const std::uint64_t running = sum.running, active = sum.active[static_cast<std::size_t>(slices::Direction::both)];
    const Time begin = begin_of(number, series.length);
    auto& row = table.rows.emplace_back();
    if (options.brief) {
      row = {cell(application.label), cell(format_iso8601(begin)), cell(running), cell(active)};
      add_brief(row, sum.values, running, series.length);
    } else {
      row = {cell(application.label), Cell{number}, cell(begin), cell(in_seconds(static_cast<std::uint64_t>(series.length))),
             cell(running),           cell(active)};
      add_counters(row, sum.values);
      add_rates(row, sum.values, series.length);
      row.push_back(io_share(sum.values, running, series.length));
    }
  }
  return table;
}

Table process_slices(const compete::Application& application, std::size_t process, const SliceRowsOptions& options) {
  const slices::Process& from = application.profile->processes[process];
  const std::int64_t length = application.series.length;
  Table table{{{"application"}, {"process", Quantity::count}, {"rank", Quantity::count}, {"host"}, {"pid", Quantity::count}}, {}};
  if (options.brief) {
    table.columns.push_back({"t"});
    add_brief_columns(table);
  } else {
    for (TableColumn column :
         {TableColumn{"slice", Quantity::count}, TableColumn{"start", Quantity::time}, TableColumn{"length", Quantity::duration}})
      table.columns.push_back(std::move(column));
    add_counter_columns(table);
    table.columns.push_back({"io_share", Quantity::fraction});
  }
  for (const slices::Slice& slice : from.slices) {
    if ((options.trim && !application.phase.holds(slice.number)) || nothing(slice.values)) continue;
    auto& row = table.rows.emplace_back();
    row = {cell(application.label), cell(std::uint64_t{process}), from.rank < 0 ? Cell{} : cell(static_cast<std::uint64_t>(from.rank)),
           cell(from.host), options.brief ? cell(std::to_string(from.pid)) : cell(std::uint64_t{from.pid})};
    const Time begin = begin_of(slice.number, length);
    if (options.brief) {
      row.push_back(cell(format_iso8601(begin)));
      add_brief(row, slice.values, 1, length);
    } else {
      for (Cell one : {Cell{slice.number}, cell(begin), cell(in_seconds(static_cast<std::uint64_t>(length)))})
        row.push_back(std::move(one));
      add_counters(row, slice.values);
      row.push_back(io_share(slice.values, 1, length));
    }
  }
  return table;
}

}  // namespace fathom
