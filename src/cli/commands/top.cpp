// SPDX-License-Identifier: Apache-2.0
#include "characterise/top.h"

#include <fmt/format.h>

#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"

namespace fathom {
namespace {

struct Arguments {
  std::string store, from, to, by = "job";
  double last = 0;
  std::size_t rows = 0;
  unsigned threads = 0;
};

constexpr std::size_t rows_for_people = 20;

TopBy parse_by(const std::string& by) {
  return by == "application" ? TopBy::application : by == "user" ? TopBy::user : by == "server" ? TopBy::server : TopBy::job;
}

std::vector<TableColumn> who_columns(TopBy by) {
  switch (by) {
    case TopBy::job: return {{"job_id"}, {"user"}, {"name"}, {"nodes", Quantity::count}, {"servers", Quantity::count}};
    case TopBy::application:
      return {{"user"}, {"name"}, {"nodes", Quantity::count}, {"jobs", Quantity::count}, {"servers", Quantity::count}};
    case TopBy::user: return {{"user"}, {"jobs", Quantity::count}, {"servers", Quantity::count}};
    case TopBy::server: break;
  }
  return {{"server"}, {"jobs", Quantity::count}};
}

std::vector<Cell> who(const Mover& mover, TopBy by) {
  const Cell nodes = mover.nodes > 0 ? cell(mover.nodes) : Cell{};
  switch (by) {
    case TopBy::job: return {cell(mover.job_id), cell(mover.user), cell(mover.name), nodes, cell(mover.servers)};
    case TopBy::application: return {cell(mover.user), cell(mover.name), nodes, cell(mover.jobs), cell(mover.servers)};
    case TopBy::user: return {cell(mover.user), cell(mover.jobs), cell(mover.servers)};
    case TopBy::server: break;
  }
  return {cell(mover.server), cell(mover.jobs)};
}

Cell share(double part, double whole) { return whole > 0 ? cell(part / whole) : Cell{}; }
/// Requests are counted, but a share of one at an edge is a fraction.
Cell whole(double amount) { return cell(static_cast<std::uint64_t>(amount + 0.5)); }

Table as_rows(const TopAnswer& answer, TopBy by, std::size_t most) {
  Table table{who_columns(by), {}};
  for (const TableColumn& column :
       {TableColumn{"read_bytes", Quantity::bytes}, TableColumn{"write_bytes", Quantity::bytes}, TableColumn{"read_ops", Quantity::count},
        TableColumn{"write_ops", Quantity::count}, TableColumn{"share", Quantity::fraction}, TableColumn{"ops_share", Quantity::fraction},
        TableColumn{"peak", Quantity::bandwidth}})
    table.columns.push_back(column);
  for (const Mover& mover : answer.movers) {
    if (table.rows.size() == most) break;
    auto& row = table.rows.emplace_back(who(mover, by));
    for (std::size_t f = 0; f < flow_count; ++f)
      row.push_back(!holds(mover.has, f) ? Cell{} : f < 2 ? cell(mover.moved[f]) : whole(mover.moved[f]));
    row.push_back(share(bytes_of(mover.moved), bytes_of(answer.total)));
    row.push_back(share(ops_of(mover.moved), ops_of(answer.total)));
    row.push_back(cell(mover.peak));
  }
  return table;
}

/// Where the traffic went that is in no row.
void tell_about(const TopAnswer& answer, TopBy by, std::size_t shown) {
  const double all = bytes_of(answer.total);
  const auto part = [&](const MovedAmounts& amounts) {
    return fmt::format("{} ({})", human_bytes(bytes_of(amounts)), all > 0 ? human_percent(bytes_of(amounts) / all) : "-");
  };
  const bool requests = holds(answer.has, index(Counter::read_ops)) || holds(answer.has, index(Counter::write_ops));
  tell("{} to {}{}: {}{} on {} server{}, {} job{} took part\n", format_iso8601(answer.from), format_iso8601(answer.to),
       answer.busiest_hour ? ", the busiest hour" : "", human_bytes(all),
       requests ? fmt::format(" and {} requests", human_count(static_cast<std::uint64_t>(ops_of(answer.total) + 0.5))) : "",
       human_count(answer.servers), answer.servers == 1 ? "" : "s", human_count(answer.jobs), answer.jobs == 1 ? "" : "s");
  constexpr double least = 0.5;  // below a byte it is what rounding left of shares
  if (by != TopBy::server) {
    if (bytes_of(answer.nameless) >= least)
      tell("{} carry no known job's name, on servers that jobs share: nobody can say whose they are\n", part(answer.nameless));
    if (bytes_of(answer.idle) >= least) tell("{} moved on servers while no job had them\n", part(answer.idle));
  }
  if (shown < answer.movers.size())
    tell("{} more row{} with less; --rows {} shows all\n", human_count(answer.movers.size() - shown),
         answer.movers.size() - shown == 1 ? "" : "s", answer.movers.size());
}

Result<void> run(const Arguments& given, const OutputOptions& output) {
  TopOptions options;
  options.by = parse_by(given.by);
  options.threads = given.threads;
  if (!given.from.empty()) {
    TRY(options.from, parse_time_argument(given.from, "--from"));
  }
  if (!given.to.empty()) {
    TRY(options.to, parse_time_argument(given.to, "--to"));
  }
  options.last = Duration{static_cast<std::int64_t>(given.last * 1e6)};
  TRY(const Store store, Store::open(given.store));
  TRY(const Snapshot snapshot, store.snapshot());
  const auto found = [&] {
    Progress progress("adding up traffic", Progress::Unit::share);
    options.progress = [&](double share) { progress.update(static_cast<std::uint64_t>(share * 1e6), 1'000'000); };
    return find_top(snapshot, options);
  }();
  TRY(const TopAnswer answer, found);
  const std::size_t most = given.rows > 0 ? given.rows : output.format == "table" ? rows_for_people : answer.movers.size();
  tell_about(answer, options.by, std::min(most, answer.movers.size()));
  return write_table(as_rows(answer, options.by, most), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("STORE", given->store, "the store").required();
  const auto from = line.add_option("--from", given->from,
                                    "begin of the time to look at (ISO 8601 or Unix seconds; default: the busiest hour; with --to alone: "
                                    "the begin of the counters)")
                        .type_name("T");
  line.add_option("--to", given->to, "its end (with --from alone: the end of the counters)").type_name("T");
  line.add_option("--last", given->last, "so many seconds before --to or the end of the counters")
      .above_zero()
      .excludes(from)
      .type_name("S");
  line.add_option("--by", given->by, "a row for each job (default), application (user, name and nodes), user or server")
      .one_of({"job", "application", "user", "server"})
      .type_name("job|application|user|server");
  line.add_option("--rows", given->rows, "rows at most (default: 20 as a table, all in a file)").type_name("N");
  line.add_option("--threads", given->threads, "how many threads (default: one per core)").type_name("N");
  auto output = add_output_options(line);
  return [given, output] { return run(*given, *output); };
}

}  // namespace

namespace commands {
extern const Command top;
constinit const Command top{
    .name = "top",
    .summary = "Who is hammering the servers",
    .details =
        R"(What each job, application, user or server moved in some time, the most bytes first: bytes and requests read and written, the share of all traffic of all servers (share by bytes, ops_share by requests), and
the highest bandwidth in any slot as long as the counters' usual step. Without a time: the hour of the clock (UTC) with the most bytes; which one is said on standard error.

Whose bytes they are is told by job tags where the servers count per job (Lustre job_stats), else by the servers that were a job's own (an increment that several jobs overlap is shared by time, as in fathom criteria). All traffic is what the servers' own counters say. What is then left
carries no job's name; how much that is, is said on standard error and is in nobody's row. Servers that were declared as shared (ingest --servers shared) and have no tags are all of that kind; --by server needs no names.

Columns: job_id, user, name, nodes, servers (those that it used); by application: user, name, nodes, jobs, servers; by user: user, jobs, servers; by server: server, jobs (that used it). Then read_bytes, write_bytes, read_ops, write_ops, share, ops_share, peak.)",
    .examples = R"(  fathom top store
  fathom top store --by application --last 86400
  fathom top store --by server --from 2024-03-04T11:00 --to 2024-03-04T11:10
  fathom top store --by user --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
