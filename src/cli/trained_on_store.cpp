// SPDX-License-Identifier: Apache-2.0
#include "cli/trained_on_store.h"

#include <fmt/format.h>

#include "base/progress.h"
#include "base/talk.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/output.h"
#include "mine/burst_book.h"
#include "store_advice/store_training.h"

namespace fathom {
namespace {

/// With fewer, not even one cell of the thresholds would have runs enough of its own.
constexpr std::size_t least_runs = advise::least_points;

void tell_about(const StoreTraining& training) {
  std::string left_out;
  const auto leave_out = [&](std::size_t runs, const std::string& why) {
    if (runs > 0) left_out += fmt::format("{}{} {}", left_out.empty() ? "; left out: " : ", ", counted(runs, "run"), why);
  };
  leave_out(training.not_shown, "in which no pattern was seen");
  leave_out(training.not_counted, "that mining did not look at");
  leave_out(training.load_unknown, "before whose start too little of the servers was measured");
  leave_out(training.recorded.other_runs,
            fmt::format("of {} without a known pattern", counted(training.recorded.other_applications, "application")));
  tell("{} of {} to learn from{}\n", counted(training.runs, "run"), counted(training.applications, "known application"), left_out);
}

Table as_rows(const StoreTraining& training, std::size_t bands) {
  Table table{{{"job_id"},
               {"user"},
               {"name"},
               {"nodes", Quantity::count},
               {"start", Quantity::time},
               {"filesystem"},
               {"direction"},
               {"servers", Quantity::count},
               {"bursts", Quantity::count},
               {"io_seconds", Quantity::real},
               {"alone_seconds", Quantity::real},
               {"normalised", Quantity::real},
               {"throughput", Quantity::real},
               {"io_to_compute", Quantity::real}},
              {}};
  for (std::size_t band = 0; band < bands; ++band) table.columns.push_back({fmt::format("band_{}", band), Quantity::real});
  for (const StoreTrainingPoint& each : training.points) {
    const RecordedRun& run = training.recorded.runs[each.run];
    const RecordedPattern& shown = run.shown[each.pattern];
    // Names are somebody else's text, and a row of training is one line.
    auto& row = table.rows.emplace_back(std::vector<Cell>{
        cell(as_utf8(run.job)), cell(as_utf8(run.application->user)), cell(as_utf8(run.application->name)),
        cell(std::uint64_t{run.application->nodes}), cell(run.start), cell(as_utf8(shown.pattern.filesystem)),
        cell(mine::direction_names[static_cast<std::size_t>(shown.pattern.direction)]), cell(std::uint64_t{shown.pattern.servers()}),
        cell(std::uint64_t{shown.bursts}), cell(shown.io_seconds), cell(shown.alone_seconds), cell(each.point.normalised),
        cell(each.point.throughput), cell(each.point.io_to_compute)});
    for (const double fraction : each.point.load) row.push_back(cell(fraction));
  }
  return table;
}

}  // namespace

Result<advise::Trained> train_on_store(const std::string& path, const advise::LoadSettings& load, const std::string& runs_file) {
  TRY(const Store store, Store::open(path));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(const KnownApplications known, known_applications(snapshot));
  if (known.empty())
    return Error{ErrorKind::not_found, fmt::format("training on {0}: no application's pattern is known; run `fathom mine {0}` first "
                                                   "(`fathom apps {0}` then says what it found)",
                                                   path)};
  TRY(const StoreTraining training, [&] {
    Progress bar("training runs", Progress::Unit::share);
    return training_in(snapshot, known, load, [&](std::size_t done, std::size_t all) { bar.update(done, all); });
  }());
  tell_about(training);
  if (!runs_file.empty()) TRY_VOID(write_table(as_rows(training, load.bands.count()), {.format = "csv", .file = runs_file}));
  if (training.runs < least_runs)
    return Error{ErrorKind::not_found,
                 fmt::format("training on {}: it has {} to learn from, and at least {} are needed; collect and mine for longer, or train "
                             "with --simulated",
                             path, counted(training.runs, "run"), least_runs)};
  std::vector<advise::TrainingPoint> points;
  for (const StoreTrainingPoint& each : training.points) points.push_back(each.point);
  return advise::train(points, load, fmt::format("training runs of {}", path));
}

}  // namespace fathom
