// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "cli/chrome_json_file.h"
#include "cli/perfetto.h"
#include "cli/perfetto_tracks.h"

namespace fathom {
namespace {

using namespace trace;

class ChromeJson {
 public:
  ChromeJson(const Trace& trace, TextOutput& out) : trace_(trace), tracks_(trace), file_(out) {}

  void begin() { file_.begin(trace_.start); }
  void end() { file_.end(); }

  void add(const Event& e) {
    bool is_new = false;
    const auto track = tracks_.track_of(e, is_new);
    if (named_.insert(e.process).second) file_.name_process(e.process + 1, track.number(), tracks_.process_name(e.process));
    if (is_new) file_.name_thread(e.process + 1, track.number(), PerfettoTracks::thread_name(track));
    const Call& call = trace_.calls[e.call];
    TextOutput& out = file_.open_slice(call.name, interface_names[static_cast<std::size_t>(call.interface)], e.process + 1, track.number(),
                                       std::max<std::int64_t>(e.start - trace_.start, 0), e.duration());
    out << "\"row\":";
    out.number(e.row) << ",\"result\":";
    out.number(e.result);
    if (e.offset != no_offset) (out << ",\"offset\":").number(e.offset);
    if (e.bytes != no_bytes) (out << ",\"bytes\":").number(e.bytes);
    if (e.file != no_file) (out << ",\"file\":").quoted(trace_.files[e.file].path);
    file_.close_event();
  }

 private:
  const Trace& trace_;
  PerfettoTracks tracks_;
  ChromeJsonFile file_;
  std::set<std::uint32_t> named_;
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
