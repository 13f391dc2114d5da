// SPDX-License-Identifier: Apache-2.0
/// A call of a library that itself makes traced calls: those are inside it, and the library's own calls of itself are not recorded again.
#pragma once

#include "tracer/process.h"
#include "tracer/settings.h"

namespace fathom::trace {

/// Whether this thread is in a call of that library already; or nobody wants to know.
inline bool inside(Interface library) { return self.layer == 1 + static_cast<std::uint8_t>(library) || !settings.on; }

class Inside {
 public:
  explicit Inside(Interface library) : before_(self.layer) {
    self.layer = static_cast<std::uint8_t>(1 + static_cast<std::uint8_t>(library));
    ++self.depth;
  }
  ~Inside() {
    --self.depth;
    self.layer = before_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  std::uint8_t before_;
};

/// What MPI does for itself while it begins or ends is not the program's I/O: no slice counts it.
class Uncounted {
 public:
  Uncounted() {
    self.slice.uncounted = true;
    self.slice.start = self.slice.end = 0;
  }
  ~Uncounted() { self.slice.uncounted = false; }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;
};

}  // namespace fathom::trace
