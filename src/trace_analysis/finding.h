// SPDX-License-Identifier: Apache-2.0
/// What a trace shows that should be changed: in words, with evidence and the hint to set. Each kind has a file of its own in findings/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace_analysis/concurrency.h"
#include "trace_analysis/run_facts.h"

namespace fathom::trace {

enum class Severity : std::uint8_t { low, medium, high };
inline constexpr std::array<const char*, 3> severity_names = {"low", "medium", "high"};

struct FindingKind;

struct Finding {
  const FindingKind* kind = nullptr;
  Severity severity = Severity::low;
  std::uint32_t file = no_file;  // no_file: the whole run
  std::uint64_t calls = 0;       // that it is about
  std::uint64_t bytes = 0;
  double share_of_time = 0;  // of the I/O time of all ranks
  std::string evidence;
};

/// All that is looked at.
struct Evidence {
  const Trace& trace;
  const RunFacts& facts;
  const std::vector<ConcurrencyAnalysis::OfFile>& concurrency;  // of POSIX calls

  /// A finding about `some` calls, with its share and severity; nothing if that is too little to care about (see `worth_telling`).
  /// `sure`: what cannot be mistaken and is easily mended is told also where it is little of the I/O (see `worth_a_word`).
  void report(std::vector<Finding>& findings, const FindingKind& kind, std::uint32_t file, const Some& some, std::string text,
              bool sure = false) const;
  /// At least 5 % of the I/O time, 1 ms in all, and 0.01 % of the run's time on the mean rank.
  bool worth_telling(std::int64_t time) const;
  /// At least 0.01 % of the run's time on the mean rank.
  bool worth_a_word(std::int64_t time) const;
  const InFlight* in_flight(std::uint32_t file, Direction direction) const;
};

struct FindingKind {
  std::string_view name;
  std::string_view what;  // was found, in a sentence
  std::string_view advice;
  std::string_view hint;       // key=value for MPI_Info; empty: none
  std::string_view where;      // it is to be set or changed
  std::string_view threshold;  // from when on it is told, beside `worth_telling`
  void (*look)(const Evidence& evidence, const FindingKind& kind, std::vector<Finding>& findings);
};

std::span<const FindingKind* const> all_finding_kinds();

/// Most of the I/O time first.
std::vector<Finding> find_all(const Evidence& evidence);

/// "320 of 320", "98.2 %", for evidence.
std::string of_all(std::uint64_t part, std::uint64_t all);

inline constexpr std::string_view where_hints_go =
    "MPI_Info given to MPI_File_open (HDF5: H5Pset_fapl_mpio), or a line `key value` in the file that ROMIO_HINTS names";

}  // namespace fathom::trace
