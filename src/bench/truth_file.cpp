// SPDX-License-Identifier: Apache-2.0
// # fathom bench truth 1
// # interface: posix
// ...
// task,phase,call,file,offset,bytes,start,end,duration,count
// 3,write,write,bench-000003.dat,4096,4096,1794810345.218046120,1794810345.218049011,0.000002874,1
#include "bench/truth_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>

#include "base/csv.h"
#include "base/other_format.h"
#include "base/text.h"

namespace fathom {
namespace {

constexpr std::string_view magic = "# fathom bench truth ";
constexpr std::uint64_t known_format = 1;
constexpr std::array<std::string_view, 10> columns = {"task",  "phase", "call", "file",     "offset",
                                                      "bytes", "start", "end",  "duration", "count"};
enum Column : std::size_t { task, phase, call, file, offset, bytes, start, end, duration, count };

void put_seconds(fmt::memory_buffer& text, std::int64_t nanoseconds) {
  const bool before = nanoseconds < 0;  // the clock was set to before 1970, or back between two looks at it
  const auto size = before ? -static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
  fmt::format_to(std::back_inserter(text), ",{}{}.{:09}", before ? "-" : "", size / 1'000'000'000, size % 1'000'000'000);
}

std::string head_text(const BenchTruthHead& head) {
  const BenchParameters& p = head.parameters;
  std::string text = fmt::format("{}{}", magic, known_format);
  const auto line = [&](std::string_view key, auto value) { text += fmt::format("\n# {}: {}", key, value); };
  line("interface", word(p.interface));
  line("layout", word(p.layout));
  line("tasks", p.tasks);
  line(p.random_sizes ? "random_max" : "size", p.size);
  line("count", p.count);
  line("seed", p.seed);
  line("sync", p.sync ? "yes" : "no");
  line("pause", p.pause_seconds);
  if (head.nodes > 0) line("nodes", head.nodes);
  if (!head.job_id.empty()) line("job_id", head.job_id);
  return text + "\n";
}

template <class Enum, std::size_t size>
std::optional<Enum> one_of_words(std::string_view text, const std::array<std::string_view, size>& words) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

class TruthReader {
 public:
  TruthReader(LineInput& input, const BenchRowSink& sink) : input_(input), sink_(sink) {}

  Result<BenchTruth> read() {
    TRY_VOID(input_.for_each_line([&](std::string_view line, std::uint64_t number) {
      number_ = number;
      problem_ = take(line);
      return problem_ == nullptr;
    }));
    if (problem_ != nullptr) return failure(fmt::format("{} ({}:{})", problem_, input_.path(), number_));
    if (input_.overlong_lines() > 0) return failure("a line is too long");
    if (where_.empty()) return failure("it has no header line task,phase,call,...");
    if (!known_interface_ || !known_layout_ || truth_.head.parameters.size == 0)
      return failure("its comments do not say interface, layout and size or random_max");
    return std::move(truth_);
  }

 private:
  Error failure(std::string_view why) const {
    return {ErrorKind::malformed, fmt::format("reading the benchmark's truth {}: {}", input_.path(), why)};
  }

  const char* take(std::string_view line) {
    if (number_ == 1) return take_magic(trim(line));
    if (line.empty()) return nullptr;
    if (line.front() == '#') return take_comment(line.substr(1));
    if (const char* wrong = record_.split(line)) return wrong;
    return where_.empty() ? take_header() : take_row();
  }

  const char* take_magic(std::string_view line) {
    const auto format = line.starts_with(magic) ? parse_u64(line.substr(magic.size())) : std::nullopt;
    if (!format) return "not a truth file of fathom bench";
    if (*format == known_format) return nullptr;
    other_format_ = other_format(*format, known_format);
    return other_format_.c_str();
  }

  const char* take_comment(std::string_view text) {
    const std::string_view key = trim(take_until(text, ':')), value = trim(text);
    BenchParameters& p = truth_.head.parameters;
    std::uint64_t* number = nullptr;
    if (key == "interface") {
      known_interface_ = true;
      p.interface = value == word(BenchInterface::mpiio) ? BenchInterface::mpiio : BenchInterface::posix;
      return value == word(p.interface) ? nullptr : "an interface that is neither posix nor mpiio";
    } else if (key == "layout") {
      known_layout_ = true;
      p.layout = value == word(BenchLayout::shared) ? BenchLayout::shared : BenchLayout::task_local;
      return value == word(p.layout) ? nullptr : "a layout that is neither shared nor task-local";
    } else if (key == "job_id") {
      truth_.head.job_id = as_utf8(value);
    } else if (key == "size" || key == "random_max") {
      number = &p.size;
      p.random_sizes = key == "random_max";
    } else if (key == "tasks") {
      number = &p.tasks;
    } else if (key == "count") {
      number = &p.count;
    } else if (key == "seed") {
      number = &p.seed;
    } else if (key == "nodes") {
      number = &truth_.head.nodes;
    }
    if (number == nullptr) return nullptr;  // a key that is not needed here
    const auto parsed = parse_u64(value);
    if (!parsed) return "not a whole number";
    *number = *parsed;
    return nullptr;
  }

  const char* take_header() {
    where_ = find_columns(record_.fields(), columns);
    for (const Column needed : {task, phase, call, file, offset, bytes, start, end})
      if (where_[needed] == no_column) return "a column is missing: task,phase,call,file,offset,bytes,start,end are needed";
    return nullptr;
  }

