// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advise/trained.h"
#include "base/other_format.h"
#include "base/text.h"
#include "base/toml.h"
#include "base/whole_file.h"

namespace fathom::advise {
namespace {

constexpr std::size_t most_edges = 50, most_steps = 1'000'000;

/// The form of the file; where it is not said, as in files of before, it is 1.
constexpr std::int64_t known_format = 1;

/// The TOML form, checked key by key:
///   format = 1
///   [load]
///   band_width = 3e7          # bytes per second
///   peak = 5e8
///   window = 300              # seconds
///   windows = 4
///   [weights]
///   band = [1.0, 1.2, ...]    # one for each band, none below the one before it
///   [thresholds]
///   throughput = [1.5e10]     # edges between cells, bytes per second
///   io_to_compute = [0.1]
///   [[cell]]                  # one for each cell, ratios of the first throughput first
///   points = 120              # its own
///   borrowed = 0              # and those of cells up to `distance` away
///   distance = 0
///   steps = [[1.0, 1.3, 1.05, 60], ...]  # scores from, to; normalised I/O time; points
class TrainedFile {
 public:
  TrainedFile(Trained& trained, const std::string& path) : trained_(trained), path_(path) {}

  Result<void> read(const toml::table& root) {
    TRY_VOID(check_format(root));
    TRY_VOID(check_keys(root, {"format", "load", "weights", "thresholds", "cell", "training"}));
    TRY(const toml::table* load, table(root, "load"));
    TRY_VOID(check_keys(*load, {"band_width", "peak", "window", "windows"}));
    TRY(trained_.load.bands.width, number(*load, "band_width", 1, 1e15));
    TRY(trained_.load.bands.peak, number(*load, "peak", 1, 1e15));
    TRY(trained_.load.window_seconds, number(*load, "window", 1, 1e6));
    TRY(const double windows, number(*load, "windows", 1, 1000));
    trained_.load.windows = static_cast<std::size_t>(windows);
    if (trained_.load.bands.peak / trained_.load.bands.width > static_cast<double>(most_bands)) return wrong("more than 200 bands", *load);
    TRY_VOID(read_weights(root));
    TRY_VOID(read_thresholds(root));
    return read_training(root);
  }

 private:
  Error wrong(std::string_view what, const toml::node& where) const {
    return {ErrorKind::malformed,
            fmt::format("reading weights: {} ({}:{})", what, path_, std::max(1u, static_cast<unsigned>(where.source().begin.line)))};
  }

  /// Before all else: another format may have other keys.
  Result<void> check_format(const toml::table& root) const {
    const toml::node* const format = root.get("format");
    if (format == nullptr) return {};
    const auto found = format->value_exact<std::int64_t>();
    if (!found) return wrong("format must be a whole number", *format);
    return *found == known_format ? Result<void>{} : wrong(other_format(*found, known_format), *format);
  }

  Result<void> check_keys(const toml::table& given, std::vector<std::string_view> known) const {
    for (const auto& [key, value] : given) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const std::string_view close = closest_word(key.str(), known);
      return wrong(
          fmt::format("unknown key '{}', {}", excerpt(key.str(), 40),
                      close.empty() ? fmt::format("known are {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", close)),
          value);
    }
    return {};
  }

  Result<const toml::table*> table(const toml::table& root, std::string_view key) const {
    const toml::node* const node = root.get(key);
    if (node == nullptr || !node->is_table()) return wrong(fmt::format("there is no [{}]", key), root);
    return node->as_table();
  }

  Result<double> value(const toml::node& node, std::string_view what, double least, double most) const {
    const double found = node.is_number() ? node.value<double>().value_or(std::nan("")) : std::nan("");
    if (!(found >= least && found <= most)) return wrong(fmt::format("{} must be a number from {:g} to {:g}", what, least, most), node);
    return found;
  }

  Result<double> number(const toml::table& from, std::string_view key, double least, double most) const {
    const toml::node* const node = from.get(key);
    if (node == nullptr) return wrong(fmt::format("{} is missing", key), from);
    return value(*node, key, least, most);
  }

  Result<std::vector<double>> rising(const toml::table& from, std::string_view key, std::size_t most_values, bool strictly) const {
    const toml::node* const node = from.get(key);
    if (node == nullptr || !node->is_array())
      return wrong(fmt::format("{} must be a list of numbers", key), node != nullptr ? *node : from);
    std::vector<double> values;
    for (const toml::node& each : *node->as_array()) {
      TRY(const double next, value(each, key, 0, 1e18));
      if (!values.empty() && (strictly ? next <= values.back() : next < values.back()))
        return wrong(fmt::format("{} must not fall", key), each);
      values.push_back(next);
      if (values.size() > most_values) return wrong(fmt::format("{} has too many values", key), *node);
    }
    return values;
  }

  Result<void> read_weights(const toml::table& root) {
    TRY(const toml::table* weights, table(root, "weights"));
    TRY_VOID(check_keys(*weights, {"band"}));
    TRY(trained_.weights, rising(*weights, "band", most_bands, false));
    if (trained_.weights.size() == trained_.load.bands.count()) return {};
    return wrong(fmt::format("{} weights for {} bands", trained_.weights.size(), trained_.load.bands.count()), *weights);
  }

