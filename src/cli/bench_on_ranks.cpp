// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_on_ranks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "bench/run.h"
#include "ranks/mpi_file.h"

namespace fathom {
namespace {

/// MPI-IO as the benchmark sees it. The one code of a failure stands for the words of the last one.
class MpiAccess {
 public:
  MpiAccess(const Ranks& ranks, BenchLayout layout) : ranks_(ranks), shared_(layout == BenchLayout::shared) {}

  FathomFileAccess table() {
    return {.context = this,
            .collective = shared_,
            .open = open,
            .write_at = write_at,
            .read_at = read_at,
            .sync = sync,
            .close = close,
            .explain = explain};
  }

 private:
  static MpiAccess& of(void* context) { return *static_cast<MpiAccess*>(context); }
  static MpiFile& file(void* handle) { return *static_cast<MpiFile*>(handle); }

  int code_of(const Result<void>& done) {
    if (!done) words_ = reason(done.error().message);
    return done ? 0 : 1;
  }

  /// The task itself says what it tried with which file; after the path a message has a colon and the reason, which MPICH tells in lines.
  std::string reason(std::string message) const {
    const std::size_t path = message.find(path_);
    const std::size_t colon = path == std::string::npos ? path : message.find(": ", path + path_.size());
    if (colon != std::string::npos) message.erase(0, colon + 2);
    std::replace(message.begin(), message.end(), '\n', ' ');
    return message;
  }

  MpiFile::Call call() const { return shared_ ? MpiFile::Call::collective : MpiFile::Call::alone; }

  static int open(void* context, const char* path, int mode, void** handle) {
    MpiAccess& self = of(context);
    const bool reads = mode == fathom_read_shared || mode == fathom_read_own;
    auto opened = MpiFile::open(self.ranks_, path, reads ? MpiFile::Access::read : MpiFile::Access::write,
                                self.shared_ ? MpiFile::Scope::world : MpiFile::Scope::self);
    self.path_ = path;
    if (!opened) return self.code_of(opened.error());
    *handle = new MpiFile(std::move(*opened));
    return 0;
  }

  /// A transfer is whole or an error.
  int whole(const Result<void>& moved, uint64_t count, uint64_t* done) {
    *done = moved ? count : 0;
    return code_of(moved);
  }

  static int write_at(void* context, void* handle, uint64_t offset, const void* buffer, uint64_t count, uint64_t* done) {
    return of(context).whole(file(handle).write_at(offset, buffer, count, of(context).call()), count, done);
  }

  static int read_at(void* context, void* handle, uint64_t offset, void* buffer, uint64_t count, uint64_t* done) {
    return of(context).whole(file(handle).read_at(offset, buffer, count, of(context).call()), count, done);
  }

  static int sync(void* context, void* handle) { return of(context).code_of(file(handle).sync()); }

  static int close(void* context, void* handle) {
    const std::unique_ptr<MpiFile> closing(&file(handle));
    return of(context).code_of(closing->close());
  }

  static void explain(void* context, int, char* text, size_t size) {
    if (size > 0) text[of(context).words_.copy(text, size - 1)] = '\0';
  }

  const Ranks& ranks_;
  bool shared_;
  std::string path_, words_;
};

/// The ranks as the tasks of a run. Where they cannot reach each other any more, all are told to stop.
class RankGroup {
 public:
  explicit RankGroup(Ranks& ranks) : ranks_(ranks) {}

  FathomTaskGroup table() {
    return {.context = this,
            .rank = static_cast<uint64_t>(ranks_.rank()),
            .tasks = static_cast<uint64_t>(ranks_.size()),
            .any_failed = any_failed,
            .gather = gather};
  }

  /// Empty, or why the ranks could not reach each other.
  const Result<void>& reached() const { return reached_; }

 private:
  static RankGroup& of(void* context) { return *static_cast<RankGroup*>(context); }

  static int any_failed(void* context, int failed) {
    std::uint64_t failures[] = {failed != 0};
    RankGroup& self = of(context);
    if (auto summed = self.ranks_.sum(failures); !summed) self.reached_ = std::move(summed);
    return !self.reached_ || failures[0] > 0;
  }

  static int gather(void* context, const void* data, uint64_t bytes, void (*take)(void*, uint64_t, const void*, uint64_t), void* to) {
    RankGroup& self = of(context);
    auto parts = self.ranks_.gather({static_cast<const char*>(data), bytes});
    if (!parts) {
      self.reached_ = parts.error();
      return 1;
    }
    for (std::size_t rank = 0; rank < parts->size(); ++rank) take(to, rank, (*parts)[rank].data(), (*parts)[rank].size());
    return 0;
  }

  Ranks& ranks_;
  Result<void> reached_;
};

/// Asked before any call that waits: where one rank cannot open a shared file, Open MPI leaves the others waiting in MPI_File_open.
Result<void> see(const std::string& directory) {
  if (::access(directory.c_str(), W_OK | X_OK) == 0) return {};
  return Error{ErrorKind::unwritable, fmt::format("benchmarking in {}: {}", directory, std::strerror(errno))};
}

}  // namespace

Result<std::vector<TaskOutcome>> run_on_ranks(const BenchParameters& parameters, const std::string& directory, bool keep_files,
                                              Ranks& ranks) {
  // One looks for files in the way; after that the others may make theirs.
  TRY_VOID(ranks.agree(ranks.rank() == 0 ? prepare(parameters, directory) : Result<void>{}));
  TRY_VOID(ranks.agree(see(directory)));
  MpiAccess mpi(ranks, parameters.layout);
  RankGroup group(ranks);
  const bool by_mpi = parameters.interface == BenchInterface::mpiio;
  auto outcomes = run_in_group(parameters, directory, by_mpi ? mpi.table() : posix_access, group.table());
  TRY_VOID(group.reached());
  // Gathering is the end of every task's calls.
  if (ranks.rank() == 0 && !keep_files) remove_data_files(parameters, directory);
  return outcomes;
}

}  // namespace fathom
