// SPDX-License-Identifier: Apache-2.0
#include "dashboard/kept_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::dashboard {
namespace {

std::string where(const KeptSetting& setting) {
  return fmt::format("link = {} AND filesystem = {} AND threshold = {} AND small = {}", sql_text(setting.link),
                     sql_text(setting.filesystem), setting.threshold, setting.small);
}

bool depends_on_setting(std::string_view column) {
  return column.ends_with("intensity") || column.ends_with("burstiness") || column.ends_with("small_fraction");
}

}  // namespace

std::vector<std::uint32_t> order_by(const std::vector<double>& values) {
  std::vector<std::pair<double, std::uint32_t>> pairs;
  pairs.reserve(values.size());
  for (std::uint32_t row = 0; row < values.size(); ++row)
    if (std::isfinite(values[row])) pairs.emplace_back(values[row], row);
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::uint32_t> order;
  order.reserve(pairs.size());
  for (const auto& [value, row] : pairs) order.push_back(row);
  return order;
}

KeptValues::KeptValues(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const JobTable> jobs)
    : snapshot_(std::move(snapshot)), jobs_(std::move(jobs)) {}

Result<std::vector<KeptSetting>> KeptValues::settings() {
  const std::lock_guard lock(mutex_);
  if (settings_) return *settings_;
  TRY(Database database, Database::open({.threads = 1}));
  TRY(Rows rows,
      database.query(fmt::format(
          "SELECT link, filesystem, threshold, small, count(*) AS jobs FROM {} GROUP BY 1, 2, 3, 4 ORDER BY jobs DESC, 1, 2, 3, 4",
          snapshot_->rows_of(criteria_table))));
  std::vector<KeptSetting> found;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i)
      found.push_back({std::string(rows.text(0, i)), std::string(rows.text(1, i)), static_cast<std::uint64_t>(rows.number(2, i)),
                       static_cast<std::uint64_t>(rows.number(3, i)), static_cast<std::uint64_t>(rows.number(4, i))});
  TRY_VOID(rows.status());
  settings_ = found;
  return found;
}

Result<std::shared_ptr<const KeptValues::Order>> KeptValues::order_of(Database& database, const KeptSetting& setting) {
  auto& known = orders_[{setting.link, setting.filesystem, setting.threshold, setting.small}];
  if (known) return known;
  TRY(Rows rows, database.query(fmt::format("SELECT job_id, epoch_us(start_time) FROM {} WHERE {}", snapshot_->rows_of(criteria_table),
                                            where(setting))));
  auto order = std::make_shared<Order>();
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double start = static_cast<double>(rows.number(1, i)) / 1e6;
      std::uint32_t found = UINT32_MAX;
      for (const std::uint32_t row : jobs_->rows_of(rows.text(0, i)))
        if (jobs_->start[row] == start) found = row;
      order->rows.push_back(found);
    }
  TRY_VOID(rows.status());
  known = std::move(order);
  return known;
}

Result<std::shared_ptr<const JobColumn>> KeptValues::column(const KeptSetting& asked, const std::string& name) {
  TRY(const std::vector<KeptSetting> all, settings());
  // What does not depend on thresholds and sizes is read once, where most jobs have it.
  KeptSetting setting = asked;
  if (!depends_on_setting(name))
    for (const KeptSetting& each : all)
      if (each.link == asked.link && each.filesystem == asked.filesystem) {
        setting = each;
        break;
      }
  const std::lock_guard lock(mutex_);
  const SettingKey key{setting.link, setting.filesystem, setting.threshold, setting.small};
  auto& known = columns_[{key, name}];
  if (known) return known;
  TRY(Database database, Database::open({.threads = 1}));  // one thread: rows of one setting come in the same order each time
  TRY(const std::shared_ptr<const Order> order, order_of(database, setting));
  TRY(Rows rows,
      database.query(fmt::format("SELECT {}::DOUBLE FROM {} WHERE {}", name, snapshot_->rows_of(criteria_table), where(setting))));
  auto column = std::make_shared<JobColumn>();
  column->values.assign(jobs_->size(), std::numeric_limits<double>::quiet_NaN());
  std::size_t at = 0;
  while (rows.next())
    for (std::size_t i = 0; i < rows.size() && at < order->rows.size(); ++i, ++at)
      if (!rows.is_null(0, i) && order->rows[at] != UINT32_MAX) column->values[order->rows[at]] = rows.real(0, i);
  TRY_VOID(rows.status());
  column->order = order_by(column->values);
  known = std::move(column);
  return known;
}

Result<std::shared_ptr<const JobColumn>> KeptValues::made(const KeptSetting& setting, const std::string& name,
                                                          const std::function<Result<std::vector<double>>(KeptValues&)>& make) {
  const std::pair<SettingKey, std::string> key{{setting.link, setting.filesystem, setting.threshold, setting.small}, "made " + name};
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = columns_.find(key); at != columns_.end() && at->second) return at->second;
  }
  auto column = std::make_shared<JobColumn>();
  TRY(column->values, make(*this));
  column->order = order_by(column->values);
  const std::lock_guard lock(mutex_);
  auto& known = columns_[key];
  if (!known) known = std::move(column);
  return known;
}

}  // namespace fathom::dashboard
