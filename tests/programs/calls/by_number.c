/* SPDX-License-Identifier: Apache-2.0 */
/* The same calls through syscall(2). */
#include "truth.h"

#include <sys/uio.h>

int main(void) {
  static char data[100], about[512];
  struct iovec pieces[2] = {{data, 10}, {data, 20}};
  int fd = (int)DID("open", "n.dat", NONE, NONE, syscall(SYS_openat, AT_FDCWD, "n.dat", O_CREAT | O_RDWR, 0600));
  DID("open", "missing", NONE, NONE, syscall(SYS_open, "missing", O_RDONLY));
  DID("write", "n.dat", 0, 50, syscall(SYS_write, fd, data, 50L));
  DID("writev", "n.dat", 50, 30, syscall(SYS_writev, fd, pieces, 2L));
  DID("pwrite", "n.dat", 200, 10, syscall(SYS_pwrite64, fd, data, 10L, 200L));
  DID("lseek", "n.dat", 5, NONE, syscall(SYS_lseek, fd, 5L, SEEK_SET));
  DID("read", "n.dat", 5, 10, syscall(SYS_read, fd, data, 10L));
  DID("pread", "n.dat", 205, 10, syscall(SYS_pread64, fd, data, 10L, 205L));
  DID("readv", "n.dat", 15, 30, syscall(SYS_readv, fd, pieces, 2L));
  DID("ftruncate", "n.dat", 100, NONE, syscall(SYS_ftruncate, fd, 100L));
  DID("fsync", "n.dat", NONE, NONE, syscall(SYS_fsync, fd));
  DID("fstat", "n.dat", NONE, NONE, syscall(SYS_fstat, fd, about));
  DID("stat", "n.dat", NONE, NONE, syscall(SYS_stat, "n.dat", about));
  int again = (int)DID("dup", "n.dat", NONE, NONE, syscall(SYS_dup, fd));
  DID("read", "n.dat", 45, 10, syscall(SYS_read, again, data, 10L));
  DID("close", "n.dat", NONE, NONE, syscall(SYS_close, again));
  DID_TWO("rename", "n.dat", NONE, "r.dat", NONE, NONE, syscall(SYS_rename, "n.dat", "r.dat"));
  DID("mkdir", "folder", NONE, NONE, syscall(SYS_mkdir, "folder", 0700));
  DID("rmdir", "folder", NONE, NONE, syscall(SYS_rmdir, "folder"));
  DID("unlink", "r.dat", NONE, NONE, syscall(SYS_unlink, "r.dat"));
  if (syscall(SYS_getpid) != getpid()) return 1; /* no file call: nothing recorded */
  DID("read", "", NONE, 10, syscall(SYS_read, 99, data, 10L));
  return 0;
}
