/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that fail, bad pointers among them: each is recorded with its error, and fails as it does without the tracer. */
#include "truth.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/xattr.h>

int main(void) {
  char data[64] = "";
  void* const bad = (void*)16;
  struct stat about;
  struct iovec pieces[2] = {{data, 10}, {data, 20}}, unreadable[1] = {{bad, 10}};
  DID("read", "", NONE, 10, read(99, data, 10));
  DID("write", "", NONE, 10, write(-1, data, 10));
  DID("pread", "", 5, 10, pread(99, data, 10, 5));
  DID("readv", "", NONE, 30, readv(99, pieces, 2));
  DID("readv", "", NONE, 0, readv(99, bad, 2));
  DID("lseek", "", 0, NONE, lseek(99, 0, SEEK_SET));
  DID("close", "", NONE, NONE, close(99));
  DID("fsync", "", NONE, NONE, fsync(99));
  DID("open", "missing", NONE, NONE, open("missing", O_RDONLY));
  DID("open", "", NONE, NONE, open(bad, O_RDONLY));
  DID("open", "", NONE, NONE, open(NULL, O_RDONLY));
  DID("open", "", NONE, NONE, openat(99, bad, O_RDONLY));
  DID("stat", "missing", NONE, NONE, stat("missing", &about));
  DID("stat", "", NONE, NONE, stat(bad, &about));
  DID("unlink", "missing", NONE, NONE, unlink("missing"));
  DID_TWO("rename", "missing", NONE, "other", NONE, NONE, rename("missing", "other"));
  DID_TWO("rename", "", NONE, "", NONE, NONE, rename(bad, bad));
  DID("access", "missing", NONE, NONE, access("missing", R_OK));
  DID("readlink", "missing", NONE, NONE, readlink("missing", data, sizeof data));
  DID("truncate", "missing", 5, NONE, truncate("missing", 5));
  DID("xattr", "missing", NONE, NONE, getxattr("missing", "user.a", data, 10));
  int fd = (int)DID("open", "e.dat", NONE, NONE, open("e.dat", O_CREAT | O_RDWR, 0600));
  DID("write", "e.dat", 0, 50, write(fd, data, 50));
  DID("write", "e.dat", 50, 10, write(fd, bad, 10));
  DID("pread", "e.dat", 0, 10, pread(fd, bad, 10, 0));
  DID("preadv", "e.dat", 0, 10, preadv(fd, unreadable, 1, 0));
  DID("writev", "e.dat", 50, 0, writev(fd, bad, 2));
  DID("writev", "e.dat", 50, 0, writev(fd, pieces, -1));
  DID("writev", "e.dat", 50, 30, writev(fd, pieces, 2));
  DID("pread", "e.dat", -5, 10, pread(fd, data, 10, -5));
  DID("lseek", "e.dat", -500, NONE, lseek(fd, -500, SEEK_CUR));
  DID("ftruncate", "e.dat", -1, NONE, ftruncate(fd, -1));
  DID("fcntl.lock", "e.dat", 0, 0, fcntl(fd, F_SETLK, bad));
  DID("fcntl.getlk", "e.dat", NONE, 0, fcntl(fd, F_GETLK, bad));
  DID("mmap", "e.dat", 1, 4096, mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 1));
  int reading = (int)DID("open", "e.dat", NONE, NONE, open("e.dat", O_RDONLY));
  DID("write", "e.dat", 0, 10, write(reading, data, 10));
  int folder = (int)DID("open", ".", NONE, NONE, open(".", O_RDONLY));
  DID("read", ".", NONE, 10, read(folder, data, 10));
  off_t at = 7;
  DID_TWO("copy_file_range", "e.dat", 7, "", NONE, 10, copy_file_range(fd, &at, 99, NULL, 10, 0));
  DID_TWO("copy_file_range", "e.dat", NONE, "e.dat", 0, 10, copy_file_range(fd, bad, reading, NULL, 10, 0));
  DID_ERROR("fallocate", "e.dat", -1, 10, posix_fallocate(fd, -1, 10));
  return 0;
}
