// SPDX-License-Identifier: Apache-2.0
/// A part of the I/O subsystem as a scenario names it: what it does and its parameters. Each has a file of its own in components/.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "simulate/architecture.h"

namespace fathom::simulate {

enum class Unit { bytes, bytes_per_second, count, choice };

struct Parameter {
  std::string_view name;        // in the component's table of a scenario
  std::string_view short_name;  // for the command line
  Unit unit;
  std::uint64_t Architecture::*value;  // the default is that of Architecture
  std::uint64_t least, most;
  std::string_view meaning;
  bool extra = false;                            // beyond the dissertation's model: a preset names it only where it is used
  std::span<const std::string_view> words = {};  // of a choice
};

struct Component {
  std::string_view name;  // of its table
  std::string_view summary;
  std::span<const Parameter> parameters;
  const Parameter* in_a_word = nullptr;  // the one that a word in place of the table gives: tree = "binary"
};

/// Why parameters that are well by themselves make no sense together; empty when they do.
std::string impossible(const Architecture& architecture);

/// From the compute nodes to the disks, in the order in which a write passes them.
std::span<const Component* const> all_components();

}  // namespace fathom::simulate
