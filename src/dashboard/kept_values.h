// SPDX-License-Identifier: Apache-2.0
/// Criteria that the store keeps of its jobs, as columns beside the job table; a column is read when somebody asks for it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "dashboard/job_table.h"

namespace fathom::dashboard {

/// One way of computing criteria that the store has results of.
struct KeptSetting {
  std::string link, filesystem;
  std::uint64_t threshold = 0, small = 0;
  std::uint64_t jobs = 0;
};

/// By row of the job table; NaN: there is none.
struct JobColumn {
  std::vector<double> values;
  std::vector<std::uint32_t> order;  // rows with a value, smallest first
};

class KeptValues {
 public:
  KeptValues(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const JobTable> jobs);

  /// Settings with results, the one with most jobs first.
  Result<std::vector<KeptSetting>> settings();
  /// A column of the table `criteria`: read_bytes, units, coverage, ...
  Result<std::shared_ptr<const JobColumn>> column(const KeptSetting& asked, const std::string& name);
  /// A column made of others, once: `make` is called without the lock and must not ask for what is being made.
  Result<std::shared_ptr<const JobColumn>> made(const KeptSetting& setting, const std::string& name,
                                                const std::function<Result<std::vector<double>>(KeptValues&)>& make);

 private:
  struct Order {  // of the rows that the store has for a setting
    std::vector<std::uint32_t> rows;
  };
  using SettingKey = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>;
  Result<std::shared_ptr<const Order>> order_of(Database& database, const KeptSetting& setting);

  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const JobTable> jobs_;
  std::mutex mutex_;  // reading is one at a time; what was read is found at once
  std::optional<std::vector<KeptSetting>> settings_;
  std::map<SettingKey, std::shared_ptr<const Order>> orders_;
  std::map<std::pair<SettingKey, std::string>, std::shared_ptr<const JobColumn>> columns_;
};

/// Rows with a finite value in order of it.
std::vector<std::uint32_t> order_by(const std::vector<double>& values);

}  // namespace fathom::dashboard
