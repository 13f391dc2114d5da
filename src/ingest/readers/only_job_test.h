// SPDX-License-Identifier: Apache-2.0
/// What tests of job logs ask most: the one job that a text gives.
#pragma once

#include <gtest/gtest.h>

#include "ingest/reader.h"

namespace fathom {

inline Job only_job(const Reader& reader, std::string_view text) {
  const auto all = gather(reader, text);
  EXPECT_TRUE(all && all->batch.jobs.size() == 1) << text;
  return all && !all->batch.jobs.empty() ? all->batch.jobs[0] : Job{};
}

}  // namespace fathom
