/* SPDX-License-Identifier: Apache-2.0 */
/* read, write and their vectored, positioned and flagged relatives; short reads at the end of the file. */
#include "truth.h"

#include <sys/uio.h>

int main(void) {
  static char data[100000];
  struct iovec pieces[3] = {{data, 10}, {data + 100, 20}, {data + 200, 30}};
  int fd = (int)DID("open", "m.dat", NONE, NONE, open("m.dat", O_CREAT | O_RDWR, 0600));
  DID("write", "m.dat", 0, 1000, write(fd, data, 1000));
  DID("write", "m.dat", 1000, 0, write(fd, data, 0));
  DID("writev", "m.dat", 1000, 60, writev(fd, pieces, 3));
  DID("pwrite", "m.dat", 5000, 77, pwrite(fd, data, 77, 5000));
  DID("pwritev", "m.dat", 6000, 30, pwritev(fd, pieces, 2, 6000));
  DID("pwritev2", "m.dat", 7000, 60, pwritev2(fd, pieces, 3, 7000, RWF_DSYNC));
  DID("pwritev2", "m.dat", 1060, 10, pwritev2(fd, pieces, 1, -1, 0));
  DID("write", "m.dat", 1070, 5, write(fd, data, 5));
  DID("lseek", "m.dat", 0, NONE, lseek(fd, 0, SEEK_SET));
  DID("read", "m.dat", 0, 500, read(fd, data, 500));
  DID("readv", "m.dat", 500, 60, readv(fd, pieces, 3));
  DID("pread", "m.dat", 7000, 100, pread(fd, data, 100, 7000)); /* 60 are there */
  DID("preadv", "m.dat", 100, 60, preadv(fd, pieces, 3, 100));
  DID("preadv2", "m.dat", 200, 30, preadv2(fd, pieces, 2, 200, 0));
  DID("preadv2", "m.dat", 560, 10, preadv2(fd, pieces, 1, -1, 0));
  DID("read", "m.dat", 570, 100000, read(fd, data, 100000)); /* short: 7060 - 570 */
  DID("read", "m.dat", 7060, 100, read(fd, data, 100));      /* the end */
  DID("pread", "m.dat", 90000, 100, pread(fd, data, 100, 90000));
  DID("lseek", "m.dat", -60, NONE, lseek(fd, -60, SEEK_END));
  DID("read", "m.dat", 7000, 10, read(fd, data, 10));
  DID("lseek", "m.dat", 20, NONE, lseek(fd, 20, SEEK_CUR));
  DID("write", "m.dat", 7030, 40, write(fd, data, 40));
  DID("close", "m.dat", NONE, NONE, close(fd));
  return 0;
}
