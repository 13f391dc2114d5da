// SPDX-License-Identifier: Apache-2.0
/// What becomes of every column of a store when it is given away: who may tell names from what is left.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/schema.h"
#include "store_export/pseudonyms.h"

namespace fathom {

enum class Treatment : std::uint8_t {
  keep,         // says nothing about people or machines
  name,         // a pseudonym
  server_list,  // a pseudonym for each
  host_list,
  node_list,     // as a batch system writes it
  path,          // of a trace
  first_word,    // `CANCELLED by 1017` has a user's number in it
  empty,         // hashes over names, which could be guessed
  slice_number,  // a time, in other units
  time,          // moved with all others
  clock,         // when somebody worked with the store: beside the date of the export it would tell by how much times were moved
};

struct ColumnTreatment {
  Treatment treatment = Treatment::keep;
  NameKind kind = NameKind::user;  // of a name
};

/// Numbers stay and times move; of a text somebody has decided. Nothing for a text column of which nobody has.
std::optional<ColumnTreatment> treatment_of(const TableSchema& table, const ColumnSchema& column);

/// Tables of free text, which may hold anything: they are not given away with pseudonyms.
bool holds_free_text(const TableSchema& table);

/// What an anonymised export has in place of the text.
Result<std::string> replaced(const ColumnTreatment& treatment, std::string_view text, Pseudonyms& pseudonyms);

/// Whether `replaced` has to be asked for every text of the column.
constexpr bool is_replaced(Treatment treatment) {
  using enum Treatment;
  return treatment == name || treatment == server_list || treatment == host_list || treatment == node_list || treatment == path ||
         treatment == first_word;
}

}  // namespace fathom
