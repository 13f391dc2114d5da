// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/progress.h"
#include "base/talk.h"
#include "trace_analysis/walk.h"

namespace fathom {

Result<void> walk_with_progress(const trace::Trace& trace, std::vector<trace::Analysis*> analyses) {
  Progress progress("going through the events", Progress::Unit::share);
  TRY(const std::uint64_t unreadable, trace::walk_trace(trace, std::move(analyses), [&](std::uint64_t seen) {
        progress.update(seen, std::max<std::uint64_t>(seen, trace.records));
      }));
  if (unreadable > 0) tell("fathom: {}: {} blocks could not be read: their calls are missing\n", trace.directory.string(), unreadable);
  return {};
}

std::shared_ptr<std::string> add_layer_option(CommandLine& line) {
  auto layer = std::make_shared<std::string>("posix");
  line.add_option("--layer", *layer, "whose calls count: posix (default), mpiio, hdf5 or pnetcdf; layers are never added up")
      .one_of({"posix", "mpiio", "hdf5", "pnetcdf"})
      .type_name("LAYER");
  return layer;
}

trace::Interface layer_named(std::string_view name) {
  const auto at = std::find(trace::interface_names.begin(), trace::interface_names.end(), name);
  return static_cast<trace::Interface>(at - trace::interface_names.begin());
}

}  // namespace fathom
