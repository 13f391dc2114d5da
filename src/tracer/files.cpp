// SPDX-License-Identifier: Apache-2.0
#include "tracer/files.h"

#include <linux/stat.h>
#include <sys/stat.h>

#include <cstring>

#include "trace_format/text.h"
#include "tracer/locking.h"
#include "tracer/settings.h"
#include "tracer/shapes.h"
#include "tracer/syscalls.h"

namespace fathom::trace {

std::uint32_t* description_of = nullptr;
Description* descriptions = nullptr;

namespace {

constexpr std::uint32_t most_descriptions = 1u << 20;
std::atomic<std::uint32_t> fresh_description{1};
std::atomic<std::uint64_t> free_descriptions{0};  // a stack: number in the low half, a count of changes in the high half
std::atomic<std::uint32_t> working_folder{0};

/// Names already defined: by hash, so that a name costs its bytes once.
struct Name {
  std::atomic<std::uint64_t> hash;
  std::atomic<std::uint32_t> object;
};
constexpr std::uint32_t name_slots = 1u << 16;
Name* names = nullptr;

struct Mapping {
  std::atomic<std::uintptr_t> from{0};
  std::uintptr_t to = 0;
  std::uint32_t object = 0;
};
constexpr std::uint32_t most_mappings = 4096;
constinit Mapping mappings[most_mappings] = {};
std::atomic<std::uint32_t> mappings_used{0};

Lock making_tables;

void* pages(std::size_t bytes) { return raw::map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE); }

/// Address space for the largest tables there can be; memory is used where something is written.
bool make_tables() {
  if (description_of) return true;
  Holding lock(making_tables);
  if (description_of) return true;
  void* const all = pages(sizeof(Description) * most_descriptions);
  void* const name_table = pages(sizeof(Name) * name_slots);
  void* const by_number = pages(sizeof(std::uint32_t) * most_descriptors);
  if (!all || !name_table || !by_number) return false;
  descriptions = static_cast<Description*>(all);
  names = static_cast<Name*>(name_table);
  __atomic_store_n(&description_of, static_cast<std::uint32_t*>(by_number), __ATOMIC_RELEASE);
  return true;
}

std::uint32_t take_description() {
  std::uint64_t head = free_descriptions.load();
  while (static_cast<std::uint32_t>(head) != 0) {
    const auto number = static_cast<std::uint32_t>(head);
    // The next of the stack stands in a free one's object.
    const std::uint64_t next = ((head >> 32) + 1) << 32 | descriptions[number].object;
    if (free_descriptions.compare_exchange_weak(head, next)) return number;
  }
  const std::uint32_t number = fresh_description.fetch_add(1);
  return number < most_descriptions ? number : 0;
}

void release(std::uint32_t number) {
  if (number == 0 || descriptions[number].references.fetch_sub(1) != 1) return;
  std::uint64_t head = free_descriptions.load();
  do descriptions[number].object = static_cast<std::uint32_t>(head);
  while (!free_descriptions.compare_exchange_weak(head, ((head >> 32) + 1) << 32 | number));
}

std::atomic<std::uint32_t> highest{0};

void set_descriptor(int fd, std::uint32_t number) {
  std::uint32_t top = highest.load(std::memory_order_relaxed);
  while (number != 0 && static_cast<std::uint32_t>(fd) > top && !highest.compare_exchange_weak(top, static_cast<std::uint32_t>(fd))) {
  }
  const std::uint32_t before = __atomic_exchange_n(&description_of[fd], number, __ATOMIC_ACQ_REL);
  release(before);
}

FileKind kind_of(unsigned mode, const char* link) {
  switch (mode & S_IFMT) {
    case S_IFREG: return std::strncmp(link, "/proc/", 6) == 0 || std::strncmp(link, "/sys/", 5) == 0 ? FileKind::pseudo : FileKind::regular;
    case S_IFDIR: return FileKind::directory;
    case S_IFIFO: return FileKind::pipe;
    case S_IFSOCK: return FileKind::socket;
    case S_IFCHR: return FileKind::character;
    case S_IFBLK: return FileKind::block;
    default: return FileKind::anonymous;
  }
}

struct Facts {
  Definition definition{};
  std::int64_t born = 0;
  FileKind kind = FileKind::unknown;
  bool known = false;
};

/// What the kernel knows without asking a file server.
Facts facts_of(int folder, const char* name, const char* path) {
  Facts facts;
  struct statx about;
  const long result = raw::call(SYS_statx, folder, raw::number(name), (*name ? 0 : AT_EMPTY_PATH) | AT_STATX_DONT_SYNC,
                                STATX_BASIC_STATS | STATX_BTIME, raw::number(&about));
  if (raw::failed(result)) return facts;
  facts.known = true;
  facts.definition.inode = about.stx_ino;
  facts.definition.device = static_cast<std::uint64_t>(about.stx_dev_major) << 32 | about.stx_dev_minor;
  facts.definition.size = static_cast<std::int64_t>(about.stx_size);
  facts.kind = kind_of(about.stx_mode, path);
  facts.definition.detail = static_cast<std::uint32_t>(facts.kind);
  if (about.stx_mask & STATX_BTIME) {
    facts.born = about.stx_btime.tv_sec * 1'000'000'000 + about.stx_btime.tv_nsec;
    // File systems use the numbers of deleted files again: some bits of the birth tell the files apart.
    facts.definition.device |= (static_cast<std::uint64_t>(facts.born) >> 10 & 0xfffff) << 44;
  }
  return facts;
}

bool made_by_call(const Facts& facts, int flags, std::int64_t not_before) {
  return (flags & O_CREAT) != 0 && ((flags & O_EXCL) != 0 || (facts.born != 0 && facts.born >= not_before));
}

/// `name` if it is no path, such as that of a pipe.
Description* add_description(int fd, std::uint32_t path, int flags, const Facts& facts, bool ignored, const char* name = nullptr) {
  const std::uint32_t number = take_description();
  if (number == 0) return nullptr;
  Description& made = descriptions[number];
  made.references.store(1);
  made.characters.store(0);
  made.stream = nullptr;
  made.stream_position.store(0);
  made.mark = 0;
  made.stream_unsure = false;
  made.size = facts.definition.size;
  made.kind = facts.kind;
  made.seekable = facts.kind == FileKind::regular || facts.kind == FileKind::block || facts.kind == FileKind::pseudo;
  made.append = (flags & O_APPEND) != 0;
  made.ignored = ignored;
  made.epoch = fork_epoch;
  made.position.store(0);
  made.object = 0;
  if (!ignored) {
    made.object = new_object();
    if (facts.kind != FileKind::regular && facts.kind != FileKind::block) made.object |= no_data;
    Definition definition = facts.definition;
    definition.open_flags = static_cast<std::uint32_t>(flags);
    define(made.object, DefinitionKind::handle, path, name, name ? std::strlen(name) : 0, definition);
  }
  set_descriptor(fd, number);
  return &made;
}

/// An absolute name, for patterns.
void join(int folder, const char* path, Text<4200>& full) {
  char base[4096];
  long length = 0;
  if (path[0] != '/') {
    if (folder == AT_FDCWD) {
      length = raw::call(SYS_getcwd, raw::number(base), sizeof base) - 1;
    } else {
      Text<40> link;
      link.add("/proc/self/fd/").number(static_cast<std::uint64_t>(folder));
      length = raw::call(SYS_readlink, raw::number(link.data), raw::number(base), sizeof base);
    }
    if (length > 0) full.add(base, static_cast<std::size_t>(length)).add('/');
  }
  full.add(path);
}

std::uint32_t define_name(std::uint32_t folder, const char* path, std::size_t length) {
  const std::uint32_t object = new_object();
  return define(object, DefinitionKind::path, folder, path, length, Definition{}) ? object : 0;
}

}  // namespace

