// SPDX-License-Identifier: Apache-2.0
/// One GPFS client: its counters, when it is asked for them, what it answers, and what is truly lost.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "synth/fault_plan.h"
#include "synth/io_flow.h"
#include "synth/series_truth.h"
#include "synth/truth.h"

namespace fathom {

inline constexpr std::size_t most_filesystems = 4;
inline constexpr std::int64_t sampling_interval = 120'000'000;  // microseconds

enum class AnswerKind : std::uint8_t { samples, reset, nothing_mounted, dead_node };

/// What one node adds to the log at one time. Times of lines are by its own clock.
struct Answer {
  struct Line {
    std::uint8_t filesystem = 0;
    std::int64_t t = 0;
    Counters values{};  // as printed: all but bytes modulo 2^32
  };
  AnswerKind kind = AnswerKind::samples;
  std::uint32_t server = 0;
  std::uint32_t about = 0;   // dead_node: who does not answer
  std::int64_t written = 0;  // true time at which it reaches the log
  std::int64_t t = 0;
  std::uint8_t count = 0;
  std::array<Line, most_filesystems> lines{};
};

/// The logged time, true, in microseconds.
struct Period {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// When a server is first asked after logging began: the I/O nodes of a midplane boot together and start to sample within a minute.
std::int64_t sampling_phase(std::uint64_t seed, std::uint32_t midplane, std::uint32_t server);

/// How far a server's clock is off, as NTP leaves it: within 1.5 s.
std::int64_t clock_offset(std::uint64_t seed, std::uint32_t server);

class GpfsNode {
 public:
  using Out = std::function<void(const Answer&)>;

  GpfsNode(std::uint64_t seed, std::uint32_t server, std::uint32_t midplane, const std::vector<std::string>& filesystems,
           const FaultRates& rates, Period period, Truth& truth);

  /// Flows of this server, in order of their begin, not before flows given earlier.
  void add(const Flow& flow);
  void plan(const Fault& fault);
  void advance(std::int64_t until, const Out& out);
  /// Settles what was lost after the last sample; nothing may follow.
  void finish();

 private:
  struct Action {
    std::int64_t t;
    enum Kind : std::uint8_t { reset, restart, pause, pause_dead, lose, twice, late, refuse, unmount, mount } kind;
    std::uint8_t filesystem;
    std::int64_t t_end;
  };
  struct FileSystem {
    std::deque<Flow> coming;
    std::vector<Flow> active;
    Counters retired{};   // of flows that are over
    Counters at_begin{};  // the total when logging began
    Counters shift{};     // counters show total - shift
    bool mounted = true;
    std::int64_t unmounted_at = 0;
    Counters missed{};  // I/O that could not happen: not mounted
    std::vector<Period> away;
  };

  void begin();
  std::int64_t poll_time(std::int64_t poll) const;
  std::int64_t poll_after(std::int64_t t) const;
  void schedule(Action action);
  void act(const Action& action, const Out& out);
  void poll(std::int64_t t, const Out& out);
  Counters total(FileSystem& fs, std::int64_t t);
  void retire(FileSystem& fs, const Flow& flow, std::int64_t now);
  void note(std::string_view kind, std::int64_t t, std::int64_t t_end, bool visible, std::string_view why, std::string filesystem = {});
  std::int64_t local(std::int64_t t) const { return t + offset_; }

  std::uint64_t seed_;
  std::uint32_t server_;
  Period period_;
  Truth& truth_;
  std::int64_t offset_;
  std::int64_t phase_;
  std::int64_t next_poll_ = 0;
  std::int64_t paused_until_ = INT64_MIN;
  bool paused_dead_ = false;
  bool begun_ = false;
  std::optional<Action::Kind> next_answer_;
  std::vector<FileSystem> filesystems_;
  std::vector<SeriesAccount> accounts_;
  std::deque<Action> actions_;  // in order of time
};

}  // namespace fathom
