// SPDX-License-Identifier: Apache-2.0
// A program without MPI opens a module that has it and keeps its symbols to itself, as Python does. usage: plugin_host MODULE FILE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  void* const module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!module) return fprintf(stderr, "%s\n", dlerror()), 3;
  int (*work)(const char*) = (int (*)(const char*))dlsym(module, "work");
  return work ? work(argv[2]) : 4;
}
