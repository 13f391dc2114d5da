// SPDX-License-Identifier: Apache-2.0
/// A scenario: an architecture, the one to compare with, the I/O nodes, and what they do unless a store says that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simulate/architecture.h"
#include "simulate/cost.h"
#include "simulate/work.h"

namespace fathom::simulate {

inline constexpr std::uint32_t usual_compute_nodes = 128;
inline constexpr std::uint64_t most_io_nodes = 100'000, most_compute_nodes = 65'536, most_increments = 5'000'000;

struct IoNodeGroup {
  std::uint32_t count = 1;
  std::uint32_t compute_nodes = usual_compute_nodes;
};

struct Scenario {
  std::string path;
  Architecture architecture;
  std::optional<Architecture> original;  // none: compared with itself
  std::vector<IoNodeGroup> io_nodes;     // none: every I/O node has usual_compute_nodes
  bool missing_operations_fill_buffers = false;
  std::vector<WorkIncrement> increments;
  std::vector<WorkJob> jobs;
  Prices prices;

  /// Compute nodes of each I/O node that the file describes.
  std::vector<std::uint32_t> compute_nodes() const;
  Error wrong(std::string_view what, unsigned line = 0) const;

  /// The TOML form; `fathom simulate --preset template` has every key.
  static Result<Scenario> parse(std::string_view text, const std::string& path);
  static Result<Scenario> load(const std::string& path);
};

/// The work that the file describes. Without jobs, one named `all` has all of it.
Result<Work> described_work(const Scenario& scenario);

}  // namespace fathom::simulate
