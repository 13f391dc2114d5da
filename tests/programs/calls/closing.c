/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that close what they did not open: standard descriptors, ranges, all there are. */
#include "truth.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif

int main(int count, char** words) {
  static char data[100];
  const char* how = words[1];
  int fd = (int)DID("open", "c.dat", NONE, NONE, open("c.dat", O_CREAT | O_RDWR, 0600));
  if (strcmp(how, "standard") == 0) {
    DID("close", getenv("HAS_STDIN"), NONE, NONE, close(0));
    DID("close", getenv("HAS_STDOUT"), NONE, NONE, close(1));
    DID("close", getenv("HAS_STDERR"), NONE, NONE, close(2));
    int zero = (int)DID("open", "zero.dat", NONE, NONE, open("zero.dat", O_CREAT | O_RDWR, 0600)); /* descriptor 0 */
    int one = (int)DID("open", "one.dat", NONE, NONE, open("one.dat", O_CREAT | O_RDWR, 0600));
    int two = (int)DID("open", "two.dat", NONE, NONE, open("two.dat", O_CREAT | O_RDWR, 0600));
    DID("write", "zero.dat", 0, 1, write(zero, data, 1));
    DID("write", "one.dat", 0, 2, write(one, data, 2));
    DID("write", "two.dat", 0, 3, write(two, data, 3));
  } else if (strcmp(how, "range") == 0) {
    int other = (int)DID("open", "other.dat", NONE, NONE, open("other.dat", O_CREAT | O_RDWR, 0600));
    DID("write", "other.dat", 0, 10, write(other, data, 10));
    DID("close_range", "", NONE, NONE, close_range(other, other, 0));
    int again = (int)DID("open", "c.dat", NONE, NONE, open("c.dat", O_RDWR));
    DID("close_range", "", NONE, NONE, close_range((unsigned)again, ~0u, CLOSE_RANGE_CLOEXEC));
    DID("read", "c.dat", 0, 10, read(again, data, 10));
    DID("write", "c.dat", 0, 10, write(fd, data, 10));
  } else if (strcmp(how, "from") == 0) {
    errno = 7777;
    closefrom(3);
    told("close_range", "", NONE, NONE, 0, errno);
    DID("write", "", NONE, 10, write(fd, data, 10));
  } else { /* as daemons do it */
    for (int i = 0; i < 256; ++i) {
      const char* file = i == 0 ? getenv("HAS_STDIN") : i == 1 ? getenv("HAS_STDOUT") : i == 2 ? getenv("HAS_STDERR") : i == fd ? "c.dat" : "";
      DID("close", file, NONE, NONE, close(i));
    }
  }
  int last = (int)DID("open", "last.dat", NONE, NONE, open("last.dat", O_CREAT | O_RDWR, 0600));
  DID("write", "last.dat", 0, 10, write(last, data, 10));
  return 0;
}
