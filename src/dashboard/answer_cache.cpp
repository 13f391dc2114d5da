// SPDX-License-Identifier: Apache-2.0
#include "dashboard/answer_cache.h"

namespace fathom::dashboard {

std::optional<KeptAnswer> AnswerCache::find(const std::string& question, const std::string& version) {
  const std::lock_guard lock(mutex_);
  const auto at = places_.find(question);
  if (at == places_.end()) return std::nullopt;
  if (at->second->answer.version != version) {
    drop(at->second);
    return std::nullopt;
  }
  entries_.splice(entries_.begin(), entries_, at->second);
  return at->second->answer;
}

void AnswerCache::keep(const std::string& question, KeptAnswer answer) {
  const std::size_t bytes = question.size() + answer.plain->size() + (answer.packed ? answer.packed->size() : 0) + 256;
  if (bytes > most_bytes_ / 4) return;
  const std::lock_guard lock(mutex_);
  if (const auto at = places_.find(question); at != places_.end()) drop(at->second);
  entries_.push_front({question, std::move(answer), bytes});
  places_[question] = entries_.begin();
  bytes_ += bytes;
  while (bytes_ > most_bytes_) drop(std::prev(entries_.end()));
}

void AnswerCache::drop(std::list<Entry>::iterator entry) {
  bytes_ -= entry->bytes;
  places_.erase(entry->question);
  entries_.erase(entry);
}

}  // namespace fathom::dashboard
