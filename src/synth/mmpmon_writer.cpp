// SPDX-License-Identifier: Apache-2.0
// _fs_io_s_ _n_ 10.13.0.1 _nn_ ion-R00-M0-0 _rc_ 0 _t_ 1272844803 _tu_ 53212 _cl_ jugene.zam _fs_ work _d_ 48 _br_ 6291456 _bw_ 314572800
//   _oc_ 10 _cc_ 16 _rdc_ 101 _wc_ 300 _dir_ 7 _iu_ 2
#include "synth/mmpmon_writer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>

namespace fathom {
namespace {

/// The order of mmpmon, which is not ours.
struct Key {
  std::string_view word;
  Counter counter;
};
constexpr std::array keys = {Key{"", Counter::read_bytes},   Key{" _bw_ ", Counter::write_bytes},  Key{" _oc_ ", Counter::opens},
                             Key{" _cc_ ", Counter::closes}, Key{" _rdc_ ", Counter::read_ops},    Key{" _wc_ ", Counter::write_ops},
                             Key{" _dir_ ", Counter::dirs},  Key{" _iu_ ", Counter::inode_updates}};

constexpr std::size_t longest_tail = 8 * 28 + 64;

char* put(char* at, std::string_view word) {
  std::memcpy(at, word.data(), word.size());
  return at + word.size();
}

char* put(char* at, std::uint64_t number) { return std::to_chars(at, at + 20, number).ptr; }

/// ` 1272844803 _tu_ 53212`: microseconds are not padded with zeros.
char* put_time(char* at, std::int64_t t) {
  at = put(at, static_cast<std::uint64_t>(t / 1'000'000));
  at = put(at, " _tu_ ");
  return put(at, static_cast<std::uint64_t>(t % 1'000'000));
}

}  // namespace

MmpmonWriter::MmpmonWriter(const std::vector<std::string>& servers, const std::vector<std::string>& filesystems, std::string_view cluster) {
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const std::string address = fmt::format("10.13.{}.{}", i / 250, 1 + i % 250);
    addresses_.push_back(fmt::format(" _n_ {} _nn_ {} _rc_ ", address, servers[i]));
    failed_.push_back(fmt::format(" _fn_ {} _fnn_ {}\n", address, servers[i]));
  }
  for (std::size_t i = 0; i < filesystems.size(); ++i)
    names_.push_back(fmt::format(" _cl_ {} _fs_ {} _d_ {} _br_ ", cluster, filesystems[i], 48 >> i));
}

void MmpmonWriter::append_samples(std::string& text, const Answer& answer) const {
  const std::string& address = addresses_[answer.server];
  for (std::size_t i = 0; i < answer.count; ++i) {
    const Answer::Line& line = answer.lines[i];
    const std::string& name = names_[line.filesystem];
    const std::size_t before = text.size();
    text.resize(before + address.size() + name.size() + longest_tail);
    char* at = text.data() + before;
    at = put(put(put(at, "_fs_io_s_"), address), "0 _t_ ");
    at = put(put_time(at, line.t), name);
    for (const Key& key : keys) at = put(put(at, key.word), line.values[index(key.counter)]);
    *at++ = '\n';
    text.resize(static_cast<std::size_t>(at - text.data()));
  }
}

void MmpmonWriter::append(std::string& text, const Answer& answer) const {
  const std::string& address = addresses_[answer.server];
  const auto t = fmt::format("_t_ {} _tu_ {}", answer.t / 1'000'000, answer.t % 1'000'000);
  switch (answer.kind) {
    case AnswerKind::samples: return append_samples(text, answer);
    case AnswerKind::reset: text += fmt::format("_reset_{}0 {}\n", address, t); return;
    case AnswerKind::nothing_mounted: text += fmt::format("_fs_io_s_{}1 {} _cl_ - _fs_ -\n", address, t); return;
    case AnswerKind::dead_node: text += fmt::format("_fs_io_s_{}668 {}{}", address, t, failed_[answer.about]); return;
  }
}

}  // namespace fathom
