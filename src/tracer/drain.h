// SPDX-License-Identifier: Apache-2.0
/// From chunks to blocks of the trace file; by a background thread, or by whoever ends the process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::trace {

/// Starts the background thread unless it runs; it is no thread to the C library: the program stays what it was, single- or multi-threaded.
void start_drainer();
bool drainer_runs();
/// Adds one block to the trace in one go, so that blocks of different processes never mix. False: that cannot be, and the tracer has
/// stepped aside.
bool append_block(const std::uint8_t* block, std::size_t bytes);
/// One pass over the chunks: full ones, or with `all` also those still being filled. True if something was written.
bool drain_pass(bool all);
/// Gives back the memory of what is in the trace already.
void give_back_memory(const char* memory_file);
/// In a forked child: nothing of the parent's drainer is there.
void forget_drainer();
/// Unless one is there already: a description of the process, so that its blocks can be understood while it runs.
void describe_early();
/// The description of the process as a block; `last` if it ends now.
void write_description(bool last);

}  // namespace fathom::trace
