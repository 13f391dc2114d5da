// SPDX-License-Identifier: Apache-2.0
/// Profiles made by hand: a row of bytes for each process.
#pragma once

#include <initializer_list>

#include "slices/direction.h"

namespace fathom::slices {

inline constexpr std::int64_t second = 1'000'000'000;

inline void set(Values& values, Counter counter, std::uint64_t value) { values[static_cast<std::size_t>(counter)] = value; }

/// Slices of 4 s; `bytes` of one process in slices `first`, `first + 1`, ...; a zero is a slice that is not there. It runs from the
/// beginning of `first` to the end of the last.
inline Process writer(std::string host, std::uint32_t pid, std::int64_t first, const std::vector<std::uint64_t>& bytes,
                      Counter counter = Counter::write_bytes, std::int64_t length = 4 * second) {
  Process process;
  process.host = std::move(host);
  process.pid = pid;
  process.start = first * length;
  process.end = (first + static_cast<std::int64_t>(bytes.size())) * length;
  process.ended_well = true;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == 0) continue;
    Slice slice{.number = first + static_cast<std::int64_t>(i), .values = {}};
    set(slice.values, counter, bytes[i]);
    process.slices.push_back(slice);
  }
  return process;
}

inline Profile application(std::string name, std::vector<Process> processes, std::int64_t length = 4 * second) {
  Profile profile;
  profile.directory = name;
  profile.name = std::move(name);
  profile.length = length;
  profile.processes = std::move(processes);
  return profile;
}

inline std::vector<const Process*> all_processes(const Profile& profile) {
  std::vector<const Process*> all;
  for (const Process& process : profile.processes) all.push_back(&process);
  return all;
}

}  // namespace fathom::slices
