/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets that more than one descriptor, program or process moves. */
#include "truth.h"

#include <sys/wait.h>

int main(int count, char** words) {
  static char data[4096];
  if (count > 1) { /* started by exec below, with descriptors 5 (at 150) and 6 (appending) open */
    DID("read", "o.dat", 150, 10, read(5, data, 10));
    DID("write", "append.dat", 15, 5, write(6, data, 5));
    DID("lseek", "o.dat", 0, NONE, lseek(5, 0, SEEK_CUR));
    return 0;
  }
  (void)words;
  int fd = (int)DID("open", "o.dat", NONE, NONE, open("o.dat", O_CREAT | O_RDWR, 0600));
  DID("write", "o.dat", 0, 1000, write(fd, data, 1000));
  int again = (int)DID("dup", "o.dat", NONE, NONE, dup(fd));
  DID("lseek", "o.dat", 0, NONE, lseek(again, 0, SEEK_SET));
  DID("read", "o.dat", 0, 10, read(fd, data, 10));
  DID("read", "o.dat", 10, 10, read(again, data, 10));
  int third = (int)DID("fcntl.dup", "o.dat", NONE, NONE, fcntl(fd, F_DUPFD, 20));
  DID("read", "o.dat", 20, 10, read(third, data, 10));
  DID("fcntl.dup", "o.dat", NONE, NONE, fcntl(fd, F_DUPFD_CLOEXEC, 30));
  DID("close", "o.dat", NONE, NONE, close(fd));
  DID("read", "o.dat", 30, 10, read(third, data, 10));
  int apart = (int)DID("open", "o.dat", NONE, NONE, open("o.dat", O_RDONLY)); /* an offset of its own */
  DID("read", "o.dat", 0, 10, read(apart, data, 10));
  DID("dup", "o.dat", NONE, NONE, dup2(third, apart));
  DID("read", "o.dat", 40, 10, read(apart, data, 10));
  DID("dup", "o.dat", NONE, NONE, dup3(third, 40, O_CLOEXEC));
  DID("read", "o.dat", 50, 50, read(40, data, 50));
  DID("dup", "o.dat", NONE, NONE, dup2(third, third));
  DID("dup", "", NONE, NONE, dup2(77, 78));

  /* A child moves the offset of both. */
  pid_t child = fork();
  if (child == 0) {
    DID("read", "o.dat", 100, 25, read(third, data, 25));
    DID("lseek", "o.dat", 5, NONE, lseek(third, 5, SEEK_CUR));
    _exit(0);
  }
  waitpid(child, NULL, 0);
  DID("read", "o.dat", 130, 20, read(third, data, 20));
  DID("lseek", "o.dat", 0, NONE, lseek(third, 0, SEEK_CUR));
  int after = (int)DID("open", "o.dat", NONE, NONE, open("o.dat", O_RDONLY));
  DID("read", "o.dat", 0, 8, read(after, data, 8));

  /* The end of the file is where appending writes, whoever made it grow. */
  int end = (int)DID("open", "append.dat", NONE, NONE, open("append.dat", O_CREAT | O_RDWR | O_APPEND, 0600));
  int other = (int)DID("open", "append.dat", NONE, NONE, open("append.dat", O_WRONLY));
  DID("write", "append.dat", 0, 5, write(end, data, 5));
  DID("pwrite", "append.dat", 5, 5, pwrite(other, data, 5, 5));
  DID("write", "append.dat", 10, 5, write(end, data, 5));
  DID("lseek", "append.dat", 0, NONE, lseek(end, 0, SEEK_SET));
  DID("read", "append.dat", 0, 3, read(end, data, 3));
  DID("fcntl", "append.dat", NONE, F_GETFL, fcntl(end, F_GETFL));
  DID("fcntl", "append.dat", NONE, F_SETFL, fcntl(end, F_SETFL, O_RDWR));
  DID("write", "append.dat", 3, 2, write(end, data, 2));
  DID("fcntl", "append.dat", NONE, F_SETFL, fcntl(end, F_SETFL, O_RDWR | O_APPEND));

  DID("dup", "o.dat", NONE, NONE, dup2(third, 5));
  DID("dup", "append.dat", NONE, NONE, dup2(end, 6));
  execl("/proc/self/exe", "offsets", "again", (char*)NULL);
  return 1;
}