bool copy_safely(const void* from, void* to, std::size_t bytes) {
  const struct {
    void* at;
    std::size_t bytes;
  } here{to, bytes}, there{const_cast<void*>(from), bytes};
  return raw::call(SYS_process_vm_readv, raw::process_id(), raw::number(&here), 1, raw::number(&there), 1, 0) == static_cast<long>(bytes);
}

bool path_wanted(int folder, const char* path) {
  if (!settings.include && !settings.exclude) return true;
  if (!path) return !settings.include;
  Text<4200> full;
  join(folder, path, full);
  return wanted(full.data);
}

std::uint32_t path_object(int folder, const char* path) {
  if (!path || !ready() || !make_tables()) return 0;
  if (!recording.trace) return 1;  // slices have no use for names
  std::uint32_t base = 0;
  if (path[0] != '/') {
    if (folder == AT_FDCWD) {
      base = working_folder.load(std::memory_order_relaxed);
    } else if (const Description* const open_folder = description(folder)) {
      base = open_folder->object;
    }
  }
  // The folder is mixed in well: "a" below one must not be "c" below the other.
  std::uint64_t hash = (base + 1) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 32)) * 0xff51afd7ed558ccdu;
  std::size_t length = 0;
  for (; path[length] && length < 4096; ++length) hash = (hash ^ static_cast<unsigned char>(path[length])) * 0x100000001b3u;
  hash ^= hash >> 29;
  if (hash == 0) hash = 1;
  for (std::uint32_t i = 0; i < 16; ++i) {
    Name& name = names[(hash + i) % name_slots];
    std::uint64_t there = name.hash.load(std::memory_order_acquire);
    if (there == 0 && name.hash.compare_exchange_strong(there, hash)) {
      const std::uint32_t object = define_name(base, path, length);
      name.object.store(object, std::memory_order_release);
      return object;
    }
    if (there != hash) continue;
    const std::uint32_t object = name.object.load(std::memory_order_acquire);
    if (object != 0) return object;
    break;  // another thread defines it just now
  }
  return define_name(base, path, length);
}

