/* SPDX-License-Identifier: Apache-2.0 */
/* Everything about names: making, removing, renaming, asking, changing; folders and what is in them. */
#include "truth.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <utime.h>

static int visit(const char* path, const struct stat* about, int flag, struct FTW* place) {
  (void)path, (void)about, (void)flag, (void)place;
  return 0;
}

int main(void) {
  struct stat about;
  struct statx more;
  struct statfs space;
  struct statvfs room;
  char text[4096];
  DID("mkdir", "d", NONE, NONE, mkdir("d", 0700));
  DID("mkdir", "d", NONE, NONE, mkdir("d", 0700));
  int folder = (int)DID("open", "d", NONE, NONE, open("d", O_RDONLY | O_DIRECTORY));
  DID("mkdir", "d/e", NONE, NONE, mkdirat(folder, "e", 0700));
  int fd = (int)DID("creat", "d/f", NONE, NONE, creat("d/f", 0600));
  DID_TWO("link", "d/f", NONE, "d/g", NONE, NONE, link("d/f", "d/g"));
  DID_TWO("link", "d/g", NONE, "d/h", NONE, NONE, linkat(folder, "g", folder, "h", 0));
  DID_TWO("link", "f", NONE, "d/s", NONE, NONE, symlink("f", "d/s"));
  DID_TWO("link", "f", NONE, "d/t", NONE, NONE, symlinkat("f", folder, "t"));
  DID("readlink", "d/s", NONE, NONE, readlink("d/s", text, sizeof text));
  DID("readlink", "d/t", NONE, NONE, readlinkat(folder, "t", text, sizeof text));
  DID_POINTER("readlink", "d/s", 0, realpath("d/s", text));
  DID_TWO("rename", "d/g", NONE, "d/r", NONE, NONE, rename("d/g", "d/r"));
  DID_TWO("rename", "d/r", NONE, "d/q", NONE, NONE, renameat(folder, "r", folder, "q"));
  DID_TWO("rename", "d/q", NONE, "d/h", NONE, NONE, renameat2(folder, "q", AT_FDCWD, "d/h", RENAME_EXCHANGE));
  DID("mknod", "d/pipe", NONE, NONE, mkfifo("d/pipe", 0600));
  DID("stat", "d/f", NONE, NONE, stat("d/f", &about));
  DID("stat", "d/s", NONE, NONE, lstat("d/s", &about));
  DID("fstat", "d/f", NONE, NONE, fstat(fd, &about));
  DID("stat", "d/f", NONE, NONE, fstatat(folder, "f", &about, 0));
  DID("fstat", "d/f", NONE, NONE, fstatat(fd, "", &about, AT_EMPTY_PATH));
  DID("stat", "d/f", NONE, NONE, statx(folder, "f", 0, STATX_ALL, &more));
  DID("fstat", "d/f", NONE, NONE, statx(fd, "", AT_EMPTY_PATH, STATX_ALL, &more));
  DID("statfs", "d", NONE, NONE, statfs("d", &space));
  DID("statfs", "d/f", NONE, NONE, fstatfs(fd, &space));
  DID("statfs", "d", NONE, NONE, statvfs("d", &room));
  DID("access", "d/f", NONE, NONE, access("d/f", R_OK));
  DID("access", "d/f", NONE, NONE, faccessat(folder, "f", W_OK, 0));
  DID("chmod", "d/f", NONE, NONE, chmod("d/f", 0640));
  DID("chmod", "d/f", NONE, NONE, fchmod(fd, 0600));
  DID("chmod", "d/f", NONE, NONE, fchmodat(folder, "f", 0644, 0));
  DID("chown", "d/f", NONE, NONE, chown("d/f", (uid_t)-1, (gid_t)-1));
  DID("chown", "d/f", NONE, NONE, fchown(fd, (uid_t)-1, (gid_t)-1));
  DID("utime", "d/f", NONE, NONE, utime("d/f", NULL));
  DID("utime", "d/f", NONE, NONE, utimes("d/f", NULL));
  DID("utime", "d/f", NONE, NONE, utimensat(folder, "f", NULL, 0));
  DID("utime", "d/f", NONE, NONE, futimens(fd, NULL));
  DID("xattr", "d/f", NONE, NONE, setxattr("d/f", "user.colour", "blue", 4, 0));
  DID("xattr", "d/f", NONE, NONE, fgetxattr(fd, "user.colour", text, sizeof text));
  DID("xattr", "d/f", NONE, NONE, listxattr("d/f", text, sizeof text));
  DID("xattr", "d/f", NONE, NONE, removexattr("d/f", "user.none"));
  DIR* list = opendir("d");
  told("opendir", "d", NONE, NONE, dirfd(list), 0);
  for (;;) {
    errno = 7777;
    const struct dirent* entry = readdir(list);
    told("readdir", "d", NONE, NONE, entry ? 1 : 0, errno);
    if (!entry) break;
  }
  rewinddir(list);
  told("lseek", "d", 0, NONE, 0, 0);
  DID("closedir", "d", NONE, NONE, closedir(list));
  DID_POINTER("opendir", "missing", 0, opendir("missing"));
  struct dirent** found;
  const int entries = (int)DID("walk", "d", NONE, NONE, scandir("d", &found, NULL, alphasort));
  for (int i = 0; i < entries; ++i) free(found[i]);
  if (entries >= 0) free(found);
  DID("walk", "d", NONE, NONE, nftw("d", visit, 8, FTW_PHYS));
  DID("unlink", "d/f", NONE, NONE, unlink("d/f"));
  DID("unlink", "d/h", NONE, NONE, unlinkat(folder, "h", 0));
  DID("rmdir", "d/e", NONE, NONE, unlinkat(folder, "e", AT_REMOVEDIR));
  DID("rmdir", "d", NONE, NONE, rmdir("d")); /* not empty */
  DID("unlink", "d/q", NONE, NONE, remove("d/q"));
  return 0;
}
