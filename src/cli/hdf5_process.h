// SPDX-License-Identifier: Apache-2.0
/// The program as it starts itself to open one HDF5 file.
#pragma once

namespace fathom {

/// Writes the rows of the file to standard output; gives an exit code.
int run_as_hdf5_process(const char* path);

}  // namespace fathom
