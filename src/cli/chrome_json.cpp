// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <fmt/format.h>

#include "cli/perfetto.h"
#include "cli/perfetto_tracks.h"
#include "cli/text_output.h"

namespace fathom {
namespace {

using namespace trace;

/// Nanoseconds as microseconds with three digits behind the point, exactly.
void microseconds(TextOutput& out, std::int64_t nanoseconds) {
  out.number(nanoseconds / 1000) << '.';
  const auto rest = static_cast<unsigned>(nanoseconds % 1000);
  out << static_cast<char>('0' + rest / 100) << static_cast<char>('0' + rest / 10 % 10) << static_cast<char>('0' + rest % 10);
}

class ChromeJson {
 public:
  ChromeJson(const Trace& trace, TextOutput& out) : trace_(trace), tracks_(trace), out_(out) {}

  void begin() {
    out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"start\":";
    out_.seconds(trace_.start) << "},\"traceEvents\":[";
  }
  void end() { out_ << "\n]}\n"; }

  void add(const Event& e) {
    bool is_new = false;
    const auto track = tracks_.track_of(e, is_new);
    if (named_.insert(e.process).second) name("process_name", track, tracks_.process_name(e.process));
    if (is_new) name("thread_name", track, PerfettoTracks::thread_name(track));
    const Call& call = trace_.calls[e.call];
    line();
    out_ << "{\"ph\":\"X\",\"name\":\"" << call.name << "\",\"cat\":\"" << interface_names[static_cast<std::size_t>(call.interface)] << "\",\"pid\":";
    out_.number(e.process + 1) << ",\"tid\":";
    out_.number(track.number()) << ",\"ts\":";
    microseconds(out_, std::max<std::int64_t>(e.start - trace_.start, 0));
    out_ << ",\"dur\":";
    microseconds(out_, e.duration());
    out_ << ",\"args\":{\"row\":";
    out_.number(e.row) << ",\"result\":";
    out_.number(e.result);
    if (e.offset != no_offset) (out_ << ",\"offset\":").number(e.offset);
    if (e.bytes != no_bytes) (out_ << ",\"bytes\":").number(e.bytes);
    if (e.file != no_file) (out_ << ",\"file\":").quoted(trace_.files[e.file].path);
    out_ << "}}";
  }

 private:
  void line() {
    out_ << between_;
    between_ = ",\n";
  }
  void name(std::string_view what, const PerfettoTracks::Track& track, const std::string& text) {
    line();
    out_ << "{\"ph\":\"M\",\"name\":\"" << what << "\",\"pid\":";
    out_.number(track.process + 1) << ",\"tid\":";
    out_.number(track.number()) << ",\"args\":{\"name\":";
    out_.quoted(text) << "}}";
  }

  const Trace& trace_;
  PerfettoTracks tracks_;
  TextOutput& out_;
  std::set<std::uint32_t> named_;
  std::string_view between_ = "\n";
};

}  // namespace

Result<void> write_chrome_json(const Trace& trace, const EventSelection& selection, const std::string& file) {
  TRY(TextOutput out, TextOutput::open(file));
  ChromeJson json(trace, out);
  json.begin();
  TRY_VOID(for_each_selected(trace, selection, [&](const Event& event) {
    json.add(event);
    return out.good();
  }));
  json.end();
  return out.finish();
}

}  // namespace fathom
