// SPDX-License-Identifier: Apache-2.0
/// The files that a store was made from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ingest/ingest.h"
#include "store/store.h"

namespace fathom {

struct SourceRecord {
  SourceId id = 0;
  std::string name;
  std::string format;
  std::uint64_t bytes = 0;
  std::string hash;
  ServerSharing sharing = ServerSharing::unknown;
  ReadAccount account;
  MergeCounts merged;
};

/// Tells files that were ingested before from new ones.
class KnownSources {
 public:
  struct Entry {
    SourceId id;
    std::string name, format;
    std::uint64_t bytes;
    std::string hash;
  };
  void add(const SourceRecord& source) { entries_.push_back({source.id, source.name, source.format, source.bytes, source.hash}); }
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  bool has_size(std::uint64_t bytes) const;
  const Entry* find(std::uint64_t bytes, std::string_view hash) const;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

Result<KnownSources> load_sources(Transaction& transaction);
/// Records without an id (files that were known or not recognised) are passed over.
Result<void> stage_sources(Transaction& transaction, const std::vector<SourceRecord>& sources);

/// Adds to what other files tell of these sources' readings and jobs; sources that the store does not have are passed over. Returns those
/// that it has.
Result<std::vector<SourceId>> add_overlaps(Transaction& transaction, const std::map<SourceId, std::uint64_t>& more);

/// A source that grows (a collector's day): what is recorded of it, or a record with no id where there is none.
Result<SourceRecord> source_so_far(Transaction& transaction, const std::string& name, const std::string& format);
/// These records instead of what was there under their ids.
Result<void> replace_sources(Transaction& transaction, const std::vector<SourceRecord>& sources);

}  // namespace fathom
