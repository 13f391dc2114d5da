// SPDX-License-Identifier: Apache-2.0
// Writes and reads through io_uring with liburing: 8 writes of 4 KiB in one go, then 8 reads one by one. usage: uring_io FILE
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { each = 4096, count = 8 };
static char data[count][each];

static int complete(struct io_uring* ring) {
  struct io_uring_cqe* done;
  if (io_uring_wait_cqe(ring, &done) != 0) return -1;
  const int moved = done->res;
  io_uring_cqe_seen(ring, done);
  return moved;
}

int main(int argc, char** argv) {
  struct io_uring ring;
  long moved = 0;
  const int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (argc < 2 || file < 0 || io_uring_queue_init(count, &ring, 0) != 0) return 77;
  for (unsigned i = 0; i < count; ++i) {
    memset(data[i], 'a' + (int)i, each);
    struct io_uring_sqe* request = io_uring_get_sqe(&ring);
    io_uring_prep_write(request, file, data[i], each, (unsigned long long)i * each);
    io_uring_sqe_set_data64(request, i);
  }
  io_uring_submit(&ring);
  for (int i = 0; i < count; ++i) moved += complete(&ring);
  for (unsigned i = 0; i < count; ++i) {
    struct iovec piece = {data[i], each};
    struct io_uring_sqe* request = io_uring_get_sqe(&ring);
    io_uring_prep_readv(request, file, &piece, 1, (unsigned long long)i * each + 100);
    io_uring_submit_and_wait(&ring, 1);
    moved += complete(&ring);
  }
  io_uring_queue_exit(&ring);
  close(file);
  printf("%ld bytes, %c\n", moved, data[count - 1][0]);
  return 0;
}
