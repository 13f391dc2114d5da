// SPDX-License-Identifier: Apache-2.0
/// Ctrl-C as a question that long work asks now and then, so that it can hand over what is done.
#pragma once

#include <csignal>

namespace fathom {

/// While there is one, the first Ctrl-C is remembered; the second ends the program at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();  // Ctrl-C does again what it did before
  Interrupt(const Interrupt&) = delete;
  bool asked() const;

 private:
  struct sigaction before_ {};
};

}  // namespace fathom
