// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "collect/run_command.h"
#include "collect/source.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

class GpfsMmpmon final : public LiveSource {
 public:
  GpfsMmpmon(std::vector<std::string> words, std::string requests, Duration time)
      : words_(std::move(words)), requests_(std::move(requests)), limits_{.time = time} {}

  Result<void> poll(Harvest& harvest) override {
    TRY(const std::string text, run_command(words_, requests_, limits_));
    const std::uint64_t before = harvest.account().samples;
    LineInput input = LineInput::from_memory("mmpmon", text);
    TRY_VOID(reader_named("gpfs_mmpmon")->read(input, {}, harvest));
    if (harvest.account().samples == before)
      return Error{ErrorKind::malformed,
                   fmt::format("running {}: it gave no counters (is a file system mounted, is the user root?)", fmt::join(words_, " "))};
    return {};
  }

 private:
  std::vector<std::string> words_;
  std::string requests_;
  CommandLimits limits_;
};

constexpr SourceSetting settings[] = {{"command", "what to run; it must print as mmpmon -p does (/usr/lpp/mmfs/bin/mmpmon -p -s)"},
                                      {"requests", "what it gets on standard input (fs_io_s)"},
                                      {"timeout", "seconds until it is killed (10)"}};

Result<std::unique_ptr<LiveSource>> open(const SourceSettings& given) {
  TRY(const Duration time, command_time(given.word, given.get("timeout", "10")));
  auto words = split_command(given.get("command", "/usr/lpp/mmfs/bin/mmpmon -p -s"));
  if (words.empty()) return Error{ErrorKind::usage, fmt::format("reading source '{}': the command is empty", given.word)};
  return std::unique_ptr<LiveSource>(new GpfsMmpmon(std::move(words), given.get("requests", "fs_io_s") + "\n", time));
}

}  // namespace

namespace sources {
extern const SourceKind gpfs_mmpmon;
constinit const SourceKind gpfs_mmpmon{.name = "gpfs_mmpmon",
                                       .summary = "GPFS / Storage Scale: the answers of mmpmon on this node",
                                       .settings = settings,
                                       .example = "gpfs_mmpmon:command=/usr/lpp/mmfs/bin/mmpmon -p -i /etc/fathom/requests",
                                       .open = open};
}  // namespace sources
}  // namespace fathom
