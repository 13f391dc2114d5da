// SPDX-License-Identifier: Apache-2.0
/// What was decided on jobs, as lines of a file that the dashboard reads: STATE/decisions.csv. It is kept small; the one before it stays
/// beside it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "advise/advisor.h"
#include "base/time.h"

namespace fathom::slurm {

struct Decision {
  Time time = no_time;
  std::uint64_t job = 0;
  std::string user, name;
  std::uint64_t nodes = 0;
  advise::Verdict verdict = advise::Verdict::run;
  std::string reason;
  double waited = 0;  // seconds that advice held it back until then
};

inline constexpr std::string_view decisions_heading = "time,job_id,user,name,nodes,verdict,reason,waited";

/// One line, whatever the names hold; long ones are cut.
std::string as_line(const Decision& decision);
/// In the order of the text. Lines that make no sense are passed over, half ones too.
std::vector<Decision> parse_decisions(std::string_view text);

class DecisionFile {
 public:
  static constexpr std::uint64_t usual_limit = 4u << 20;
  /// `limit`: a file that has grown beyond so many bytes becomes decisions.1.csv, and a new one begins.
  explicit DecisionFile(const std::string& folder, std::uint64_t limit = usual_limit)
      : path_(folder + "/decisions.csv"), before_(folder + "/decisions.1.csv"), limit_(limit) {}
  Result<void> append(const Decision& decision) const;
  /// The newest first, `most` at most. No file yet: none.
  Result<std::vector<Decision>> latest(std::size_t most) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_, before_;
  std::uint64_t limit_;
};

}  // namespace fathom::slurm
