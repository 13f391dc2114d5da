// SPDX-License-Identifier: Apache-2.0
// The list of what the API answers. A path with fixed words stands before one with {words} in the same place.
#include "dashboard/endpoint.h"

namespace fathom::dashboard {
namespace endpoints {
extern const Endpoint catalog, events, description, store_info, traffic, heat, gantt, top, values, population, jobs, job, applications,
    application;
extern const Endpoint trace_info, trace_map, trace_calls, trace_concurrency, trace_decomposition, trace_bandwidth, trace_findings,
    trace_files;  // the last five: trace_tables
extern const Endpoint compete;
extern const Endpoint load, advice, decisions;
extern const Endpoint scenarios, simulations, add_simulation, simulation, remove_simulation, simulation_events, simulation_page,
    simulation_scenario;
}  // namespace endpoints

std::span<const Endpoint* const> all_endpoints() {
  using namespace endpoints;
  static constexpr const Endpoint* all[] = {&catalog,
                                            &events,
                                            &description,
                                            &store_info,
                                            &traffic,
                                            &heat,
                                            &gantt,
                                            &top,
                                            &values,
                                            &population,
                                            &jobs,
                                            &job,
                                            &applications,
                                            &application,
                                            &trace_info,
                                            &trace_map,
                                            &trace_calls,
                                            &trace_concurrency,
                                            &trace_decomposition,
                                            &trace_bandwidth,
                                            &trace_findings,
                                            &trace_files,
                                            &endpoints::compete,
                                            &load,
                                            &advice,
                                            &decisions,
                                            &scenarios,
                                            &simulations,
                                            &add_simulation,
                                            &simulation,
                                            &remove_simulation,
                                            &simulation_events,
                                            &simulation_page,
                                            &simulation_scenario};
  return all;
}

}  // namespace fathom::dashboard
