// SPDX-License-Identifier: Apache-2.0
#include "ranks/world.h"

#include <fmt/format.h>

namespace fathom {

std::string mpi_error_text(const fathom_mpi_table& mpi, int code) {
  char text[2048] = "";
  mpi.error_text(code, text, sizeof text);
  return text;
}

Result<void> Ranks::World::begin(const fathom_mpi_table& opened) {
  if (const int code = opened.init(); code != 0)
    return Error{ErrorKind::unsupported, fmt::format("joining the ranks: {}: {}", library, mpi_error_text(opened, code))};
  mpi = &opened;
  TRY_VOID(checked(mpi->rank(&rank)));
  return checked(mpi->size(&size));
}

Ranks::World::~World() {
  if (mpi == nullptr) return;
  if (!ended) (void)meet(Intent::leave);
  // After a failure nobody goes before all are here: Open MPI's launcher ends the others as soon as one exits with 1, before they have said
  // why.
  if (ended && !broken) (void)mpi->barrier();
  if (broken) mpi->abort(1);
  (void)mpi->finalize();
}

Result<void> Ranks::World::checked(int code) {
  if (code == 0) return {};
  ended = broken = true;
  return Error{kind, fmt::format("exchanging data with the other ranks: {} (on rank {})", mpi_error_text(*mpi, code), rank)};
}

Result<void> Ranks::World::meet(Intent intent, const Error* mine) {
  if (ended) return Error{kind, ""};
  if (size == 1) return {};
  std::uint64_t counts[2] = {intent == Intent::fail, intent == Intent::leave};
  TRY_VOID(checked(mpi->sum(counts, 2)));
  const auto [failed, leaving] = counts;
  if (failed == 0 && (leaving == 0 || leaving == static_cast<std::uint64_t>(size))) return {};
  return tell_failure(mine);
}

/// The first letter is the kind of the error, the rest its message; a rank without one sends nothing.
Result<void> Ranks::World::tell_failure(const Error* mine) {
  std::string text;
  if (mine != nullptr) text = static_cast<char>('a' + static_cast<int>(mine->kind)) + mine->message;
  TRY(const std::vector<std::string> all, exchange(std::move(text), To::all));
  ended = true;
  int origin = 0;
  while (origin < size && all[static_cast<std::size_t>(origin)].empty()) ++origin;
  if (origin == size) return Error{kind, rank == 0 ? "working on several ranks: one of them ended before the others" : ""};
  const std::string& told = all[static_cast<std::size_t>(origin)];
  kind = static_cast<ErrorKind>(told[0] - 'a');
  if (rank != 0) return Error{kind, ""};
  return Error{kind, origin == 0 ? told.substr(1) : fmt::format("{} (on rank {})", std::string_view(told).substr(1), origin)};
}

Result<std::vector<std::string>> Ranks::World::exchange(std::string mine, To to) {
  std::vector<std::string> parts(static_cast<std::size_t>(size));
  const auto own = static_cast<std::size_t>(rank);
  if (size == 1) {
    parts[own] = std::move(mine);
    return parts;
  }
  std::vector<std::uint64_t> lengths(parts.size());
  TRY_VOID(checked(mpi->all_lengths(mine.size(), lengths.data())));
  parts[own] = std::move(mine);
  const bool receives = to == To::all || rank == 0;
  std::vector<void*> places(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (receives && i != own) parts[i].resize(lengths[i]);
    places[i] = parts[i].data();
  }
  const auto function = to == To::all ? mpi->all_gather : mpi->gather;
  TRY_VOID(checked(function(places[own], lengths.data(), places.data())));
  if (!receives) parts.clear();
  return parts;
}

}  // namespace fathom
