// SPDX-License-Identifier: Apache-2.0
/// One kind of live counters: what it is called, which settings it takes, and how it is read. Each has a file of its own in sources/.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "ingest/harvest.h"

namespace fathom {

/// What the word on the command line says: `block:root=/sys/block,host=node7`.
struct SourceSettings {
  std::string word;  // as it was given
  std::map<std::string, std::string, std::less<>> given;
  Duration interval = std::chrono::seconds(10);
  std::string host;  // this machine, for servers that have no name of their own

  /// The setting, or `otherwise` where it was not given.
  std::string get(std::string_view key, std::string_view otherwise = {}) const;
};

/// Something whose counters are read again and again.
class LiveSource {
 public:
  virtual ~LiveSource() = default;
  /// Delivers the counters as they are now. A failure is a gap: nothing of this poll is kept.
  virtual Result<void> poll(Harvest& harvest) = 0;
  /// Whether a poll delivers moments that an earlier one delivered already.
  virtual bool repeats() const { return false; }
};

struct SourceSetting {
  std::string_view name;
  std::string_view meaning;
};

struct SourceKind {
  std::string_view name;     // the word on the command line
  std::string_view summary;  // one line
  std::span<const SourceSetting> settings;
  std::string_view example;  // a word to copy
  /// Looks at the settings alone; the counters may appear later.
  Result<std::unique_ptr<LiveSource>> (*open)(const SourceSettings& settings);
};

std::span<const SourceKind* const> all_source_kinds();

/// A source of the command line with its kind.
struct ChosenSource {
  const SourceKind* kind = nullptr;
  SourceSettings settings;
};

/// `prometheus:url=http://host:9100/metrics,map=disks.toml`; a comma or backslash inside a value is written with a backslash before it.
Result<ChosenSource> choose_source(std::string_view word);

/// The time of day, for what is read now.
Time wall_clock();

}  // namespace fathom
