// SPDX-License-Identifier: Apache-2.0
#include "synth/gpfs_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "synth/mmpmon_writer.h"

namespace fathom {
namespace {

constexpr std::int64_t day = 86400 * std::int64_t{1'000'000};

/// One log file for each day.
class DayFiles {
 public:
  DayFiles(std::string directory, std::int32_t last_day) : directory_(std::move(directory)), last_day_(last_day) {}

  /// Where text of that time belongs; what arrives after the last day still goes to its file.
  Result<void> turn_to(std::int64_t written) {
    const std::int32_t wanted = std::min(static_cast<std::int32_t>(written / day), last_day_);
    if (file_ && wanted == day_) return {};
    TRY_VOID(close());
    day_ = wanted;
    path_ = fmt::format("{}/mmpmon-{}.log", directory_, format_day(wanted));
    file_.reset(std::fopen(path_.c_str(), "wb"));
    if (!file_) return failure();
    return {};
  }

  Result<void> write(std::string& text) {
    if (file_ && std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) return failure();
    text.clear();
    return {};
  }

  Result<void> close() {
    if (file_ && std::fclose(file_.release()) != 0) return failure();
    return {};
  }

 private:
  Error failure() const { return {ErrorKind::unwritable, fmt::format("writing {}: {}", path_, std::strerror(errno))}; }

  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string directory_;
  std::int32_t last_day_;
  std::int32_t day_ = 0;
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace

Result<void> write_counter_logs(const GpfsNames& names, Period period, const AnswerSource& run, const std::string& directory) {
  const MmpmonWriter writer(names.servers, names.filesystems, names.cluster);
  DayFiles files(directory, static_cast<std::int32_t>((period.end - 1) / day));
  std::string text;
  Result<void> outcome;
  std::int64_t day_of_text = 0;
  run([&](const Answer& answer) {
    if (!outcome) return;
    if (answer.written / day != day_of_text || text.size() > (1u << 20)) {
      outcome = files.write(text);
      day_of_text = answer.written / day;
      if (outcome) outcome = files.turn_to(answer.written);
    }
    writer.append(text, answer);
  });
  TRY_VOID(std::move(outcome));
  TRY_VOID(files.write(text));
  return files.close();
}

void deliver_counters(const GpfsNames& names, const AnswerSource& run, Harvest& harvest) {
  constexpr SeriesId unknown = UINT32_MAX;  // ids are given at first sight, as a reader does
  std::vector<SeriesId> ids(names.servers.size() * names.filesystems.size(), unknown);
  run([&](const Answer& answer) {
    const std::string& server = names.servers[answer.server];
    if (answer.kind == AnswerKind::reset)
      harvest.mark({.server = server, .filesystem = {}, .kind = MarkKind::reset, .t = time_from_micros(answer.t)});
    for (std::size_t i = 0; i < answer.count; ++i) {
      const Answer::Line& line = answer.lines[i];
      SeriesId& id = ids[answer.server * names.filesystems.size() + line.filesystem];
      if (id == unknown) id = harvest.series(server, names.filesystems[line.filesystem]);
      harvest.sample({.t = time_from_micros(line.t), .series = id, .has = mmpmon_counters, .traits = narrow_ops, .values = line.values});
    }
  });
}

}  // namespace fathom
