// SPDX-License-Identifier: Apache-2.0
/// The simulation: requests from the compute nodes to the disks and back, event by event.
#pragma once

#include "base/result.h"
#include "simulate/architecture.h"
#include "simulate/outcome.h"
#include "simulate/work.h"

namespace fathom::simulate {

/// What the work takes on this architecture. Without `pauses`, increments begin when their intervals did. With the pauses of another run of
/// the same work, computation takes as long as it did there, so that every step is shifted by the difference in I/O time before it, and a
/// job starts when all its nodes are ready (5.5.1 of the dissertation). `sink`, if there is one, gets every request. Bytes and requests are
/// conserved, or it is an error. Where `watch` stops it, the outcome says so, and who was finished.
Result<Outcome> run(const Architecture& architecture, const Work& work, const Pauses* pauses = nullptr, const CompletionSink& sink = {},
                    const Watch& watch = {});

}  // namespace fathom::simulate
