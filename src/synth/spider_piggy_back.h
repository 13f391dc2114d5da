// SPDX-License-Identifier: Apache-2.0
/// Who submits small jobs only while somebody else's long job runs, well inside of it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "synth/spider_workload.h"

namespace fathom::titan {

class PiggyBack {
 public:
  PiggyBack(const std::vector<Application>& apps, std::uint64_t seed);

  /// Plans the runs beside a job, if it is a host and does I/O: so that its pattern goes on for some periods before and after each.
  void job_started(const Submission& job, Millis start);
  /// Appends what is submitted before `to`; a host that has died by then has no company.
  void submit(Millis to, const std::function<bool(std::uint64_t)>& runs, Workload& workload, std::vector<Submission>& into);

 private:
  struct Planned {
    Millis t;
    std::uint32_t application;
    std::uint64_t host;
  };
  const std::vector<Application>& apps_;
  std::vector<std::uint32_t> riders_;
  std::uint64_t seed_;
  std::vector<Planned> planned_;
};

}  // namespace fathom::titan
