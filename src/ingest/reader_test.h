// SPDX-License-Identifier: Apache-2.0
/// What tests of readers have in common: finding samples by name, and real files that may be absent.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "ingest/reader.h"
#include "tests/support/source_dir.h"

namespace fathom {

/// The samples of one series, in the order they were delivered.
inline std::vector<Sample> samples_of(const Gathered& gathered, const SeriesName& name) {
  std::vector<Sample> found;
  for (const Sample& sample : gathered.batch.samples)
    if (gathered.series.name(sample.series) == name) found.push_back(sample);
  return found;
}

inline std::uint64_t value(const Sample& sample, Counter counter) {
  EXPECT_TRUE(holds(sample.has, index(counter))) << counter_names[index(counter)];
  return sample.values[index(counter)];
}

/// A file of real sites, kept beside the project; not everybody has them.
inline std::string real_file(const std::string& name) { return source_dir() + "/../shared/data/" + name; }

inline Result<Gathered> gather_file(const Reader& reader, const std::string& path, const ReadOptions& options = {}) {
  TRY(LineInput input, LineInput::open(path));
  return gather(reader, std::move(input), options);
}

/// The word of the reader that claims a text; empty when none does.
inline std::string recognised(std::string_view text, std::string_view path = "input") {
  for (const Reader* reader : all_readers())
    if (reader->recognises(text, path)) return std::string(reader->name);
  return "";
}

}  // namespace fathom

#define SKIP_WITHOUT(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real data here: " << path
