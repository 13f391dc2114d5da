// SPDX-License-Identifier: Apache-2.0
/// What the numbers of calls mean: each process's version of the tracer may have its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace fathom::trace {

class CallTables {
 public:
  /// The number of the table of a calls block ("16 open posix open" lines); an empty text stands for the calls of this version.
  std::uint32_t table(std::string_view text);

  std::vector<Call> calls;
  std::vector<std::vector<std::uint16_t>> tables;  // Record::call -> place in calls; shorter ones end in unknown ones
  std::uint16_t unknown = 0;                       // place of the call that stands for all without a name
  std::uint64_t strange_lines = 0;

  CallTables();

 private:
  void read_line(std::string_view line, std::vector<std::uint16_t>& table);
  std::uint16_t place(std::string_view name, Interface interface, Operation operation);

  std::map<std::string, std::uint32_t, std::less<>> known_;
  std::map<std::string, std::uint16_t, std::less<>> places_;
};

}  // namespace fathom::trace
