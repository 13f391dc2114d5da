// SPDX-License-Identifier: Apache-2.0
/// What running side by side cost: times alone and beside the others, what the model predicts, and times alone from one concurrent run
/// (LWM2, section 4.3).
#pragma once

#include "compete/fairness.h"
#include "sharing/course.h"

namespace fathom::compete {

/// An application's I/O phase with the file system to itself.
struct Alone {
  double seconds = 0;
  std::optional<std::uint64_t> bytes;  // if it was measured in the same way
};

/// All in seconds of the I/O phase; nothing where it is not known.
struct Slowdown {
  std::optional<double> concurrent, alone, factor;  // factor: concurrent / alone
  std::optional<double> predicted, error;           // concurrent, from the times alone of all; (predicted - concurrent) / concurrent
  std::optional<double> inferred, inferred_error;   // alone, from starts and ends of all; (inferred - alone) / alone
};

struct Slowdowns {
  Share share = Share::process;
  std::vector<Slowdown> applications;
  std::vector<std::string> notices;
  // How the model comes to it. Turns are of the applications that compete, with these weights.
  std::vector<std::size_t> competing;  // places: those with an I/O phase
  std::vector<std::uint64_t> weights;
  sharing::Course predicted_course;  // from starts and times alone; no turns if a time is missing
  sharing::Course observed_course;   // from starts and ends
};

/// `alone` has one place for each application.
Slowdowns slowdowns(std::span<const Application> applications, std::span<const std::optional<Alone>> alone, Direction direction,
                    Share share);

}  // namespace fathom::compete
