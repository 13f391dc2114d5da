/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: each thread's calls are its own; one is cancelled in the middle of a read. */
#include "truth.h"

#include <pthread.h>

static pthread_barrier_t start;

static void* work(void* number) {
  char name[32], data[100] = "";
  snprintf(name, sizeof name, "t%ld.dat", (long)number);
  pthread_barrier_wait(&start);
  for (int round = 0; round < 3; ++round) {
    int fd = open(name, O_CREAT | O_RDWR, 0600);
    told("open", name, NONE, NONE, fd, 0);
    for (int i = 0; i < 50; ++i) DID("write", name, i * 10, 10, write(fd, data, 10));
    DID("pread", name, 5, 100, pread(fd, data, 100, 5));
    DID("close", name, NONE, NONE, close(fd));
  }
  return NULL;
}

static int ends[2];

static void* wait_for_nothing(void* name) {
  char data[10];
  DID("write", name, NONE, 1, write(ends[1], "x", 1));
  DID("read", name, NONE, 10, read(ends[0], data, 10));
  told_as_thread = 0;
  read(ends[0], data, 10); /* nothing comes: cancelled here, so the call never ends */
  return NULL;
}

static FILE* log_file;
static void* write_log(void* number) {
  (void)number;
  pthread_barrier_wait(&start);
  for (int i = 0; i < 200; ++i) fprintf(log_file, "a line of %d letters", 20);
  for (int i = 0; i < 100; ++i) putc('.', log_file);
  return NULL;
}

int main(int count, char** words) {
  pthread_t threads[4];
  pthread_barrier_init(&start, NULL, 4);
  if (count > 1) { /* all threads into one stream: the sum is what can be known */
    log_file = fopen("log.txt", "w");
    for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, write_log, (void*)i);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    return fclose(log_file);
  }
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  if (pipe(ends) != 0) return 1;
  pthread_create(&threads[0], NULL, wait_for_nothing, "pipe:[1]");
  usleep(200000);
  pthread_cancel(threads[0]);
  void* how;
  pthread_join(threads[0], &how);
  if (how != PTHREAD_CANCELED) return 3;
  DID("write", "pipe:[1]", NONE, 3, write(ends[1], "abc", 3)); /* nothing is left locked */
  char data[10];
  DID("read", "pipe:[1]", NONE, 10, read(ends[0], data, 10));
  return 0;
}
