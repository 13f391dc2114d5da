// SPDX-License-Identifier: Apache-2.0
#include "collect/metrics_page.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <iterator>

#include "base/text.h"

namespace fathom {
namespace {

/// Pages in memory, from /proc/self/statm: `1432 212 180 ...`.
std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long total = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

class Page {
 public:
  void metric(std::string_view name, std::string_view type, std::string_view help) {
    fmt::format_to(std::back_inserter(text_), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
  }
  template <class Value>
  void value(std::string_view name, std::string_view labels, const Value& value) {
    if (labels.empty())
      fmt::format_to(std::back_inserter(text_), "{} {}\n", name, value);
    else
      fmt::format_to(std::back_inserter(text_), "{}{{{}}} {}\n", name, labels, value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

struct OfSource {
  std::string_view name, type, help;
  std::function<std::string(const SourceHealth&)> value;
};

std::string as_seconds(std::int64_t micros) { return fmt::format("{:.6f}", static_cast<double>(micros) / 1e6); }

void write_sources(Page& page, const std::vector<std::unique_ptr<SourceHealth>>& sources) {
  const OfSource metrics[] = {
      {"fathom_collect_polls_total", "counter", "Polls that were attempted.",
       [](const SourceHealth& h) { return fmt::format("{}", h.polls.load()); }},
      {"fathom_collect_poll_failures_total", "counter", "Polls that gave no counters: gaps.",
       [](const SourceHealth& h) { return fmt::format("{}", h.failures.load()); }},
      {"fathom_collect_polls_missed_total", "counter", "Moments of the schedule without an attempt.",
       [](const SourceHealth& h) { return fmt::format("{}", h.missed.load()); }},
      {"fathom_collect_samples_total", "counter", "Samples that were taken.",
       [](const SourceHealth& h) { return fmt::format("{}", h.samples.load()); }},
      {"fathom_collect_rejected_total", "counter", "Records that could not be used.",
       [](const SourceHealth& h) { return fmt::format("{}", h.rejected.load()); }},
      {"fathom_collect_late_samples_total", "counter", "Samples left out because the clock was set back.",
       [](const SourceHealth& h) { return fmt::format("{}", h.late.load()); }},
      {"fathom_collect_last_success_timestamp_seconds", "gauge", "When counters were last read; 0: never.",
       [](const SourceHealth& h) { return as_seconds(h.last_success_us); }},
      {"fathom_collect_lag_seconds", "gauge", "From the moment of the schedule to the end of the last poll.",
       [](const SourceHealth& h) { return as_seconds(h.lag_us); }},
      {"fathom_collect_up", "gauge", "Whether the last poll gave counters.",
       [](const SourceHealth& h) { return std::string(h.up ? "1" : "0"); }},
  };
  for (const OfSource& metric : metrics) {
    page.metric(metric.name, metric.type, metric.help);
    for (const auto& source : sources)
      page.value(metric.name, fmt::format("source=\"{}\"", metrics_label(source->word)), metric.value(*source));
  }
}

void write_one(Page& page, std::string_view name, std::string_view type, std::string_view help, const std::string& value) {
  page.metric(name, type, help);
  page.value(name, "", value);
}

void write_process(Page& page, const FlushHealth& flushes, const Waiting& waiting, const Latest& latest) {
  write_one(page, "fathom_collect_flushes_total", "counter", "Segments committed to the store.", fmt::format("{}", flushes.flushes.load()));
  write_one(page, "fathom_collect_flush_failures_total", "counter", "Attempts to write to the store that failed; samples go on waiting.",
            fmt::format("{}", flushes.failures.load()));
  write_one(page, "fathom_collect_samples_written_total", "counter", "Samples that are in the store.",
            fmt::format("{}", flushes.samples.load()));
  write_one(page, "fathom_collect_compactions_total", "counter", "Times that small segments were merged.",
            fmt::format("{}", flushes.compactions.load()));
  write_one(page, "fathom_collect_last_flush_timestamp_seconds", "gauge", "When the store was last written; 0: never.",
            as_seconds(flushes.last_success_us));
  write_one(page, "fathom_collect_flush_duration_seconds", "gauge", "How long the last write took, other writers waited for included.",
            as_seconds(flushes.duration_us));
  write_one(page, "fathom_collect_samples_waiting", "gauge", "Samples that are not in the store yet.",
            fmt::format("{}", waiting.samples()));
  write_one(page, "fathom_collect_samples_thinned_total", "counter", "Samples given up because too many waited.",
            fmt::format("{}", waiting.thinned()));
  write_one(page, "fathom_collect_series", "gauge", "Series whose last sample is remembered.", fmt::format("{}", latest.size()));
  write_one(page, "fathom_collect_resident_bytes", "gauge", "Memory of this process.", fmt::format("{}", resident_bytes()));
}

/// Series of jobs have metrics of their own: a sum over a metric shall count every byte once. Their label is not `job`, which is
/// Prometheus's own.
void write_series(Page& page, const std::vector<Latest::Entry>& entries, bool of_jobs) {
  for (std::size_t c = 0; c < counter_count; ++c) {
    const std::string name = fmt::format("fathom_{}{}_total", of_jobs ? "job_" : "", counter_names[c]);
    page.metric(name, "counter", of_jobs ? "As the server counts for one job." : "As the server counts.");
    for (const auto& [series, sample] : entries) {
      if (!holds(sample.has, c) || series.job.empty() == of_jobs) continue;
      std::string labels = fmt::format("server=\"{}\",filesystem=\"{}\"", metrics_label(series.server), metrics_label(series.filesystem));
      if (of_jobs) labels += fmt::format(",batch_job=\"{}\"", metrics_label(series.job));
      page.value(name, labels, sample.values[c]);
    }
  }
}

}  // namespace

std::string metrics_label(std::string_view text) {
  std::string escaped;
  for (const char c : as_utf8(text)) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string metrics_page(const std::vector<std::unique_ptr<SourceHealth>>& sources, const FlushHealth& flushes, const Waiting& waiting,
                         const Latest& latest, const MetricsOptions& options) {
  Page page;
  write_sources(page, sources);
  write_process(page, flushes, waiting, latest);
  const auto entries = latest.entries();
  write_series(page, entries, false);
  if (options.expose_jobs) write_series(page, entries, true);
  return page.take();
}

}  // namespace fathom