Description* learn(int fd) {
  if (fd < 0 || static_cast<std::uint32_t>(fd) >= most_descriptors || !ready() || !make_tables()) return nullptr;
  if (description_of[fd] != 0) return &descriptions[description_of[fd]];
  if (self.in_vfork_child) return nullptr;  // its descriptors are its own; the table is the parent's
  char path[4096];
  Text<40> link;
  link.add("/proc/self/fd/").number(static_cast<std::uint64_t>(fd));
  const long length = raw::call(SYS_readlink, raw::number(link.data), raw::number(path), sizeof path - 1);
  if (length < 0) return nullptr;
  path[length] = 0;
  const Facts facts = facts_of(fd, "", path);
  if (!facts.known) return nullptr;
  const long flags = raw::call(SYS_fcntl, fd, F_GETFL);
  const bool ignored = !wanted(path);
  const bool is_path = path[0] == '/';
  const std::uint32_t name = is_path && !ignored ? path_object(AT_FDCWD, path) : 0;
  Description* const made = add_description(fd, name, static_cast<int>(flags < 0 ? 0 : flags), facts, ignored, is_path ? nullptr : path);
  if (made) made->epoch = 0;  // inherited or handed over: somebody else may have it too
  return made;
}

Description* opened(int fd, std::uint32_t path, int flags, bool ignored, std::int64_t not_before, bool& created) {
  if (static_cast<std::uint32_t>(fd) >= most_descriptors || !ready() || !make_tables()) return nullptr;
  char name[8] = {};
  Text<40> link;
  link.add("/proc/self/fd/").number(static_cast<std::uint64_t>(fd));
  Facts facts = facts_of(fd, "", "");
  // Only the few files of /proc and /sys live on devices without a major number and with these sizes; the link tells.
  if (facts.kind == FileKind::regular && (facts.definition.device >> 32) == 0 && facts.definition.size % 4096 == 0) {
    raw::call(SYS_readlink, raw::number(link.data), raw::number(name), sizeof name - 1);
    facts.kind = kind_of(S_IFREG, name);
    facts.definition.detail = static_cast<std::uint32_t>(facts.kind);
  }
  created = made_by_call(facts, flags, not_before);
  Description* const made = add_description(fd, path, flags, facts, ignored);
  if (made && made->append) made->position.store(facts.definition.size);
  return made;
}

