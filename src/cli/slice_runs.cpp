// SPDX-License-Identifier: Apache-2.0
#include "cli/slice_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "base/progress.h"
#include "base/talk.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct Named {
  std::string name, directory;
};

/// A directory may have a '=' in its name: what is there as it stands is meant as it stands.
Named parsed(const std::string& word) {
  std::error_code problem;
  const std::size_t at = word.find('=');
  if (at == std::string::npos || at == 0 || fs::exists(word, problem)) return {"", word};
  return {word.substr(0, at), word.substr(at + 1)};
}

std::string joined(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ", ") + label;
  return text;
}

}  // namespace

Result<SliceRuns> read_slice_runs(const std::vector<std::string>& words) {
  SliceRuns runs;
  std::vector<std::string> names;
  std::set<fs::path> seen;
  std::optional<Progress> progress(std::in_place, "reading slices", Progress::Unit::share);
  for (const std::string& word : words) {
    const Named one = parsed(word);
    std::error_code problem;
    if (!seen.insert(fs::weakly_canonical(one.directory, problem)).second)
      return Error{ErrorKind::usage, fmt::format("reading the slices of {}: it was given twice", one.directory)};
    TRY(slices::Profile profile, slices::read_profile(one.directory));
    if (!one.name.empty()) profile.name = one.name;
    names.push_back(one.name);
    runs.profiles.push_back(std::move(profile));
    progress->update(runs.profiles.size(), words.size());
  }
  progress.reset();
  runs.labels = compete::labels(runs.profiles);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty() && runs.labels[i] != names[i])
      return Error{ErrorKind::usage, fmt::format("naming applications: {} is there twice ({})", names[i], joined(runs.labels))};
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const std::string& notice : runs.profiles[i].notices) tell("{}: {}\n", runs.labels[i], notice);
  return runs;
}

std::shared_ptr<std::string> add_direction_option(CommandLine& line, std::string usual) {
  auto direction = std::make_shared<std::string>(std::move(usual));
  line.add_option("--direction", *direction, fmt::format("bytes that count: read, write or both (default {})", *direction))
      .one_of({"read", "write", "both"})
      .type_name("WHICH");
  return direction;
}

slices::Direction direction_named(std::string_view name) {
  const auto at = std::find(slices::direction_names.begin(), slices::direction_names.end(), name);
  return static_cast<slices::Direction>(at - slices::direction_names.begin());
}

}  // namespace fathom
