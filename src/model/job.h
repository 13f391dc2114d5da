// SPDX-License-Identifier: Apache-2.0
/// One run of an application, as the batch system tells it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/sample.h"

namespace fathom {

struct Job {
  std::string id;
  std::string user;
  std::string name;
  std::uint64_t nodes = 0;           // 0: unknown
  std::string node_list;             // as the batch system wrote it; empty where it does not say
  std::vector<std::string> servers;  // the storage servers (I/O nodes) that were the job's own, sorted
  Time submit = no_time;
  Time start{};
  Time end = no_time;  // no_time: still running when logged
  std::optional<Duration> time_limit;
  std::string state;
  std::string partition;
  SourceId source = 0;
};

}  // namespace fathom