std::uint32_t opened_by_library(const char* path, int flags, std::int64_t not_before, bool& created) {
  Facts facts = facts_of(AT_FDCWD, path, path);
  created = made_by_call(facts, flags, not_before);
  facts.definition.open_flags = static_cast<std::uint32_t>(flags);
  const std::uint32_t name = path_object(AT_FDCWD, path);
  const bool data = facts.kind == FileKind::unknown || facts.kind == FileKind::regular || facts.kind == FileKind::block;
  const std::uint32_t object = new_object() | (data ? 0 : no_data);
  return define(object, DefinitionKind::handle, name, nullptr, 0, facts.definition) ? object : 0;
}

std::uint32_t closing(int fd) {
  if (!description_of || static_cast<std::uint32_t>(fd) >= most_descriptors) return 0;
  const std::uint32_t number = description_of[fd];
  if (number == 0) return 0;
  const std::uint32_t object = descriptions[number].ignored ? UINT32_MAX : descriptions[number].object;
  if (!self.in_vfork_child) set_descriptor(fd, 0);
  return object;
}

void closing_range(unsigned first, unsigned last) {
  if (!description_of || self.in_vfork_child) return;
  for (unsigned fd = first; fd <= last && fd <= highest.load(std::memory_order_relaxed); ++fd)
    if (description_of[fd] != 0) set_descriptor(static_cast<int>(fd), 0);
}

void each_description(void (*visit)(int fd, Description&)) {
  if (!description_of) return;
  for (std::uint32_t fd = 0; fd <= highest.load(); ++fd)
    if (description_of[fd] != 0) visit(static_cast<int>(fd), descriptions[description_of[fd]]);
}

std::int64_t position_now(int fd) {
  const Description* const file = description(fd);
  if (!file || !file->seekable) return no_offset;
  if (!file->position_unsure()) return file->position.load(std::memory_order_relaxed);
  const std::int64_t now = raw::seek(fd, 0, SEEK_CUR);
  return now >= 0 ? now : no_offset;
}

void duplicated(int fd, int fresh) {
  if (fresh < 0 || static_cast<std::uint32_t>(fresh) >= most_descriptors || fd == fresh || self.in_vfork_child) return;
  Description* const same = description(fd);
  if (!same) return forget(fresh);
  same->references.fetch_add(1);
  set_descriptor(fresh, static_cast<std::uint32_t>(same - descriptions));
}

void forget(int fd) {
  if (fd >= 0 && description_of && static_cast<std::uint32_t>(fd) < most_descriptors && !self.in_vfork_child) set_descriptor(fd, 0);
}

void folder_changed() {
  char path[4096];
  if (self.in_vfork_child || !ready() || !recording.trace || raw::call(SYS_getcwd, raw::number(path), sizeof path) <= 0) return;
  const std::uint32_t object = new_object();
  if (define(object, DefinitionKind::directory, 0, path, std::strlen(path), Definition{})) working_folder.store(object);
}

void mapped(const void* at, std::size_t bytes, std::uint32_t object) {
  for (std::uint32_t i = 0; i < most_mappings; ++i) {
    Mapping& entry = mappings[i];
    std::uintptr_t none = 0;
    if (entry.from.load(std::memory_order_relaxed) != 0 || !entry.from.compare_exchange_strong(none, 1)) continue;
    std::uint32_t used = mappings_used.load();
    while (i >= used && !mappings_used.compare_exchange_weak(used, i + 1)) {
    }
    entry.to = reinterpret_cast<std::uintptr_t>(at) + bytes;
    entry.object = object;
    entry.from.store(reinterpret_cast<std::uintptr_t>(at));
    return;
  }
}

std::uint32_t mapping(const void* at, bool remove) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  for (std::uint32_t i = 0; i < mappings_used.load(std::memory_order_acquire); ++i) {
    Mapping& entry = mappings[i];
    const std::uintptr_t from = entry.from.load(std::memory_order_acquire);
    if (from <= 1 || address < from || address >= entry.to) continue;
    const std::uint32_t object = entry.object;
    if (remove && address == from) entry.from.store(0);
    return object;
  }
  return 0;
}

}  // namespace fathom::trace
