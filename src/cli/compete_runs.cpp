// SPDX-License-Identifier: Apache-2.0
#include "cli/compete_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/talk.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/measured_competition.h"
#include "cli/slice_runs.h"

namespace fathom {
namespace {

using compete::Alone;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// What stands behind the name: seconds, or a run to read them from.
Result<Alone> measured_alone(const std::string& value, const std::string& label, std::int64_t length, slices::Direction direction) {
  if (const auto seconds = parse_double(value)) {
    if (*seconds > 0) return Alone{*seconds, std::nullopt};
    return Error{ErrorKind::usage, fmt::format("reading --standalone {}={}: a time must be above zero", label, value)};
  }
  TRY(const slices::Profile profile, slices::read_profile(value));
  for (const std::string& notice : profile.notices) tell("{} alone: {}\n", label, notice);
  auto alone = compete::alone_from(profile, length, direction);
  if (!alone) return Error{alone.error().kind, fmt::format("reading --standalone {}={}: {}", label, value, alone.error().message)};
  return alone;
}

Result<std::vector<std::optional<Alone>>> read_standalone(const std::vector<std::string>& words, const SliceRuns& runs,
                                                          slices::Direction direction) {
  std::vector<std::optional<Alone>> alone(runs.labels.size());
  for (const std::string& word : words) {
    const std::size_t at = word.find('=');
    const std::string name = word.substr(0, at);
    const auto found = std::find(runs.labels.begin(), runs.labels.end(), name);
    if (at == std::string::npos || found == runs.labels.end())
      return Error{ErrorKind::usage, fmt::format("reading --standalone {}: NAME=DIR or NAME=SECONDS is wanted, with one of the names {}",
                                                 word, joined(runs.labels))};
    auto& place = alone[static_cast<std::size_t>(found - runs.labels.begin())];
    if (place) return Error{ErrorKind::usage, fmt::format("reading --standalone {}: {} was given before", word, name)};
    TRY(place, measured_alone(word.substr(at + 1), name, runs.profiles.front().length, direction));
  }
  return alone;
}

}  // namespace

std::shared_ptr<RunsArguments> add_runs_options(CommandLine& line) {
  auto given = std::make_shared<RunsArguments>();
  line.add_option("DIR", given->directories, "directories that fathom run wrote, one for each application; NAME=DIR gives it a name");
  given->direction = add_direction_option(line, "write");
  line.add_option("--least", given->least,
                  "leave out processes that moved less than this in all (1K), say a line of a log (default: those that moved nothing)")
      .type_name("BYTES");
  line.add_flag("--trim", given->trim, "overlap and overall throughput without start-up and ending");
  line.add_option("--share", given->share,
                  "who has equal shares in the model: process or node (default: what is nearer to the throughput seen)")
      .one_of({"process", "node"})
      .type_name("WHO");
  line.add_flag("--pairs", given->pairs, "rows of each two applications");
  return given;
}

Result<void> compete_by_runs(const RunsArguments& given, const OutputOptions& output) {
  if (given.directories.size() < 2)
    return Error{ErrorKind::usage, "comparing applications: needs two directories of `fathom run` or more, or --model FILE.toml"};
  const auto least = given.least.empty() ? std::optional<std::uint64_t>(1) : parse_bytes(given.least);
  if (!least) return Error{ErrorKind::usage, fmt::format("reading --least {}: not an amount of bytes", given.least)};
  TRY(const SliceRuns runs, read_slice_runs(given.directories));
  const slices::Direction direction = direction_named(*given.direction);
  TRY(const std::vector<compete::Application> applications, compete::prepare(runs.profiles, runs.labels, direction, *least));
  TRY(const std::vector<std::optional<Alone>> alone, read_standalone(given.standalone, runs, direction));
  const std::optional<compete::Share> share =
      given.share.empty() ? std::nullopt : std::optional(given.share == "node" ? compete::Share::node : compete::Share::process);
  const compete::Competition competition = compete::compete(applications, alone, {direction, given.trim}, share, given.pairs);
  for (const std::string& notice : competition.notices()) tell("notice: {}\n", notice);
  if (given.pairs) return write_table(compete::pair_rows(competition), output);
  if (output.format == "table") return write_text(competition_page(competition), output);
  if (output.format == "json")
    return write_text(compete::competition_json(competition).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n", output);
  return write_table(compete::competition_rows(competition), output);
}

}  // namespace fathom
