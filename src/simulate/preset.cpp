// SPDX-License-Identifier: Apache-2.0
#include "simulate/preset.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulate/component.h"
#include "simulate/quantity.h"

namespace fathom::simulate {
namespace {

std::string as_comment(std::string_view text) {
  std::string out;
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (width == 0 || width + end + 1 > 110) {
      out += out.empty() ? "#" : "\n#";
      width = 1;
    }
    out += fmt::format(" {}", text.substr(0, end));
    width += end + 1;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

}  // namespace

const std::string_view jugene_io_nodes = R"([[io_nodes]]
count = 568
compute_nodes = 128
[[io_nodes]]
count = 32
compute_nodes = 32
)";

const std::string_view checkpoint_and_restart = R"(
# What every I/O node does, unless --store is given: a checkpoint, then reading it back.
[[increment]]
start = 0
write_bytes = "2 GiB"
write_operations = 512
[[increment]]
start = "2 min"
read_bytes = "2 GiB"
read_operations = 512
)";

std::string component_tables(const Architecture& architecture, bool with_summaries) {
  std::string out;
  for (const Component* component : all_components()) {
    if (with_summaries)
      out += "\n" + as_comment(component->parameters.empty() ? fmt::format("{} (no parameters): {}", component->name, component->summary)
                                                             : std::string(component->summary));
    std::string lines;
    const auto& all = component->parameters;
    const bool unused = std::all_of(all.begin(), all.end(), [&](const Parameter& each) {
      return each.extra && architecture.*each.value == Architecture{}.*each.value;
    });
    const bool all_extra = std::all_of(all.begin(), all.end(), [](const Parameter& each) { return each.extra; });
    for (const Parameter& parameter : all) {
      const std::uint64_t value = architecture.*parameter.value;
      const bool usual = parameter.extra && value == Architecture{}.*parameter.value;
      if (!with_summaries && (unused || (usual && !all_extra))) continue;
      lines += fmt::format("{:<26} # {}\n", fmt::format("{} = {}", parameter.name, quantity_text(value, parameter.unit, parameter.words)),
                           parameter.meaning);
    }
    if (!lines.empty()) out += fmt::format("{}[{}]\n{}", with_summaries ? "" : "\n", component->name, lines);
  }
  return out;
}

const Preset* find_preset(std::string_view name) {
  for (const Preset* preset : all_presets())
    if (preset->name == name) return preset;
  return nullptr;
}

}  // namespace fathom::simulate
