// SPDX-License-Identifier: Apache-2.0
/// Which metrics of Prometheus are which counters of which server: the file of the source `prometheus`.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collect/metric.h"
#include "model/counters.h"
#include "model/sample.h"

namespace fathom {

/// [[counter]]
/// counter = "read_bytes"
/// metric = "node_disk_read_bytes_total"
/// match = { device = "sd*" }
/// server = "{instance}:{device}"
/// filesystem = "block"
struct MetricRule {
  Counter counter = Counter::read_bytes;
  std::string metric;                                      // empty: any; what the query gives
  std::string query;                                       // what to ask a Prometheus for; empty: the metric
  std::vector<std::pair<std::string, std::string>> match;  // label, shell pattern
  std::string server, filesystem, job;                     // with {label} in them
  double scale = 1;
};

class MetricMap {
 public:
  static Result<MetricMap> load(const std::string& path);
  static Result<MetricMap> parse(std::string_view toml, const std::string& path);

  const std::vector<MetricRule>& rules() const { return rules_; }

  /// The series that a rule gives a metric; nothing where it does not fit, or a label that the names need is missing.
  static std::optional<SeriesName> series(const MetricRule& rule, const Metric& metric, std::string_view instance);

 private:
  std::vector<MetricRule> rules_;
};

}  // namespace fathom
