// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/file_answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace_analysis/answer_values.h"

namespace fathom::trace {
namespace {

std::string_view path_of(const TraceMeasurement& run, std::uint32_t file) { return run.trace().files[file].path; }

/// Shared files, those with most processes first.
std::vector<const FileUse*> shared_of(const TraceMeasurement& run) {
  std::vector<const FileUse*> shared;
  for (const FileUse& file : run.files().files())
    if (file.units > 1) shared.push_back(&file);
  std::stable_sort(shared.begin(), shared.end(), [](const FileUse* a, const FileUse* b) { return a->units > b->units; });
  return shared;
}

Json shares_json(const AccessShares& shares) {
  Json json;
  for (std::size_t c = 0; c < access_class_count; ++c)
    json[access_class_names[c]] = ratio(real(shares.requests[c]), real(shares.classified()));
  return json;
}

}  // namespace

void files(CriterionAnswer& answer, const TraceMeasurement& run) {
  const FileUse *largest = nullptr, *smallest = nullptr;
  std::uint64_t created = 0, opened = 0, closed = 0;
  for (const FileUse& file : run.files().files()) {
    created += file.created;
    opened += file.opens > 0;
    closed += file.closes > 0;
    if (file.size < 0) continue;
    if (largest == nullptr || file.size > largest->size) largest = &file;
    if (smallest == nullptr || file.size < smallest->size) smallest = &file;
  }
  answer.values.push_back(one("files", "files used", ValueUnit::operations, real(run.files().files().size())));
  answer.values.push_back(one("created", "files created", ValueUnit::operations, real(created)));
  answer.values.push_back(one("opened", "files opened", ValueUnit::operations, real(opened)));
  answer.values.push_back(one("closed", "files closed", ValueUnit::operations, real(closed)));
  for (const auto& [name, file] : {std::pair{"largest", largest}, {"smallest", smallest}}) {
    if (file == nullptr) continue;
    answer.values.push_back(
        one(fmt::format("{}_file_bytes", name), fmt::format("{} file", name), ValueUnit::bytes, static_cast<double>(file->size)));
    answer.more[fmt::format("{}_file", name)] = path_of(run, file->file);
  }
}

void shared_files(CriterionAnswer& answer, const TraceMeasurement& run) {
  const auto shared = shared_of(run);
  std::uint64_t local = 0, local_bytes = 0, shared_bytes = 0;
  double sum = 0;
  for (const FileUse& file : run.files().files())
    if (file.units == 1) ++local, local_bytes += file.bytes;
  Json list = Json::array();
  for (const FileUse* file : shared) {
    const double access = ratio(file->units, run.measured().units);
    shared_bytes += file->bytes;
    sum += access;
    if (list.size() < longest_list)
      list.push_back({{"file", path_of(run, file->file)}, {"processes", file->units}, {"A_f", access}, {"bytes", file->bytes}});
  }
  answer.values.push_back(one("task_local_files", "task-local files", ValueUnit::operations, real(local)));
  answer.values.push_back(one("shared_files", "shared files", ValueUnit::operations, real(shared.size())));
  answer.values.push_back(one("task_local_bytes", "bytes of task-local files", ValueUnit::bytes, real(local_bytes)));
  answer.values.push_back(one("shared_bytes", "bytes of shared files", ValueUnit::bytes, real(shared_bytes)));
  answer.values.push_back(one("mean_A_f", "A_f, mean over shared files", ValueUnit::fraction, ratio(sum, real(shared.size()))));
  answer.more["files"] = std::move(list);
}

void spatial_pattern(CriterionAnswer& answer, const TraceMeasurement& run) {
  const auto& local = run.spatial().local();
  AccessShares total = local[0];
  total.add(local[1]);
  for (std::size_t c = 0; c < access_class_count; ++c) {
    const auto share = [&](const AccessShares& shares) { return ratio(real(shares.requests[c]), real(shares.classified())); };
    std::string detail = access_class_names[c];
    std::replace(detail.begin(), detail.end(), '_', ' ');
    answer.values.push_back(
        both(access_class_names[c], std::move(detail), ValueUnit::fraction, share(local[0]), share(local[1]), share(total)));
  }
  answer.values.push_back(both("requests", "requests told", ValueUnit::operations, real(local[0].classified()), real(local[1].classified()),
                               real(total.classified())));
  answer.values.push_back(both("alone", "requests alone in their stream", ValueUnit::operations, real(local[0].alone), real(local[1].alone),
                               real(total.alone)));
  answer.values.push_back(
      one("without_offset", "requests without a known offset", ValueUnit::operations, real(run.spatial().without_offset())));
  for (std::size_t d = 0; d < 2; ++d) {
    std::vector<std::pair<std::int64_t, std::uint64_t>> strides(local[d].strides.begin(), local[d].strides.end());
    std::stable_sort(strides.begin(), strides.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    Json list = Json::array();
    for (const auto& [stride, times] : strides) {
      if (list.size() == 20) break;
      list.push_back({{"stride", stride}, {"times", times}});
    }
    answer.more[fmt::format("{}_strides", direction_names[d])] = std::move(list);
  }
  Json global = Json::array();
  std::array<std::uint64_t, 3> layouts{};
  for (const GlobalPattern& pattern : run.spatial().global()) {
    ++layouts[static_cast<std::size_t>(pattern.layout)];
    if (global.size() < longest_list)
      global.push_back({{"file", path_of(run, pattern.file)},
                        {"direction", direction_names[static_cast<std::size_t>(pattern.direction)]},
                        {"processes", pattern.units},
                        {"layout", layout_names[static_cast<std::size_t>(pattern.layout)]},
                        {"in_time", shares_json(pattern.in_time)}});
  }
  answer.more["global"] = std::move(global);
  answer.note =
      fmt::format("shared files, all processes: {} segmented, {} interleaved, {} overlapping", layouts[0], layouts[1], layouts[2]);
}

void file_concurrency(CriterionAnswer& answer, const TraceMeasurement& run) {
  double most = 0, sum = 0, slots = 0;
  Json list = Json::array();
  const double ranks = run.measured().units;
  for (const FileUse* file : shared_of(run)) {
    most = std::max<double>(most, file->most_at_once);
    sum += real(file->unit_slots);
    slots += real(file->busy_slots);
    if (list.size() < longest_list)
      list.push_back({{"file", path_of(run, file->file)},
                      {"max", ratio(file->most_at_once, ranks)},
                      {"mean", ratio(ratio(real(file->unit_slots), real(file->busy_slots)), ranks)},
                      {"slots", file->busy_slots}});
  }
  answer.values.push_back(
      one("max", "largest share of processes in a slot", ValueUnit::fraction, list.empty() ? undefined : ratio(most, ranks)));
  answer.values.push_back(
      one("mean", "mean over slots in which a shared file is used", ValueUnit::fraction, ratio(ratio(sum, slots), ranks)));
  if (list.empty()) answer.reason = "no file was used by more than one process";
  answer.more["files"] = std::move(list);
}

}  // namespace fathom::trace
