// SPDX-License-Identifier: Apache-2.0
#include "cli/export_readme.h"

#include <fmt/format.h>

#include "base/units.h"

namespace fathom {
namespace {

std::string replaced_names(const Pseudonyms& pseudonyms) {
  std::string text;
  for (std::size_t k = 0; k < name_kinds.size(); ++k) {
    const NameKindFacts& facts = name_kinds[k];
    const std::size_t count = pseudonyms.count(static_cast<NameKind>(k));
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", human_count(count), facts.plural);
    if (!facts.prefix.empty()) text += fmt::format(" ({}...)", facts.prefix);
  }
  return text.empty() ? "none" : text;
}

std::string left_out(const Exported& exported) {
  std::string text;
  for (const ExportedTable& each : exported.tables)
    if (each.left_out) text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", counted(each.rows, "row"), each.table->name);
  return text;
}

std::string csv_part(const CsvAccount& csv) {
  std::string text = "Files for `fathom ingest`, to be read in this order into a new store:\n";
  if (csv.jobs) text += "  fathom ingest NEW jobs.csv\n";
  if (csv.exclusive) text += "  fathom ingest NEW counters.csv --per-interval\n";
  if (csv.shared) text += "  fathom ingest NEW counters_shared.csv --per-interval --servers shared\n";
  text += "Times are Unix seconds; a row of counters holds what was done in `step` seconds up to `t`.\n";
  if (csv.unmeasured > 0) text += fmt::format("Intervals known not to have been measured, which have no row: {}.\n", csv.unmeasured);
  if (csv.stretched > 0)
    text += fmt::format("Intervals that begin later than the one before ended (after a reset or a gap; read again they begin there): {}.\n",
                        csv.stretched);
  if (!csv.tables.empty()) {
    text += "Other tables of the store, which `fathom ingest` does not read:\n";
    for (const std::string& name : csv.tables) text += fmt::format("  tables/{}.csv\n", name);
  }
  return text;
}

}  // namespace

std::string export_readme(const Exported& exported) {
  std::string text = fmt::format("An export of a store of Fathom " FATHOM_VERSION " (I/O of a machine's file systems and jobs).\n\n");
  if (exported.csv) {
    text += csv_part(*exported.csv);
  } else {
    text +=
        "This folder is a store: every command of Fathom reads it (fathom info, fathom criteria, fathom serve, ...),\nand so does all that "
        "reads Parquet. Its tables:\n";
    for (const ExportedTable& each : exported.tables)
      if (!each.left_out)
        text += fmt::format("  {:<14}{:>14} {} {}\n", each.table->name, human_count(each.rows),
                            each.rows == 1 ? "row: " : "rows:", each.table->summary);
  }
  if (exported.llview) {
    text += fmt::format(
        "\n{} jobs one by one: llview/FSusage_JOB_all_node.dat (jobid ts nodeid MbwR MbrR ocR: MiB/s written and read, opens\n"
        "and closes per second, up to ts) and timelines/JOB.csv (as `fathom timeline --format csv`).\n",
        exported.llview->jobs);
  }
  if (exported.pseudonyms != nullptr) {
    text +=
        "\nNames are pseudonyms: u- users, a- job names, j- job ids, s- servers, f- file systems, n- nodes, q- partitions, p- paths,\n"
        "c- commands. The same name has the same pseudonym everywhere in this export. Numbers are as they were measured.\n";
    if (!left_out(exported).empty()) text += fmt::format("Left out: {}.\n", left_out(exported));
  }
  if (exported.moved) text += "\nTimes were moved by a whole number of days, all by the same.\n";
  return text;
}

std::string export_summary(const Exported& exported) {
  std::string text;
  if (exported.pseudonyms != nullptr) {
    text += fmt::format("replaced: {}\n", replaced_names(*exported.pseudonyms));
    if (const std::string none = left_out(exported); !none.empty()) text += fmt::format("left out, as it may hold anything: {}\n", none);
    text += "emptied: hashes of what values were computed from, when files were added\n";
    text += fmt::format("kept: numbers (bytes, requests, nodes, durations, sizes of files), states of jobs, {}\n",
                        exported.moved ? "the time of day" : "all times");
  } else {
    text += "kept: all names; --anonymise replaces them\n";
  }
  if (exported.csv && exported.csv->stretched + exported.csv->unmeasured > 0)
    text += fmt::format("not the same when ingested again: {} without amounts, {} after a reset or a gap; --format parquet keeps them\n",
                        counted(exported.csv->unmeasured, "interval"), human_count(exported.csv->stretched));
  if (exported.llview && exported.llview->left_out > 0)
    text += fmt::format("{} no files in llview: still running, or no servers known\n",
                        counted(exported.llview->left_out, "job has", "jobs have"));
  return text;
}

}  // namespace fathom
