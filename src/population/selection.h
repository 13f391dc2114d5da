// SPDX-License-Identifier: Apache-2.0
/// Jobs that deserve a closer look (D 4.5.6), each with the reason in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "characterise/study.h"

namespace fathom {

struct SelectionOptions {
  std::uint64_t volume_floor = std::uint64_t{1} << 40;  // bytes read or written: medians are of jobs that move at least this
  std::size_t sample = 5;                               // size of the random group
  std::uint64_t seed = 1;                               // of it
  std::vector<std::string> named = {};                  // ids of jobs that someone asks for
};

struct SelectedJob {
  std::size_t at;  // index into Analysis::jobs
  std::vector<std::string> reasons;
  std::string why() const;  // all reasons
};

struct SelectedJobs {
  std::vector<SelectedJob> jobs;   // in the order of their first reasons, none twice
  std::vector<std::string> notes;  // where a rule had to be bent
};

SelectedJobs select_jobs(const Study& study, const SelectionOptions& options);

}  // namespace fathom
