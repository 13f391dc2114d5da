/* SPDX-License-Identifier: Apache-2.0 */
/* Ways for a program to end: whatever it did before is in the trace. */
#include "truth.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

static const char* how;
static char data[100];

static void* end_here(void* unused) {
  (void)unused;
  DID("write", "end.dat", 10, 5, write(3, data, 5));
  if (strcmp(how, "exit-in-thread") == 0) exit(5);
  if (strcmp(how, "last-thread") == 0) {
    usleep(1500000);  // longer than whoever collects what dead processes leave waits between two looks
    DID("write", "end.dat", 15, 5, write(3, data, 5));
  }
  return NULL;
}

static void at_the_end(void) { DID("write", "end.dat", 10, 7, write(3, data, 7)); }

int main(int count, char** words) {
  how = words[1];
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  DID("open", "end.dat", NONE, NONE, open("end.dat", O_CREAT | O_RDWR, 0600));
  DID("write", "end.dat", 0, 10, write(3, data, 10));
  pthread_t thread;
  if (strcmp(how, "exit-in-thread") == 0 || strcmp(how, "last-thread") == 0) pthread_create(&thread, NULL, end_here, NULL);
  if (strcmp(how, "exit-in-thread") == 0) pause();
  if (strcmp(how, "last-thread") == 0) pthread_exit(NULL);
  if (strcmp(how, "atexit") == 0) {
    atexit(at_the_end);
    exit(5);
  }
  if (strcmp(how, "_exit") == 0) _exit(5);
  if (strcmp(how, "quick_exit") == 0) quick_exit(5);
  if (strcmp(how, "bare") == 0) bare(SYS_exit_group, 5, 0, 0, 0);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(how, "crash") == 0) *(volatile int*)0 = 1;
  if (strcmp(how, "bad-exec") == 0) {
    char* arguments[] = {"none", NULL};
    execv("/does/not/exist", arguments);
    DID("write", "end.dat", 10, 5, write(3, data, 5));
    return 5;
  }
  return 5;
}
