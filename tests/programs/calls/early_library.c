/* SPDX-License-Identifier: Apache-2.0 */
/* A library that does I/O when it is loaded, when it is called and when it is unloaded. */
#include "truth.h"

__attribute__((constructor)) static void loaded(void) {
  int fd = (int)DID("open", "library.dat", NONE, NONE, open("library.dat", O_CREAT | O_WRONLY, 0600));
  DID("write", "library.dat", 0, 10, write(fd, "0123456789", 10));
  DID("close", "library.dat", NONE, NONE, close(fd));
}

int called(int fd) { return (int)DID("write", "early.dat", 5, 3, write(fd, "abc", 3)); }

__attribute__((destructor)) static void unloaded(void) { DID("unlink", "library.dat", NONE, NONE, unlink("library.dat")); }
