// SPDX-License-Identifier: Apache-2.0
#include "compete/application.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::compete {
namespace {

double in_seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

bool moves(const slices::Process& process, Direction direction, std::uint64_t least) {
  std::uint64_t bytes = 0;
  for (auto slice = process.slices.begin(); slice != process.slices.end() && bytes < least; ++slice)
    bytes += slices::moved(slice->values, direction);
  return bytes >= least;
}

std::string folder_of(const slices::Profile& profile) {
  const auto whole = profile.directory.lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

Result<void> check_lengths(std::span<const slices::Profile> profiles) {
  for (const slices::Profile& profile : profiles) {
    if (profile.length == profiles.front().length) continue;
    return Error{
        ErrorKind::unsupported,
        fmt::format("comparing slices: those of {} are {:g} s long, those of {} {:g} s: run both with the same length (fathom run --slice)",
                    profiles.front().directory.string(), in_seconds(profiles.front().length), profile.directory.string(),
                    in_seconds(profile.length))};
  }
  return {};
}

}  // namespace

std::vector<std::string> labels(std::span<const slices::Profile> profiles) {
  std::vector<std::string> names, folders, found;
  for (const slices::Profile& profile : profiles) {
    names.push_back(profile.name);
    folders.push_back(folder_of(profile));
  }
  const auto count = [](const std::vector<std::string>& all, const std::string& one) { return std::count(all.begin(), all.end(), one); };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool named = !names[i].empty() && count(names, names[i]) == 1;
    std::string label = named ? names[i] : !folders[i].empty() ? folders[i] : fmt::format("application {}", i + 1);
    for (int number = 2; count(found, label) > 0; ++number) label = fmt::format("{} #{}", named ? names[i] : folders[i], number);
    found.push_back(std::move(label));
  }
  return found;
}

Result<std::vector<Application>> prepare(std::span<const slices::Profile> profiles, std::span<const std::string> labels,
                                         Direction direction, std::uint64_t least) {
  TRY_VOID(check_lengths(profiles));
  std::vector<Application> applications;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    Application& application = applications.emplace_back();
    application.label = labels[i];
    application.profile = &profiles[i];
    application.least = std::max<std::uint64_t>(1, least);
    TRY(application.series, slices::add_up(profiles[i]));
    application.phase = slices::io_phase(application.series, direction);
    for (const slices::Process& process : profiles[i].processes) {
      if (!moves(process, direction, application.least)) continue;
      application.movers.push_back(&process);
      application.hosts.push_back(process.host);
    }
    std::sort(application.hosts.begin(), application.hosts.end());
    application.hosts.erase(std::unique(application.hosts.begin(), application.hosts.end()), application.hosts.end());
  }
  return applications;
}

}  // namespace fathom::compete
