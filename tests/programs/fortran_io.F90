! SPDX-License-Identifier: Apache-2.0
! The same MPI-IO calls through each of the three Fortran interfaces: -DINTERFACE=1 mpif.h, 2 use mpi, 3 use mpi_f08.
program fortran_io
#if INTERFACE == 2
  use mpi
#elif INTERFACE == 3
  use mpi_f08
#endif
  implicit none
#if INTERFACE == 1
  include 'mpif.h'
#endif
#if INTERFACE == 3
#define HANDLE(kind) type(kind)
  type(MPI_Status) :: status
#else
#define HANDLE(kind) integer
  integer :: status(MPI_STATUS_SIZE)
#endif
  HANDLE(MPI_File) :: f
  HANDLE(MPI_Request) :: requests(2)
  integer :: rank, error, i
  integer :: numbers(256)
  integer(kind=MPI_OFFSET_KIND) :: at
  logical :: done
  character(len=1000) :: path

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call get_command_argument(1, path)
  numbers = [(i + 1000 * rank, i = 1, 256)]
  at = rank * 65536_MPI_OFFSET_KIND
  call MPI_File_open(MPI_COMM_WORLD, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, f, error)
  call MPI_File_write_at(f, at, numbers, 256, MPI_INTEGER, MPI_STATUS_IGNORE, error)
  call MPI_File_write_at_all(f, at + 1024, numbers, 256, MPI_INTEGER, status, error)
  call MPI_File_seek(f, at, MPI_SEEK_SET, error)
  call MPI_File_read(f, numbers, 128, MPI_INTEGER, status, error)
  call MPI_File_iwrite_at(f, at + 4096, numbers, 256, MPI_INTEGER, requests(1), error)
  call MPI_File_iread_at(f, at, numbers, 256, MPI_INTEGER, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call MPI_File_iwrite_at(f, at + 4096, numbers, 256, MPI_INTEGER, requests(1), error)
  call MPI_Wait(requests(1), status, error)
  call MPI_File_iread_at(f, at + 4096, numbers, 256, MPI_INTEGER, requests(1), error)
  done = .false.
  do while (.not. done)
    call MPI_Test(requests(1), done, status, error)
  end do
  call MPI_File_write_all_begin(f, numbers, 256, MPI_INTEGER, error)
  call MPI_File_write_all_end(f, numbers, status, error)
  call MPI_File_sync(f, error)
  call MPI_File_close(f, error)
  print '(a,i0,a,i0)', 'rank ', rank, ' read ', numbers(128)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) call MPI_File_delete(trim(path), MPI_INFO_NULL, error)
  call MPI_Finalize(error)
end program
