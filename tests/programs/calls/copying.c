/* SPDX-License-Identifier: Apache-2.0 */
/* From one descriptor to another inside the kernel. */
#include "truth.h"

#include <sys/sendfile.h>

int main(void) {
  static char data[10000];
  int from = (int)DID("open", "from.dat", NONE, NONE, open("from.dat", O_CREAT | O_RDWR, 0600));
  int to = (int)DID("open", "to.dat", NONE, NONE, open("to.dat", O_CREAT | O_RDWR, 0600));
  DID("write", "from.dat", 0, 10000, write(from, data, 10000));
  DID("lseek", "from.dat", 100, NONE, lseek(from, 100, SEEK_SET));
  DID_TWO("copy_file_range", "from.dat", 100, "to.dat", 0, 500, copy_file_range(from, NULL, to, NULL, 500, 0));
  off_t a = 2000, b = 3000;
  DID_TWO("copy_file_range", "from.dat", 2000, "to.dat", 3000, 100, copy_file_range(from, &a, to, &b, 100, 0));
  DID_TWO("sendfile", "from.dat", 600, "to.dat", 500, 50, sendfile(to, from, NULL, 50));
  DID_TWO("sendfile", "from.dat", 2100, "to.dat", 550, 60, sendfile(to, from, &a, 60));
  DID_TWO("sendfile", "from.dat", 9990, "to.dat", 610, 60, (a = 9990, sendfile(to, from, &a, 60))); /* 10 are left */
  DID("read", "from.dat", 650, 10, read(from, data, 10));
  DID("write", "to.dat", 620, 10, write(to, data, 10));
  int ends[2];
  if (pipe(ends) != 0) return 1;
  char name[2][64];
  for (int i = 0; i < 2; ++i) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", ends[i]);
    name[i][bare(SYS_readlink, (long)link, (long)name[i], 63, 0)] = 0;
  }
  DID_TWO("splice", "from.dat", 660, name[1], NONE, 300, splice(from, NULL, ends[1], NULL, 300, 0));
  b = 5000;
  DID_TWO("splice", name[0], NONE, "to.dat", 5000, 200, splice(ends[0], NULL, to, &b, 200, 0));
  DID("read", name[0], NONE, 1000, read(ends[0], data, 1000)); /* what is left: 100 */
  DID("write", name[1], NONE, 7, write(ends[1], data, 7));
  DID("read", "from.dat", 960, 1, read(from, data, 1));
  return 0;
}
