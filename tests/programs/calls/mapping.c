/* SPDX-License-Identifier: Apache-2.0 */
/* Mapped files; anonymous memory is none of ours. */
#include "truth.h"

#include <sys/mman.h>

int main(void) {
  int fd = (int)DID("open", "map.dat", NONE, NONE, open("map.dat", O_CREAT | O_RDWR, 0600));
  DID("ftruncate", "map.dat", 65536, NONE, ftruncate(fd, 65536));
  char* at = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096);
  told("mmap", "map.dat", 4096, 16384, at == MAP_FAILED ? -errno : 0, 0);
  memset(at, 1, 16384);
  DID("msync", "map.dat", NONE, 4096, msync(at, 4096, MS_SYNC));
  DID("msync", "map.dat", NONE, 4096, msync(at + 8192, 4096, MS_SYNC));
  char* more = mremap(at, 16384, 32768, MREMAP_MAYMOVE);
  char* anonymous = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(anonymous, 4096);
  DID("close", "map.dat", NONE, NONE, close(fd));
  DID("munmap", "map.dat", NONE, 32768, munmap(more, 32768));
  munmap(more, 32768);
  return 0;
}
