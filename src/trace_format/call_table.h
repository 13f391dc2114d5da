// SPDX-License-Identifier: Apache-2.0
/// The table of calls as a trace carries it: lines "number name interface operation".
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::trace {

const char* call_table_text(std::size_t& bytes);
/// Tells tables apart; a process's description names the one that its records mean.
std::uint64_t call_table_hash();

}  // namespace fathom::trace
