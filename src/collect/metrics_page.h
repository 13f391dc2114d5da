// SPDX-License-Identifier: Apache-2.0
/// What /metrics says, in the text format of Prometheus: the collector's health, and the last value of every series.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collect/health.h"
#include "collect/latest.h"
#include "collect/waiting.h"

namespace fathom {

struct MetricsOptions {
  bool expose_jobs = false;  // series of single jobs, whose ids may tell who does what
};

std::string metrics_page(const std::vector<std::unique_ptr<SourceHealth>>& sources, const FlushHealth& flushes, const Waiting& waiting,
                         const Latest& latest, const MetricsOptions& options);

/// A label's value as the format wants it: backslash, quote and newline escaped, and nothing that is not UTF-8.
std::string metrics_label(std::string_view text);

}  // namespace fathom