  Result<void> read_thresholds(const toml::table& root) {
    TRY(const toml::table* edges, table(root, "thresholds"));
    TRY_VOID(check_keys(*edges, {"throughput", "io_to_compute"}));
    TRY(trained_.thresholds.throughput_edges, rising(*edges, "throughput", most_edges, true));
    TRY(trained_.thresholds.ratio_edges, rising(*edges, "io_to_compute", most_edges, true));
    const std::size_t wanted = trained_.thresholds.rows() * trained_.thresholds.columns();
    const toml::node* const cells = root.get("cell");
    if (cells == nullptr || !cells->is_array_of_tables() || cells->as_array()->size() != wanted)
      return wrong(fmt::format("there must be {} [[cell]]", wanted), cells != nullptr ? *cells : static_cast<const toml::node&>(root));
    for (const toml::node& cell : *cells->as_array()) TRY_VOID(read_cell(*cell.as_table()));
    return {};
  }

  Result<void> read_cell(const toml::table& given) {
    TRY_VOID(check_keys(given, {"points", "borrowed", "distance", "steps"}));
    ThresholdCell cell;
    TRY(const double own, number(given, "points", 0, 1e12));
    TRY(const double borrowed, number(given, "borrowed", 0, 1e12));
    TRY(const double distance, number(given, "distance", 0, 1e3));
    cell.own_points = static_cast<std::size_t>(own);
    cell.borrowed_points = static_cast<std::size_t>(borrowed);
    cell.distance = static_cast<std::size_t>(distance);
    const toml::node* const steps = given.get("steps");
    if (steps == nullptr || !steps->is_array() || steps->as_array()->size() > most_steps)
      return wrong("a cell's steps must be a list", given);
    for (const toml::node& node : *steps->as_array()) {
      const toml::array* const four = node.as_array();
      if (four == nullptr || four->size() != 4) return wrong("a step is [from, to, normalised I/O time, points]", node);
      IsotonicStep step;
      TRY(step.first, value((*four)[0], "a score", 0, 1e9));
      TRY(step.last, value((*four)[1], "a score", 0, 1e9));
      TRY(step.value, value((*four)[2], "normalised I/O time", 0, 1e9));
      TRY(const double points, value((*four)[3], "a number of points", 1, 1e12));
      step.points = static_cast<std::size_t>(points);
      const bool rises = cell.steps.empty() || (step.first > cell.steps.back().last && step.value > cell.steps.back().value);
      if (step.last < step.first || !rises) return wrong("steps must rise", node);
      cell.steps.push_back(step);
    }
    trained_.thresholds.cells.push_back(std::move(cell));
    return {};
  }

  Result<void> read_training(const toml::table& root) {
    TRY(const toml::table* training, table(root, "training"));
    TRY_VOID(check_keys(*training, {"source", "points", "mean_deviation"}));
    const toml::node* const source = training->get("source");
    trained_.source = as_utf8(source == nullptr ? "" : source->value_exact<std::string_view>().value_or(""));
    TRY(const double points, number(*training, "points", 0, 1e12));
    trained_.points = static_cast<std::size_t>(points);
    TRY(trained_.mean_deviation, number(*training, "mean_deviation", 0, 1e12));
    return {};
  }

  Trained& trained_;
  const std::string& path_;
};

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : as_utf8(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// With a point or an exponent, so that it stays a real number.
std::string real(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string list(std::span<const double> values) {
  std::string text = "[";
  for (const double value : values) text += (text.size() > 1 ? ", " : "") + real(value);
  return text + "]";
}

}  // namespace

std::string as_toml(const Trained& trained) {
  std::string out = fmt::format(
      "# Weights and thresholds for `fathom advise` and `fathom load`, written by `fathom train`.\nformat = {}\n\n[training]\nsource = "
      "{}\npoints = {}\nmean_deviation = {}\n",
      known_format, quoted(trained.source), trained.points, real(trained.mean_deviation));
  out += fmt::format("\n[load]\nband_width = {}\npeak = {}\nwindow = {}\nwindows = {}\n", real(trained.load.bands.width),
                     real(trained.load.bands.peak), real(trained.load.window_seconds), trained.load.windows);
  out += fmt::format("\n[weights]\nband = {}\n", list(trained.weights));
  out += fmt::format("\n[thresholds]\nthroughput = {}\nio_to_compute = {}\n", list(trained.thresholds.throughput_edges),
                     list(trained.thresholds.ratio_edges));
  for (const ThresholdCell& cell : trained.thresholds.cells) {
    out += fmt::format("\n[[cell]]\npoints = {}\nborrowed = {}\ndistance = {}\nsteps = [", cell.own_points, cell.borrowed_points,
                       cell.distance);
    for (const IsotonicStep& step : cell.steps)
      out += fmt::format("\n  [{}, {}, {}, {}],", real(step.first), real(step.last), real(step.value), step.points);
    out += cell.steps.empty() ? "]\n" : "\n]\n";
  }
  return out;
}

Result<Trained> parse_trained(std::string_view text, const std::string& path) {
  const toml::parse_result parsed = toml::parse(text, std::string_view(path));
  if (!parsed)
    return Error{ErrorKind::malformed, fmt::format("reading weights: {} ({}:{})", parsed.error().description(), path,
                                                   std::max(1u, static_cast<unsigned>(parsed.error().source().begin.line)))};
  Trained trained;
  TRY_VOID(TrainedFile(trained, path).read(parsed.table()));
  return trained;
}

Result<Trained> load_trained(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return Error{text.error().kind, fmt::format("reading weights: {} ({})", text.error().message, path)};
  return parse_trained(*text, path);
}

}  // namespace fathom::advise
