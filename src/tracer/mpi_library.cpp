// SPDX-License-Identifier: Apache-2.0
#include "tracer/mpi_library.h"

#include "trace_format/record.h"
#include "trace_format/text.h"
#include "tracer/question.h"

namespace fathom::trace::mpi {
namespace {

/// Open MPI's handles are addresses of these objects.
long address_of(const char* name) { return reinterpret_cast<long>(find_object(name)); }

Flavour find_flavour() {
  if (const long world = address_of("ompi_mpi_comm_world"))
    return {world, address_of("ompi_mpi_byte"), address_of("ompi_mpi_info_null"), 0, 24, true, 35, 41, 44};
  // The MPICH ABI: also of Intel, Cray and MVAPICH.
  return {0x44000000, 0x4c00010d, 0x1c000000, 1, 20, false, 32, 36, 39};
}

constexpr int success = 0;

constinit Question<int, long, long*> ask_type_size("PMPI_Type_size_x", error_other);
constinit Question<int, long, long*, long*> ask_type_extent("PMPI_Type_get_extent_x", error_other);
constinit Question<int, const void*, long, long*> ask_elements("PMPI_Get_elements_x", error_other);
constinit Question<int, int, int*> ask_error_class("PMPI_Error_class", error_other);
constinit Question<int, long, long*> ask_position("PMPI_File_get_position", error_other);
constinit Question<int, long, long, long*> ask_byte_offset("PMPI_File_get_byte_offset", error_other);
constinit Question<int, long> ask_barrier("PMPI_Barrier", error_other);
constinit Question<int, long, int*> ask_rank("PMPI_Comm_rank", error_other);
constinit Question<int, long, int*> ask_ranks("PMPI_Comm_size", error_other);
constinit Question<int, char*, int*> ask_version("PMPI_Get_library_version", error_other);
constinit Question<int, long, long*> ask_hints("PMPI_File_get_info", error_other);
constinit Question<int, long, int*> ask_hint_count("PMPI_Info_get_nkeys", error_other);
constinit Question<int, long, int, char*> ask_hint_name("PMPI_Info_get_nthkey", error_other);
constinit Question<int, long, const char*, int, char*, int*> ask_hint("PMPI_Info_get", error_other);
constinit Question<int, long*> free_hints("PMPI_Info_free", error_other);

}  // namespace

const Flavour& flavour() {
  static bool known = false;
  static Flavour found;
  // A race finds the same twice.
  if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
    found = find_flavour();
    __atomic_store_n(&known, true, __ATOMIC_RELEASE);
  }
  return found;
}

std::uint64_t request_at(long requests, int index) {
  if (flavour().wide_requests) return reinterpret_cast<const std::uint64_t*>(requests)[index];
  return reinterpret_cast<const std::uint32_t*>(requests)[index];
}

std::int64_t type_size(long type) {
  long size = 0;
  return ask_type_size(type, &size) == success ? size : -1;
}

bool type_is_dense(long type) {
  long least = 0, extent = 0;
  return ask_type_extent(type, &least, &extent) == success && least == 0 && extent == type_size(type);
}

std::int64_t bytes_of_status(const void* status) {
  long bytes = 0;
  return ask_elements(status, flavour().byte, &bytes) == success ? bytes : -1;
}

int error_class(int error) {
  int found = error_other;
  return ask_error_class(error, &found) == success ? found : error_other;
}

std::int64_t position(long file) {
  long at = -1;
  return ask_position(file, &at) == success ? at : -1;
}

std::int64_t byte_offset(long file, std::int64_t element) {
  long at = -1;
  return ask_byte_offset(file, element, &at) == success && at >= 0 ? at : no_offset;
}

void barrier() { ask_barrier(flavour().world); }

void who(int& rank, int& ranks) {
  rank = ranks = -1;
  ask_rank(flavour().world, &rank);
  ask_ranks(flavour().world, &ranks);
}

const char* version() {
  static char text[8192];  // what MPICH asks for; the others want less
  int length = 0;
  if (ask_version(text, &length) != success) return nullptr;
  for (char* c = text; *c; ++c)
    if (*c == '\n') *c = 0;
  for (char* c = text; *c; ++c)
    if (*c == '\t') *c = ' ';
  return text;
}

void for_each_hint(long file, void (*each)(const char* text, std::size_t bytes, void* data), void* data) {
  long hints = 0;
  int count = 0;
  if (ask_hints(file, &hints) != success) return;
  if (ask_hint_count(hints, &count) != success) count = 0;
  for (int i = 0; i < count; ++i) {
    constexpr int longest = 1024;
    char name[260], value[longest + 1];
    int there = 0;
    if (ask_hint_name(hints, i, name) != success || ask_hint(hints, name, longest, value, &there) != success || !there) continue;
    Text<1400> text;
    text.add(name).add('=').add(value);
    each(text.data, text.size, data);
  }
  free_hints(&hints);
}

}  // namespace fathom::trace::mpi
