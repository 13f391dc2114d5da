// SPDX-License-Identifier: Apache-2.0
/// Counters in HDF5 files of TOKIO and of LMT (H5LMT), written out as rows that the reader counters_csv knows.
/// libhdf5 was not made for files of strangers: only a process of its own does this, which may crash (see ingest/readers/tokio_hdf5.cpp).
#pragma once

namespace fathom {

/// The word on the command line with which the program starts itself to do this; no command of users.
inline constexpr const char* hdf5_rows_word = "write-hdf5-rows";

/// What lib/fathom-hdf5.so has under this name: bounds memory, time and rights of the process, then writes the rows of a file to standard
/// output. Gives an exit code; why it is not 0 is on standard error.
inline constexpr const char* hdf5_rows_function = "fathom_write_hdf5_rows";
using WriteHdf5Rows = int(const char* path);

}  // namespace fathom
