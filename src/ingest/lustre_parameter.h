// SPDX-License-Identifier: Apache-2.0
/// The parts of a Lustre dump (`lctl get_param`, a file of /proc or /sys, or many of these put together) and whose they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/input.h"
#include "base/result.h"
#include "base/time.h"
#include "ingest/harvest.h"
#include "ingest/reader.h"

namespace fathom {

/// `obdfilter.scratch-OST0042.stats`, or the same as a path. Values of parameters without dots have only a name.
struct LustreParameter {
  std::string subsystem;  // obdfilter, osd-ldiskfs, mdt, llite; empty where nothing tells it
  std::string target;     // scratch-OST0042; for llite the mount: scratch-ffff88105db50000
  std::string name;       // stats, md_stats, job_stats

  bool operator==(const LustreParameter&) const = default;
};

/// Whose lines follow, and when they were taken.
struct LustrePart {
  LustreParameter parameter;
  bool announced = false;    // by a `...=` line; otherwise told by the path, a comment or --server
  std::optional<Time> time;  // of the last `# time=` comment
  std::uint64_t line = 0;
};

/// What a reader does with the parts of a dump, in order; end() closes each part.
class LustrePartReader {
 public:
  virtual void begin(const LustrePart& part) = 0;
  virtual void line(std::string_view text, std::uint64_t number) = 0;
  virtual void end() = 0;

 protected:
  ~LustrePartReader() = default;
};

Result<void> read_lustre_parts(LineInput& input, const ReadOptions& options, Harvest& harvest, LustrePartReader& reader);

/// The parameter that `name=value` gives, and what follows the `=`; nothing for any other line.
struct LustreAnnouncement {
  LustreParameter parameter;
  std::string_view value;
};
std::optional<LustreAnnouncement> lustre_announcement(std::string_view line);

/// `/proc/fs/lustre/obdfilter/scratch-OST0042/stats`, `scratch-OST0042.job_stats.gz`.
LustreParameter lustre_parameter_of_path(std::string_view path);

/// `scratch-OST0042`, `OST0001`, `work-MDT0000`
bool is_lustre_target(std::string_view text);
/// `scratch` of `scratch-OST0042`; empty for a bare `OST0001`.
std::string_view lustre_filesystem(std::string_view target);

/// `1438693238.20113 secs.usecs` is 20,113 microseconds past the second, not a fraction: old versions do not pad.
std::optional<Time> parse_lustre_time(std::string_view text);

/// When the counters were zero; nothing for a start that is no date (seconds since boot, seen in 2.14) or lies after `t`.
Time lustre_since(std::optional<Time> start, Time t);

}  // namespace fathom
