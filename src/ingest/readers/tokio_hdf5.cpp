// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/spawn.h"
#include "base/text.h"
#include "ingest/reader.h"

namespace fathom {

extern const Reader counters_csv;

namespace {

constexpr std::string_view magic = "\x89HDF\r\n\x1a\n";

/// One end of a pipe, or another descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void close() {
    if (number_ >= 0) ::close(release());
  }
  void take(int number) {
    close();
    number_ = number;
  }

 private:
  int number_;
};

bool open_pipe(Descriptor& from, Descriptor& to) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  from.take(ends[0]);
  to.take(ends[1]);
  return true;
}

std::string what_it_said(int from) {
  char text[512];
  const ssize_t got = ::read(from, text, sizeof text);
  return got > 0 ? excerpt({text, static_cast<std::size_t>(got)}, 300) : "it said nothing";
}

/// Ends a process and those it started when its time is over.
class Watch {
 public:
  Watch(pid_t process, std::chrono::milliseconds limit)
      : thread_([this, process, limit] {
          std::unique_lock lock(mutex_);
          if (!changed_.wait_for(lock, limit, [this] { return done_; })) ::kill(-process, SIGKILL);
        }) {}
  Watch(const Watch&) = delete;
  ~Watch() {
    {
      std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;  // last: it uses the others
};

/// Waits for the end of a process, whose number stays taken.
void await_end(pid_t process) {
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
}

/// How the process ended: well, with words of its own, or by a signal.
Result<void> judge(int status, const std::string& path, int messages) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string why = WIFSIGNALED(status) ? fmt::format(
                                                    "the process that opened it was ended by signal {} ({}): the file is damaged, made to "
                                                    "do harm, or needs more than 4 GiB of memory, 10 minutes of CPU or an hour",
                                                    WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                                              : what_it_said(messages);
  return Error{ErrorKind::malformed, fmt::format("reading {} as HDF5: {}", path, why)};
}

/// libhdf5 does not stand files of strangers, and is not for several threads: a process of its own opens the file and writes rows.
Result<void> read_file(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  const std::string path = input.path();
  const auto failure = [&](std::string_view what) {
    return Error{ErrorKind::unreadable, fmt::format("reading {} as HDF5: {}", path, what)};
  };
  if (!input.peek(magic.size()).starts_with(magic))
    return Error{ErrorKind::malformed, fmt::format("reading {} as HDF5: it is no HDF5 file", path)};
  if (options.hdf5_command.empty()) return failure("this program was built without it");
  Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC)), rows, rows_in, messages, messages_in;
  if (nothing.number() < 0 || !open_pipe(rows, rows_in) || !open_pipe(messages, messages_in)) return failure(std::strerror(errno));
  std::vector<std::string> words = options.hdf5_command;
  words.push_back(path);
  const auto started = spawn(words, nothing.number(), rows_in.number(), messages_in.number());
  if (!started) return failure(started.error().message);
  rows_in.close();
  messages_in.close();
  Result<void> status;
  {
    const Watch watch(*started, options.hdf5_limit);
    {
      LineInput lines = LineInput::from_descriptor(rows.release(), path);
      ReadOptions amounts = options;
      amounts.per_interval = true;
      status = counters_csv.read(lines, amounts, harvest);
    }  // closed: a process that still writes ends
    await_end(*started);
  }
  int ended = 0;
  while (::waitpid(*started, &ended, 0) < 0 && errno == EINTR) {
  }
  TRY_VOID(judge(ended, path, messages.number()));
  return status;
}

}  // namespace

extern const Reader tokio_hdf5;
constinit const Reader tokio_hdf5{
    .name = "tokio_hdf5",
    .summary = "TOKIO time series and H5LMT: HDF5 files of a day's counters",
    .details =
        "HDF5 files with the counters of all targets of a Lustre (or another) file system. In files of TOKIO, `datatargets/readbytes` and "
        "`writebytes` (or `readrates` and `writerates`, per second) have a row for "
        "each moment of `datatargets/timestamps` and a column for each target, named by the attribute `columns`; a row holds the amounts "
        "of the interval that BEGINS at its time, and -0.0 stands for a value "
        "that was not measured. From `mdtargets`, opens and closes are taken. In H5LMT files, the older form, "
        "`OSTReadGroup/OSTBulkReadDataSet` and `OSTWriteGroup/OSTBulkWriteDataSet` have a row for each "
        "OST and bytes per second of the interval that ENDS at its moment of `FSStepsGroup/FSStepsDataSet`; `FSMissingGroup` marks what "
        "was not measured; opens and closes of `MDSOpsGroup` are those of a server FILESYSTEM-MDS, which the file "
        "does not name. In a public file of both forms that was made from the same LMT database, all three agree to the byte and the "
        "interval.\n\n"
        "The server is the target's name, the file system the part of it before `-OST` or `-MDT`. Times are Unix seconds. Rates become "
        "whole amounts by rounding. What was not measured is a gap, not zero.\n\n"
        "The file is opened by a process of its own, whose memory (4 GiB), time (10 minutes of CPU) and rights are bounded: if it crashes, "
        "that is an error that names the file. Links to other files, data in other "
        "files and filters that libhdf5 does not bring along are refused. A packed file (.gz) must be unpacked first.",
    .example =
        "datatargets/timestamps   1517126400  1517126405  ...\n"
        "datatargets/readbytes    [60 moments][24 targets]   columns = snx11025-OST0000, snx11025-OST0001, ...\n"
        "datatargets/writebytes   [60 moments][24 targets]   19186.0  ...\n",
    .recognises = [](std::string_view first_bytes, std::string_view) { return first_bytes.starts_with(magic); },
    .read = read_file};

}  // namespace fathom
