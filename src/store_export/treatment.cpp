// SPDX-License-Identifier: Apache-2.0
#include "store_export/treatment.h"

#include <algorithm>

#include "base/text.h"

namespace fathom {
namespace {

using enum Treatment;

struct Decision {
  std::string_view column;
  ColumnTreatment treatment;
  std::string_view table{};  // empty: in whatever table
};

// The first that fits holds.
constexpr Decision decisions[] = {
    {"name", {name, NameKind::application}, "jobs"},
    {"name", {name, NameKind::application}, "patterns"},
    {"name", {name, NameKind::path}, "sources"},
    {"state", {first_word}, "jobs"},
    {"state", {keep}, "patterns"},   // one of four
    {"reason", {keep}, "patterns"},  // numbers in fixed sentences
    {"verdict", {keep}, "patterns"},
    {"server", {name, NameKind::server}},
    {"filesystem", {name, NameKind::filesystem}},
    {"job", {name, NameKind::job}},
    {"job_id", {name, NameKind::job}},
    {"user_name", {name, NameKind::user}},
    {"node_list", {node_list}},
    {"servers", {server_list}, "jobs"},
    {"partition_name", {name, NameKind::partition}},
    {"trace", {path}},
    {"host", {name, NameKind::node}},
    {"hosts", {host_list}},
    {"command", {name, NameKind::command}},
    {"hash", {name, NameKind::file_hash}, "sources"},
    {"inputs", {empty}},
    {"kind", {keep}, "marks"},      // reset or visit
    {"format", {keep}, "sources"},  // a reader
    {"link", {keep}, "criteria"},
    {"direction", {keep}},
    {"process", {keep}, "slices"},    // rank 3, pid 4711
    {"linked_by", {keep}, "traces"},  // a variable of a batch system
    {"app", {name, NameKind::application}, "annotations"},
    {"key", {keep}, "annotations"},
    {"value", {keep}, "annotations"},
};

}  // namespace

std::optional<ColumnTreatment> treatment_of(const TableSchema& table, const ColumnSchema& column) {
  if (column.type == ColumnType::time) return ColumnTreatment{column.name == "added" ? clock : time};
  if (column.type != ColumnType::text && column.type != ColumnType::text_list) {
    if (table.name == "slices" && column.name == "slice") return ColumnTreatment{slice_number};
    return ColumnTreatment{keep};
  }
  const auto* found = std::find_if(std::begin(decisions), std::end(decisions), [&](const Decision& decision) {
    return decision.column == column.name && (decision.table.empty() || decision.table == table.name);
  });
  if (found == std::end(decisions)) return std::nullopt;
  return found->treatment;
}

bool holds_free_text(const TableSchema& table) { return table.name == "annotations"; }

Result<std::string> replaced(const ColumnTreatment& treatment, std::string_view text, Pseudonyms& pseudonyms) {
  switch (treatment.treatment) {
    case name: return pseudonyms.of(treatment.kind, text);
    case server_list: return pseudonyms.of_list(NameKind::server, text, ';');
    case host_list: return pseudonyms.of_list(NameKind::node, text, ';');
    case node_list: return pseudonyms.of_node_list(text);
    case path: return pseudonyms.of_path(text);
    case first_word: return std::string(take_word(text));
    default: return std::string(text);
  }
}

}  // namespace fathom
