// SPDX-License-Identifier: Apache-2.0
/// What the bursts of a pattern say of it: how often they come, how large they are, what they move.
#pragma once

#include <vector>

#include "mine/application.h"
#include "mine/pattern.h"
#include "mine/sightings.h"
#include "mine/timed_log.h"

namespace fathom::mine {

/// Some of the values change places.
double median(std::vector<double>& values);

/// Sightings that are observations of their own.
inline bool counts(const Sighting& sighting) { return sighting.shown && !sighting.again; }

/// The mean time between bursts, by run and over all of them.
void measure_period(Pattern& pattern, const TimedLog& log);
/// From burst to burst, so that a period that drifts is as good as one that does not; delays by long bursts taken off.
std::vector<Step> steps_of(const Pattern& pattern, const TimedLog& log);
/// What other bursts of the same pattern should look like.
BurstRegion region_of(const Pattern& pattern, const TimedLog& log);
/// Seconds.
double usual_length_of(const Pattern& pattern, const TimedLog& log);
/// The features that people see.
void describe(Pattern& pattern, const Application& application, const TimedLog& log);

}  // namespace fathom::mine
