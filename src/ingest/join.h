// SPDX-License-Identifier: Apache-2.0
/// What two successive samples of a series say about the time between them: the cleaning of counters, one pair at a time.
#pragma once

#include <optional>

#include "model/increment.h"
#include "model/sample.h"

namespace fathom {

/// What marks say about the stretch before a sample.
struct Context {
  Time last_reset = no_time;  // latest reset at or after the sample before (if there is one) and before this one
  Time last_visit = no_time;  // latest visit before the sample; looked at only when nothing came before
};

/// The increment that ends at `sample`, or nothing when its past is unknown. A fall of a counter is classified, never
/// guessed (the rules and their sources are in docs/cleaning.md). Depends on the pair and its marks alone, so the
/// content of a store does not depend on the order in which files came.
std::optional<Increment> join(const Sample* before, const Sample& sample, const Context& context);

/// Is the raw sample at the end of `increment` known from the one before and the increment? `before` may be null.
bool links(const Sample* before, const Sample& sample, const std::optional<Increment>& increment);

/// The raw sample at the end of an increment that links.
Sample advance(const Sample& before, const Increment& increment);

/// Of two samples of a series at the same time, the one to keep: the same whichever comes first.
bool prefer(const Sample& a, const Sample& b);

/// Equal in all that was measured.
bool same_reading(const Sample& a, const Sample& b);

}  // namespace fathom
