// SPDX-License-Identifier: Apache-2.0
/// Values of Prometheus as they come: a name, labels, and a number that is still text. From a /metrics page or from a query's JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace fathom {

struct Metric {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;
  Time t = no_time;   // no_time: now
  std::string value;  // 1.234e+09, 17, NaN

  /// Null where there is no such label.
  const std::string* label(std::string_view key) const;
};

/// `node_disk_read_bytes_total{device="sda"} 1.23e+09 1395066363000`; nothing for what is none.
std::optional<Metric> parse_metric_line(std::string_view line);

/// Every metric of a page; `bad` is told of lines that are none: number and text.
void parse_metrics_page(std::string_view page, const std::function<void(Metric&&)>& take,
                        const std::function<void(std::uint64_t, std::string_view)>& bad);

/// The answer to /api/v1/query or query_range: a matrix or a vector. Refused where a series has more than 128 labels, or labels of more
/// than 16 KiB.
Result<void> parse_metrics_json(std::string_view json, const std::function<void(const Metric&)>& take);

/// A counter's value: whole digits exactly, others rounded. Nothing for a negative one, NaN, infinity, or too large a number.
std::optional<std::uint64_t> counter_value(std::string_view text, double scale);

}  // namespace fathom
