/* SPDX-License-Identifier: Apache-2.0 */
/* open, openat, creat, mkstemp and their like, close; names relative to folders. */
#include "truth.h"

#include <sys/mman.h>
#include <sys/stat.h>

int main(void) {
  int fd = (int)DID("open", "new.dat", NONE, NONE, open("new.dat", O_CREAT | O_RDWR | O_EXCL, 0600));
  DID("open", "new.dat", NONE, NONE, open("new.dat", O_CREAT | O_RDWR | O_EXCL, 0600));
  DID("open", "missing/new.dat", NONE, NONE, open("missing/new.dat", O_RDONLY));
  DID("close", "new.dat", NONE, NONE, close(fd));
  DID("close", "", NONE, NONE, close(fd));
  DID("mkdir", "folder", NONE, NONE, mkdir("folder", 0700));
  int folder = (int)DID("open", "folder", NONE, NONE, open("folder", O_RDONLY | O_DIRECTORY));
  fd = (int)DID("open", "folder/in.dat", NONE, NONE, openat(folder, "in.dat", O_CREAT | O_WRONLY | O_CLOEXEC, 0640));
  DID("write", "folder/in.dat", 0, 5, write(fd, "hello", 5));
  DID("close", "folder/in.dat", NONE, NONE, close(fd));
  DID("open", "new.dat", NONE, NONE, openat(folder, "../new.dat", O_RDONLY));
  DID("chdir", "folder", NONE, NONE, chdir("folder"));
  fd = (int)DID("open", "folder/in.dat", NONE, NONE, open("in.dat", O_RDONLY));
  DID("chdir", "folder", NONE, NONE, fchdir(folder));
  DID("close", "folder/in.dat", NONE, NONE, close(fd));
  DID("chdir", ".", NONE, NONE, chdir(".."));
  fd = (int)DID("creat", "made.dat", NONE, NONE, creat("made.dat", 0600));
  DID("close", "made.dat", NONE, NONE, close(fd));
  char name[] = "tmp-XXXXXX";
  fd = mkstemp(name);
  told("mkstemp", name, NONE, NONE, fd, 0);
  DID("write", name, 0, 3, write(fd, "abc", 3));
  DID("close", name, NONE, NONE, close(fd));
  char other[] = "tmp-XXXXXX.dat";
  fd = mkostemps(other, 4, O_CLOEXEC);
  told("mkstemp", other, NONE, NONE, fd, 0);
  DID("close", other, NONE, NONE, close(fd));
  fd = (int)DID("open", ".", NONE, NONE, open(".", O_TMPFILE | O_RDWR, 0600));
  DID("write", ".", 0, 2, write(fd, "ab", 2));
  DID("close", ".", NONE, NONE, close(fd));
  fd = (int)DID("shm_open", "/dev/shm/fthm-exact", NONE, NONE, shm_open("/fthm-exact", O_CREAT | O_RDWR, 0600));
  DID("ftruncate", "/dev/shm/fthm-exact", 4096, NONE, ftruncate(fd, 4096));
  DID("close", "/dev/shm/fthm-exact", NONE, NONE, close(fd));
  DID("unlink", "/dev/shm/fthm-exact", NONE, NONE, shm_unlink("/fthm-exact"));
  fd = (int)DID("memfd_create", "/memfd:mine", NONE, NONE, memfd_create("mine", 0));
  DID("write", "/memfd:mine", 0, 4, write(fd, "1234", 4));
  DID("close", "/memfd:mine", NONE, NONE, close(fd));
  return 0;
}
