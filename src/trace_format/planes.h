// SPDX-License-Identifier: Apache-2.0
/// How a run of bytes stands in a block.
///
/// payload of a records block:
///   u32 bytes of the definitions, then a stream of them;
///   u32 number of kinds, then u64 each (object u32, call u16, depth u8, detail u8);
///   columns, each value 64 bits: kind, offset, bytes, result, gap (start - end of the record before), duration.
/// column: u8 number of planes, then a stream per plane, the lowest byte of all values first.
/// stream: u8 form; unless it is zeros: u32 length and that many bytes.
/// offset, bytes, result and gap are differences to what Foretold says (zigzag: the sign in the lowest bit).
#pragma once

#include <cstdint>

namespace fathom::trace {

enum class StreamForm : std::uint8_t { zeros = 0, plain = 1, zstd = 2 };

}  // namespace fathom::trace
