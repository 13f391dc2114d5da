// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "collect/block_stat.h"
#include "collect/live_file.h"
#include "collect/source.h"

namespace fathom {
namespace {

class Block final : public LiveSource {
 public:
  explicit Block(const SourceSettings& settings) : root_(settings.get("root", "/sys/block")), host_(settings.get("host", settings.host)) {
    std::string patterns = settings.get("devices");
    std::string_view rest = patterns;
    for (auto word = take_word(rest); !word.empty(); word = take_word(rest)) patterns_.emplace_back(word);
  }

  Result<void> poll(Harvest& harvest) override {
    const auto names = names_in(root_);
    if (!names) return Error{names.error().kind, fmt::format("reading block devices: {} ({})", names.error().message, root_)};
    for (const std::string& name : *names) {
      if (!wanted(name)) continue;
      const auto text = read_live_file(root_ + "/" + name + "/stat");
      const Time now = wall_clock();
      if (!text) {
        // A device that was taken out between the two looks, or a file that is no device.
        if (text.error().kind != ErrorKind::not_found) harvest.reject(0, name, text.error().message);
        continue;
      }
      const auto stat = parse_block_stat(*text);
      if (!stat) {
        harvest.reject(1, *text, "not the statistics of a block device");
        continue;
      }
      Sample sample;
      sample.t = now;
      sample.series = harvest.series(host_.empty() ? name : host_ + ":" + name, "block");
      sample.has = BlockStat::has;
      sample.values = stat->values;
      harvest.sample(sample);
    }
    return {};
  }

 private:
  /// By default those that store by themselves: a loop device or a volume of the device mapper counts bytes that its disks count again.
  bool wanted(const std::string& name) const {
    if (!patterns_.empty()) {
      for (const std::string& pattern : patterns_)
        if (fits_pattern(name, pattern)) return true;
      return false;
    }
    for (const std::string_view prefix : {"loop", "ram", "zram"})
      if (name.starts_with(prefix)) return false;
    std::error_code problem;
    const std::filesystem::path parts = root_ + "/" + name + "/slaves";
    const bool stacked = std::filesystem::exists(parts, problem) && !std::filesystem::is_empty(parts, problem) && !problem;
    // One path of several to an NVMe disk.
    const auto hidden = read_live_file(root_ + "/" + name + "/hidden");
    return !stacked && !(hidden && hidden->starts_with('1'));
  }

  std::string root_, host_;
  std::vector<std::string> patterns_;
};

constexpr SourceSetting settings[] = {
    {"root", "the folder of devices (/sys/block)"},
    {"devices", "which ones, shell patterns with blanks between them: 'sd* nvme*' (all but loop, ram, zram, stacked and hidden ones)"},
    {"host", "before the device's name in the server's: node7:sda (this machine; empty: the device alone)"}};

}  // namespace

namespace sources {
extern const SourceKind block;
constinit const SourceKind block{.name = "block",
                                 .summary = "block devices of this machine: bytes and requests; each device is a server",
                                 .settings = settings,
                                 .example = "block:devices=sd* nvme*",
                                 .open = [](const SourceSettings& given) -> Result<std::unique_ptr<LiveSource>> {
                                   return std::unique_ptr<LiveSource>(new Block(given));
                                 }};
}  // namespace sources
}  // namespace fathom
