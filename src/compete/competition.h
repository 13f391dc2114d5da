// SPDX-License-Identifier: Apache-2.0
/// All that is found out about applications that ran side by side, as rows and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "compete/comparison.h"
#include "compete/slowdown.h"
#include "report/table.h"

namespace fathom::compete {

struct Competition {
  Options options;
  Comparison all;
  std::vector<Pair> pairs;  // of more than two applications
  Slowdowns slowdowns;

  /// All notices, none twice.
  std::vector<std::string> notices() const;
};

/// `alone` has one place for each application. Without a `share` the one that is nearer to what was seen. `pairs`: also where there are
/// only two.
Competition compete(std::span<const Application> applications, std::span<const std::optional<Alone>> alone, const Options& options,
                    std::optional<Share> share, bool pairs);

/// An application's I/O phase, taken from a run in which it was alone: seconds and bytes. Its slices must be as long as `length`.
Result<Alone> alone_from(const slices::Profile& profile, std::int64_t length, Direction direction);

nlohmann::ordered_json competition_json(const Competition& competition);
/// One row for each application.
Table competition_rows(const Competition& competition);
/// One row for each two applications.
Table pair_rows(const Competition& competition);

/// Bytes per second of one application as the model has it, from moment to moment.
struct ModelCourse {
  std::string label;
  struct Step {
    double begin, end, rate;  // Unix seconds
  };
  std::vector<Step> steps;
};
/// From the starts and the times alone where all are known, else from the starts and ends that were seen. Applications without an I/O phase
/// have none.
std::vector<ModelCourse> model_courses(std::span<const Application> applications, const Competition& competition);

}  // namespace fathom::compete
