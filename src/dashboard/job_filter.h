// SPDX-License-Identifier: Apache-2.0
/// Which jobs a question is about: filters of the query, the criteria that are looked at, and the rows that remain.
#pragma once

#include <array>

#include "dashboard/store_answers.h"
#include "population/job_values.h"

namespace fathom::dashboard {

inline constexpr std::array filter_parameters = {
    Parameter{"link", "how increments were linked to jobs; default: what most jobs have"},
    Parameter{"filesystem", "criteria of this file system alone; default: the sum over all"},
    Parameter{"threshold", "bytes per second above which a server is active; the nearest that is kept is taken", Parameter::Kind::whole},
    Parameter{"small", "bytes up to which a request is small; the nearest that is kept is taken", Parameter::Kind::whole},
    Parameter{"min_runtime", "seconds", Parameter::Kind::number},
    Parameter{"max_runtime", "seconds", Parameter::Kind::number},
    Parameter{"min_nodes", "compute nodes", Parameter::Kind::whole},
    Parameter{"max_nodes", "compute nodes", Parameter::Kind::whole},
    Parameter{"user", "jobs of this user"},
    Parameter{"name", "jobs of this name"},
    Parameter{"from", "started at this time or later, Unix seconds", Parameter::Kind::number},
    Parameter{"to", "started before this time, Unix seconds", Parameter::Kind::number},
    Parameter{"io", "any: jobs that read or write (default for population); both: that do both; all: every job"},
};

/// Parameters of an endpoint: its own and these.
template <std::size_t A, std::size_t B>
constexpr std::array<Parameter, A + B> together(const std::array<Parameter, A>& a, const std::array<Parameter, B>& b) {
  std::array<Parameter, A + B> all{};
  for (std::size_t i = 0; i < A; ++i) all[i] = a[i];
  for (std::size_t i = 0; i < B; ++i) all[A + i] = b[i];
  return all;
}

/// The kept criteria nearest to what was asked for; nothing: none are kept (of this link and file system).
Result<std::optional<KeptSetting>> setting_for(const StoreMoment& moment, const Call& call);

struct FilteredJobs {
  std::vector<std::uint8_t> chosen;  // by row of the job table
  std::uint64_t count = 0;
  std::vector<LeftOut> left_out;
};

/// `io` is what jobs must do where the query does not say.
Result<FilteredJobs> filter_jobs(const StoreMoment& moment, const Call& call, const std::optional<KeptSetting>& setting,
                                 std::string_view io);

/// 'bytes.read', 'nodes': a value that population knows, in a direction.
Result<AskedValue> asked_value(std::string_view text);

/// A value of every job.
Result<std::shared_ptr<const JobColumn>> column_of(const StoreMoment& moment, const std::optional<KeptSetting>& setting,
                                                   const AskedValue& asked);

/// JobRow of web/src/lib/api.ts.
Json job_row(const JobTable& jobs, std::uint32_t row, const JobColumn* read, const JobColumn* write, const JobColumn* coverage,
             const JobColumn* x = nullptr, const JobColumn* y = nullptr);

}  // namespace fathom::dashboard
