// SPDX-License-Identifier: Apache-2.0
#include "tracer/process.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <cstring>

#include "trace_format/text.h"
#include "tracer/chunks.h"
#include "tracer/description.h"
#include "tracer/drain.h"
#include "tracer/locking.h"
#include "tracer/real.h"
#include "tracer/settings.h"
#include "tracer/syscalls.h"

namespace fathom::trace {

namespace {

Guard no_guard{0};

enum class Phase : std::uint32_t { unborn, ready, off };
std::atomic<Phase> phase{Phase::unborn};
Lock setting_up;
std::atomic<std::uint32_t> objects{1};
std::atomic<std::uint32_t> threads{0};
std::uint64_t process_number = 0;
struct stat error_output;  // what descriptor 2 was at the start
bool error_output_known = false;
constinit Text<520> farewell_what;
constinit Text<80> farewell_why;
std::atomic<bool> farewell{false};

pthread_key_t thread_end;
bool thread_end_known = false;

}  // namespace

Guard* guard = &no_guard;
ProcessHeader* process = nullptr;
std::uint32_t fork_epoch = 1;
__thread ThreadState self __attribute__((tls_model("initial-exec")));

std::uint32_t new_object() { return objects.fetch_add(1, std::memory_order_relaxed); }

namespace {

void say(const char* what, const char* why) {
  struct stat now;
  // Descriptor 2 may be the program's own file by now: then nothing is said.
  if (!error_output_known || raw::call(SYS_fstat, 2, raw::number(&now)) != 0 || now.st_dev != error_output.st_dev ||
      now.st_ino != error_output.st_ino)
    return;
  // One of all the processes of a node says it.
  Text<300> mark;
  mark.add(settings.memory).add("/told");
  const int fd = raw::open(mark.data, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (fd == -17) return;
  if (fd >= 0) raw::close(fd);
  Text<700> line;
  line.add("fathom: tracing: ").add(what).add(": ").add(why).add(" (the program goes on untraced)\n");
  raw::write(2, line.data, line.size);
}

const char* reason(long code) {
  switch (-code) {
    case 2: return "no such folder";
    case 13: return "permission denied";
    case 28: return "no space left on the device";
    case 30: return "read-only file system";
    case 122: return "quota exceeded";
    case 27: return "the file would become too large";
    case 24: return "too many open files";
    case 40: return "a link of that name is there";
    case 5: return "input/output error";
    case 12: return "no memory";
    default: return "system error";
  }
}

/// A folder in memory that another user made first would let them choose what this program maps and writes.
bool own_folder(const char* path) {
  const int fd = raw::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (fd < 0) return false;
  struct stat facts;
  const bool own = !raw::failed(raw::call(SYS_fstat, fd, raw::number(&facts))) &&
                   facts.st_uid == static_cast<uid_t>(raw::call(SYS_geteuid)) && (facts.st_mode & 022) == 0;
  raw::close(fd);
  return own;
}

/// The memory file, its first page mapped; null and a word on stderr if that cannot be.
ProcessHeader* create_memory(std::uint64_t id) {
  raw::make_directory(settings.memory);
  Text<256> path;
  path.add(settings.memory).add('/').number(id, 16);
  int fd = raw::open(path.data, O_CREAT | O_EXCL | O_RDWR, 0600);
  // The last process to end takes the folder away, maybe just now.
  for (int tries = 0; fd == -2 && tries < 100; ++tries) {
    raw::make_directory(settings.memory);
    fd = raw::open(path.data, O_CREAT | O_EXCL | O_RDWR, 0600);
  }
  if (fd < 0) {
    say(path.data, reason(fd));
    return nullptr;
  }
  if (!own_folder(settings.memory)) {
    raw::close(fd);
    raw::remove(path.data);
    say(settings.memory, "it is another user's folder, or others may write to it");
    return nullptr;
  }
  const long room = raw::allocate(fd, 0, 0, first_chunk_at);
  void* const at = raw::failed(room) ? nullptr : raw::map(first_chunk_at, MAP_SHARED | MAP_POPULATE, fd);
  raw::close(fd);
  if (at) {
    raw::call(SYS_madvise, raw::number(at), first_chunk_at, MADV_DONTFORK);
    return static_cast<ProcessHeader*>(at);
  }
  say(path.data, reason(raw::failed(room) ? room : -12));
  raw::remove(path.data);
  return nullptr;
}

/// True if the trace's folder takes files. What cannot be written there should be known at the start, not at the end.
bool try_output(ProcessHeader& header) {
  Text<512> path;
  struct utsname names;
  raw::call(SYS_uname, raw::number(&names));
  path.add(settings.directory).add('/').add(names.nodename).add(".fathom");
  long made = raw::make_directory(settings.directory);
  const int fd = raw::open(path.data, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0644);
  if (fd < 0) {
    say(path.data, reason(made < 0 && made != -17 ? made : fd));
    return false;
  }
  raw::close(fd);
  std::memcpy(header.output, path.data, path.size + 1);
  return true;
}

std::uint64_t new_process_id() {
  return (static_cast<std::uint64_t>(raw::process_id()) << 32) ^ static_cast<std::uint64_t>(clock_ns(1)) ^ (__rdtsc() & 0xffff);
}

bool set_up(std::uint64_t parent, std::uint32_t inherited) {
  if (!error_output_known) error_output_known = raw::call(SYS_fstat, 2, raw::number(&error_output)) == 0;
  if (guard == &no_guard) {
    void* const page = raw::map(4096, MAP_PRIVATE | MAP_ANONYMOUS);
    if (!page || raw::call(SYS_madvise, raw::number(page), 4096, MADV_WIPEONFORK) != 0) return false;
    guard = static_cast<Guard*>(page);
  }
  const std::uint64_t id = new_process_id();
  ProcessHeader* const header = create_memory(id);
  if (!header) return false;
  header->process = process_number = id;
  header->pid = static_cast<std::uint32_t>(raw::process_id());
  header->version = format_version;
  header->clock = steady_counter ? ClockKind::tsc : ClockKind::monotonic_ns;
  header->start = clock_pair();
  ask_launcher(*header);
  write_text(*header, parent, inherited);
  header->magic = memory_magic;
  process = header;
  if (!try_output(*header) || !start_slices()) {
    Text<256> path;
    path.add(settings.memory).add('/').number(id, 16);
    raw::remove(path.data);
    return false;
  }
  return true;
}

/// In a forked child: the parent's memory file is not mapped here; the child gets one of its own and inherits what was defined.
bool begin_in_child() {
  // The one thread that is left must not go on in its parent's chunk.
  self.next = self.end = nullptr;
  self.chunk = nullptr;
  self.known = false;
  forget_chunks();
  forget_drainer();
  forget_slices();
  threads.store(0);
  ++fork_epoch;
  return set_up(process_number, objects.load());
}

void step_off() {
  phase.store(Phase::off);
  recording.slices = false;
}

bool make_ready() {
  Holding lock(setting_up);
  const Phase now = phase.load();
  if (now == Phase::off) return false;
  if (now == Phase::ready && guard->alive) return true;
  bool works = false;
  if (now == Phase::ready) {
    works = begin_in_child();
  } else if (read_settings()) {
    choose_clock();
    works = set_up(0, 0);
  }
  if (works)
    phase.store(Phase::ready);
  else
    step_off();
  if (works) guard->alive = 1;
  return works;
}

void hand_over(ChunkHeader* chunk, std::uint32_t used) {
  self.first = chunk->first + used;
  retire(chunk, used);
}

extern "C" void thread_ends(void*) {
  SignalsHeld signals;
  if (!guard->alive || self.process != static_cast<std::uint32_t>(process_number)) return;
  leave_lane();
  if (!self.chunk) return;
  ChunkHeader* const chunk = self.chunk;
  const auto used = static_cast<std::uint32_t>(self.next - slots_of(chunk));
  self.chunk = nullptr;
  self.next = self.end = nullptr;
  hand_over(chunk, used < chunk_slots ? used : chunk_slots);
}

}  // namespace

static void say_farewell();

void know_thread() {
  if (self.known && self.process == static_cast<std::uint32_t>(process_number)) return;
  const std::uint8_t depth = self.depth, layer = self.layer;
  const bool uncounted = self.slice.uncounted;
  self = ThreadState{};
  self.depth = depth;
  self.layer = layer;
  self.slice.uncounted = uncounted;
  self.process = static_cast<std::uint32_t>(process_number);
  self.number = threads.fetch_add(1);
  self.known = true;
  allow_for_thread(self.number);
  if (thread_end_known) pthread_setspecific(thread_end, &self);
}

Record* make_room(std::uint32_t slots, Record* reached) {
  if (phase.load(std::memory_order_relaxed) == Phase::off) {
    say_farewell();
    return nullptr;
  }
  SignalsHeld signals;
  if (!ready()) return nullptr;
  know_thread();
  const bool fresh = !self.introduced;
  self.introduced = true;
  if (fresh) reached = nullptr;
  if (reached) {
    // What is left of the chunk is nobody's. A signal handler may have gone on to another chunk meanwhile.
    ChunkHeader* const chunk = chunk_of(reached);
    if (chunk)
      for (Record* r = reached; r < slots_of(chunk) + chunk_slots; ++r) commit(r, 0, slot_skip, 0, 0);
  }
  if (self.chunk && self.next + slots > self.end) {
    hand_over(self.chunk, chunk_slots);
    self.chunk = nullptr;
  }
  if (!self.chunk) {
    self.chunk = take_chunk();
    if (!self.chunk) {
      self.next = self.end = nullptr;
      return nullptr;
    }
    self.chunk->thread = self.number;
    self.chunk->first = self.first;
    self.next = slots_of(self.chunk);
    self.end = self.next + chunk_slots;
  }
  Record* const record = self.next;
  self.next += slots;
  if (fresh) {
    Definition facts{};
    facts.detail = static_cast<std::uint32_t>(raw::thread_id());
    define(new_object(), DefinitionKind::thread, self.number, nullptr, 0, facts);
  }
  return record;
}

bool define(std::uint32_t object, DefinitionKind kind, std::uint32_t parent, const char* text, std::size_t bytes, const Definition& facts) {
  if (!recording.trace) return true;
  if (bytes > longest_text) bytes = longest_text;
  const auto text_slots = static_cast<std::uint32_t>((bytes + sizeof(Record) - 1) / sizeof(Record));
  auto* const head = reinterpret_cast<Definition*>(reserve(1 + text_slots));
  if (!head) return false;
  head->inode = facts.inode;
  head->device = facts.device;
  head->size = facts.size;
  head->text_bytes = static_cast<std::uint32_t>(bytes);
  head->parent = parent & ~no_data;
  head->open_flags = facts.open_flags;
  head->detail = facts.detail;
  if (bytes > 0) std::memcpy(head + 1, text, bytes);
  commit(reinterpret_cast<Record*>(head), object & ~no_data, slot_define, static_cast<std::uint8_t>(text_slots),
         static_cast<std::uint8_t>(kind));
  return true;
}

bool ready() { return guard->alive || (phase.load(std::memory_order_relaxed) != Phase::off && make_ready()); }

void step_aside(const char* what, const char* why) {
  farewell_what.size = farewell_why.size = 0;
  farewell_what.add(what);
  farewell_why.add(why);
  farewell.store(true, std::memory_order_release);
  if (process) process->finished.store(2);
  step_off();
  guard->alive = 0;
}

/// The drainer has no standard error: one of the program's threads says it, at its next call or at the end.
static void say_farewell() {
  if (farewell.load(std::memory_order_acquire) && farewell.exchange(false)) say(farewell_what.data, farewell_why.data);
}

const char* system_words(long code) { return reason(code); }

void drain_everything(bool last) {
  if (guard->alive) {
    SignalsHeld signals;
    before_end();
    if (recording.trace) drain_pass(true);
    flush_slices();
    write_description(last);
  }
  say_farewell();
  if (!guard->alive) return;
  Text<256> path;
  path.add(settings.memory).add('/').number(process_number, 16);
  if (last && !settings.collected) {
    raw::remove(path.data);
    raw::call(SYS_rmdir, raw::number(settings.memory));  // if it was the last one
    return;
  }
  // What comes after (other libraries' last words) stays in the file for `fathom run`; the memory behind the rest is given back.
  give_back_memory(path.data);
}

void before_exec() {
  if (!guard->alive || self.in_vfork_child) return;
  process->end = clock_pair();  // what follows is another program; if exec fails, the end is told anew
  drain_everything(false);
}

void describe(std::int32_t rank, std::int32_t ranks, const char* library) {
  if (!ready()) return;
  process->rank = rank;
  process->ranks = ranks;
  const std::uint32_t have = process->text_bytes.load();
  if (library) {
    Text<600> line;
    line.line("mpi", library);
    if (have + line.size <= text_capacity) {
      std::memcpy(reinterpret_cast<char*>(process) + text_at + have, line.data, line.size);
      process->text_bytes.store(have + static_cast<std::uint32_t>(line.size), std::memory_order_release);
    }
  }
  process->text_changes.fetch_add(1);
}

#ifdef FATHOM_STATIC
extern "C" void* fathom_dlsym(void*, const char*) __asm__("dlsym") __attribute__((weak));

/// A program that has the tracer in itself may be started by `fathom run` all the same: one of the two is enough, and this one sees more.
static void send_preload_away() {
  if (!fathom_dlsym) return;
  if (void* const other = fathom_dlsym(nullptr, "fathom_step_aside")) reinterpret_cast<void (*)()>(other)();
}
#else
extern "C" __attribute__((visibility("default"), used)) void fathom_step_aside() {
  settings.on = false;
  if (!guard->alive) return;
  step_off();
  guard->alive = 0;
  Text<256> path;
  path.add(settings.memory).add('/').number(process_number, 16);
  raw::remove(path.data);
}
static void send_preload_away() {}
#endif

/// Called when the library is loaded, and when the process ends by exit().
__attribute__((constructor)) static void loaded() {
  find_early();
  send_preload_away();
  thread_end_known = pthread_key_create(&thread_end, thread_ends) == 0;
  // Patterns and folders are settled before the program changes its environment or its folder.
  ready();
}

__attribute__((destructor)) static void unloaded() { drain_everything(true); }

}  // namespace fathom::trace
