// SPDX-License-Identifier: Apache-2.0
/// Symbols of the C library that lead to traced calls: signature, and what is recorded (a function of tracer/shapes.h).
/// In the last column `result` is what the call returned, `time` when; SAME(new, old) is a second name of the same function.
/// OWN(name) has a wrapper written by hand in tracer/: it has something to do before the call.
#pragma once

// A table, a line each:
// clang-format off
#define FATHOM_POSIX_SYMBOLS(SYMBOL, SAME, OWN) \
  OWN(open) OWN(openat) SAME(open64, open) SAME(openat64, openat) \
  SYMBOL(__open_2, int, (const char* path, int flags), (path, flags), opened_path(CallId::open, time, AT_FDCWD, path, flags, result, 0)) \
  SYMBOL(__openat_2, int, (int folder, const char* path, int flags), (folder, path, flags), opened_path(CallId::open, time, folder, path, flags, result, 0)) \
  SAME(__open64_2, __open_2) SAME(__openat64_2, __openat_2) \
  OWN(creat) SAME(creat64, creat) \
  SYMBOL(mkstemp, int, (char* path), (path), opened_path(CallId::mkstemp, time, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL, result, 0)) \
  SYMBOL(mkostemp, int, (char* path, int flags), (path, flags), opened_path(CallId::mkstemp, time, AT_FDCWD, path, flags | O_RDWR | O_CREAT | O_EXCL, result, 0)) \
  SYMBOL(mkstemps, int, (char* path, int suffix), (path, suffix), opened_path(CallId::mkstemp, time, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL, result, 0)) \
  SYMBOL(mkostemps, int, (char* path, int suffix, int flags), (path, suffix, flags), opened_path(CallId::mkstemp, time, AT_FDCWD, path, flags | O_RDWR | O_CREAT | O_EXCL, result, 0)) \
  SAME(mkstemp64, mkstemp) SAME(mkostemp64, mkostemp) SAME(mkstemps64, mkstemps) SAME(mkostemps64, mkostemps) \
  SYMBOL(shm_open, int, (const char* path, int flags, mode_t mode), (path, flags, mode), opened_below(CallId::shm_open, time, "/dev/shm/", path, flags, result)) \
  SYMBOL(memfd_create, int, (const char* path, unsigned flags), (path, flags), opened_below(CallId::memfd_create, time, "/memfd:", path, O_RDWR | O_CREAT | O_EXCL, result)) \
  SYMBOL(open_by_handle_at, int, (int folder, struct file_handle* handle, int flags), (folder, handle, flags), (forget(result), on_file(CallId::open, time, result, no_offset, no_bytes, outcome(result), open_detail(flags, false)))) \
  OWN(close) OWN(close_range) OWN(closefrom) \
  SYMBOL(read, ssize_t, (int fd, void* data, size_t bytes), (fd, data, bytes), at_position(CallId::read, time, fd, bytes, outcome(result))) \
  SYMBOL(__read_chk, ssize_t, (int fd, void* data, size_t bytes, size_t room), (fd, data, bytes, room), at_position(CallId::read, time, fd, bytes, outcome(result))) \
  SYMBOL(pread, ssize_t, (int fd, void* data, size_t bytes, off_t offset), (fd, data, bytes, offset), at_offset(CallId::pread, time, fd, bytes, offset, outcome(result))) \
  SAME(pread64, pread) \
  SYMBOL(__pread_chk, ssize_t, (int fd, void* data, size_t bytes, off_t offset, size_t room), (fd, data, bytes, offset, room), at_offset(CallId::pread, time, fd, bytes, offset, outcome(result))) \
  SAME(__pread64_chk, __pread_chk) \
  SYMBOL(readv, ssize_t, (int fd, const struct iovec* pieces, int count), (fd, pieces, count), at_position(CallId::readv, time, fd, total(pieces, count, outcome(result)), outcome(result))) \
  SYMBOL(preadv, ssize_t, (int fd, const struct iovec* pieces, int count, off_t offset), (fd, pieces, count, offset), at_offset(CallId::preadv, time, fd, total(pieces, count, outcome(result)), offset, outcome(result))) \
  SAME(preadv64, preadv) \
  SYMBOL(preadv2, ssize_t, (int fd, const struct iovec* pieces, int count, off_t offset, int flags), (fd, pieces, count, offset, flags), at_offset_or_position(CallId::preadv2, time, fd, total(pieces, count, outcome(result)), offset, outcome(result))) \
  SAME(preadv64v2, preadv2) \
  SYMBOL(write, ssize_t, (int fd, const void* data, size_t bytes), (fd, data, bytes), at_position(CallId::write, time, fd, bytes, outcome(result))) \
  SYMBOL(pwrite, ssize_t, (int fd, const void* data, size_t bytes, off_t offset), (fd, data, bytes, offset), at_offset(CallId::pwrite, time, fd, bytes, offset, outcome(result))) \
  SAME(pwrite64, pwrite) \
  SYMBOL(writev, ssize_t, (int fd, const struct iovec* pieces, int count), (fd, pieces, count), at_position(CallId::writev, time, fd, total(pieces, count, outcome(result)), outcome(result))) \
  SYMBOL(pwritev, ssize_t, (int fd, const struct iovec* pieces, int count, off_t offset), (fd, pieces, count, offset), at_offset(CallId::pwritev, time, fd, total(pieces, count, outcome(result)), offset, outcome(result))) \
  SAME(pwritev64, pwritev) \
  SYMBOL(pwritev2, ssize_t, (int fd, const struct iovec* pieces, int count, off_t offset, int flags), (fd, pieces, count, offset, flags), at_offset_or_position(CallId::pwritev2, time, fd, total(pieces, count, outcome(result)), offset, outcome(result))) \
  SAME(pwritev64v2, pwritev2) \
  SYMBOL(sendfile, ssize_t, (int to, int from, off_t* offset, size_t bytes), (to, from, offset, bytes), between(CallId::sendfile, CallId::sendfile_to, time, from, offset, to, nullptr, bytes, outcome(result))) \
  SAME(sendfile64, sendfile) \
  SYMBOL(copy_file_range, ssize_t, (int from, off_t* from_at, int to, off_t* to_at, size_t bytes, unsigned flags), (from, from_at, to, to_at, bytes, flags), between(CallId::copy_file_range, CallId::copy_file_range_to, time, from, from_at, to, to_at, bytes, outcome(result))) \
  SYMBOL(splice, ssize_t, (int from, off_t* from_at, int to, off_t* to_at, size_t bytes, unsigned flags), (from, from_at, to, to_at, bytes, flags), between(CallId::splice, CallId::splice_to, time, from, from_at, to, to_at, bytes, outcome(result))) \
  SYMBOL(tee, ssize_t, (int from, int to, size_t bytes, unsigned flags), (from, to, bytes, flags), on_file(CallId::tee, time, from, no_offset, bytes, outcome(result))) \
  SYMBOL(vmsplice, ssize_t, (int fd, const struct iovec* pieces, size_t count, unsigned flags), (fd, pieces, count, flags), on_file(CallId::vmsplice, time, fd, no_offset, total(pieces, static_cast<int>(count), outcome(result)), outcome(result))) \
  SYMBOL(lseek, off_t, (int fd, off_t offset, int whence), (fd, offset, whence), lseek_done(time, fd, offset, outcome(result))) \
  SAME(lseek64, lseek) \
  SYMBOL(fsync, int, (int fd), (fd), on_file(CallId::fsync, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(fdatasync, int, (int fd), (fd), on_file(CallId::fdatasync, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(sync_file_range, int, (int fd, off_t offset, off_t bytes, unsigned flags), (fd, offset, bytes, flags), on_file(CallId::sync_file_range, time, fd, offset, static_cast<std::uint64_t>(bytes), outcome(result))) \
  SYMBOL(syncfs, int, (int fd), (fd), on_file(CallId::syncfs, time, fd, no_offset, no_bytes, outcome(result))) \
  OWN(sync) \
  SYMBOL(truncate, int, (const char* path, off_t length), (path, length), on_path(CallId::truncate, time, AT_FDCWD, path, length, outcome(result))) \
  SYMBOL(ftruncate, int, (int fd, off_t length), (fd, length), on_file(CallId::ftruncate, time, fd, length, no_bytes, outcome(result))) \
  SAME(truncate64, truncate) SAME(ftruncate64, ftruncate) \
  SYMBOL(fallocate, int, (int fd, int mode, off_t offset, off_t bytes), (fd, mode, offset, bytes), on_file(CallId::fallocate, time, fd, offset, static_cast<std::uint64_t>(bytes), outcome(result))) \
  SYMBOL(posix_fallocate, int, (int fd, off_t offset, off_t bytes), (fd, offset, bytes), on_file(CallId::fallocate, time, fd, offset, static_cast<std::uint64_t>(bytes), -static_cast<std::int64_t>(result))) \
  SAME(fallocate64, fallocate) SAME(posix_fallocate64, posix_fallocate) \
  OWN(fcntl) SAME(fcntl64, fcntl) OWN(flock) OWN(lockf) SAME(lockf64, lockf) \
  SYMBOL(dup, int, (int fd), (fd), dup_done(time, fd, result)) \
  SYMBOL(dup2, int, (int fd, int fresh), (fd, fresh), dup_done(time, fd, result)) \
  SYMBOL(dup3, int, (int fd, int fresh, int flags), (fd, fresh, flags), dup_done(time, fd, result)) \
  OWN(ioctl) \
  SYMBOL(posix_fadvise, int, (int fd, off_t offset, off_t bytes, int advice), (fd, offset, bytes, advice), on_file(CallId::fadvise, time, fd, offset, static_cast<std::uint64_t>(bytes), -static_cast<std::int64_t>(result))) \
  SAME(posix_fadvise64, posix_fadvise) \
  SYMBOL(readahead, ssize_t, (int fd, off64_t offset, size_t bytes), (fd, offset, bytes), on_file(CallId::readahead, time, fd, offset, bytes, outcome(result))) \
  SYMBOL(stat, int, (const char* path, struct stat* about), (path, about), on_path(CallId::stat, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(lstat, int, (const char* path, struct stat* about), (path, about), on_path(CallId::stat, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fstat, int, (int fd, struct stat* about), (fd, about), on_file(CallId::fstat, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(fstatat, int, (int folder, const char* path, struct stat* about, int flags), (folder, path, about, flags), on_path_or_file(CallId::stat, CallId::fstat, time, folder, path, outcome(result))) \
  SAME(stat64, stat) SAME(lstat64, lstat) SAME(fstat64, fstat) SAME(fstatat64, fstatat) \
  SYMBOL(statx, int, (int folder, const char* path, int flags, unsigned mask, struct statx* about), (folder, path, flags, mask, about), on_path_or_file(CallId::stat, CallId::fstat, time, folder, path, outcome(result))) \
  SYMBOL(__xstat, int, (int version, const char* path, struct stat* about), (version, path, about), on_path(CallId::stat, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(__lxstat, int, (int version, const char* path, struct stat* about), (version, path, about), on_path(CallId::stat, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(__fxstat, int, (int version, int fd, struct stat* about), (version, fd, about), on_file(CallId::fstat, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(__fxstatat, int, (int version, int folder, const char* path, struct stat* about, int flags), (version, folder, path, about, flags), on_path_or_file(CallId::stat, CallId::fstat, time, folder, path, outcome(result))) \
  SAME(__xstat64, __xstat) SAME(__lxstat64, __lxstat) SAME(__fxstat64, __fxstat) SAME(__fxstatat64, __fxstatat) \
  SYMBOL(access, int, (const char* path, int mode), (path, mode), on_path(CallId::access, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(faccessat, int, (int folder, const char* path, int mode, int flags), (folder, path, mode, flags), on_path(CallId::access, time, folder, path, no_offset, outcome(result))) \
  SYMBOL(euidaccess, int, (const char* path, int mode), (path, mode), on_path(CallId::access, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SAME(eaccess, euidaccess) \
  SYMBOL(statfs, int, (const char* path, struct statfs* about), (path, about), on_path(CallId::statfs, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fstatfs, int, (int fd, struct statfs* about), (fd, about), on_file(CallId::statfs, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(statvfs, int, (const char* path, struct statvfs* about), (path, about), on_path(CallId::statfs, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fstatvfs, int, (int fd, struct statvfs* about), (fd, about), on_file(CallId::statfs, time, fd, no_offset, no_bytes, outcome(result))) \
  SAME(statfs64, statfs) SAME(fstatfs64, fstatfs) SAME(statvfs64, statvfs) SAME(fstatvfs64, fstatvfs) \
  SYMBOL(readlink, ssize_t, (const char* path, char* text, size_t room), (path, text, room), on_path(CallId::readlink, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(readlinkat, ssize_t, (int folder, const char* path, char* text, size_t room), (folder, path, text, room), on_path(CallId::readlink, time, folder, path, no_offset, outcome(result))) \
  SYMBOL(__readlink_chk, ssize_t, (const char* path, char* text, size_t room, size_t size), (path, text, room, size), on_path(CallId::readlink, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(__readlinkat_chk, ssize_t, (int folder, const char* path, char* text, size_t room, size_t size), (folder, path, text, room, size), on_path(CallId::readlink, time, folder, path, no_offset, outcome(result))) \
  SYMBOL(realpath, char*, (const char* path, char* text), (path, text), on_path(CallId::readlink, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(canonicalize_file_name, char*, (const char* path), (path), on_path(CallId::readlink, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(__realpath_chk, char*, (const char* path, char* text, size_t size), (path, text, size), on_path(CallId::readlink, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(unlink, int, (const char* path), (path), on_path(CallId::unlink, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(unlinkat, int, (int folder, const char* path, int flags), (folder, path, flags), on_path((flags & AT_REMOVEDIR) ? CallId::rmdir : CallId::unlink, time, folder, path, no_offset, outcome(result))) \
  SYMBOL(remove, int, (const char* path), (path), on_path(CallId::unlink, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(shm_unlink, int, (const char* path), (path), on_path(CallId::unlink, time, AT_FDCWD, below("/dev/shm/", path, outcome(result)).data, no_offset, outcome(result))) \
  SYMBOL(rmdir, int, (const char* path), (path), on_path(CallId::rmdir, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(rename, int, (const char* path, const char* to), (path, to), on_two_paths(CallId::rename, CallId::rename_to, time, AT_FDCWD, path, AT_FDCWD, to, outcome(result))) \
  SYMBOL(renameat, int, (int folder, const char* path, int folder_to, const char* to), (folder, path, folder_to, to), on_two_paths(CallId::rename, CallId::rename_to, time, folder, path, folder_to, to, outcome(result))) \
  SYMBOL(renameat2, int, (int folder, const char* path, int folder_to, const char* to, unsigned flags), (folder, path, folder_to, to, flags), on_two_paths(CallId::rename, CallId::rename_to, time, folder, path, folder_to, to, outcome(result))) \
  SYMBOL(link, int, (const char* path, const char* to), (path, to), on_two_paths(CallId::link, CallId::link_to, time, AT_FDCWD, path, AT_FDCWD, to, outcome(result))) \
  SYMBOL(linkat, int, (int folder, const char* path, int folder_to, const char* to, int flags), (folder, path, folder_to, to, flags), on_two_paths(CallId::link, CallId::link_to, time, folder, path, folder_to, to, outcome(result))) \
  SYMBOL(symlink, int, (const char* path, const char* to), (path, to), on_two_paths(CallId::link, CallId::link_to, time, AT_FDCWD, path, AT_FDCWD, to, outcome(result))) \
  SYMBOL(symlinkat, int, (const char* path, int folder_to, const char* to), (path, folder_to, to), on_two_paths(CallId::link, CallId::link_to, time, AT_FDCWD, path, folder_to, to, outcome(result))) \
  SYMBOL(mkdir, int, (const char* path, mode_t mode), (path, mode), on_path(CallId::mkdir, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(mkdirat, int, (int folder, const char* path, mode_t mode), (folder, path, mode), on_path(CallId::mkdir, time, folder, path, no_offset, outcome(result))) \
  SYMBOL(mkdtemp, char*, (char* path), (path), on_path(CallId::mkdir, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(mknod, int, (const char* path, mode_t mode, dev_t device), (path, mode, device), on_path(CallId::mknod, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(mknodat, int, (int folder, const char* path, mode_t mode, dev_t device), (folder, path, mode, device), on_path(CallId::mknod, time, folder, path, no_offset, outcome(result))) \
  SYMBOL(mkfifo, int, (const char* path, mode_t mode), (path, mode), on_path(CallId::mknod, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(mkfifoat, int, (int folder, const char* path, mode_t mode), (folder, path, mode), on_path(CallId::mknod, time, folder, path, no_offset, outcome(result))) \
  SYMBOL(chmod, int, (const char* path, mode_t mode), (path, mode), on_path(CallId::chmod, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fchmod, int, (int fd, mode_t mode), (fd, mode), on_file(CallId::chmod, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(lchmod, int, (const char* path, mode_t mode), (path, mode), on_path(CallId::chmod, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fchmodat, int, (int folder, const char* path, mode_t mode, int flags), (folder, path, mode, flags), on_path(CallId::chmod, time, folder, path, no_offset, outcome(result))) \
  SYMBOL(chown, int, (const char* path, uid_t owner, gid_t group), (path, owner, group), on_path(CallId::chown, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(lchown, int, (const char* path, uid_t owner, gid_t group), (path, owner, group), on_path(CallId::chown, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fchown, int, (int fd, uid_t owner, gid_t group), (fd, owner, group), on_file(CallId::chown, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(fchownat, int, (int folder, const char* path, uid_t owner, gid_t group, int flags), (folder, path, owner, group, flags), on_path_or_file(CallId::chown, CallId::chown, time, folder, path, outcome(result))) \
  SYMBOL(utime, int, (const char* path, const struct utimbuf* times), (path, times), on_path(CallId::utime, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(utimes, int, (const char* path, const struct timeval* times), (path, times), on_path(CallId::utime, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(lutimes, int, (const char* path, const struct timeval* times), (path, times), on_path(CallId::utime, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(futimes, int, (int fd, const struct timeval* times), (fd, times), on_file(CallId::utime, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(futimens, int, (int fd, const struct timespec* times), (fd, times), on_file(CallId::utime, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(futimesat, int, (int folder, const char* path, const struct timeval* times), (folder, path, times), on_path_or_file(CallId::utime, CallId::utime, time, folder, path, outcome(result))) \
  SYMBOL(utimensat, int, (int folder, const char* path, const struct timespec* times, int flags), (folder, path, times, flags), on_path_or_file(CallId::utime, CallId::utime, time, folder, path, outcome(result))) \
  SYMBOL(getxattr, ssize_t, (const char* path, const char* name, void* value, size_t bytes), (path, name, value, bytes), on_path(CallId::xattr, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(lgetxattr, ssize_t, (const char* path, const char* name, void* value, size_t bytes), (path, name, value, bytes), on_path(CallId::xattr, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fgetxattr, ssize_t, (int fd, const char* name, void* value, size_t bytes), (fd, name, value, bytes), on_file(CallId::xattr, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(setxattr, int, (const char* path, const char* name, const void* value, size_t bytes, int flags), (path, name, value, bytes, flags), on_path(CallId::xattr, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(lsetxattr, int, (const char* path, const char* name, const void* value, size_t bytes, int flags), (path, name, value, bytes, flags), on_path(CallId::xattr, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fsetxattr, int, (int fd, const char* name, const void* value, size_t bytes, int flags), (fd, name, value, bytes, flags), on_file(CallId::xattr, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(listxattr, ssize_t, (const char* path, char* list, size_t bytes), (path, list, bytes), on_path(CallId::xattr, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(llistxattr, ssize_t, (const char* path, char* list, size_t bytes), (path, list, bytes), on_path(CallId::xattr, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(flistxattr, ssize_t, (int fd, char* list, size_t bytes), (fd, list, bytes), on_file(CallId::xattr, time, fd, no_offset, no_bytes, outcome(result))) \
  SYMBOL(removexattr, int, (const char* path, const char* name), (path, name), on_path(CallId::xattr, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(lremovexattr, int, (const char* path, const char* name), (path, name), on_path(CallId::xattr, time, AT_FDCWD, path, no_offset, outcome(result))) \
  SYMBOL(fremovexattr, int, (int fd, const char* name), (fd, name), on_file(CallId::xattr, time, fd, no_offset, no_bytes, outcome(result))) \
  OWN(chdir) OWN(fchdir) \
  OWN(opendir) OWN(fdopendir) OWN(closedir) \
  SYMBOL(readdir, struct dirent*, (DIR* folder), (folder), on_file(CallId::readdir, time, dirfd(folder), no_offset, no_bytes, result ? 1 : 0)) \
  SAME(readdir64, readdir) \
  SYMBOL(readdir_r, int, (DIR* folder, struct dirent* entry, struct dirent** found), (folder, entry, found), on_file(CallId::readdir, time, dirfd(folder), no_offset, no_bytes, -static_cast<std::int64_t>(result))) \
  SAME(readdir64_r, readdir_r) \
  SYMBOL(getdents64, ssize_t, (int fd, void* data, size_t bytes), (fd, data, bytes), on_file(CallId::readdir, time, fd, no_offset, bytes, outcome(result))) \
  OWN(scandir) OWN(fts_open) OWN(fts_read) OWN(fts_children) OWN(fts_close) SAME(fts64_open, fts_open) SAME(fts64_read, fts_read) SAME(fts64_children, fts_children) SAME(fts64_close, fts_close) OWN(rewinddir) OWN(seekdir) \
  SAME(scandir64, scandir) \
  OWN(ftw) SAME(ftw64, ftw) OWN(nftw) SAME(nftw64, nftw) OWN(glob) SAME(glob64, glob) \
  OWN(mmap) SAME(mmap64, mmap) OWN(munmap) OWN(mremap) \
  SYMBOL(msync, int, (void* at, size_t bytes, int flags), (at, bytes, flags), (mapping(at, false) ? put(CallId::msync, time, mapping(at, false), no_offset, bytes, outcome(result)) : void())) \
  OWN(fork) OWN(vfork) OWN(_Fork) OWN(posix_spawn) OWN(posix_spawnp) OWN(system) OWN(popen) OWN(pclose) \
  OWN(daemon) OWN(clone) OWN(execl) OWN(execlp) OWN(execle) \
  OWN(execve) OWN(execv) OWN(execvp) OWN(execvpe) OWN(fexecve) OWN(execveat) OWN(_exit) OWN(_Exit) \
  OWN(pipe) OWN(pipe2) OWN(socket) OWN(socketpair) OWN(accept) OWN(accept4) OWN(epoll_create) OWN(epoll_create1) OWN(eventfd) \
  OWN(timerfd_create) OWN(signalfd) OWN(inotify_init) OWN(inotify_init1) OWN(syscall)
// clang-format on
