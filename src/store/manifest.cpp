// SPDX-License-Identifier: Apache-2.0
#include "store/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "store/files.h"

namespace fathom {
namespace {

using nlohmann::json;

std::string manifest_path(const std::string& store) { return store + "/manifest.json"; }

/// Writers delete and rename what a manifest names: it may name nothing outside of the store.
bool is_inside(const std::string& path) {
  const std::filesystem::path given(path);
  if (given.empty() || given.is_absolute()) return false;
  return std::none_of(given.begin(), given.end(), [](const std::filesystem::path& part) { return part == ".."; });
}

/// A number as it stands there: a fraction, or one that does not fit, is no number of ours.
template <class Number>
Number whole(const json& value) {
  if (!value.is_number_integer()) throw json::type_error::create(302, "not a whole number", &value);
  const bool fits =
      value.is_number_unsigned() ? std::in_range<Number>(value.get<std::uint64_t>()) : std::in_range<Number>(value.get<std::int64_t>());
  if (!fits) throw json::out_of_range::create(406, "a number that is too large", &value);
  return value.get<Number>();
}

Error leads_outside(const std::string& store, const std::string& path) {
  return {ErrorKind::damaged, fmt::format("opening store {}: its manifest names {}, which is not inside of it", store, path)};
}

}  // namespace

std::vector<const Segment*> Manifest::of(std::string_view table, std::int32_t from, std::int32_t to) const {
  std::vector<const Segment*> found;
  for (const Segment& segment : segments)
    if (segment.table == table && segment.day >= from && segment.day <= to) found.push_back(&segment);
  std::sort(found.begin(), found.end(),
            [](const Segment* a, const Segment* b) { return std::tie(a->day, a->path) < std::tie(b->day, b->path); });
  return found;
}

bool has_manifest(const std::string& store) { return std::filesystem::exists(manifest_path(store)); }

Result<Manifest> load_manifest(const std::string& store) {
  TRY(const std::string text, read_file(manifest_path(store)));
  const Error damaged{ErrorKind::damaged, fmt::format("opening store {}: manifest.json is damaged", store)};
  try {
    const json document = json::parse(text);
    Manifest manifest;
    manifest.format = whole<int>(document.at("format"));
    if (manifest.format < 1 || manifest.format > Manifest::current_format) {
      return Error{ErrorKind::unsupported, fmt::format("opening store {}: it has format {}, this program knows formats 1 to {}", store,
                                                       manifest.format, Manifest::current_format)};
    }
    manifest.commit = whole<decltype(manifest.commit)>(document.at("commit"));
    manifest.next_source = whole<decltype(manifest.next_source)>(document.at("next_source"));
    if (document.contains("forgotten_before")) manifest.forgotten_before = whole<std::int32_t>(document.at("forgotten_before"));
    for (const json& entry : document.at("segments")) {
      manifest.segments.push_back({.table = entry.at("table"),
                                   .path = entry.at("path"),
                                   .staged = entry.value("staged", ""),
                                   .day = whole<std::int32_t>(entry.at("day")),
                                   .rows = whole<std::uint64_t>(entry.at("rows")),
                                   .bytes = whole<std::uint64_t>(entry.at("bytes")),
                                   .hash = entry.at("hash"),
                                   .format = entry.contains("format") ? whole<int>(entry.at("format")) : 1});
    }
    manifest.removed = document.at("removed").get<std::vector<std::string>>();
    for (const Segment& segment : manifest.segments) {
      if (segment.format < 1 || segment.format > manifest.format)
        return Error{ErrorKind::damaged, fmt::format("opening store {}: {} has format {} in a store of format {}", store, segment.path,
                                                     segment.format, manifest.format)};
      if (!is_inside(segment.path)) return leads_outside(store, segment.path);
      if (!segment.staged.empty() && !is_inside(segment.staged)) return leads_outside(store, segment.staged);
    }
    for (const std::string& path : manifest.removed)
      if (!is_inside(path)) return leads_outside(store, path);
    return manifest;
  } catch (const json::exception& error) {
    return Error{damaged.kind, damaged.message + fmt::format(" ({})", error.what())};
  }
}

Result<void> save_manifest(const std::string& store, const Manifest& manifest) {
  json segments = json::array();
  for (const Segment& segment : manifest.segments) {
    json entry = {{"table", segment.table}, {"path", segment.path},   {"day", segment.day},
                  {"rows", segment.rows},   {"bytes", segment.bytes}, {"hash", segment.hash}};
    if (segment.format != 1) entry["format"] = segment.format;
    if (!segment.staged.empty()) entry["staged"] = segment.staged;
    segments.push_back(std::move(entry));
  }
  json document = {{"format", manifest.format},
                   {"commit", manifest.commit},
                   {"next_source", manifest.next_source},
                   {"segments", std::move(segments)},
                   {"removed", manifest.removed}};
  if (manifest.forgotten_before) document["forgotten_before"] = *manifest.forgotten_before;
  return replace_file(manifest_path(store), document.dump(1) + "\n");
}

}  // namespace fathom
