/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that do I/O before main and after it; a library that comes and goes. */
#include <dlfcn.h>

#include "truth.h"

struct Early {
  int fd;
  Early() {
    fd = (int)DID("open", "early.dat", NONE, NONE, open("early.dat", O_CREAT | O_RDWR, 0600));
    DID("write", "early.dat", 0, 5, write(fd, "early", 5));
  }
  ~Early() {
    DID("write", "early.dat", 8, 4, write(fd, "late", 4));
    DID("close", "early.dat", NONE, NONE, close(fd));
  }
} early;

int main(int, char** words) {
  char path[4096];
  snprintf(path, sizeof path, "%s_library.so", words[0]);
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return 1;
  reinterpret_cast<int (*)(int)>(dlsym(library, "called"))(early.fd);
  dlclose(library);
  return 0;
}
