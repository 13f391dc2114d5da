// SPDX-License-Identifier: Apache-2.0
/// What the NFS client counts for each of its mounts, from /proc/self/mountstats.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/counters.h"

namespace fathom {

struct NfsMount {
  std::string device;     // nfs1:/export/home
  std::string point;      // /home
  std::uint64_t age = 0;  // seconds since it was mounted
  CounterMask has = 0;
  Counters values{};

  bool operator==(const NfsMount&) const = default;
};

/// The NFS mounts of a mountstats file. `reject` is told of lines that cannot be used: number, text, why.
using RejectLine = std::function<void(std::uint64_t, std::string_view, std::string_view)>;
std::vector<NfsMount> parse_mountstats(std::string_view text, const RejectLine& reject);

}  // namespace fathom
