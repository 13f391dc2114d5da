// SPDX-License-Identifier: Apache-2.0
/// The POSIX calls that are traced: what each does (FATHOM_POSIX_CALLS), and every symbol of the C library that leads to it with its
/// signature and with how file, offset and size are found (FATHOM_POSIX_SYMBOLS). Wrappers, the list of --wrap options, the symbol
/// check and docs/calls.md come from these tables.
#pragma once

// A table, a line each:
// clang-format off
/// CALL(name, operation, what people should know)
/// Names with a dot are one function's different deeds, or the second file of a call that has two.
#define FATHOM_POSIX_CALLS(CALL) \
  CALL(open, "open", open, "open, openat and their 64-bit and checked names") \
  CALL(creat, "creat", open, "") \
  CALL(mkstemp, "mkstemp", open, "mkstemp, mkostemp, mkstemps, mkostemps") \
  CALL(shm_open, "shm_open", open, "") \
  CALL(memfd_create, "memfd_create", open, "anonymous memory") \
  CALL(close, "close", close, "") \
  CALL(close_range, "close_range", close, "also closefrom; the files closed are not listed one by one") \
  CALL(read, "read", read, "") \
  CALL(pread, "pread", read, "") \
  CALL(readv, "readv", read, "bytes: the sum of its pieces") \
  CALL(preadv, "preadv", read, "") \
  CALL(preadv2, "preadv2", read, "") \
  CALL(write, "write", write, "") \
  CALL(pwrite, "pwrite", write, "") \
  CALL(writev, "writev", write, "") \
  CALL(pwritev, "pwritev", write, "") \
  CALL(pwritev2, "pwritev2", write, "") \
  CALL(sendfile, "sendfile", read, "the file read; sendfile.to is what it was sent to") \
  CALL(sendfile_to, "sendfile.to", write, "") \
  CALL(copy_file_range, "copy_file_range", read, "the file read; copy_file_range.to is the file written") \
  CALL(copy_file_range_to, "copy_file_range.to", write, "") \
  CALL(splice, "splice", read, "") \
  CALL(splice_to, "splice.to", write, "") \
  CALL(tee, "tee", control, "between pipes") \
  CALL(vmsplice, "vmsplice", control, "into a pipe") \
  CALL(lseek, "lseek", seek, "offset: where to, as asked; result: where it is now; also rewinddir, seekdir") \
  CALL(fsync, "fsync", sync, "") \
  CALL(fdatasync, "fdatasync", sync, "") \
  CALL(sync_file_range, "sync_file_range", sync, "") \
  CALL(syncfs, "syncfs", sync, "") \
  CALL(sync, "sync", sync, "") \
  CALL(truncate, "truncate", resize, "offset: the new length") \
  CALL(ftruncate, "ftruncate", resize, "") \
  CALL(fallocate, "fallocate", resize, "fallocate, posix_fallocate") \
  CALL(fcntl, "fcntl", control, "commands that are none of those below; bytes: the command") \
  CALL(fcntl_lock, "fcntl.lock", lock, "F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW") \
  CALL(fcntl_unlock, "fcntl.unlock", unlock, "") \
  CALL(fcntl_getlk, "fcntl.getlk", control, "") \
  CALL(fcntl_dup, "fcntl.dup", duplicate, "") \
  CALL(flock_lock, "flock.lock", lock, "") \
  CALL(flock_unlock, "flock.unlock", unlock, "") \
  CALL(lockf_lock, "lockf.lock", lock, "") \
  CALL(lockf_unlock, "lockf.unlock", unlock, "") \
  CALL(lockf_test, "lockf.test", control, "") \
  CALL(dup, "dup", duplicate, "dup, dup2, dup3; the new descriptor shares the offset") \
  CALL(ioctl, "ioctl", control, "bytes: the request's number") \
  CALL(fadvise, "posix_fadvise", advise, "") \
  CALL(readahead, "readahead", advise, "") \
  CALL(stat, "stat", stat, "stat, lstat, fstatat, statx, also under the names of older C libraries") \
  CALL(fstat, "fstat", stat, "") \
  CALL(access, "access", stat, "access, faccessat, euidaccess, eaccess") \
  CALL(statfs, "statfs", stat, "statfs, fstatfs, statvfs, fstatvfs") \
  CALL(readlink, "readlink", stat, "readlink, readlinkat, realpath") \
  CALL(unlink, "unlink", remove, "unlink, unlinkat, remove, shm_unlink") \
  CALL(rmdir, "rmdir", remove, "") \
  CALL(rename, "rename", rename, "rename, renameat, renameat2; rename.to is the new name") \
  CALL(rename_to, "rename.to", rename, "") \
  CALL(link, "link", metadata, "link, linkat, symlink, symlinkat; link.to is the new name") \
  CALL(link_to, "link.to", metadata, "") \
  CALL(mkdir, "mkdir", metadata, "mkdir, mkdirat, mkdtemp") \
  CALL(mknod, "mknod", metadata, "mknod, mknodat, mkfifo, mkfifoat") \
  CALL(chmod, "chmod", metadata, "chmod, fchmod, fchmodat") \
  CALL(chown, "chown", metadata, "chown, fchown, lchown, fchownat") \
  CALL(utime, "utime", metadata, "utime, utimes, futimes, lutimes, futimens, utimensat") \
  CALL(xattr, "xattr", metadata, "get, set, list and remove, with l and f") \
  CALL(chdir, "chdir", metadata, "chdir, fchdir") \
  CALL(opendir, "opendir", open, "opendir, fdopendir") \
  CALL(readdir, "readdir", list, "readdir, readdir_r, getdents64") \
  CALL(closedir, "closedir", close, "") \
  CALL(walk, "walk", list, "scandir, ftw, nftw, glob, fts_open, fts_read, fts_children, fts_close: what they do inside is not seen one by one") \
  CALL(mmap, "mmap", map, "of files only; bytes: the length mapped") \
  CALL(munmap, "munmap", unmap, "of mapped files") \
  CALL(msync, "msync", sync, "") \
  CALL(aio_read, "aio_read", submit, "until it is queued; aio.read is the transfer") \
  CALL(aio_write, "aio_write", submit, "") \
  CALL(aio_transfer_read, "aio.read", read, "the bytes of a queued request, inside the call by which the program learnt that they were moved") \
  CALL(aio_transfer_write, "aio.write", write, "") \
  CALL(aio_fsync, "aio_fsync", sync, "") \
  CALL(aio_suspend, "aio_suspend", wait, "") \
  CALL(aio_return, "aio_return", wait, "") \
  CALL(aio_cancel, "aio_cancel", control, "") \
  CALL(lio_listio, "lio_listio", submit, "") \
  CALL(io_submit, "io_submit", submit, "libaio; result: how many were taken") \
  CALL(io_getevents, "io_getevents", wait, "libaio; io_getevents, io_pgetevents") \
  CALL(uring_submit, "io_uring_submit", submit, "liburing's functions; entries filled in by hand are seen when they complete through liburing") \
  CALL(uring_wait, "io_uring_wait_cqe", wait, "") \
  CALL(fopen, "fopen", open, "fopen, freopen, fdopen, tmpfile") \
  CALL(fclose, "fclose", close, "") \
  CALL(fread, "fread", read, "fread, fgets, getline, getdelim, getc and the like: bytes as the program asked, not as the buffer fetched them") \
  CALL(fwrite, "fwrite", write, "fwrite, fputs, puts, putc and the like") \
  CALL(fprintf, "fprintf", write, "fprintf, printf, vfprintf, dprintf and their checked names") \
  CALL(fscanf, "fscanf", read, "fscanf, scanf") \
  CALL(fflush, "fflush", sync, "") \
  CALL(fseek, "fseek", seek, "fseek, fseeko, fsetpos, rewind") \
  CALL(syscall, "syscall", control, "syscall() with a number that is no file call; file calls appear under their own names")
// clang-format on
