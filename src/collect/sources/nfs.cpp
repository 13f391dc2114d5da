// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "collect/live_file.h"
#include "collect/mountstats.h"
#include "collect/source.h"

namespace fathom {
namespace {

class Nfs final : public LiveSource {
 public:
  explicit Nfs(const SourceSettings& settings)
      : path_(settings.get("path", "/proc/self/mountstats")), host_(settings.get("host", settings.host)) {}

  Result<void> poll(Harvest& harvest) override {
    const auto text = read_live_file(path_);
    const Time now = wall_clock();
    if (!text) return Error{text.error().kind, fmt::format("reading the counters of NFS mounts: {} ({})", text.error().message, path_)};
    std::set<std::tuple<std::string, std::uint64_t, Counters>> seen;
    std::map<std::string, Before> mounts;
    for (const NfsMount& mount : parse_mountstats(*text, [&](auto line, auto what, auto why) { harvest.reject(line, what, why); })) {
      // Mounts of one export share their counters (unless nosharecache): counted once, under the first of them.
      if (!seen.emplace(mount.device, mount.age, mount.values).second) {
        harvest.leave_out("a second mount with the same counters");
        continue;
      }
      const std::string server = host_ + ":" + mount.point;
      if (!mounts.emplace(server, Before{now, mount.age}).second) {
        harvest.leave_out("a mount that another one lies on");
        continue;
      }
      tell_of_remount(server, mount, now, harvest);
      Sample sample;
      sample.t = now;
      sample.series = harvest.series(server, mount.device);
      sample.has = mount.has;
      sample.values = mount.values;
      harvest.sample(sample);
    }
    before_ = std::move(mounts);
    return {};
  }

 private:
  struct Before {
    Time t;
    std::uint64_t age;
  };

  /// It is younger than when it was last seen: its counters began again, even if they have passed their old values since.
  void tell_of_remount(const std::string& server, const NfsMount& mount, Time now, Harvest& harvest) {
    const auto before = before_.find(server);
    if (before == before_.end() || mount.age >= before->second.age) return;
    const Time mounted = now - std::chrono::seconds(std::min<std::uint64_t>(mount.age, 1u << 30));
    harvest.mark({.server = server,
                  .filesystem = {},
                  .kind = MarkKind::reset,
                  .t = std::max(before->second.t, mounted - std::chrono::seconds(1)),
                  .source = 0});
  }

  std::string path_, host_;
  std::map<std::string, Before> before_;
};

constexpr SourceSetting settings[] = {{"path", "the file (/proc/self/mountstats)"},
                                      {"host", "before the mount point in the server's name: node7:/home (this machine)"}};

}  // namespace

namespace sources {
extern const SourceKind nfs;
constinit const SourceKind nfs{
    .name = "nfs",
    .summary = "NFS mounts of this machine: bytes to and from the server, reads, writes, opens, closes; each mount is a server",
    .settings = settings,
    .example = "nfs",
    .open = [](const SourceSettings& given) -> Result<std::unique_ptr<LiveSource>> { return std::unique_ptr<LiveSource>(new Nfs(given)); }};
}  // namespace sources
}  // namespace fathom
