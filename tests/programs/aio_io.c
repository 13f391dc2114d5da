// SPDX-License-Identifier: Apache-2.0
// Asynchronous calls of POSIX and of libaio, with numbers that trace_aio.py knows. usage: aio_io FILE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char data[65536];

static ssize_t finish(struct aiocb* request) {
  const struct aiocb* const list[] = {request};
  while (aio_error(request) == EINPROGRESS) aio_suspend(list, 1, NULL);
  return aio_return(request);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int file = open(argv[1], O_CREAT | O_RDWR | O_TRUNC, 0644);
  memset(data, 'x', sizeof data);
  struct aiocb one;
  memset(&one, 0, sizeof one);
  one.aio_fildes = file;
  one.aio_buf = data;
  one.aio_nbytes = 10000;
  aio_write(&one);
  printf("%zd", finish(&one));
  one.aio_offset = 6000;  // 4,000 bytes before the end
  aio_read(&one);
  printf(" %zd", finish(&one));
  struct aiocb two = one, *both[] = {&one, &two};
  one.aio_lio_opcode = LIO_WRITE;
  one.aio_offset = 20000;
  two.aio_lio_opcode = LIO_READ;
  two.aio_offset = 0;
  lio_listio(LIO_WAIT, both, 2, NULL);
  printf(" %zd", finish(&one));
  printf(" %zd\n", finish(&two));

  io_context_t queue = 0;
  struct iocb a, b, bad, *list[] = {&a, &b, &bad};
  struct io_event events[4];
  struct iovec pieces[2] = {{data, 1000}, {data, 3000}};
  io_setup(8, &queue);
  io_prep_pwrite(&a, file, data, 4096, 0);
  io_prep_pread(&b, file, data, 8192, 28000);  // 2,000 bytes before the end
  io_prep_pread(&bad, -1, data, 8192, 0);      // refused: the first two are taken
  printf("%d taken\n", io_submit(queue, 3, list));
  for (int got = 0; got < 2;) got += io_getevents(queue, 1, 4, events + got, NULL);
  // the same by number, as programs without the library do
  io_prep_pwritev(&a, file, pieces, 2, 40000);
  printf("%ld taken\n", (long)syscall(SYS_io_submit, queue, 1L, list));
  printf("%ld done\n", (long)syscall(SYS_io_getevents, queue, 1L, 4L, events, NULL));
  io_destroy(queue);
  close(file);
  return 0;
}
