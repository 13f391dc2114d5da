// SPDX-License-Identifier: Apache-2.0
// Not part of the tracer: writes what puts the wrappers into a static program, from the tables of symbols.
// `options`: those of the linker; `mpi-options`: more of them for programs with MPI; `mpi-calls FOLDER`: one small source for each call of
// MPI.
#include <cstdio>
#include <string>

#include "tracer/static_symbols.h"

namespace {

#define FATHOM_NAME(name) #name,
const char* const wrapped[] = {FATHOM_WRAPPED_SYMBOLS};
const char* const calls_of_mpi[] = {FATHOM_MPI_NAMES};
const char* const questions[] = {FATHOM_MPI_QUESTIONS};
#undef FATHOM_NAME

/// A call that leads to its wrapper, in an object of its own: a program takes from the archive only what it calls. It names the real one
/// so that the linker takes that too; the wrappers know it weakly only, and weak names alone take nothing out of an archive.
bool write_call(const std::string& folder, const std::string& name) {
  std::FILE* const file = std::fopen((folder + "/" + name + ".s").c_str(), "w");
  if (!file) return false;
  std::fprintf(file, ".text\n.globl %s\n.type %s, @function\n%s:\n  jmp __wrap_%s@PLT\n.size %s, .-%s\n", name.c_str(), name.c_str(),
               name.c_str(), name.c_str(), name.c_str(), name.c_str());
  std::fprintf(file, ".section .data.rel.ro, \"aw\"\n.quad P%s\n", name.c_str());
  if (name.rfind("MPI_Init", 0) == 0)
    for (const char* question : questions) std::fprintf(file, ".quad %s\n", question);
  std::fprintf(file, ".section .note.GNU-stack, \"\", @progbits\n");
  return std::fclose(file) == 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "mpi-calls" && count > 2) {
    for (const char* name : calls_of_mpi)
      if (!write_call(words[2], name)) return 1;
  } else if (what == "mpi-options") {
    // Also what only libraries of other languages call. Names with _c are of MPI 4: not every library has them.
    for (const std::string name : calls_of_mpi)
      if (!name.ends_with("_c")) std::printf("-Wl,-u,%s\n", name.c_str());
  } else if (what == "options") {
    // -u: the wrappers name the real functions weakly, and weak names alone take nothing out of an archive.
    for (const char* name : wrapped)
      if (__builtin_strcmp(name, "vfork") != 0) std::printf("-Wl,--wrap=%s\n-Wl,-u,%s\n", name, name);
  } else {
    return 2;
  }
  return 0;
}
