// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "base/wrap.h"
#include "criteria/criterion.h"
#include "job_summary/job_summary.h"

namespace fathom {
namespace {

constexpr std::size_t page_width = 78;

/// The first line begins with `lead`, the others below its end.
std::string hanging(std::string_view lead, std::string_view text) {
  const std::string wrapped = wrap_text(text, page_width - lead.size());
  std::string out(lead);
  for (const char c : wrapped) out += c == '\n' ? "\n" + std::string(lead.size(), ' ') : std::string(1, c);
  return out + "\n";
}

Unit unit_of(std::string_view column) {
  for (const ValueColumn& each : value_columns())
    if (each.name == column) return each.column->unit;
  return Unit::operations;
}

std::string text_of(const JobSummary& s, const std::string& column) { return shown(s.value(column), unit_of(column)); }

std::string row(const JobSummary& s, std::string_view title, std::string_view column) {
  return fmt::format("  {:<26}{:>16}{:>16}\n", title, text_of(s, fmt::format("read_{}", column)),
                     text_of(s, fmt::format("write_{}", column)));
}

std::string level(double value, std::string_view low, std::string_view middle, std::string_view high) {
  return std::string(value < 0.25 ? low : value < 0.75 ? middle : high);
}

std::string heading(const JobSummary& s) {
  const Job& job = s.job;
  std::string out =
      fmt::format("I/O of job {}{}\n\n", excerpt(job.id, 28), s.machine.empty() ? "" : fmt::format(" on {}", excerpt(s.machine, 28)));
  out += hanging("  who    ", excerpt(job.user, 60));
  out += hanging("  what   ", excerpt(job.name, 64));
  out += fmt::format("  when   {} to {}\n         {}{}\n", format_iso8601(job.start), format_iso8601(job.end),
                     human_duration(job.end - job.start), job.state.empty() ? "" : ", " + excerpt(job.state, 40));
  out +=
      fmt::format("  where  {}, {} server{}{}\n",
                  job.nodes > 0 ? fmt::format("{} node{}", human_count(job.nodes), job.nodes == 1 ? "" : "s") : "nodes unknown",
                  s.facts.units, s.facts.units == 1 ? "" : "s", job.partition.empty() ? "" : ", partition " + excerpt(job.partition, 20));
  return out;
}

std::string numbers(const JobSummary& s) {
  std::string out = fmt::format("\n  {:<26}{:>16}{:>16}\n", "", "read", "written");
  out += row(s, "data", "bytes") + row(s, "  surely its own", "bytes_lower") + row(s, "  at most its own", "bytes_upper");
  out += row(s, "requests", "ops") + row(s, "  mean size", "mean_request") +
         row(s, fmt::format("  part of at most {}", human_size(s.options.small.front())), "small_fraction");
  out += row(s, "highest bandwidth", "bw_max_inner") + row(s, "mean bandwidth", "bw_mean");
  out += row(s, fmt::format("time above {}/s", human_size(s.options.thresholds.front())), "intensity");
  return out + row(s, "burstiness", "burstiness") + row(s, "parallelism", "parallel_intensity");
}

std::string comparison(const JobSummary& s) {
  if (s.others == 0) return "\nNo other job of the site can be compared with it.\n";
  std::string out =
      fmt::format("\n{:<42}{:>16}{:>18}\n", fmt::format("Beside {} other job{}", human_count(s.others), s.others == 1 ? "" : "s"),
                  "more than", s.earlier > 0 ? fmt::format("{} run{} before", s.earlier, s.earlier == 1 ? "" : "s") : "");
  for (const Compared& each : s.compared) {
    if (std::isnan(each.own)) continue;
    out += fmt::format("  {:<26}{:>14}{:>16}{:>18}\n", each.words, shown(each.own, unit_of(each.column)),
                       each.below ? fmt::format("{:.0f} %", std::floor(100 * *each.below)) : "-",
                       each.usual ? shown(*each.usual, unit_of(each.column)) : "");
  }
  if (s.earlier > 0)
    out += fmt::format("  {:<26}{:>14}{:>16}{:>18}\n", "run time", human_duration(s.job.end - s.job.start), "",
                       human_duration(Duration{std::llround(s.usual_duration * 1e6)}));
  return out;
}

std::string measured(const JobSummary& s) {
  std::string flags;
  for (std::size_t i = 0; i < measured_flag_names.size(); ++i)
    if ((s.facts.flags >> i & 1) != 0) flags += fmt::format("{}{}", flags.empty() ? "; careful: " : ", ", measured_flag_names[i]);
  const bool anything = s.facts.coverage ? *s.facts.coverage > 0 : s.facts.sampling_step > 0;
  const std::string step = s.facts.sampling_step > 0 ? ", every " + human_duration(Duration{s.facts.sampling_step}) : "";
  const std::string how =
      anything ? fmt::format("Measured {} of the time at the servers{}, linked by {}",
                             s.facts.coverage ? human_percent(*s.facts.coverage) : "an unknown part", step, name_of(s.options.link))
               : "Nothing was measured at its servers while it ran";
  const std::string out = "\n" + hanging("", how + flags + ".");
  return out + hanging("", fmt::format("Not measured: {}.", fmt::join(s.not_measured, "; ")));
}

}  // namespace

std::string in_words(const JobSummary& s) {
  const double read = s.value("read_bytes"), written = s.value("write_bytes");
  if (std::isnan(read) && std::isnan(written)) return "What it read and wrote was not counted.";
  if (!(read > 0) && !(written > 0)) return "It read and wrote nothing that was counted.";
  if (std::isnan(read) || std::isnan(written)) return fmt::format("What it {} was not counted.", std::isnan(read) ? "read" : "wrote");
  const double intensity = s.value("total_intensity"), share = s.value("read_share_bytes");
  std::string text = std::isnan(share) ? "" : share > 0.75 ? "It mostly read" : share < 0.25 ? "It mostly wrote" : "It read and wrote";
  if (!std::isnan(intensity))
    text += fmt::format(", {} ({} of its time)", level(intensity, "now and then", "for a good part of its time", "nearly all the time"),
                        human_percent(intensity));
  if (const double b = s.value("total_burstiness"); !std::isnan(b))
    text += fmt::format(", {} (burstiness {})", level(b, "evenly", "unevenly", "in bursts"), human_percent(b));
  if (const double p = s.value("total_parallel_intensity"); !std::isnan(p) && s.facts.units > 1)
    text += fmt::format(", on {} of its {} servers at once (parallelism {})", level(p, "few", "some", "nearly all"), s.facts.units,
                        human_percent(p));
  return text + ".";
}

std::string summary_text(const JobSummary& s) {
  std::string out = heading(s) + numbers(s) + "\n" + hanging("", in_words(s)) + comparison(s);
  out += s.notices.empty() ? "\nNothing in its I/O asks for a change.\n" : "\nWhat to change\n";
  for (std::size_t i = 0; i < s.notices.size(); ++i)
    out += hanging(fmt::format("  {}. ", i + 1), s.notices[i].advice + " " + s.notices[i].evidence);
  return out + measured(s);
}

nlohmann::ordered_json summary_json(const JobSummary& s) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double value) { return std::isnan(value) ? Json(nullptr) : Json(value); };
  Json values;
  for (const ValueColumn& column : value_columns()) values[column.name] = number(s.value(column.name));
  Json compared = Json::array(), notices = Json::array();
  for (const Compared& each : s.compared)
    compared.push_back({{"column", each.column},
                        {"value", number(each.own)},
                        {"below", each.below ? Json(*each.below) : Json(nullptr)},
                        {"usual", each.usual ? Json(*each.usual) : Json(nullptr)}});
  for (const SummaryNotice& each : s.notices) notices.push_back({{"advice", each.advice}, {"evidence", each.evidence}});
  Json flags = Json::array();
  for (std::size_t i = 0; i < measured_flag_names.size(); ++i)
    if ((s.facts.flags >> i & 1) != 0) flags.push_back(measured_flag_names[i]);
  return {{"job_id", s.job.id},
          {"user", s.job.user},
          {"name", s.job.name},
          {"machine", s.machine},
          {"state", s.job.state},
          {"partition", s.job.partition},
          {"nodes", s.job.nodes > 0 ? Json(s.job.nodes) : Json(nullptr)},
          {"units", s.facts.units},
          {"start", static_cast<double>(micros(s.job.start)) / 1e6},
          {"end", static_cast<double>(micros(s.job.end)) / 1e6},
          {"link", name_of(s.options.link)},
          {"threshold", s.options.thresholds.front()},
          {"small", s.options.small.front()},
          {"coverage", s.facts.coverage ? Json(*s.facts.coverage) : Json(nullptr)},
          {"sampling_step", s.facts.sampling_step > 0 ? Json(static_cast<double>(s.facts.sampling_step) / 1e6) : Json(nullptr)},
          {"flags", flags},
          {"values", values},
          {"words", in_words(s)},
          {"others", s.others},
          {"earlier_runs", s.earlier},
          {"usual_duration", s.earlier > 0 ? Json(s.usual_duration) : Json(nullptr)},
          {"compared", compared},
          {"notices", notices},
          {"not_measured", s.not_measured}};
}

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

}  // namespace

/// The text itself, so that both say the same; what to change stands out.
std::string summary_page(const JobSummary& s) {
  std::string notices;
  for (const SummaryNotice& each : s.notices)
    notices += fmt::format("<li><strong>{}</strong> {}</li>\n", escaped(each.advice), escaped(each.evidence));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>I/O of job {0}</title>\n"
      "<style>body{{font-family:sans-serif;max-width:52em;margin:2em auto;padding:0 "
      "1em;color:#111;background:#fff}}pre{{background:#f4f4f4;padding:1em;overflow-x:auto}}li{{margin:.5em 0}}</style></head>\n"
      "<body><h1>I/O of job {0}</h1>\n<p>{1}</p>\n{2}<pre tabindex=\"0\">{3}</pre>\n</body></html>\n",
      escaped(s.job.id), escaped(in_words(s)), notices.empty() ? "" : fmt::format("<h2>What to change</h2>\n<ol>\n{}</ol>\n", notices),
      escaped(summary_text(s)));
}

}  // namespace fathom
