// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "collect/gluster_profile.h"
#include "collect/run_command.h"
#include "collect/source.h"

namespace fathom {
namespace {

class Gluster final : public LiveSource {
 public:
  Gluster(std::vector<std::string> words, Duration time) : words_(std::move(words)), limits_{.time = time} {}

  Result<void> poll(Harvest& harvest) override {
    TRY(const std::string text, run_command(words_, "", limits_));
    const Time now = wall_clock();
    const auto failed = [&](std::string_view what) {
      return Error{ErrorKind::malformed, fmt::format("reading what {} printed: {}", fmt::join(words_, " "), what)};
    };
    const auto profile = parse_gluster_profile(text);
    if (!profile) return failed(profile.error().message);
    if (profile->bricks.empty()) return failed("no brick has cumulative values");
    for (const GlusterBrick& brick : profile->bricks) {
      Sample sample;
      sample.t = now;
      sample.series = harvest.series(brick.name, profile->volume);
      sample.has = GlusterProfile::has;
      sample.values = brick.values;
      harvest.sample(sample);
    }
    return {};
  }

 private:
  std::vector<std::string> words_;
  CommandLimits limits_;
};

constexpr SourceSetting settings[] = {{"volume", "the volume; its profiling must be started: gluster volume profile VOL start"},
                                      {"command", "what to run instead (gluster --mode=script volume profile VOL info cumulative --xml)"},
                                      {"timeout", "seconds until it is killed (10)"}};

Result<std::unique_ptr<LiveSource>> open(const SourceSettings& given) {
  TRY(const Duration time, command_time(given.word, given.get("timeout", "10")));
  const std::string volume = given.get("volume");
  auto words = split_command(given.get("command"));
  if (words.empty() && !volume.empty()) words = {"gluster", "--mode=script", "volume", "profile", volume, "info", "cumulative", "--xml"};
  if (words.empty() || volume.starts_with('-'))
    return Error{ErrorKind::usage, fmt::format("reading source '{}': it needs a volume (gluster:volume=VOL) or a command", given.word)};
  return std::unique_ptr<LiveSource>(new Gluster(std::move(words), time));
}

}  // namespace

namespace sources {
extern const SourceKind gluster;
constinit const SourceKind gluster{.name = "gluster",
                                   .summary = "bricks of a GlusterFS volume, from its profile; each brick is a server",
                                   .settings = settings,
                                   .example = "gluster:volume=scratch",
                                   .open = open};
}  // namespace sources
}  // namespace fathom
