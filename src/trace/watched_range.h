// SPDX-License-Identifier: Apache-2.0
/// Memory that a file stands behind. A file that somebody cuts would end the program with SIGBUS when its pages are touched; instead, zeros
/// come to stand there.
#pragma once

#include <cstddef>

namespace fathom::trace {

struct WatchedRange;

/// Until unwatch(), pages of [data, data + size) that the file no longer has become zeros when they are touched. `data` begins a page.
WatchedRange* watch(const void* data, std::size_t size);
void unwatch(WatchedRange* range);

}  // namespace fathom::trace
