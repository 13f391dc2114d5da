# SPDX-License-Identifier: Apache-2.0
# `tools/package` makes a Debian package and a tarball of what `make install` installs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fathom)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the Fathom project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "what file systems and jobs of an HPC centre do to each other, and what to change")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Fathom takes the counters of storage servers and the job log of the batch system,\n reduces them to published I/O criteria of every job, traces programs, finds\n applications' I/O patterns, simulates other I/O architectures, advises a scheduler,\n and shows all of it in a browser.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Units and scripts name the prefix: it must be the one they are installed to, not the one they are packed in.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
# By hand: dpkg-shlibdeps would ask for both kinds of MPI, of which the program opens the one that is there.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1, libfmt9, libzstd1, zlib1g, libxxhash0, libsqlite3-0, coinor-libclp1, coinor-libcoinutils3v5")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libhdf5-103-1")  # lib/fathom-hdf5.so, for HDF5 files alone
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "mpich | openmpi-bin, gcc, slurm-client")
set(CPACK_STRIP_FILES ON)
include(CPack)
