// SPDX-License-Identifier: Apache-2.0
// ranks_probe WHAT [ARGUMENT]: exercises the module `ranks` under mpiexec, for ranks.py. Exit code as that of the program.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "ranks/mpi_file.h"
#include "ranks/on_ranks.h"

using namespace fathom;

namespace {

Error wrong(const std::string& what) { return {ErrorKind::damaged, what}; }

/// Different for every rank and place, so that a byte in the wrong place shows.
std::string pattern(int rank, std::uint64_t bytes) {
  std::string text(bytes, '\0');
  std::uint64_t value = 0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(rank + 1);
  for (std::uint64_t at = 0; at + 8 <= bytes; at += 8) {
    std::memcpy(text.data() + at, &value, 8);
    value += 0xD1B54A32D192ED03ULL;
  }
  return text;
}

/// Every collective once; lengths differ per rank, and one is empty.
Result<void> exchange(Ranks& ranks) {
  const int rank = ranks.rank(), size = ranks.size();
  auto part = [](int r) { return pattern(r, static_cast<std::uint64_t>(r) * 100000); };
  TRY(const auto gathered, ranks.gather(part(rank)));
  if (gathered.size() != static_cast<std::size_t>(rank == 0 ? size : 0)) return wrong("gather: not one part per rank on rank 0 only");
  for (int r = 0; r < static_cast<int>(gathered.size()); ++r)
    if (gathered[static_cast<std::size_t>(r)] != part(r)) return wrong("gather: other bytes");
  TRY(const auto all, ranks.all_gather(part(rank)));
  if (all.size() != static_cast<std::size_t>(size)) return wrong("all_gather: not one part per rank");
  for (int r = 0; r < size; ++r)
    if (all[static_cast<std::size_t>(r)] != part(r)) return wrong("all_gather: other bytes");
  std::string text = rank == 0 ? pattern(42, 300001) : fmt::format("what rank {} had", rank);
  TRY_VOID(ranks.broadcast(text));
  if (text != pattern(42, 300001)) return wrong("broadcast: other bytes");
  // Sums over r of r + 1 and of 2^40: n (n + 1) / 2 and n 2^40.
  std::uint64_t numbers[] = {static_cast<std::uint64_t>(rank) + 1, std::uint64_t{1} << 40};
  TRY_VOID(ranks.sum(numbers));
  const auto n = static_cast<std::uint64_t>(size);
  if (numbers[0] != n * (n + 1) / 2 || numbers[1] != n << 40) return wrong("sum: other numbers");
  TRY(const double largest, ranks.maximum(rank * 0.5));
  if (largest != (size - 1) * 0.5) return wrong("maximum: another number");
  TRY_VOID(ranks.barrier());
  if (rank == 0) fmt::print("exchanged among {}\n", size);
  return {};
}

/// Only the last rank sends much. Compared in pieces, so that memory holds the message twice and not thrice.
Result<void> large(Ranks& ranks, std::uint64_t bytes) {
  const int last = ranks.size() - 1;
  TRY(const auto gathered, ranks.gather(ranks.rank() == last ? pattern(last, bytes) : std::string()));
  if (ranks.rank() != 0) return {};
  const std::string& got = gathered[static_cast<std::size_t>(last)];
  if (got.size() != bytes) return wrong("gather: another length");
  std::uint64_t value = 0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(last + 1);
  for (std::uint64_t at = 0; at + 8 <= bytes; at += 8, value += 0xD1B54A32D192ED03ULL)
    if (std::memcmp(got.data() + at, &value, 8) != 0) return wrong(fmt::format("gather: other bytes at {}", at));
  fmt::print("gathered {} bytes\n", got.size());
  return {};
}

/// Ranks from `first` on fail; the others are on their way to an exchange.
Result<void> fail_from(Ranks& ranks, int first) {
  if (ranks.rank() >= first) return Error{ErrorKind::unreadable, fmt::format("reading part {}: no such thing", ranks.rank())};
  TRY_VOID(ranks.gather("some bytes"));
  TRY_VOID(ranks.barrier());
  return {};
}

/// The same without the care of on_ranks: the object alone must not leave others waiting.
int leave_early(int first) {
  auto work = [&]() -> Result<void> {
    TRY(Ranks ranks, Ranks::join());
    if (ranks.rank() >= first) return wrong("leaving early");
    return ranks.barrier();
  };
  const auto status = work();
  if (!status) print_error(status.error());
  return status ? 0 : 1;
}

/// A file of all ranks, blocks written alone and together and read back from the neighbour, then one file per rank.
Result<void> files(Ranks& ranks, const std::string& folder) {
  constexpr std::uint64_t block = 100000;
  const auto rank = static_cast<std::uint64_t>(ranks.rank()), size = static_cast<std::uint64_t>(ranks.size());
  const std::string mine = pattern(ranks.rank(), block);
  TRY(MpiFile shared, MpiFile::open(ranks, folder + "/shared", MpiFile::Access::read_write, MpiFile::Scope::world));
  for (const auto call : {MpiFile::Call::alone, MpiFile::Call::collective}) {
    const std::uint64_t base = call == MpiFile::Call::alone ? 0 : size * block;
    TRY_VOID(shared.write_at(base + rank * block, mine.data(), block, call));
    TRY_VOID(shared.sync());
    TRY_VOID(ranks.barrier());
    TRY_VOID(shared.sync());
    const std::uint64_t neighbour = (rank + 1) % size;
    std::string got(block, '\0');
    TRY_VOID(shared.read_at(base + neighbour * block, got.data(), block, call));
    if (got != pattern(static_cast<int>(neighbour), block)) return wrong("MPI-IO: other bytes");
  }
  std::string beyond(block, '\0');
  if (shared.read_at(2 * size * block - 1, beyond.data(), block)) return wrong("MPI-IO: reading beyond the end is no error");
  TRY_VOID(ranks.barrier());
  TRY_VOID(shared.close());
  TRY(MpiFile own, MpiFile::open(ranks, fmt::format("{}/own-{}", folder, rank), MpiFile::Access::write, MpiFile::Scope::self));
  TRY_VOID(own.write_at(0, mine.data(), block));
  TRY_VOID(own.close());
  if (ranks.rank() == 0) fmt::print("files of {}\n", size);
  return {};
}

/// One rank fails with a file of the world open.
Result<void> fail_with_file(Ranks& ranks, const std::string& folder) {
  TRY(MpiFile shared, MpiFile::open(ranks, folder + "/left", MpiFile::Access::read_write, MpiFile::Scope::world));
  if (ranks.rank() == ranks.size() - 1) return wrong("failing with a file open");
  TRY_VOID(ranks.barrier());
  return shared.close();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "", argument = argc > 2 ? argv[2] : "0";
  if (what == "leave") return leave_early(std::stoi(argument));
  const auto mpi = what.find("file") == std::string::npos ? Ranks::Mpi::when_launched : Ranks::Mpi::always;
  const auto status = on_ranks(
      [&](Ranks& ranks) -> Result<void> {
        if (what == "exchange") return exchange(ranks);
        if (what == "large") return large(ranks, std::stoull(argument));
        if (what == "fail") return fail_from(ranks, std::stoi(argument));
        if (what == "files") return files(ranks, argument);
        if (what == "fail_with_file") return fail_with_file(ranks, argument);
        if (what == "die" && ranks.rank() == std::stoi(argument)) ::kill(::getpid(), SIGKILL);
        if (what == "die") return ranks.barrier();
        return Error{ErrorKind::usage, "ranks_probe: there is no such thing"};
      },
      mpi);
  return status ? 0 : status.error().kind == ErrorKind::usage ? 2 : 1;
}
