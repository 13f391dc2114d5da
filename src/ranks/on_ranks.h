// SPDX-License-Identifier: Apache-2.0
/// Runs a piece of work on all ranks so that they end alike: one exit code, one message, by rank 0.
#pragma once

#include <functional>

#include "ranks/ranks.h"

namespace fathom {

/// Joins, works, agrees, leaves. In `work` any error may be returned at any place (TRY): the others learn of it at their next exchange.
/// Standard output and progress of ranks other than 0 go nowhere; what writes files (-o) asks for rank() == 0 itself.
/// An error is printed here, before any rank leaves, and comes back without words.
Result<void> on_ranks(const std::function<Result<void>(Ranks&)>& work, Ranks::Mpi mpi = Ranks::Mpi::when_launched);

/// Ends a run whose failure all ranks know already (wrong usage), in the same way; also where MPI cannot be opened.
Result<void> fail_on_ranks(const Error& error);

/// As Error says it to the user; nothing for one without words.
void print_error(const Error& error);

}  // namespace fathom
