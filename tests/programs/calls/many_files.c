/* SPDX-License-Identifier: Apache-2.0 */
/* No descriptor is left: the program gets as many as without the tracer, and sees the same error. */
#include "truth.h"

#include <sys/resource.h>

int main(void) {
  struct rlimit few = {40, 40};
  setrlimit(RLIMIT_NOFILE, &few);
  int fd, count = 0;
  while ((fd = open("many.dat", O_CREAT | O_RDWR, 0600)) >= 0) count = fd;
  if (errno != EMFILE || count != 39) return 1;
  char data[10] = "";
  for (int i = 0; i < 20000; ++i)
    if (pwrite(count, data, 10, i) != 10) return 2;
  return 0;
}
