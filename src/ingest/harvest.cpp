// SPDX-License-Identifier: Apache-2.0
#include "ingest/harvest.h"

#include <sys/mman.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"

namespace fathom {
namespace {

/// Finds the slot that `matches`, or the empty one where it belongs; slots hold index + 1.
template <class Matches>
std::uint32_t& probe(std::vector<std::uint32_t>& slots, std::uint64_t hash, Matches&& matches) {
  const std::size_t last = slots.size() - 1;
  for (std::size_t at = hash & last;; at = (at + 1) & last)
    if (slots[at] == 0 || matches(slots[at] - 1)) return slots[at];
}

template <class HashOf>
void grow(std::vector<std::uint32_t>& slots, std::size_t entries, HashOf&& hash_of) {
  if (!slots.empty() && (entries + 1) * 2 <= slots.size()) return;
  slots.assign(std::max<std::size_t>(64, slots.size() * 2), 0);
  for (std::uint32_t i = 0; i < entries; ++i) probe(slots, hash_of(i), [](std::uint32_t) { return false; }) = i + 1;
}

constexpr std::uintptr_t huge_page = 2u << 20;

std::uint64_t hash_text(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::uint64_t hash_ids(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t h = a * 0x9e3779b97f4a7c15u ^ b * 0xc2b2ae3d27d4eb4fu ^ c * 0x165667b19e3779f9u;
  return h ^ (h >> 29);
}

}  // namespace

SeriesTable::WordId SeriesTable::word(std::string_view text) {
  grow(word_slots_, words_.size(), [&](std::uint32_t i) { return hash_text(words_[i]); });
  std::uint32_t& slot = probe(word_slots_, hash_text(text), [&](std::uint32_t i) { return words_[i] == text; });
  if (slot == 0) {
    // Names come from outside, some from users; a file with one that is not UTF-8 could not be read again.
    if (std::string clean = as_utf8(text); clean != text) return word(clean);
    words_.emplace_back(text);
    slot = static_cast<std::uint32_t>(words_.size());
  }
  return slot - 1;
}

SeriesId SeriesTable::id(std::string_view server, std::string_view filesystem, std::string_view job) {
  const Entry entry{word(server), word(filesystem), word(job)};
  grow(series_slots_, series_.size(), [&](std::uint32_t i) { return hash_ids(series_[i].server, series_[i].filesystem, series_[i].job); });
  std::uint32_t& slot =
      probe(series_slots_, hash_ids(entry.server, entry.filesystem, entry.job), [&](std::uint32_t i) { return series_[i] == entry; });
  if (slot == 0) {
    series_.push_back(entry);
    slot = static_cast<std::uint32_t>(series_.size());
  }
  return slot - 1;
}

bool SeriesNames::less(SeriesId a, SeriesId b) const {
  const Entry &x = series_[a], &y = series_[b];
  if (x.server != y.server) return words_[x.server] < words_[y.server];
  if (x.filesystem != y.filesystem) return words_[x.filesystem] < words_[y.filesystem];
  return x.job != y.job && words_[x.job] < words_[y.job];
}

SeriesNames::News SeriesNames::since(std::size_t words, std::size_t series) const {
  return {{words_.begin() + static_cast<std::ptrdiff_t>(words), words_.end()},
          {series_.begin() + static_cast<std::ptrdiff_t>(series), series_.end()}};
}

void SeriesNames::add(const News& news) {
  words_.insert(words_.end(), news.words.begin(), news.words.end());
  series_.insert(series_.end(), news.series.begin(), news.series.end());
}

Harvest::Harvest(SeriesTable& series, std::size_t batch_samples, std::function<void(Batch&)> full)
    : series_(series), batch_samples_(batch_samples), full_(std::move(full)) {}

void Harvest::begin_source(std::string path, SourceId source) {
  path_ = std::move(path);
  source_ = source;
  account_ = {};
  tell_ = nullptr;
}

void Harvest::mark(Mark mark) {
  mark.source = source_;
  mark.server = as_utf8(mark.server);
  mark.filesystem = as_utf8(mark.filesystem);
  ++account_.marks;
  batch_.marks.push_back(std::move(mark));
}

void Harvest::job(Job job) {
  job.source = source_;
  ++account_.jobs;
  batch_.jobs.push_back(std::move(job));
}

void Harvest::run(JobRun run) {
  run.path = of_source(as_utf8(std::filesystem::absolute(path_).lexically_normal().string()), source_);
  run.job.source = source_;
  batch_.runs.push_back(std::move(run));
}

void Harvest::reject(std::uint64_t line, std::string_view text, std::string_view why) {
  ++account_.rejected;
  if (account_.first_rejects.size() < kept_rejects) account_.first_rejects.push_back({path_, line, std::string(why), excerpt(text)});
}

void Harvest::leave_out(std::string_view reason, std::uint64_t count) {
  auto found = account_.left_out.find(reason);
  if (found == account_.left_out.end()) found = account_.left_out.emplace(std::string(reason), 0).first;
  found->second += count;
}

void Harvest::notice(std::string sentence) {
  if (std::find(account_.notices.begin(), account_.notices.end(), sentence) == account_.notices.end())
    account_.notices.push_back(std::move(sentence));
}

/// Samples of one series are read from all over a batch: with pages of 2 MiB that costs far fewer address look-ups.
void Harvest::make_room() {
  std::vector<Sample>& samples = batch_.samples;
  samples.reserve(std::max<std::size_t>(1024, samples.capacity() * 2));
  const auto begin = (reinterpret_cast<std::uintptr_t>(samples.data()) + huge_page - 1) / huge_page * huge_page;
  const auto end = reinterpret_cast<std::uintptr_t>(samples.data() + samples.capacity()) / huge_page * huge_page;
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a wish; without it all works
}

void Harvest::flush() {
  if (batch_.empty()) return;
  batch_.names = series_.since(named_words_, named_series_);
  named_words_ = series_.word_count();
  named_series_ = series_.size();
  full_(batch_);
  batch_.clear();
}

}  // namespace fathom
