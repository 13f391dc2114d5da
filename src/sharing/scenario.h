// SPDX-License-Identifier: Apache-2.0
/// Applications that compete for one file system, and what the model says about them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sharing/course.h"

namespace fathom::sharing {

/// What has an equal share: every process (LWM2's finding for programs of 12 processes and more), or every node (its guess for single
/// processes).
enum class Share { process, node };

struct Application {
  std::string name;
  std::uint64_t processes = 1;
  std::optional<std::uint64_t> nodes;
  std::optional<double> volume;      // bytes
  double start = 0;                  // seconds on any clock
  std::optional<double> standalone;  // run time in seconds with the file system to itself
  std::optional<double> observed;    // run time in seconds beside the others
  unsigned line = 0;                 // of the file, for messages; 0: none
};

struct Scenario {
  std::string path;  // for messages; empty: made by a program
  Share share = Share::process;
  /// Bytes per second for all together. Without one, every application has the bandwidth that it reaches alone, volume / standalone, and
  /// gets its share of that.
  std::optional<Capacity> bandwidth;
  std::vector<Application> applications;

  bool per_application() const { return !bandwidth; }
  std::uint64_t weight(const Application& application) const {
    return share == Share::node ? application.nodes.value_or(1) : application.processes;
  }
  Error wrong(std::string_view what, unsigned line = 0) const;

  /// The TOML form (docs/competition.md). What is missing for a prediction is an error of `predict`, not of reading.
  static Result<Scenario> parse(std::string_view text, const std::string& path);
  static Result<Scenario> load(const std::string& path);
};

struct Prediction {
  std::vector<double> standalone;  // seconds alone, in the order of the applications
  Course course;                   // work in bytes; in stand-alone seconds where bandwidth is per application

  double concurrent(std::size_t application) const { return course.turns[application].length; }
  double slowdown(std::size_t application) const { return concurrent(application) / standalone[application]; }
};

/// Run times of all beside each other.
Result<Prediction> predict(const Scenario& scenario);

/// Bytes per second of an application in one of its segments; nothing when its volume is not known.
std::optional<double> rate(const Scenario& scenario, const Application& application, const Segment& segment);

/// The other way round: run times alone, from the starts and the run times that were observed.
Result<std::vector<double>> standalone_from_observed(const Scenario& scenario);

/// (predicted - observed) / observed, as LWM2 defines it.
inline double relative_error(double predicted, double observed) { return (predicted - observed) / observed; }

}  // namespace fathom::sharing
