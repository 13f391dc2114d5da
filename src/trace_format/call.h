// SPDX-License-Identifier: Apache-2.0
/// The calls a trace can hold: their numbers, names, layers and what they do.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "trace_format/hdf5_calls.h"
#include "trace_format/mpi_calls.h"
#include "trace_format/pnetcdf_calls.h"
#include "trace_format/posix_calls.h"
#include "trace_format/record.h"

namespace fathom::trace {

enum class Interface : std::uint8_t { posix, mpiio, hdf5, pnetcdf };
inline constexpr std::array<std::string_view, 4> interface_names = {"posix", "mpiio", "hdf5", "pnetcdf"};

/// What a call does, whatever its name.
enum class Operation : std::uint8_t {
  open,
  close,
  read,
  write,
  seek,
  sync,
  lock,
  unlock,
  stat,
  resize,
  remove,
  rename,
  metadata,
  list,
  map,
  unmap,
  duplicate,
  advise,
  control,
  submit,
  wait,
  view,
  hints,
};
inline constexpr std::array<std::string_view, 23> operation_names = {
    "open",     "close", "read", "write", "seek",      "sync",   "lock",    "unlock", "stat", "resize", "remove", "rename",
    "metadata", "list",  "map",  "unmap", "duplicate", "advise", "control", "submit", "wait", "view",   "hints"};

/// Numbers of calls in records of this version; a trace says itself what they mean (BlockKind::calls).
enum class CallId : std::uint16_t {
  before_first = first_call - 1,
#define FATHOM_ID(name, text, operation, remark) name,
  FATHOM_POSIX_CALLS(FATHOM_ID)
#undef FATHOM_ID
#define FATHOM_ID(name, operation, remark) name,
      FATHOM_MPI_CALLS(FATHOM_ID) FATHOM_HDF5_CALLS(FATHOM_ID) FATHOM_PNETCDF_CALLS(FATHOM_ID)
#undef FATHOM_ID
          after_last
};

struct CallInfo {
  std::string_view name;
  Interface interface;
  Operation operation;
  std::string_view remark;
};

/// In order of their numbers, from first_call on.
inline constexpr std::array all_calls = {
#define FATHOM_INFO(name, text, operation, remark) CallInfo{text, Interface::posix, Operation::operation, remark},
    FATHOM_POSIX_CALLS(FATHOM_INFO)
#undef FATHOM_INFO
#define FATHOM_INFO(name, operation, remark) CallInfo{#name, Interface::mpiio, Operation::operation, remark},
        FATHOM_MPI_CALLS(FATHOM_INFO)
#undef FATHOM_INFO
#define FATHOM_INFO(name, operation, remark) CallInfo{#name, Interface::hdf5, Operation::operation, remark},
            FATHOM_HDF5_CALLS(FATHOM_INFO)
#undef FATHOM_INFO
#define FATHOM_INFO(name, operation, remark) CallInfo{#name, Interface::pnetcdf, Operation::operation, remark},
                FATHOM_PNETCDF_CALLS(FATHOM_INFO)
#undef FATHOM_INFO
};
static_assert(all_calls.size() == static_cast<std::size_t>(CallId::after_last) - first_call);

}  // namespace fathom::trace
