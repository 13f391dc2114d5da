// SPDX-License-Identifier: Apache-2.0
#include "slurm/job_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ingest/ingest.h"
#include "ingest/job_book.h"
#include "ingest/merger.h"
#include "ingest/sources.h"

namespace fathom::slurm {
namespace {

constexpr std::string_view reader_name = "slurm_sacct";

/// Control characters, line ends too, as U+FFFD: as the names of squeue are read.
void append_field(std::string& line, std::string_view field, bool last) {
  std::string text = as_utf8(field);
  if (!last) std::replace(text.begin(), text.end(), '|', '_');
  line += text;
  line += last ? '\n' : '|';
}

}  // namespace

std::string without_marks(std::string_view text, std::string_view mark) {
  // Between the last mark of a record and the first of the next: NAME\nID. A name may hold line ends, an id holds none: the last line end
  // divides them.
  std::string clean = fmt::format("{}\n", fmt::join(job_log_columns, "|"));
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t next = text.find(mark, at);
    pieces.push_back(text.substr(at, next == std::string_view::npos ? next : next - at));
    at = next == std::string_view::npos ? next : next + mark.size();
  }
  const std::size_t inner = job_log_columns.size() - 1;  // marks in a record
  std::string_view first = pieces.front();
  bool header = true;
  for (std::size_t begin = 1; begin + inner <= pieces.size(); begin += inner) {
    const std::string_view joined = pieces[begin + inner - 1];
    const bool end = begin + 2 * inner > pieces.size();
    std::size_t cut = joined.rfind('\n');
    std::string_view name = joined, next;
    if (!end && cut == std::string_view::npos) return clean;  // cut off
    if (!end) {
      name = joined.substr(0, cut);
      next = joined.substr(cut + 1);
    } else if (name.ends_with('\n')) {
      name.remove_suffix(1);
    }
    if (!header) {
      append_field(clean, first, false);
      for (std::size_t i = 0; i + 1 < inner; ++i) append_field(clean, pieces[begin + i], false);
      append_field(clean, name, true);
    }
    header = false;
    first = next;
  }
  return clean;
}

Result<ReadAccount> add_job_log(const Store& store, const std::string& text, Time now) {
  ReadOptions options;
  options.timezone = Zone{};
  TRY(Gathered gathered, gather(*reader_named(reader_name), text, options, "sacct"));
  if (gathered.batch.jobs.empty()) return gathered.account;
  TRY(Transaction transaction, store.begin({.threads = 1, .memory_limit = std::size_t{256} << 20, .scratch_directory = {}}));
  TRY(SourceRecord record, source_so_far(transaction, fmt::format("sacct, {}", format_day(day_of(now))), std::string(reader_name)));
  if (record.id == 0) record.id = transaction.manifest().next_source;
  record.account.jobs += gathered.account.jobs;
  record.account.rejected += gathered.account.rejected;
  JobBook book;
  const auto& horizon = transaction.manifest().forgotten_before;
  for (Job& job : gathered.batch.jobs) {
    if (horizon && job.end != no_time && day_of(job.end) < *horizon) continue;
    job.source = record.id;
    book.add(std::move(job));
  }
  TRY_VOID(book.stage(transaction));
  TRY_VOID(transaction.settle());
  TRY_VOID(replace_sources(transaction, {record}));
  TRY_VOID(transaction.commit());
  return gathered.account;
}

}  // namespace fathom::slurm
