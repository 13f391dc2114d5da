// SPDX-License-Identifier: Apache-2.0
#include "advise/training_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "advise/bands.h"
#include "base/csv.h"
#include "base/text.h"

namespace fathom::advise {
namespace {

constexpr double largest = 1e18;

/// t,application,throughput,io_to_compute,io_seconds,band_0,band_1,band_2
/// 1425168000,IOR_A,19.2e9,0.23,61.5,0.9,0.1,0
class TrainingFile {
 public:
  explicit TrainingFile(LineInput& input) : input_(input) {}

  Result<std::vector<TrainingPoint>> read() {
    Result<void> outcome;
    TRY_VOID(input_.for_each_line([&](std::string_view line, std::uint64_t number) {
      if (trim(line).empty()) return true;
      outcome = columns_.empty() ? take_header(line, number) : take(line, number);
      return outcome.has_value();
    }));
    TRY_VOID(std::move(outcome));
    if (points_.empty()) return Error{ErrorKind::malformed, fmt::format("reading training runs: there are none ({})", input_.path())};
    if (by_shortest_) normalise();
    return std::move(points_);
  }

 private:
  enum Column : std::size_t { throughput, ratio, normalised, io_seconds, alone_seconds, application, named };

  Error wrong(std::string_view what, std::uint64_t line) const {
    return {ErrorKind::malformed, fmt::format("reading training runs: {} ({}:{})", what, input_.path(), line)};
  }

  Result<void> take_header(std::string_view line, std::uint64_t number) {
    if (const char* trouble = record_.split(line)) return wrong(trouble, number);
    static constexpr std::string_view wanted[named] = {"throughput", "io_to_compute", "normalised",
                                                       "io_seconds", "alone_seconds", "application"};
    columns_ = find_columns(record_.fields(), wanted);
    for (const Column each : {throughput, ratio})
      if (columns_[each] == no_column) return wrong(fmt::format("the header has no column {}", wanted[each]), number);
    if (columns_[normalised] == no_column && columns_[io_seconds] == no_column)
      return wrong("the header has neither normalised nor io_seconds", number);
    by_shortest_ = columns_[normalised] == no_column && columns_[alone_seconds] == no_column;
    while (bands_.size() <= most_bands) {
      const std::string name = fmt::format("band_{}", bands_.size());
      const std::string_view one[] = {name};
      const std::size_t at = find_columns(record_.fields(), one).front();
      if (at == no_column) break;
      bands_.push_back(at);
    }
    if (bands_.empty() || bands_.size() > most_bands)
      return wrong(fmt::format("the header must have columns band_0, band_1, ..., at most {}", most_bands), number);
    return {};
  }

  Result<double> number_in(std::size_t column, std::string_view what, double least, std::uint64_t line) const {
    const auto fields = record_.fields();
    const std::string_view text = column < fields.size() ? trim(fields[column]) : std::string_view{};
    const std::optional<double> value = parse_double(text);
    if (value && *value >= least && *value <= largest) return *value;
    return wrong(fmt::format("{} is '{}', not a number of at least {:g}", what, excerpt(text, 40), least), line);
  }

  Result<void> take(std::string_view line, std::uint64_t number) {
    if (const char* trouble = record_.split(line)) return wrong(trouble, number);
    TrainingPoint point;
    TRY(point.throughput, number_in(columns_[throughput], "throughput", 0, number));
    TRY(point.io_to_compute, number_in(columns_[ratio], "io_to_compute", 0, number));
    double sum = 0;
    for (const std::size_t band : bands_) {
      TRY(const double fraction, number_in(band, "a fraction of time", 0, number));
      point.load.push_back(fraction);
      sum += fraction;
    }
    if (!(std::fabs(sum - 1) <= 0.01)) return wrong(fmt::format("the fractions of time add up to {:g}, not to 1", sum), number);
    if (columns_[normalised] != no_column) {
      TRY(point.normalised, number_in(columns_[normalised], "normalised", 1e-3, number));
    } else {
      TRY(point.normalised, number_in(columns_[io_seconds], "io_seconds", 1e-6, number));
    }
    if (columns_[normalised] == no_column && !by_shortest_) {
      TRY(const double alone, number_in(columns_[alone_seconds], "alone_seconds", 1e-6, number));
      point.normalised /= alone;
    }
    const auto fields = record_.fields();
    if (by_shortest_)
      applications_.emplace_back(columns_[application] < fields.size() ? fields[columns_[application]] : std::string_view{});
    points_.push_back(std::move(point));
    return {};
  }

  /// AID, section V-B: "the I/O time of a training job normalized to the measured shortest time in all trials".
  void normalise() {
    std::map<std::string, double> shortest;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto [at, fresh] = shortest.emplace(applications_[i], points_[i].normalised);
      if (!fresh) at->second = std::min(at->second, points_[i].normalised);
    }
    for (std::size_t i = 0; i < points_.size(); ++i) points_[i].normalised /= shortest[applications_[i]];
  }

  LineInput& input_;
  CsvRecord record_;
  std::vector<std::size_t> columns_, bands_;
  bool by_shortest_ = false;
  std::vector<std::string> applications_;
  std::vector<TrainingPoint> points_;
};

}  // namespace

Result<std::vector<TrainingPoint>> read_training_runs(LineInput& input) { return TrainingFile(input).read(); }

}  // namespace fathom::advise
