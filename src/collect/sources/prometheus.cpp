// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "collect/http_get.h"
#include "collect/metric_map.h"
#include "collect/run_command.h"
#include "collect/source.h"

namespace fathom {
namespace {

constexpr std::size_t most_bytes = std::size_t{32} << 20;

/// Values gathered by series and moment, until all counters of a moment are there.
class Moments {
 public:
  Moments(Harvest& harvest, std::string_view instance) : harvest_(harvest), instance_(instance) {}

  void add(const MetricRule& rule, const Metric& metric, Time now) {
    const auto name = MetricMap::series(rule, metric, instance_);
    if (!name) return;
    const auto value = counter_value(metric.value, rule.scale);
    if (!value) return harvest_.reject(0, metric.name + " " + metric.value, "not the value of a counter");
    Series& series = series_[*name];
    Sample& sample = series.moments[metric.t == no_time ? now : metric.t];
    std::uint64_t& sum = sample.values[index(rule.counter)];
    if (__builtin_add_overflow(sum, *value, &sum)) return harvest_.reject(0, metric.name, "a sum of counters is too large");
    sample.has |= mask(rule.counter);
    series.has |= mask(rule.counter);
  }

  /// A moment that lacks a counter of its series would break the row of samples: it is left out.
  void deliver() {
    for (auto& [name, series] : series_) {
      const SeriesId id = harvest_.series(name.server, name.filesystem, name.job);
      for (auto& [t, sample] : series.moments) {
        if (sample.has != series.has) {
          harvest_.leave_out("moments with only some of a server's counters (api=query_range brings them together)");
          continue;
        }
        sample.t = t;
        sample.series = id;
        harvest_.sample(sample);
      }
    }
  }
  bool empty() const { return series_.empty(); }

 private:
  struct Series {
    CounterMask has = 0;
    std::map<Time, Sample> moments;
  };
  Harvest& harvest_;
  std::string_view instance_;
  std::map<SeriesName, Series> series_;
};

enum class Api { page, query, query_range };

class Prometheus final : public LiveSource {
 public:
  Prometheus(HttpAddress address, MetricMap map, Api api, Duration interval, Duration time, Duration backfill)
      : address_(std::move(address)), map_(std::move(map)), api_(api), interval_(interval), time_(time), backfill_(backfill) {}

  bool repeats() const override { return api_ != Api::page; }

  Result<void> poll(Harvest& harvest) override {
    const std::string instance = address_.instance();
    Moments moments(harvest, api_ == Api::page ? std::string_view(instance) : std::string_view{});
    TRY_VOID(api_ == Api::page ? scrape(harvest, moments) : ask(moments));
    if (moments.empty())
      return Error{ErrorKind::malformed, fmt::format("asking http://{}{}: nothing in the answer fits the map of metrics", instance,
                                                     excerpt(address_.target, 80))};
    moments.deliver();
    return {};
  }

 private:
  Result<void> scrape(Harvest& harvest, Moments& moments) {
    TRY(const std::string page, http_get(address_, time_, most_bytes));
    const Time now = wall_clock();
    parse_metrics_page(
        page,
        [&](Metric&& metric) {
          for (const MetricRule& rule : map_.rules())
            if (!rule.metric.empty()) moments.add(rule, metric, now);
        },
        [&](std::uint64_t number, std::string_view line) { harvest.reject(number, line, "not a line of a /metrics page"); });
    return {};
  }

  /// What came since the last answer, and a little before: what is known already is passed over.
  Result<void> ask(Moments& moments) {
    const Time now = wall_clock();
    const Time from = std::max(now - backfill_, asked_until_ == no_time ? now - backfill_ : asked_until_ - 3 * interval_);
    for (const MetricRule& rule : map_.rules()) {
      const std::string query = rule.query.empty() ? rule.metric : rule.query;
      HttpAddress address = address_;
      if (address.target.ends_with('/')) address.target.pop_back();
      if (api_ == Api::query) {
        // The raw samples with their own times: a target that was not scraped gives none.
        const auto window = std::max<std::int64_t>(1, (now - from).count() / 1000);
        address.target += fmt::format("/api/v1/query?query={}&time={}", percent_encoded(fmt::format("{}[{}ms]", query, window)),
                                      format_unix_seconds(now));
      } else {
        const std::int64_t step = interval_.count();
        const Time first = time_from_micros((micros(from) / step + 1) * step), last = time_from_micros(micros(now) / step * step);
        address.target += fmt::format("/api/v1/query_range?query={}&start={}&end={}&step={:.3f}", percent_encoded(query),
                                      format_unix_seconds(first), format_unix_seconds(std::max(first, last)), seconds(interval_));
      }
      TRY(const std::string answer, http_get(address, time_, most_bytes));
      const auto parsed = parse_metrics_json(answer, [&](const Metric& metric) { moments.add(rule, metric, now); });
      if (!parsed)
        return Error{parsed.error().kind,
                     fmt::format("asking http://{} for {}: {}", address.instance(), excerpt(query, 80), parsed.error().message)};
    }
    asked_until_ = now;
    return {};
  }

  HttpAddress address_;
  MetricMap map_;
  Api api_;
  Duration interval_, time_, backfill_;
  Time asked_until_ = no_time;
};

constexpr SourceSetting settings[] = {
    {"url", "http://HOST:PORT/metrics of an exporter; with api=, the address of a Prometheus or VictoriaMetrics: http://HOST:9090"},
    {"map", "a TOML file: which metric and labels are which counter of which server"},
    {"api",
     "page: read the page (default); query: the raw samples that a Prometheus has; query_range: its values at multiples of the interval"},
    {"backfill", "seconds that are asked for after a start, or after a time without answers (3600)"},
    {"timeout", "seconds until an answer is given up (10)"}};

Result<std::unique_ptr<LiveSource>> open(const SourceSettings& given) {
  const auto wrong = [&](std::string_view what) {
    return Error{ErrorKind::usage, fmt::format("reading source '{}': {}", excerpt(given.word), what)};
  };
  if (given.get("url").empty() || given.get("map").empty()) return wrong("it needs url= and map=");
  TRY(HttpAddress address, parse_http_address(given.get("url")));
  TRY(MetricMap map, MetricMap::load(given.get("map")));
  const std::string word = given.get("api", "page");
  const auto api = word == "page"          ? std::optional(Api::page)
                   : word == "query"       ? std::optional(Api::query)
                   : word == "query_range" ? std::optional(Api::query_range)
                                           : std::nullopt;
  if (!api) return wrong("api is page, query or query_range");
  if (*api == Api::page && address.target == "/") address.target = "/metrics";
  TRY(const Duration time, command_time(given.word, given.get("timeout", "10")));
  const auto backfill = parse_double(given.get("backfill", "3600"));
  if (!backfill || !(*backfill >= 1 && *backfill <= 31 * 86400)) return wrong("backfill is a number of seconds, 31 days at most");
  return std::unique_ptr<LiveSource>(
      new Prometheus(std::move(address), std::move(map), *api, given.interval, time, Duration{static_cast<std::int64_t>(*backfill * 1e6)}));
}

}  // namespace

namespace sources {
extern const SourceKind prometheus;
constinit const SourceKind prometheus{
    .name = "prometheus",
    .summary = "a /metrics page, or what a Prometheus or VictoriaMetrics has collected, by a map of metrics",
    .settings = settings,
    .example = "prometheus:url=http://oss1:9100/metrics,map=disks.toml",
    .open = open};
}  // namespace sources
}  // namespace fathom
