// SPDX-License-Identifier: Apache-2.0
#include "tracer/settings.h"

#include <sys/auxv.h>
#include <sys/utsname.h>

#include <cstring>

#include "trace_format/memory_folder.h"
#include "trace_format/slice.h"
#include "tracer/site_script.h"
#include "tracer/syscalls.h"

extern "C" char** environ;

namespace fathom::trace {

constinit Settings settings{};
constinit Recording recording{};

const char* environment(const char* name) {
  const std::size_t length = std::strlen(name);
  for (char** entry = environ; entry && *entry; ++entry)
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return *entry + length + 1;
  return nullptr;
}

namespace {

bool put(const char* text, char* to, std::size_t capacity) {
  const std::size_t length = std::strlen(text);
  if (length + 1 > capacity) return false;
  std::memcpy(to, text, length + 1);
  return true;
}

std::uint64_t number(const char* text) {
  std::uint64_t value = 0;
  for (; text && *text >= '0' && *text <= '9'; ++text) value = value * 10 + static_cast<std::uint64_t>(*text - '0');
  return value;
}

/// Seconds, maybe with a fraction, as nanoseconds; 0 if they are no number.
std::int64_t nanoseconds(const char* text) {
  std::uint64_t value = number(text), unit = 100'000'000;
  if (value > 86'400) return 0;
  value *= 1'000'000'000;
  while (*text >= '0' && *text <= '9') ++text;
  if (*text == '.')
    for (++text; *text >= '0' && *text <= '9'; ++text, unit /= 10) value += static_cast<std::uint64_t>(*text - '0') * unit;
  return *text ? 0 : static_cast<std::int64_t>(value);
}

/// FATHOM_RECORD: "trace", "slices", or both with a comma between them; nothing means both.
void choose_products() {
  const char* const which = environment("FATHOM_RECORD");
  if (!which || !*which) return;
  recording.trace = std::strstr(which, "trace") != nullptr;
  recording.slices = std::strstr(which, "slices") != nullptr;
}

/// `*` any text, `?` any one character; over whole paths, so that /scratch/* holds everything below.
bool matches(const char* pattern, std::size_t length, const char* text) {
  std::size_t p = 0, star = SIZE_MAX;
  const char* resume = nullptr;
  while (*text) {
    if (p < length && pattern[p] == '*') {
      star = p++;
      resume = text;
    } else if (p < length && (pattern[p] == '?' || pattern[p] == *text)) {
      ++p;
      ++text;
    } else if (star != SIZE_MAX) {
      p = star + 1;
      text = ++resume;
    } else {
      return false;
    }
  }
  while (p < length && pattern[p] == '*') ++p;
  return p == length;
}

bool any_matches(const char* patterns, const char* path) {
  while (*patterns) {
    const char* const end = std::strchr(patterns, ':');
    const std::size_t length = end ? static_cast<std::size_t>(end - patterns) : std::strlen(patterns);
    if (length > 0 && matches(patterns, length, path)) return true;
    patterns += length + (end ? 1 : 0);
  }
  return false;
}

/// Also for the processes that this one starts.
void forget_variable(const char* name) {
  const std::size_t length = std::strlen(name);
  char** kept = environ;
  for (char** entry = environ; *entry; ++entry)
    if (std::strncmp(*entry, name, length) != 0 || (*entry)[length] != '=') *kept++ = *entry;
  *kept = nullptr;
}

}  // namespace

bool read_settings() {
  settings.on = false;
  const char* const directory = environment("FATHOM_TRACE_DIR");
  if (!directory || getauxval(AT_SECURE) != 0) return false;
  if (is_site_script()) {
    forget_variable("FATHOM_TRACE_DIR");
    return false;
  }
  if (!put(directory, settings.directory, sizeof settings.directory)) return false;
  const char* const memory = environment("FATHOM_MEMORY");
  if (memory) {
    if (!put(memory, settings.memory, sizeof settings.memory)) return false;
  } else {
    put(memory_folder(static_cast<std::uint64_t>(raw::call(SYS_getuid)), directory).data, settings.memory, sizeof settings.memory);
  }
  settings.include = environment("FATHOM_INCLUDE");
  settings.exclude = environment("FATHOM_EXCLUDE");
  if (settings.include && !*settings.include) settings.include = nullptr;
  if (settings.exclude && !*settings.exclude) settings.exclude = nullptr;
  settings.max_size = number(environment("FATHOM_MAX_SIZE"));
  // Who collects does it on one host only; elsewhere processes tidy up themselves.
  const char* const collector = environment("FATHOM_COLLECTED");
  struct utsname names;
  settings.collected = collector && raw::call(SYS_uname, raw::number(&names)) == 0 && std::strcmp(collector, names.nodename) == 0;
  const char* const barriers = environment("FATHOM_BARRIERS");
  settings.barriers = !barriers || *barriers != '0';
  choose_products();
  const char* const slice = environment("FATHOM_SLICE");
  if (slice && nanoseconds(slice) >= shortest_slice) settings.slice = nanoseconds(slice);
  settings.on = true;
  return true;
}

bool wanted(const char* path) {
  if (settings.exclude && any_matches(settings.exclude, path)) return false;
  return !settings.include || any_matches(settings.include, path);
}

}  // namespace fathom::trace
