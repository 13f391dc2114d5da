// SPDX-License-Identifier: Apache-2.0
/// One job on one page: what it did, against the site's other jobs and its own earlier runs, and what to change.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "characterise/study.h"

namespace fathom {

/// What to change, and the numbers that say so.
struct SummaryNotice {
  std::string advice, evidence;
};

/// A value of the job beside those of others; `column` as in `fathom criteria`.
struct Compared {
  std::string_view column;
  std::string_view words;  // "data written"
  double own = 0;
  std::optional<double> below;  // part of the other jobs that have less; none where no other job has a value
  std::optional<double> usual;  // median of the earlier runs; none without any
};

struct JobSummary {
  Job job;
  KeptJob facts;  // values[0] in the order of value_columns()
  StudyOptions options;
  std::string machine;        // its name, as the site says
  std::size_t others = 0;     // jobs of the site it is compared with
  std::size_t earlier = 0;    // runs of the same user, name and node count before it
  double usual_duration = 0;  // seconds, median of those
  std::vector<Compared> compared;
  std::vector<SummaryNotice> notices;  // at most three, the most telling first
  std::vector<std::string> not_measured;

  /// A column of `fathom criteria`; NaN where the job has no such value.
  double value(std::string_view column) const;
};

/// The jobs of a study, computed or known from before, as the same kind of rows.
std::vector<KeptJob> rows_of(const Study& study);

/// `own` is the study of that job alone, `place` its place there; `all` that of the site's jobs, which may hold it or not.
JobSummary summarise(const Study& own, std::size_t place, const Study& all);

/// At most 80 columns and 60 lines, plain ASCII but for names.
std::string summary_text(const JobSummary& summary);
/// A page that needs nothing else.
std::string summary_page(const JobSummary& summary);
nlohmann::ordered_json summary_json(const JobSummary& summary);

/// What should be changed, the most telling first; more than three are cut off by summarise().
std::vector<SummaryNotice> notices_for(const JobSummary& summary);

/// Sentences about when, how evenly and on how many servers it moved data.
std::string in_words(const JobSummary& summary);

}  // namespace fathom
