// SPDX-License-Identifier: Apache-2.0
#include "synth/io_flow.h"

#include <algorithm>

namespace fathom {

Counters Flow::until(std::int64_t t) const {
  __extension__ using Wide = unsigned __int128;
  Counters done{};
  if (t <= begin || end <= begin) return done;
  const auto length = static_cast<std::uint64_t>(end - begin);
  const auto passed = static_cast<std::uint64_t>(std::min(t, end) - begin);
  const auto part = [&](std::uint64_t whole) -> std::uint64_t {
    if (whole == 0 || passed == length) return whole;
    return static_cast<std::uint64_t>(static_cast<Wide>(whole) * passed / length);
  };
  const std::uint64_t answered = part(requests);
  done[index(bytes)] = answered * request_bytes;
  done[index(bytes) + 2] = answered;  // read_ops follows read_bytes by two places, as write_ops does write_bytes
  done[index(Counter::opens)] = part(opens);
  done[index(Counter::closes)] = part(closes);
  done[index(Counter::dirs)] = part(dirs);
  done[index(Counter::inode_updates)] = part(inode_updates);
  return done;
}

}  // namespace fathom