  /// What the row has in a column; empty where it has no such column.
  std::string_view field(Column column) const {
    const std::size_t at = where_[column];
    return at < record_.fields().size() ? trim(record_.fields()[at]) : std::string_view{};
  }

  const char* take_row() {
    const auto what = one_of_words<BenchCall>(field(call), bench_call_words);
    if (!what) return "call is none of open, write, sync, close, read";
    const auto when = one_of_words<BenchPhase>(field(phase), bench_phase_words);
    if (!when) return "phase is neither write nor read";
    const auto moved = parse_u64(field(bytes));
    const auto calls = where_[count] == no_column ? std::optional<std::uint64_t>(1) : parse_u64(field(count));
    const auto from = parse_unix_seconds(field(start)), to = parse_unix_seconds(field(end));
    const auto who = parse_u64(field(task)), where = parse_u64(field(offset));
    if (!who || !where || !moved || !calls) return "task, offset, bytes or count is not a whole number";
    if (!from || !to) return "start or end is not a time in Unix seconds";
    if (std::max(micros(*from), micros(*to)) > INT64_MAX / 1000) return "start or end is after the year 2262";  // nanoseconds would not fit
    truth_.first = truth_.rows == 0 ? *from : std::min(truth_.first, *from);
    truth_.last = truth_.rows == 0 ? *to : std::max(truth_.last, *to);
    ++truth_.rows;
    if (sink_) {
      const std::int64_t begin = micros(*from) * 1000, finish = micros(*to) * 1000;
      sink_({*who, {*when, *what, *where, *moved, begin, finish, finish - begin}, field(file), *calls});
    }
    return book(*what, *calls, *moved);
  }

  const char* book(BenchCall what, std::uint64_t calls, std::uint64_t moved) {
    const auto add = [&](Counter counter, std::uint64_t amount) {
      return !__builtin_add_overflow(truth_.amounts[index(counter)], amount, &truth_.amounts[index(counter)]);
    };
    bool fits = true;
    switch (what) {
      case BenchCall::open: fits = add(Counter::opens, calls); break;
      case BenchCall::close: fits = add(Counter::closes, calls); break;
      case BenchCall::read: fits = add(Counter::read_ops, calls) && add(Counter::read_bytes, moved); break;
      case BenchCall::write: fits = add(Counter::write_ops, calls) && add(Counter::write_bytes, moved); break;
      case BenchCall::sync: break;
    }
    return fits ? nullptr : "the sum of all rows is beyond 64 bits";
  }

  LineInput& input_;
  const BenchRowSink& sink_;
  BenchTruth truth_;
  std::string other_format_;
  CsvRecord record_;
  std::vector<std::size_t> where_;
  const char* problem_ = nullptr;
  std::uint64_t number_ = 0;
  bool known_interface_ = false, known_layout_ = false;
};

}  // namespace

BenchTruthFile::BenchTruthFile(std::string path, const BenchTruthHead& head)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
  if (!file_) failure_ = fmt::format("creating {}: {}", path_, std::strerror(errno));
  fmt::format_to(std::back_inserter(text_), "{}{}\n", head_text(head), fmt::join(columns, ","));
}

void BenchTruthFile::add(const BenchTruthRow& row) {
  const TimedCall& one = row.call;
  fmt::format_to(std::back_inserter(text_), "{},{},{},{},{},{}", row.task, bench_phase_words[static_cast<std::size_t>(one.phase)],
                 bench_call_words[static_cast<std::size_t>(one.call)], row.file, one.offset, one.bytes);
  put_seconds(text_, one.start);
  put_seconds(text_, one.end);
  put_seconds(text_, one.duration);
  fmt::format_to(std::back_inserter(text_), ",{}\n", row.count);
  if (text_.size() > (1u << 20)) write_out();
}

void BenchTruthFile::write_out() {
  if (file_ && failure_.empty() && std::fwrite(text_.data(), 1, text_.size(), file_.get()) != text_.size())
    failure_ = fmt::format("writing {}: {}", path_, std::strerror(errno));
  text_.clear();
}

Result<void> BenchTruthFile::close() {
  write_out();
  if (file_ && std::fclose(file_.release()) != 0 && failure_.empty()) failure_ = fmt::format("closing {}: {}", path_, std::strerror(errno));
  if (!failure_.empty()) return Error{ErrorKind::unwritable, failure_};
  return {};
}

Result<void> write_bench_truth(const std::string& path, const BenchTruthHead& head, const std::vector<TaskOutcome>& outcomes) {
  BenchTruthFile truth(path, head);
  for (const TaskOutcome& outcome : outcomes) {
    const std::string name = data_file_name(head.parameters, outcome.task);
    for (const TimedCall& one : outcome.calls) truth.add({.task = outcome.task, .call = one, .file = name});
  }
  return truth.close();
}

Result<BenchTruth> read_bench_truth(LineInput& input, const BenchRowSink& take) { return TruthReader(input, take).read(); }

Result<BenchTruth> read_bench_truth(const std::string& path, const BenchRowSink& take) {
  TRY(LineInput input, LineInput::open(path));
  return read_bench_truth(input, take);
}

}  // namespace fathom
