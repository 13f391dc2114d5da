// SPDX-License-Identifier: Apache-2.0
// Perfetto's own format: a sequence of packets (protos/perfetto/trace/trace_packet.proto), written by hand. Names, categories and
// paths stand once in the first packet; the others refer to them by number.
#include <set>

#include "cli/perfetto.h"
#include "cli/perfetto_tracks.h"
#include "cli/text_output.h"

namespace fathom {
namespace {

using namespace trace;

/// A protobuf message: fields are a number with its kind, then a varint or a length and bytes.
class Message {
 public:
  Message& number(unsigned field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
    return *this;
  }
  Message& text(unsigned field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(unsigned field, const Message& value) { return text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// Field numbers of Perfetto's messages.
namespace packet {
constexpr unsigned timestamp = 8, sequence = 10, track_event = 11, interned = 12, flags = 13, track_descriptor = 60;
constexpr std::uint64_t state_cleared = 1, needs_state = 2;
}  // namespace packet
namespace interned {
constexpr unsigned categories = 1, names = 2, argument_names = 3, texts = 29;
constexpr unsigned id = 1, value = 2;
}  // namespace interned
namespace track {
constexpr unsigned uuid = 1, process = 3, thread = 4, parent = 5;
constexpr unsigned process_pid = 1, process_name = 6, thread_pid = 1, thread_tid = 2, thread_name = 5;
}  // namespace track
namespace slice {
constexpr unsigned category = 3, argument = 4, type = 9, name = 10, track = 11;
constexpr std::uint64_t begins = 1, ends = 2;
constexpr unsigned argument_name = 1, argument_int = 4, argument_text = 17;
}  // namespace slice

enum Argument : std::uint64_t { row_argument = 1, result_argument, offset_argument, bytes_argument, file_argument };
constexpr std::string_view argument_names[] = {"row", "result", "offset", "bytes", "file"};

class PerfettoPackets {
 public:
  PerfettoPackets(const Trace& trace, TextOutput& out) : trace_(trace), tracks_(trace), out_(out) {}

  void begin() {
    Message all;
    const auto intern = [&](unsigned field, std::uint64_t id, std::string_view value) {
      all.message(field, Message().number(interned::id, id).text(interned::value, value));
    };
    for (std::size_t i = 0; i < interface_names.size(); ++i) intern(interned::categories, i + 1, interface_names[i]);
    for (std::size_t i = 0; i < trace_.calls.size(); ++i) intern(interned::names, i + 1, trace_.calls[i].name);
    for (std::size_t i = 0; i < std::size(argument_names); ++i) intern(interned::argument_names, i + 1, argument_names[i]);
    for (std::size_t i = 0; i < trace_.files.size(); ++i) intern(interned::texts, i + 1, trace_.files[i].path);
    put(Message().number(packet::sequence, 1).number(packet::flags, packet::state_cleared).message(packet::interned, all));
  }

  void add(const Event& e) {
    bool is_new = false;
    const auto where = tracks_.track_of(e, is_new);
    if (named_.insert(e.process).second) describe_process(e.process);
    if (is_new) describe_thread(where);
    Message& event = event_;
    event.clear();
    event.number(slice::type, slice::begins).number(slice::track, where.id()).number(slice::name, e.call + 1u);
    event.number(slice::category, static_cast<std::uint64_t>(trace_.calls[e.call].interface) + 1);
    argument(event, row_argument, static_cast<std::int64_t>(e.row));
    argument(event, result_argument, e.result);
    if (e.offset != no_offset) argument(event, offset_argument, e.offset);
    if (e.bytes != no_bytes) argument(event, bytes_argument, static_cast<std::int64_t>(e.bytes));
    if (e.file != no_file)
      event.message(slice::argument, Message().number(slice::argument_name, file_argument).number(slice::argument_text, e.file + 1u));
    put_event(e.start, event);
    event.clear();
    put_event(e.end, event.number(slice::type, slice::ends).number(slice::track, where.id()));
  }

 private:
  static void argument(Message& event, Argument name, std::int64_t value) {
    event.message(slice::argument,
                  Message().number(slice::argument_name, name).number(slice::argument_int, static_cast<std::uint64_t>(value)));
  }
  void describe_process(std::uint32_t process) {
    Message details;
    details.number(track::process_pid, process + 1).text(track::process_name, tracks_.process_name(process));
    put(Message()
            .number(packet::sequence, 1)
            .message(packet::track_descriptor, Message().number(track::uuid, process + 1).message(track::process, details)));
  }
  void describe_thread(const PerfettoTracks::Track& where) {
    Message details;
    // Threads without calls are not shown; numbers of threads must not be 0 and not those of processes.
    details.number(track::thread_pid, where.process + 1)
        .number(track::thread_tid, (std::uint64_t{where.process} + 1) * 65536 % 2147483648u + where.number() % 65536 + 1);
    details.text(track::thread_name, PerfettoTracks::thread_name(where));
    put(Message()
            .number(packet::sequence, 1)
            .message(packet::track_descriptor,
                     Message().number(track::uuid, where.id()).number(track::parent, where.process + 1).message(track::thread, details)));
  }
  void put_event(std::int64_t time, const Message& event) {
    packet_.clear();
    put(packet_.number(packet::timestamp, static_cast<std::uint64_t>(time))
            .number(packet::sequence, 1)
            .number(packet::flags, packet::needs_state)
            .message(packet::track_event, event));
  }
  void put(const Message& content) {
    outer_.clear();
    out_ << outer_.message(1, content).bytes();
  }

  const Trace& trace_;
  PerfettoTracks tracks_;
  TextOutput& out_;
  std::set<std::uint32_t> named_;
  Message event_, packet_, outer_;
};

}  // namespace

Result<void> write_perfetto_protobuf(const Trace& trace, const EventSelection& selection, const std::string& file) {
  TRY(TextOutput out, TextOutput::open(file));
  PerfettoPackets packets(trace, out);
  packets.begin();
  TRY_VOID(for_each_selected(trace, selection, [&](const Event& event) {
    packets.add(event);
    return out.good();
  }));
  return out.finish();
}

}  // namespace fathom
