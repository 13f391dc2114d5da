// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <string>

#include "base/text.h"
#include "ingest/reader.h"
#include "ingest/series_cache.h"

namespace fathom {
namespace {

/// A key of the -p form as one number: "_br_" and the seven others of eight bytes or fewer compare in one step.
constexpr std::uint64_t packed(std::string_view key) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < key.size() && i < 8; ++i) word |= std::uint64_t{static_cast<unsigned char>(key[i])} << (8 * i);
  return word;
}

/// What one response line or block says.
struct Response {
  std::string_view node, host, filesystem;
  std::uint64_t seconds = 0, micros = 0, status = 0;
  Counters values{};
  CounterMask has = 0;
  bool has_time = false, has_status = false, failed_node = false;

  void set(Counter counter, std::uint64_t value) {
    values[index(counter)] = value;
    has |= mask(counter);
  }
  std::string_view server() const { return host.empty() ? node : host; }
  Time time() const { return time_from_seconds(static_cast<std::int64_t>(seconds)) + Duration{static_cast<std::int64_t>(micros)}; }
};

/// Eight bytes from `at`; LineInput promises that they can be read.
inline std::uint64_t eight_bytes(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

/// Adds the decimal digits at `at` to `value`, up to eight of them in one step; returns how many there were.
inline unsigned take_digits(const char* at, std::uint64_t& value) {
  static constexpr std::uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  std::uint64_t x = eight_bytes(at) ^ 0x3030303030303030u;
  // A byte that is no digit has bits above the fourth, or gets one when six is added.
  const std::uint64_t other = (x | (x + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u;
  const unsigned count = other == 0 ? 8 : static_cast<unsigned>(__builtin_ctzll(other)) / 8;
  if (count == 0) return 0;
  x <<= 64 - 8 * count;
  x = x * 10 + (x >> 8);  // pairs, then fours, then eight digits
  x = ((x & 0x000000ff000000ffu) * 0x000f424000000064u + ((x >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >> 32;
  value = value * powers[count] + (x & 0xffffffffu);
  return count;
}

/// A number that ends at a blank or at `end`; false when anything else is in it.
inline bool take_number(const char*& at, const char* end, std::uint64_t& value) {
  const char* const begin = at;
  value = 0;
  unsigned count = 0;
  do {
    count = take_digits(at, value);
    at += count;
  } while (count == 8 && at < end);
  if (at > end) at = end;  // digits of what lies behind the line
  const auto digits = at - begin;
  if (digits == 0 || (at < end && *at != ' ')) return false;
  if (at == end || digits >= 20) {  // the last number of a line, or a very long one: read again with care (2^64 has twenty digits)
    const auto exact = parse_u64({begin, static_cast<std::size_t>(digits)});
    value = exact.value_or(0);
    return exact.has_value();
  }
  return true;
}

inline const char* find_blank(const char* at, const char* end) {
  for (; at < end; at += 8) {
    const std::uint64_t x = eight_bytes(at) ^ 0x2020202020202020u;
    const std::uint64_t zero = (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
    if (zero != 0) return std::min(at + __builtin_ctzll(zero) / 8, end);
  }
  return end;
}

/// The key at `at` as packed() gives it, and its length.
inline std::uint64_t take_key(const char* at, const char* end, std::size_t& length) {
  std::uint64_t word = 0;
  if (end - at >= 8) {
    std::memcpy(&word, at, 8);
    // The first blank: the lowest zero byte of word ^ "        ".
    const std::uint64_t x = word ^ 0x2020202020202020u;
    const std::uint64_t zero = (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
    if (zero != 0) {
      length = static_cast<std::size_t>(__builtin_ctzll(zero)) / 8;
      return length == 0 ? 0 : word & (~std::uint64_t{0} >> (64 - 8 * length));
    }
  }
  const char* const stop = find_blank(at, end);
  length = static_cast<std::size_t>(stop - at);
  return length > 8 ? 0 : packed({at, length});
}

/// The pairs of a -p line after its first word. Keys and values alternate, so a value may begin with '_'.
bool read_pairs(const char* at, const char* end, Response& response) {
  auto number = [&](std::uint64_t& value) { return take_number(at, end, value); };
  auto counter = [&](Counter which) {
    std::uint64_t value = 0;
    if (!number(value)) return false;
    response.set(which, value);
    return true;
  };
  auto word = [&](std::string_view& value) {
    const char* const stop = find_blank(at, end);
    value = {at, static_cast<std::size_t>(stop - at)};
    at = stop;
    return true;
  };
  std::string_view ignored;
  while (at < end) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    std::size_t length = 0;
    const std::uint64_t key = take_key(at, end, length);
    at += length;
    if (at == end) return true;  // a key without a value at the end, as in a cut line: judged by what is missing
    ++at;
    bool good = true;
    switch (key) {
      case packed("_n_"): good = word(response.node); break;
      case packed("_nn_"): good = word(response.host); break;
      case packed("_fs_"): good = word(response.filesystem); break;
      case packed("_rc_"): good = response.has_status = number(response.status); break;
      case packed("_t_"): good = response.has_time = number(response.seconds); break;
      case packed("_tu_"): good = number(response.micros); break;
      case packed("_br_"): good = counter(Counter::read_bytes); break;
      case packed("_bw_"): good = counter(Counter::write_bytes); break;
      case packed("_oc_"): good = counter(Counter::opens); break;
      case packed("_cc_"): good = counter(Counter::closes); break;
      case packed("_rdc_"): good = counter(Counter::read_ops); break;
      case packed("_wc_"): good = counter(Counter::write_ops); break;
      case packed("_dir_"): good = counter(Counter::dirs); break;
      case packed("_iu_"): good = counter(Counter::inode_updates); break;
      case packed("_fn_"):
      case packed("_fnn_"): response.failed_node = true; [[fallthrough]];
      default: word(ignored); break;
    }
    if (!good) return false;
  }
  return true;
}

/// The same for a line whose keys come in the order in which mmpmon prints them; false for any other (nothing is lost:
/// read_pairs reads it again).
bool read_usual_pairs(const char* at, const char* end, Response& response) {
  auto key = [&](std::string_view text) {  // with its blank
    if (std::memcmp(at, text.data(), text.size()) != 0) return false;
    at += text.size();
    return true;
  };
  auto word = [&](std::string_view& value) {
    const char* const stop = find_blank(at, end);
    value = {at, static_cast<std::size_t>(stop - at)};
    at = stop + 1;
    return stop < end;
  };
  auto number = [&](std::uint64_t& value) {
    const bool good = take_number(at, end, value);
    ++at;
    return good;
  };
  auto counter = [&](Counter which) { return number(response.values[index(which)]); };
  // Keys are at most six bytes: what is compared may lie behind the line, but within LineInput's slack.
  if (end - at < 100) return false;
  std::uint64_t disks = 0;
  std::string_view cluster;
  const bool usual = key("_n_ ") && word(response.node) && key("_nn_ ") && word(response.host) && key("_rc_ ") && number(response.status) &&
                     key("_t_ ") && number(response.seconds) && key("_tu_ ") && number(response.micros) && key("_cl_ ") && word(cluster) &&
                     key("_fs_ ") && word(response.filesystem) && key("_d_ ") && number(disks) && key("_br_ ") &&
                     counter(Counter::read_bytes) && key("_bw_ ") && counter(Counter::write_bytes) && key("_oc_ ") &&
                     counter(Counter::opens) && key("_cc_ ") && counter(Counter::closes) && key("_rdc_ ") && counter(Counter::read_ops) &&
                     key("_wc_ ") && counter(Counter::write_ops) && key("_dir_ ") && counter(Counter::dirs) && key("_iu_ ") &&
                     counter(Counter::inode_updates) && at == end + 1;
  response.has = mmpmon_counters;
  response.has_time = response.has_status = true;
  return usual;
}

class MmpmonReader {
 public:
  MmpmonReader(Harvest& harvest) : harvest_(harvest), cache_(harvest) {}

  void line(std::string_view text, std::uint64_t number) {
    if (text.starts_with("_fs_io_s_ ")) return response(text, 10, number, true);
    if (text.empty()) return;
    if (text.starts_with("_io_s_ ")) return response(text, 7, number, false);
    if (text.starts_with("_reset_ ")) return reset(text, number);
    if (text.starts_with("mmpmon node ")) return begin_block(text, number);
    if (in_block_ && text.find(':') != std::string_view::npos) return block_line(text, number);
    if (text.front() == '_' && text.find(' ') > 2) return harvest_.leave_out("other mmpmon responses");
    harvest_.reject(number, text, "not an mmpmon response");
  }

  void finish() { end_block(); }

 private:
  /// _fs_io_s_ _n_ 10.22.0.106 _nn_ ib-pitzer-rw02.ten _rc_ 0 _t_ 1579358234 _tu_ 53212 _cl_ gpfs.domain _fs_ scratch
  ///   _d_ 48 _br_ 205607400434 _bw_ 74839282351 _oc_ 2377656 _cc_ 2201576 _rdc_ 59420404 _wc_ 18874626 _dir_ 40971 _iu_ 544768
  void response(std::string_view text, std::size_t skip, std::uint64_t number, bool per_filesystem) {
    Response r;
    if (!per_filesystem || !read_usual_pairs(text.data() + skip, text.data() + text.size(), r)) {
      r = {};
      if (!read_pairs(text.data() + skip, text.data() + text.size(), r)) return harvest_.reject(number, text, "a value is not a number");
    }
    deliver(r, text, number, per_filesystem);
  }

  void deliver(const Response& r, std::string_view text, std::uint64_t number, bool per_filesystem) {
    if (r.failed_node) return harvest_.leave_out("nodes that did not answer (_fn_)");
    if (r.status != 0) return harvest_.leave_out("responses with a failure code (_rc_ not 0)");
    if (!r.has_status && !r.has_time) return harvest_.reject(number, text, "no time and no return code");
    if (r.server().empty()) return harvest_.reject(number, text, "no node name");
    if (!r.has_time || r.micros >= 1000000 || r.seconds > 253402300799u) return harvest_.reject(number, text, "no usable time");
    if (per_filesystem && r.filesystem.empty()) return harvest_.reject(number, text, "no file system");
    // All eight belong to either response; a line cut short by a full disk or a dying node has fewer.
    if (r.has != mmpmon_counters) return harvest_.reject(number, text, "counters are missing");
    Sample sample;
    sample.t = r.time();
    sample.series = cache_.series(r.server(), r.filesystem);
    sample.has = r.has;
    sample.traits = static_cast<std::uint8_t>(narrow_ops | (per_filesystem ? 0 : drop_is_unmount));
    sample.values = r.values;
    harvest_.sample(sample);
  }

  /// _reset_ _n_ 199.18.1.8 _nn_ node1 _rc_ 0 _t_ 1066660148 _tu_ 407431
  void reset(std::string_view text, std::uint64_t number) {
    Response r;
    if (!read_pairs(text.data() + 8, text.data() + text.size(), r)) return harvest_.reject(number, text, "a value is not a number");
    if (r.status != 0) return harvest_.leave_out("resets that failed (_rc_ not 0)");
    if (r.server().empty() || !r.has_time || r.micros >= 1000000 || r.seconds > 253402300799u)
      return harvest_.reject(number, text, "a reset without node or time");
    harvest_.mark({.server = std::string(r.server()), .filesystem = {}, .kind = MarkKind::reset, .t = r.time(), .source = 0});
  }

  /// mmpmon node 199.18.1.8 name node1 io_s OK
  void begin_block(std::string_view text, std::uint64_t number) {
    end_block();
    std::string_view rest = text.substr(12);
    const std::string_view node = take_word(rest), name = take_word(rest), host = take_word(rest), request = take_word(rest),
                           verdict = take_word(rest);
    if (name != "name" || request.empty()) return harvest_.reject(number, text, "not an mmpmon response");
    if (request == "reset") return harvest_.reject(number, text, "a reset without a time (use mmpmon -p to keep resets)");
    if (request != "io_s" && request != "fs_io_s") return harvest_.leave_out("other mmpmon responses");
    if (verdict != "OK") return harvest_.leave_out("responses with a failure code (_rc_ not 0)");
    in_block_ = true;
    block_ = {};
    block_line_ = number;
    block_host_ = host.empty() ? node : host;
    block_filesystem_.clear();
    block_per_filesystem_ = request == "fs_io_s";
  }

  /// bytes read: 6291456
  void block_line(std::string_view text, std::uint64_t number) {
    std::string_view value = text;
    const std::string_view key = trim(take_until(value, ':'));
    value = trim(value);
    static constexpr std::pair<std::string_view, Counter> keys[] = {
        {"bytes read", Counter::read_bytes}, {"bytes written", Counter::write_bytes},
        {"opens", Counter::opens},           {"closes", Counter::closes},
        {"reads", Counter::read_ops},        {"writes", Counter::write_ops},
        {"readdir", Counter::dirs},          {"inode updates", Counter::inode_updates}};
    if (key == "timestamp") {
      const auto seconds = parse_u64(take_until(value, '/')), micros = parse_u64(value);
      if (!seconds || !micros) return harvest_.reject(number, text, "no usable time");
      block_.seconds = *seconds;
      block_.micros = *micros;
      block_.has_time = true;
    } else if (key == "filesystem") {
      block_filesystem_ = value;
    } else {
      for (const auto& [name, counter] : keys) {
        if (key != name) continue;
        const auto amount = parse_u64(value);
        if (!amount) return harvest_.reject(number, text, "a value is not a number");
        block_.set(counter, *amount);
      }
    }
  }

  void end_block() {
    if (!in_block_) return;
    in_block_ = false;
    block_.host = block_host_;
    block_.filesystem = block_filesystem_;
    deliver(block_, block_host_, block_line_, block_per_filesystem_);
  }

  Harvest& harvest_;
  SeriesCache cache_;
  bool in_block_ = false;
  Response block_;
  std::uint64_t block_line_ = 0;
  std::string block_host_, block_filesystem_;
  bool block_per_filesystem_ = false;
};

bool recognises(std::string_view first, std::string_view) {
  for (int lines = 0; lines < 20 && !first.empty(); ++lines) {
    const std::string_view line = take_until(first, '\n');
    for (const std::string_view start : {"_fs_io_s_ ", "_io_s_ ", "_reset_ ", "_response_ ", "_nlist_ ", "mmpmon node "})
      if (line.starts_with(start)) return true;
  }
  return false;
}

Result<void> read(LineInput& input, const ReadOptions&, Harvest& harvest) {
  MmpmonReader reader(harvest);
  auto status = input.for_each_line([&](std::string_view text, std::uint64_t number) {
    reader.line(text, number);
    harvest.lines(1);
    return true;
  });
  reader.finish();
  return status;
}

}  // namespace

extern const Reader gpfs_mmpmon;
constinit const Reader gpfs_mmpmon{
    .name = "gpfs_mmpmon",
    .summary = "GPFS / Storage Scale: output of mmpmon, with -p or without",
    .details = R"(What `mmpmon` prints for `fs_io_s` (per file system) and `io_s` (node totals), logged again and again, one
node or many in one file, in any order. `_reset_` records are kept: counters restart at their time, and what was counted
between the last sample before and the reset is lost. Answers with a return code other than 0 and lines about nodes that
did not answer (`_fn_`) are counted and left out.

The two byte counters are 64 bits wide, all others 32: those wrap at 4,294,967,296 and are corrected. The server is the
node's host name (`_nn_`), or its address where there is none. Pairs are read by key, in whatever order they come.

Metadata operations are the sum of opens, closes, directory reads and inode updates, made when the store is read, after each of them was
corrected for wraps and resets by itself. mmpmon counts no others: a storm of stat calls is not in it.

Without `-p` a reset carries no time and cannot be placed: it is counted among the rejected lines.)",
    .example =
        R"(_fs_io_s_ _n_ 10.22.0.106 _nn_ ib-rw02.ten _rc_ 0 _t_ 1579358234 _tu_ 53212 _cl_ gpfs.domain _fs_ scratch _d_ 48 _br_ 205607400434 _bw_ 74839282351 _oc_ 2377656 _cc_ 2201576 _rdc_ 59420404 _wc_ 18874626 _dir_ 40971 _iu_ 544768
_reset_ _n_ 10.22.0.106 _nn_ ib-rw02.ten _rc_ 0 _t_ 1579358300 _tu_ 1021)",
    .recognises = recognises,
    .read = read};

}  // namespace fathom
