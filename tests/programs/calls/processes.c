/* SPDX-License-Identifier: Apache-2.0 */
/* Processes of all kinds: fork, vfork, exec, posix_spawn, system, popen; a fork among threads. */
#include "truth.h"

#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;
static char data[100];

static void in_child(const char* name) {
  int fd = (int)DID("open", name, NONE, NONE, open(name, O_CREAT | O_WRONLY, 0600));
  DID("write", name, 0, 10, write(fd, data, 10));
  DID("close", name, NONE, NONE, close(fd));
}

static volatile int stop;
static void* be_busy(void* unused) {
  (void)unused;
  while (!stop) usleep(100);
  return NULL;
}

int main(int count, char** words) {
  if (count > 1) {
    in_child(words[1]);
    return 0;
  }
  int status;
  int shared = (int)DID("open", "shared.dat", NONE, NONE, open("shared.dat", O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  DID("write", "shared.dat", 0, 10, write(shared, data, 10));
  pid_t child = fork();
  if (child == 0) {
    in_child("forked.dat");
    DID("write", "shared.dat", 10, 10, write(shared, data, 10));
    pid_t grandchild = fork();
    if (grandchild == 0) {
      DID("write", "shared.dat", 20, 10, write(shared, data, 10));
      exit(0);
    }
    waitpid(grandchild, &status, 0);
    exit(0);
  }
  waitpid(child, &status, 0);
  DID("write", "shared.dat", 30, 10, write(shared, data, 10));

  /* A vfork child runs in its parent's memory: its calls are told as the parent's, up to exec. */
  told_as_thread = gettid();
  told_as_process = getpid();
  child = vfork();
  if (child == 0) {
    int fd = open("vforked.dat", O_CREAT | O_WRONLY, 0600);
    told("open", "vforked.dat", NONE, NONE, fd, 0);
    close(fd);
    told("close", "", NONE, NONE, 0, 0); /* descriptors of the child are not looked up */
    execl("/proc/self/exe", "processes", "after-vfork.dat", (char*)NULL);
    _exit(1);
  }
  told_as_thread = told_as_process = 0;
  waitpid(child, &status, 0);
  int next = (int)DID("open", "next.dat", NONE, NONE, open("next.dat", O_CREAT | O_RDWR, 0600));
  DID("write", "next.dat", 0, 10, write(next, data, 10));
  child = vfork(); /* and one that ends at once */
  if (child == 0) _exit(7);
  waitpid(child, &status, 0);
  if (WEXITSTATUS(status) != 7) return 2;

  char* arguments[] = {"processes", "spawned.dat", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, next, 9);
  if (posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environ) != 0) return 3;
  waitpid(child, &status, 0);
  child = fork();
  if (child == 0) {
    char* more[] = {"processes", "executed.dat", NULL};
    execv("/proc/self/exe", more);
    _exit(1);
  }
  waitpid(child, &status, 0);
  if (system("exit 3") != 3 << 8) return 4;
  FILE* pipe = popen("echo hello", "r");
  char line[64] = "";
  told("fread", "pipe:[1]", NONE, 63, fgets(line, sizeof line, pipe) ? (long)strlen(line) : 0, 0);
  if (strcmp(line, "hello\n") != 0 || pclose(pipe) != 0) return 5;
  DID("write", "next.dat", 10, 10, write(next, data, 10));

  pthread_t thread;
  pthread_create(&thread, NULL, be_busy, NULL);
  for (int i = 0; i < 20; ++i) {
    child = fork();
    if (child == 0) {
      char name[32];
      snprintf(name, sizeof name, "child-%d.dat", i);
      in_child(name);
      _exit(i);
    }
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) != i) return 6;
  }
  stop = 1;
  pthread_join(thread, NULL);
  child = fork(); /* a child that execs nothing, writes nothing and is killed */
  if (child == 0) {
    DID("write", "next.dat", 20, 5, write(next, data, 5));
    kill(getpid(), 9);
  }
  waitpid(child, &status, 0);
  DID("lseek", "next.dat", 0, NONE, lseek(next, 0, SEEK_CUR));
  return 0;
}
