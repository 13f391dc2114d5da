// SPDX-License-Identifier: Apache-2.0
/// The options that all commands about jobs' I/O share, and what they tell people beside the data.
#pragma once

#include <memory>
#include <string>

#include "characterise/study.h"
#include "cli/command.h"

namespace fathom {

class Ranks;

struct StudyArguments {
  std::string store;
  std::string link = "weighted", threshold = "1M", small = "4K", require_io = "any", filesystem;
  double min_runtime = 3600;
  std::vector<std::string> jobs, exclude;
  unsigned threads = 0;
};

/// `defaults` are what the command asks for unless told otherwise.
std::shared_ptr<StudyArguments> add_study_options(CommandLine& line, StudyArguments defaults = {});
Result<StudyOptions> study_options(const StudyArguments& given);

/// A size in bytes, with K, M, G, T for powers of 1024.
Result<std::uint64_t> parse_size(std::string_view text, std::string_view option);
/// `0,128K,1M`: sizes in bytes with K, M, G, T for powers of 1024, ascending, none twice.
Result<std::vector<std::uint64_t>> parse_sizes(const std::string& text, std::string_view option);

/// Runs the study with a progress bar; with ranks, on all of them, and rank 0 gets the answer.
Result<Study> run_study(const StudyArguments& given, StudyOptions options, Ranks* ranks = nullptr);

/// What was left out, where the bytes went, what to be careful with; lines of text.
std::string about(const Study& study);
/// The same, on standard error.
void tell_about(const Study& study);

}  // namespace fathom
