// SPDX-License-Identifier: Apache-2.0
/// From chunks to blocks of the trace file; by a background thread, or by whoever ends the process.
#pragma once

namespace fathom::trace {

/// Starts the background thread unless it runs; it is no thread to the C library: the program stays what it was, single- or multi-threaded.
void start_drainer();
bool drainer_runs();
/// One pass over the chunks: full ones, or with `all` also those still being filled. True if something was written.
bool drain_pass(bool all);
/// Gives back the memory of what is in the trace already.
void give_back_memory(const char* memory_file);
/// In a forked child: nothing of the parent's drainer is there.
void forget_drainer();
/// The description of the process as a block; `last` if it ends now.
void write_description(bool last);

}  // namespace fathom::trace
