/* SPDX-License-Identifier: Apache-2.0 */
/* Writes its count of finished calls into a file, again and again, from THREADS threads (a file each), until it ends in the way asked:
 *   kill: for ever (somebody kills it)   pause: waits to be killed after COUNT calls   abort, _exit, exit, thread_exit, segv, raise_term: after COUNT calls of the first thread
 * usage: end_badly FOLDER WAY COUNT THREADS */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* folder;
static const char* way;
static long count;

static void end(void) {
  if (!strcmp(way, "abort")) abort();
  if (!strcmp(way, "_exit")) _exit(7);
  if (!strcmp(way, "exit") || !strcmp(way, "thread_exit")) exit(7);
  if (!strcmp(way, "segv")) *(volatile int*)8 = 1;
  if (!strcmp(way, "raise_term")) raise(SIGTERM);
  if (!strcmp(way, "pause")) pause();
}

static void* run(void* argument) {
  char path[4096];
  snprintf(path, sizeof path, "%s/count.%ld", folder, (long)(intptr_t)argument);
  const int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
  if (fd < 0) exit(2);
  for (uint64_t i = 1;; ++i) {
    if (pwrite(fd, &i, sizeof i, 0) != sizeof i) exit(2);
    if (argument == NULL && strcmp(way, "kill") != 0 && i == (uint64_t)count) end();
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  folder = argv[1];
  way = argv[2];
  count = atol(argv[3]);
  const long threads = atol(argv[4]);
  pthread_t other;
  for (long i = 1; i < threads; ++i) pthread_create(&other, NULL, run, (void*)(intptr_t)i);
  if (!strcmp(way, "thread_exit")) {
    pthread_create(&other, NULL, run, NULL);
    pause();
  }
  run(NULL);
  return 0;
}
