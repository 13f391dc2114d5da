/* SPDX-License-Identifier: Apache-2.0 */
/* Signal handlers that do I/O, over and over, in the middle of anything: every byte is recorded once. Interrupted reads. */
#include "truth.h"

#include <signal.h>
#include <sys/time.h>

static int log_fd;
static volatile sig_atomic_t count;

static void on_alarm(int number) {
  (void)number;
  const int kept = errno;
  if (count < 300 && write(log_fd, "tick\n", 5) == 5) ++count;
  errno = kept;
}

static void on_user(int number) { (void)number; }

int main(int arguments, char** words) {
  static char data[100];
  if (arguments == 1) {
    struct sigaction action = {.sa_handler = on_user};
    sigaction(SIGALRM, &action, NULL);
    int ends[2];
    if (pipe(ends) != 0) return 1;
    struct itimerval once = {{0, 0}, {0, 50000}};
    setitimer(ITIMER_REAL, &once, NULL);
    DID("read", "pipe:[1]", NONE, 10, read(ends[0], data, 10)); /* EINTR */
    return 0;
  }
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  log_fd = open("ticks.dat", O_CREAT | O_WRONLY, 0600);
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, NULL);
  int fd = open("main.dat", O_CREAT | O_RDWR, 0600);
  for (long i = 0; count < 300 || i < 20000; ++i) {
    if (i < 20000 && pwrite(fd, data, 10, i * 10) != 10) return 2;
    if (i < 20000 && i % 1000 == 0) close(open("other.dat", O_CREAT | O_RDWR, 0600));
  }
  return 0;
}
