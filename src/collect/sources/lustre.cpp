// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "collect/live_file.h"
#include "collect/source.h"
#include "ingest/lustre_parameter.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

/// Which files of a tree are counters: `obdfilter/scratch-OST0042/stats`.
struct Place {
  std::string_view subsystem, file, reader;
};
constexpr Place places[] = {{"obdfilter", "stats", "lustre_stats"},   {"mdt", "md_stats", "lustre_stats"},
                            {"llite", "stats", "lustre_stats"},       {"obdfilter", "job_stats", "lustre_job_stats"},
                            {"mdt", "job_stats", "lustre_job_stats"}, {"osd-ldiskfs", "stats", "lustre_stats"},
                            {"osd-zfs", "stats", "lustre_stats"}};

class Lustre final : public LiveSource {
 public:
  Lustre(const SourceSettings& settings, bool jobs) : jobs_(jobs) {
    const std::string root = settings.get("root");
    roots_ = root.empty() ? std::vector<std::string>{"/proc/fs/lustre", "/sys/kernel/debug/lustre", "/sys/fs/lustre"}
                          : std::vector<std::string>{root};
    options_.job_id_pattern = settings.get("job_id_pattern");
  }

  Result<void> poll(Harvest& harvest) override {
    std::set<std::string, std::less<>> seen;  // a parameter may be in /proc and in /sys
    bool any_root = false;
    for (const std::string& root : roots_) {
      any_root = any_root || names_in(root).has_value();
      for (const Place& place : places) {
        if (place.reader == "lustre_job_stats" && !jobs_) continue;
        TRY_VOID(read_all(root, place, seen, harvest));
      }
    }
    if (!any_root)
      return Error{ErrorKind::not_found,
                   fmt::format("reading Lustre's counters: none of these folders can be read: {}", fmt::join(roots_, ", "))};
    return {};
  }

 private:
  Result<void> read_all(const std::string& root, const Place& place, std::set<std::string, std::less<>>& seen, Harvest& harvest) {
    const std::string folder = fmt::format("{}/{}", root, place.subsystem);
    const auto targets = names_in(folder);
    if (!targets) return {};  // this machine has none of them
    for (const std::string& target : *targets) {
      // osd counts the same bytes as obdfilter: it is read only where that has nothing.
      const bool of_osd = place.subsystem.starts_with("osd-");
      if (of_osd && seen.contains(fmt::format("obdfilter/{}/stats", target))) continue;
      const std::string key = fmt::format("{}/{}/{}", of_osd ? "osd" : place.subsystem, target, place.file);
      if (seen.contains(key)) continue;
      const std::string path = fmt::format("{}/{}/{}", folder, target, place.file);
      auto text = read_live_file(path);
      if (!text) {
        if (text.error().kind != ErrorKind::not_found) harvest.reject(0, path, text.error().message);
        continue;
      }
      seen.insert(key);
      // Says when the file was read: for tables without a time of their own, and for an empty table of jobs.
      const Time now = wall_clock();
      options_.default_time = now;
      text->insert(0, fmt::format("# time={}\n", format_unix_seconds(now)));
      LineInput input = LineInput::from_memory(path, *text);
      TRY_VOID(reader_named(place.reader)->read(input, options_, harvest));
    }
    return {};
  }

  std::vector<std::string> roots_;
  bool jobs_;
  ReadOptions options_;
};

constexpr SourceSetting settings[] = {
    {"root", "the folder with obdfilter, mdt and llite in it (/proc/fs/lustre, /sys/kernel/debug/lustre and /sys/fs/lustre)"},
    {"jobs", "yes or no: the counters of single jobs, job_stats (yes)"},
    {"job_id_pattern", "how the site makes job ids, as for `fathom ingest --job-id-pattern`"}};

Result<std::unique_ptr<LiveSource>> open(const SourceSettings& given) {
  const std::string jobs = given.get("jobs", "yes");
  if (jobs != "yes" && jobs != "no") return Error{ErrorKind::usage, fmt::format("reading source '{}': jobs is yes or no", given.word)};
  return std::unique_ptr<LiveSource>(new Lustre(given, jobs == "yes"));
}

}  // namespace

namespace sources {
extern const SourceKind lustre;
constinit const SourceKind lustre{.name = "lustre",
                                  .summary = "targets and mounts of Lustre on this machine: stats, md_stats, job_stats",
                                  .settings = settings,
                                  .example = "lustre:jobs=no",
                                  .open = open};
}  // namespace sources
}  // namespace fathom
