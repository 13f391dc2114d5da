# SPDX-License-Identifier: Apache-2.0
"""HDF5 and PnetCDF under the tracer: their calls, MPI-IO inside them, POSIX inside that."""
from traced import *


def posix_inside(row, *names):
    return [each for child in row.inside for each in ([child] if child.interface == "posix" else child.inside) if each.call in names]


def check_nesting(rows, library, what):
    """Each file's data went through all three layers: no MPI-IO call on it stands alone."""
    for row in rows:
        if row.interface == "mpiio" and row.file == "data" and row.rank is not None:
            expect(row.parent is not None and rows[row.parent].interface == library, f"{what}: {row} is not inside a call of {library}")


def hdf5(flavour, folder):
    program = build(f"h5pcc.{flavour.name}", "hdf5_io.c", folder / "hdf5_io", "-shlib")
    if program is None:
        return
    rows = traced(folder, [flavour.mpiexec, *flavour.options, "-n", 2, program, folder / "data"])
    moved = 4096 * 8
    for rank in (0, 1):
        found = [(row.call, row.bytes, row.result) for row in of_rank(rows, rank, "hdf5")]
        none = lambda call: (call, None, 0)
        both = [("H5Dwrite", moved, moved), ("H5Dread", moved, moved)]
        wanted = [*map(none, ("H5Fcreate", "H5Gcreate", "H5Dcreate")), *both, *both, none("H5Acreate"), ("H5Awrite", 4, 4),
                  *map(none, ("H5Aclose", "H5Fflush", "H5Dclose", "H5Gclose", "H5Fclose"))]
        expect_equal(found, wanted, f"HDF5 with {flavour.name}: calls of rank {rank}")
        alone = [row for row in of_rank(rows, rank, "hdf5") if row.call == "H5Dwrite"][1]
        expect_equal([row.bytes for row in alone.calls("MPI_File_write_at")], [moved], f"HDF5 with {flavour.name}: MPI-IO inside")
        expect_equal(sum(row.result for row in posix_inside(alone, "pwrite", "pwritev", "write")), moved, f"HDF5 with {flavour.name}: POSIX inside")
    check_nesting(rows, "hdf5", f"HDF5 with {flavour.name}")
    say(f"HDF5 with {flavour.name}: HDF5, MPI-IO and POSIX calls in each other")


def pnetcdf(flavour, folder):
    libraries = subprocess.run(["sh", "-c", "ldd $(gcc -print-file-name=libpnetcdf.so)"], capture_output=True, text=True).stdout
    if ("libmpich" if flavour.name == "mpich" else "libmpi.so") not in libraries:
        return left_out(f"PnetCDF with {flavour.name}: it is not made for it")
    program = build(f"mpicc.{flavour.name}", "pnetcdf_io.c", folder / "pnetcdf_io", after=["-lpnetcdf"])
    rows = traced(folder, [flavour.mpiexec, *flavour.options, "-n", 2, program, folder / "data"])
    moved = 2048 * 4
    for rank in (0, 1):
        found = [(row.call, row.bytes, row.result) for row in of_rank(rows, rank, "pnetcdf")]
        none = lambda call: (call, None, 0)
        data = lambda call: (call, moved, moved)
        wanted = [none("ncmpi_create"), none("ncmpi_enddef"), data("ncmpi_put"), data("ncmpi_get"), none("ncmpi_iput"), data("ncmpi_wait"),
                  none("ncmpi_sync"), none("ncmpi_close"), none("ncmpi_open"), data("ncmpi_get"), none("ncmpi_close")]
        expect_equal(found, wanted, f"PnetCDF with {flavour.name}: calls of rank {rank}")
    names = subprocess.run(["sh", "-c", "nm -D --defined-only $(gcc -print-file-name=libpnetcdf.so)"], capture_output=True, text=True).stdout.split()
    data = {name for name in names if re.match(r"ncmpi_(m?put|m?get|iput|iget|bput)_var", name)}
    ours = subprocess.run(["nm", "-D", "--defined-only", pathlib.Path(fathom).parent / "lib" / "libfathom-trace.so"], capture_output=True, text=True).stdout.split()
    expect(len(data) > 500, f"PnetCDF: only {len(data)} calls that move data")
    expect_equal(sorted(data - set(ours)), [], "PnetCDF: calls that are not wrapped")
    put = next(row for row in rows if row.call == "ncmpi_put")
    expect_equal([row.result for row in put.calls("MPI_File_write_at_all")], [moved], f"PnetCDF with {flavour.name}: MPI-IO inside")
    say(f"PnetCDF with {flavour.name}: bytes as the library counts them")


with scratch() as folder:
    for flavour in installed_flavours():
        hdf5(flavour, folder)
        pnetcdf(flavour, folder)
