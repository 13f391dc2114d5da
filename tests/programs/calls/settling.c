/* SPDX-License-Identifier: Apache-2.0 */
/* Syncing, resizing, advice, locks. */
#include "truth.h"

#include <sys/file.h>
#include <sys/ioctl.h>

static long lock(const char* call, int fd, int command, short type, short whence, long start, long length, long offset) {
  struct flock lock = {.l_type = type, .l_whence = whence, .l_start = start, .l_len = length};
  return DID(call, "s.dat", offset, length, fcntl(fd, command, &lock));
}

int main(void) {
  static char data[1000];
  int fd = (int)DID("open", "s.dat", NONE, NONE, open("s.dat", O_CREAT | O_RDWR, 0600));
  DID("write", "s.dat", 0, 1000, write(fd, data, 1000));
  DID("fsync", "s.dat", NONE, NONE, fsync(fd));
  DID("fdatasync", "s.dat", NONE, NONE, fdatasync(fd));
  DID("sync_file_range", "s.dat", 100, 200, sync_file_range(fd, 100, 200, SYNC_FILE_RANGE_WRITE));
  DID("syncfs", "", NONE, NONE, syncfs(99));
  DID("ftruncate", "s.dat", 500, NONE, ftruncate(fd, 500));
  DID("truncate", "s.dat", 2000, NONE, truncate("s.dat", 2000));
  DID("fallocate", "s.dat", 0, 8192, fallocate(fd, 0, 0, 8192));
  DID("fallocate", "s.dat", 0, 4096, fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096));
  DID_ERROR("fallocate", "s.dat", 8192, 100, posix_fallocate(fd, 8192, 100));
  DID_ERROR("posix_fadvise", "s.dat", 0, 4096, posix_fadvise(fd, 0, 4096, POSIX_FADV_WILLNEED));
  DID("readahead", "s.dat", 0, 4096, readahead(fd, 0, 4096));
  DID("write", "s.dat", 1000, 10, write(fd, data, 10)); /* truncating moved no offset */

  lock("fcntl.lock", fd, F_SETLK, F_WRLCK, SEEK_SET, 100, 50, 100);
  lock("fcntl.lock", fd, F_SETLKW, F_RDLCK, SEEK_CUR, 10, 20, 1020);
  lock("fcntl.getlk", fd, F_GETLK, F_WRLCK, SEEK_SET, 5, 6, 5);
  lock("fcntl.unlock", fd, F_SETLK, F_UNLCK, SEEK_SET, 0, 0, 0);
  lock("fcntl.lock", fd, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 10, 0);
  int other = (int)DID("open", "s.dat", NONE, NONE, open("s.dat", O_RDWR));
  lock("fcntl.lock", other, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 10, 0); /* refused */
  lock("fcntl.unlock", fd, F_OFD_SETLKW, F_UNLCK, SEEK_SET, 0, 10, 0);
  lock("fcntl.lock", other, F_OFD_SETLKW, F_WRLCK, SEEK_SET, 0, 10, 0);
  DID("flock.lock", "s.dat", 0, 0, flock(fd, LOCK_EX));
  DID("flock.lock", "s.dat", 0, 0, flock(other, LOCK_SH | LOCK_NB)); /* refused */
  DID("flock.unlock", "s.dat", 0, 0, flock(fd, LOCK_UN));
  DID("lockf.lock", "s.dat", 1010, 100, lockf(fd, F_LOCK, 100));
  DID("lockf.test", "s.dat", 1010, 100, lockf(fd, F_TEST, 100));
  DID("lockf.unlock", "s.dat", 1010, 100, lockf(fd, F_ULOCK, 100));
  int waiting = 0;
  DID("ioctl", "s.dat", NONE, FIONREAD, ioctl(fd, FIONREAD, &waiting));
  DID("fcntl", "s.dat", NONE, F_SETFD, fcntl(fd, F_SETFD, FD_CLOEXEC));
  sync();
  told("sync", "", NONE, NONE, 0, 7777);
  return 0;
}
