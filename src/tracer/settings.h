// SPDX-License-Identifier: Apache-2.0
/// What the environment asks of the tracer (FATHOM_*), read without the C library's help.
#pragma once

#include <cstdint>

namespace fathom::trace {

/// What is being made. Until the settings are read everything is wanted: the first call finds out.
struct Recording {
  bool trace = true;
  bool slices = true;
};
extern Recording recording;

struct Settings {
  bool on = false;
  char directory[400] = {};       // FATHOM_TRACE_DIR: where the trace goes
  char memory[200] = {};          // FATHOM_MEMORY: folder of node-local memory files
  const char* include = nullptr;  // FATHOM_INCLUDE, FATHOM_EXCLUDE: patterns of paths, separated by ':'
  const char* exclude = nullptr;
  std::uint64_t max_size = 0;          // FATHOM_MAX_SIZE: bytes of one trace file; 0: no limit
  bool collected = false;              // FATHOM_COLLECTED=HOST: there `fathom run` takes what processes leave behind
  std::int64_t slice = 4'000'000'000;  // FATHOM_SLICE=SECONDS: length of a time slice, here in nanoseconds
  bool barriers = true;                // FATHOM_BARRIERS=0: none in MPI_Init and MPI_Finalize, for jobs in which some ranks are not traced
};

extern Settings settings;

const char* environment(const char* name);
/// Reads them; false if tracing was not asked for, or must not be done (a program with other rights than its user's).
bool read_settings();
/// Whether calls on this path are wanted.
bool wanted(const char* path);

}  // namespace fathom::trace
