// SPDX-License-Identifier: Apache-2.0
/// A file in Chrome's trace event format, which Perfetto reads too: processes and threads with slices and counters.
#pragma once

#include <string>
#include <string_view>

#include "cli/text_output.h"

namespace fathom {

/// Times are nanoseconds. Slices and counters are begun and ended, so that their arguments can stand between.
class ChromeJsonFile {
 public:
  explicit ChromeJsonFile(TextOutput& out) : out_(out) {}

  /// `start` is the moment that is time 0: nanoseconds since 1970.
  void begin(std::int64_t start) {
    out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"start\":";
    out_.seconds(start) << "},\"traceEvents\":[";
  }
  void end() { out_ << "\n]}\n"; }

  void name_process(std::uint64_t process, std::uint64_t thread, const std::string& text) { name("process_name", process, thread, text); }
  void name_thread(std::uint64_t process, std::uint64_t thread, const std::string& text) { name("thread_name", process, thread, text); }

  /// Arguments follow, each with its comma before but for the first; then close_event().
  TextOutput& open_slice(std::string_view name, std::string_view category, std::uint64_t process, std::uint64_t thread, std::int64_t from,
                         std::int64_t length) {
    open("X", name);
    out_ << ",\"cat\":\"" << category << "\"";
    place(process, thread, from);
    out_ << ",\"dur\":";
    microseconds(length);
    return out_ << ",\"args\":{";
  }
  TextOutput& open_counter(std::string_view name, std::uint64_t process, std::int64_t at) {
    open("C", name);
    place(process, 0, at);
    return out_ << ",\"args\":{";
  }
  void close_event() { out_ << "}}"; }

 private:
  void open(std::string_view phase, std::string_view name) {
    out_ << between_ << "{\"ph\":\"" << phase << "\",\"name\":\"" << name << "\"";
    between_ = ",\n";
  }
  void place(std::uint64_t process, std::uint64_t thread, std::int64_t at) {
    out_ << ",\"pid\":";
    out_.number(process) << ",\"tid\":";
    out_.number(thread) << ",\"ts\":";
    microseconds(at);
  }
  void name(std::string_view what, std::uint64_t process, std::uint64_t thread, const std::string& text) {
    open("M", what);
    out_ << ",\"pid\":";
    out_.number(process) << ",\"tid\":";
    out_.number(thread) << ",\"args\":{\"name\":";
    out_.quoted(text) << "}}";
  }
  /// Nanoseconds as microseconds with three digits behind the point, exactly.
  void microseconds(std::int64_t nanoseconds) {
    out_.number(nanoseconds / 1000) << '.';
    const auto rest = static_cast<unsigned>(nanoseconds % 1000);
    out_ << static_cast<char>('0' + rest / 100) << static_cast<char>('0' + rest / 10 % 10) << static_cast<char>('0' + rest % 10);
  }

  TextOutput& out_;
  std::string_view between_ = "\n";
};

}  // namespace fathom
