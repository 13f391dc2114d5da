// SPDX-License-Identifier: Apache-2.0
#include "store/job_rows.h"

#include <fmt/format.h>

namespace fathom {

Result<std::vector<Job>> read_jobs(Database& database, const std::string& from, const std::string& where) {
  TRY(Rows rows,
      database.query(fmt::format(
          "SELECT job_id, user_name, name, nodes, node_list, servers, submit_time, start_time, end_time, time_limit_seconds, state, "
          "partition_name, source FROM {} WHERE {} ORDER BY start_time, job_id",
          from, where)));
  std::vector<Job> jobs;
  while (rows.next()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Job job;
      job.id = rows.text(0, i);
      job.user = rows.text(1, i);
      job.name = rows.text(2, i);
      if (!rows.is_null(3, i)) job.nodes = static_cast<std::uint64_t>(rows.number(3, i));
      job.node_list = rows.text(4, i);
      job.servers = rows.text_list(5, i);
      job.submit = rows.time(6, i);
      job.start = rows.time(7, i);
      job.end = rows.time(8, i);
      if (!rows.is_null(9, i)) job.time_limit = std::chrono::seconds(rows.number(9, i));
      job.state = rows.text(10, i);
      job.partition = rows.text(11, i);
      job.source = static_cast<SourceId>(rows.number(12, i));
      jobs.push_back(std::move(job));
    }
  }
  TRY_VOID(rows.status());
  return jobs;
}

}  // namespace fathom
