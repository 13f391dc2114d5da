/* SPDX-License-Identifier: Apache-2.0 */
/* One task of several, by the batch system's number, without MPI: COUNT writes of 1000 + number bytes each to a file of its own below FOLDER,
 * then half of them read back. With `wait` it then makes a link FOLDER/ready.NUMBER and waits to be ended.
 * usage: task_writes FOLDER COUNT [wait] */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static char data[4096];
  char path[4096];
  if (argc < 3) return 2;
  const char* const number = getenv("SLURM_PROCID");
  if (!number) return 2;
  const size_t size = 1000 + (size_t)atol(number);
  const long count = atol(argv[2]);
  snprintf(path, sizeof path, "%s/task.%s", argv[1], number);
  const int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
  if (fd < 0) return 3;
  for (long i = 0; i < count; ++i)
    if (pwrite(fd, data, size, (off_t)(i * (long)size)) != (ssize_t)size) return 3;
  for (long i = 0; i < count / 2; ++i)
    if (pread(fd, data, size, (off_t)(i * (long)size)) != (ssize_t)size) return 3;
  if (argc > 3) {
    snprintf(path, sizeof path, "%s/ready.%s", argv[1], number);
    symlink("ready", path);
    for (;;) pause();
  }
  return close(fd) == 0 ? 0 : 3;
}
