// SPDX-License-Identifier: Apache-2.0
/// What `fathom compete DIR DIR...` found, as a page for people, as rows and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "compete/comparison.h"
#include "compete/slowdown.h"
#include "report/table.h"

namespace fathom {

struct Competition {
  compete::Options options;
  compete::Comparison all;
  std::vector<compete::Pair> pairs;  // of more than two applications
  compete::Slowdowns slowdowns;

  /// All notices, none twice.
  std::vector<std::string> notices() const;
};

std::string competition_page(const Competition& competition);
nlohmann::ordered_json competition_json(const Competition& competition);
/// One row for each application.
Table competition_rows(const Competition& competition);
/// One row for each two applications.
Table pair_rows(const Competition& competition);

}  // namespace fathom
