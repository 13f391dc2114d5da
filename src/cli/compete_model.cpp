// SPDX-License-Identifier: Apache-2.0
#include "cli/compete_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/talk.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/competition_tables.h"
#include "cli/competition_text.h"
#include "sharing/what_if.h"

namespace fathom {
namespace {

using namespace sharing;

/// What a reader of the numbers must know.
void tell_about(const Scenario& scenario, const Course& course) {
  if (scenario.per_application()) return;
  for (const Application& each : scenario.applications)
    if (each.standalone) {
      tell("notice: bandwidth is given, so that standalone of '{}' is not used; per_application = true in its place would\n",
           excerpt(each.name, 40));
      break;
    }
  std::uint64_t most = 0;
  for (const Segment& segment : course.segments) most = std::max(most, segment.writers);
  if (!scenario.bandwidth->constant() && most > scenario.bandwidth->most_writers())
    tell("notice: up to {} at once, and bandwidth is known up to {}: its last value is used\n", counted(most, "process"),
         human_count(scenario.bandwidth->most_writers()));
}

std::string heading(const Scenario& scenario) {
  return fmt::format("{}; every {} has an equal share of {}\n\n", counted(scenario.applications.size(), "application"),
                     scenario.share == Share::node ? "node" : "process",
                     scenario.per_application()       ? "what its application has alone"
                     : scenario.bandwidth->constant() ? human_bytes(scenario.bandwidth->at(1)) + "/s"
                                                      : "a bandwidth that depends on the number of processes");
}

std::string scale(double length) {
  return fmt::format("\nshare of the file system over time, {} in all; a full block is all of it\n", seconds_text(length));
}

/// How long somebody was active, and how much went through meanwhile.
std::string utilisation(const Scenario& scenario, const Course& course) {
  double volume = 0;
  bool known = true;
  for (const Application& each : scenario.applications) {
    known = known && each.volume;
    volume += each.volume.value_or(0);
  }
  const double busy = course.busy();
  if (!(busy > 0)) return "nobody is left\n";
  std::string text = fmt::format("all done after {}; somebody was active in {} of it", seconds_text(course.length()),
                                 human_percent(std::min(1.0, busy / course.length())));
  if (known) text += fmt::format(", {} at {}/s on average", human_bytes(volume), human_bytes(volume / busy));
  return text + "\n";
}

std::string page(const Predicted& found) {
  const Course& course = found.prediction.course;
  return heading(found.scenario) + as_aligned_text(prediction_table(found.scenario, found.prediction, true)) + scale(course.length()) +
         share_drawing(found.scenario, course, course.origin, course.origin + course.length()) + "\n" + utilisation(found.scenario, course);
}

std::string what_if_page(const Predicted& before, const Predicted& after, const std::vector<std::string>& changes) {
  const Course &a = before.prediction.course, &b = after.prediction.course;
  const bool any = !after.scenario.applications.empty();
  const double begin = any ? std::min(a.origin, b.origin) : a.origin;
  const double end = any ? std::max(a.origin + a.length(), b.origin + b.length()) : a.origin + a.length();
  std::string out = heading(before.scenario) + fmt::format("what if {}?\n\n", fmt::join(changes, ", "));
  out += as_aligned_text(what_if_table(before, after, true)) + scale(end - begin);
  out += "before\n" + share_drawing(before.scenario, a, begin, end);
  if (any) out += "after\n" + share_drawing(after.scenario, b, begin, end);
  return out + "\nbefore: " + utilisation(before.scenario, a) + "after:  " + utilisation(after.scenario, b);
}

Result<void> write_segments(const Predicted& found, const OutputOptions& output) {
  std::size_t next = 0;
  return write_table_in_parts(
      [&](Table& part) {
        if (next == found.scenario.applications.size()) return false;
        part = segments_table(found.scenario, found.prediction, next++, output.format == "table");
        return true;
      },
      output);
}

}  // namespace

std::shared_ptr<ModelArguments> add_model_options(CommandLine& line) {
  auto given = std::make_shared<ModelArguments>();
  const auto model = line.add_option("--model", given->file, "predict from this description of the applications").type_name("FILE.toml");
  const auto what_if =
      line.add_option(
              "--what-if", given->what_if,
              "before and after a change, NAME.KEY=VALUE with the key start (with a sign: later or earlier), processes, nodes or volume, "
              "or NAME.absent; may be repeated, all changes together are `after`")
          .type_name("CHANGE")
          .repeated()
          .needs(model);
  const auto segments =
      line.add_flag("--segments", given->segments, "the share and the rate of every application from event to event").needs(model);
  segments.excludes(what_if);
  return given;
}

Result<void> compete_by_model(const ModelArguments& given, const OutputOptions& output) {
  const bool for_people = output.format == "table";
  TRY(Scenario scenario, Scenario::load(given.file));
  if (given.standalone) {
    TRY(const std::vector<double> inferred, standalone_from_observed(scenario));
    return write_table(standalone_table(scenario, inferred, for_people), output);
  }
  TRY(Prediction prediction, predict(scenario));
  const Predicted found{std::move(scenario), std::move(prediction)};
  tell_about(found.scenario, found.prediction.course);
  if (given.segments) return write_segments(found, output);
  if (given.what_if.empty()) {
    if (for_people) return write_text(page(found), output);
    return write_table(prediction_table(found.scenario, found.prediction, false), output);
  }
  Scenario changed = found.scenario;
  for (const std::string& change : given.what_if) TRY_VOID(apply_what_if(changed, change));
  TRY(Prediction otherwise, predict(changed));
  const Predicted after{std::move(changed), std::move(otherwise)};
  if (for_people) return write_text(what_if_page(found, after, given.what_if), output);
  return write_table(what_if_table(found, after, false), output);
}

}  // namespace fathom
