// SPDX-License-Identifier: Apache-2.0
/// Competing applications as tables: for programs in plain units, for people with fewer digits and what only people want.
#pragma once

#include "report/table.h"
#include "sharing/scenario.h"

namespace fathom {

/// One row for each application: application,processes,volume,start,standalone,concurrent,observed,relative_error.
Table prediction_table(const sharing::Scenario& scenario, const sharing::Prediction& prediction, bool for_people);

/// The segments of one application: application,begin,end,share,rate.
Table segments_table(const sharing::Scenario& scenario, const sharing::Prediction& prediction, std::size_t application, bool for_people);

/// Stand-alone times as the observed ones tell them, beside those of the file:
/// application,processes,start,observed,inferred,standalone,relative_error.
Table standalone_table(const sharing::Scenario& scenario, const std::vector<double>& inferred, bool for_people);

/// A scenario and what the model says about it.
struct Predicted {
  sharing::Scenario scenario;
  sharing::Prediction prediction;
};

/// Each application of `before`, with its values there and in `after`; nothing for one that is gone. For people only what changed.
Table what_if_table(const Predicted& before, const Predicted& after, bool for_people);

}  // namespace fathom
