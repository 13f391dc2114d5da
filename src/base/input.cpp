// SPDX-License-Identifier: Apache-2.0
#include "base/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/talk.h"

namespace fathom {
namespace {

constexpr std::size_t block_size = 1u << 20;

std::string hex(XXH128_hash_t hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

struct HashFree {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

/// The stored bytes: from a file descriptor or from memory, hashed as they pass.
class StoredBytes {
 public:
  int descriptor = -1;
  std::string path;
  std::string memory;
  std::uint64_t size = 0;
  std::uint64_t consumed = 0;
  std::string failure;
  std::unique_ptr<XXH3_state_t, HashFree> hash{XXH3_createState()};

  StoredBytes() { XXH3_128bits_reset(hash.get()); }
  StoredBytes(const StoredBytes&) = delete;
  ~StoredBytes() {
    if (descriptor >= 0) ::close(descriptor);
  }

  std::size_t read(char* into, std::size_t capacity) {
    std::size_t got = 0;
    if (descriptor < 0) {
      got = std::min<std::size_t>(capacity, memory.size() - consumed);
      std::memcpy(into, memory.data() + consumed, got);
    } else {
      ssize_t n = 0;
      do n = ::read(descriptor, into, capacity);
      while (n < 0 && errno == EINTR);
      if (n < 0) {
        failure = fmt::format("reading {}: {}", path, std::strerror(errno));
        return 0;
      }
      got = static_cast<std::size_t>(n);
    }
    XXH3_128bits_update(hash.get(), into, got);
    consumed += got;
    return got;
  }
};

/// Bytes as they were before packing.
struct Unpacker {
  virtual ~Unpacker() = default;
  /// Up to `capacity` bytes; 0 at the end. Where `failure` says why, these are the last ones; how many come before a failure does not
  /// depend on the capacities asked with.
  virtual std::size_t read(StoredBytes& from, char* into, std::size_t capacity, std::string& failure) = 0;
};

struct Plain final : Unpacker {
  std::size_t read(StoredBytes& from, char* into, std::size_t capacity, std::string&) override { return from.read(into, capacity); }
};

struct Gzip final : Unpacker {
  z_stream stream{};
  std::vector<char> packed = std::vector<char>(256u << 10);
  bool inside = false;  // a member has begun and not ended
  Gzip() { inflateInit2(&stream, 15 + 32); }
  ~Gzip() override { inflateEnd(&stream); }

  std::size_t read(StoredBytes& from, char* into, std::size_t capacity, std::string& failure) override {
    stream.next_out = reinterpret_cast<Bytef*>(into);
    stream.avail_out = static_cast<uInt>(capacity);
    while (stream.avail_out == capacity) {
      if (stream.avail_in == 0) {
        stream.avail_in = static_cast<uInt>(from.read(packed.data(), packed.size()));
        stream.next_in = reinterpret_cast<Bytef*>(packed.data());
        if (stream.avail_in == 0) {
          if (inside && from.failure.empty()) failure = fmt::format("unpacking {}: the gzip data ends too early", from.path);
          return 0;
        }
      }
      const int status = inflate(&stream, Z_NO_FLUSH);
      inside = status != Z_STREAM_END;
      if (status == Z_STREAM_END) {
        inflateReset(&stream);  // files of several members are legal (rotated logs put together)
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        failure = fmt::format("unpacking {}: the gzip data is damaged near byte {}", from.path, from.consumed - stream.avail_in);
        break;
      }
    }
    return capacity - stream.avail_out;
  }
};

struct Zstd final : Unpacker {
  ZSTD_DStream* stream = ZSTD_createDStream();
  std::vector<char> packed = std::vector<char>(256u << 10);
  ZSTD_inBuffer in{packed.data(), 0, 0};
  // Of a damaged frame the library gives more or less, depending on the room that it has: it always has this.
  std::vector<char> unpacked = std::vector<char>(ZSTD_DStreamOutSize());
  std::size_t begin = 0, end = 0;
  bool inside = false;
  std::string broken;  // told when all before it was handed out
  ~Zstd() override { ZSTD_freeDStream(stream); }

  std::size_t read(StoredBytes& from, char* into, std::size_t capacity, std::string& failure) override {
    while (begin == end) {
      if (!broken.empty()) {
        failure = broken;
        return 0;
      }
      if (in.pos == in.size) {
        in = {packed.data(), from.read(packed.data(), packed.size()), 0};
        if (in.size == 0) {
          if (inside && from.failure.empty()) failure = fmt::format("unpacking {}: the zstd data ends too early", from.path);
          return 0;
        }
      }
      ZSTD_outBuffer out{unpacked.data(), unpacked.size(), 0};
      const std::size_t status = ZSTD_decompressStream(stream, &out, &in);
      if (ZSTD_isError(status)) broken = fmt::format("unpacking {}: {}", from.path, ZSTD_getErrorName(status));
      inside = status != 0;
      begin = 0, end = out.pos;
    }
    const std::size_t got = std::min(capacity, end - begin);
    std::memcpy(into, unpacked.data() + begin, got);
    begin += got;
    return got;
  }
};

std::unique_ptr<Unpacker> unpacker_for(std::string_view magic) {
  if (magic.starts_with("\x1f\x8b")) return std::make_unique<Gzip>();
  if (magic.starts_with("\x28\xb5\x2f\xfd")) return std::make_unique<Zstd>();
  return std::make_unique<Plain>();
}

}  // namespace

struct LineInput::State {
  StoredBytes stored;
  std::unique_ptr<Unpacker> unpacker;
  std::vector<char> buffer = std::vector<char>(block_size + LineInput::slack);
  std::size_t begin = 0;  // what was handed out already
  std::size_t end = 0;
  bool finished = false;
  bool skipping = false;  // inside a line that is too long
  std::uint64_t overlong = 0;
  std::string failure;

  std::size_t fill() {
    if (begin > 0) {
      std::memmove(buffer.data(), buffer.data() + begin, end - begin);
      end -= begin;
      begin = 0;
    }
    if (end + LineInput::slack == buffer.size()) buffer.resize(std::min(buffer.size() * 2, LineInput::longest_line + LineInput::slack));
    const std::size_t got = unpacker->read(stored, buffer.data() + end, buffer.size() - LineInput::slack - end, failure);
    if (got == 0 || !failure.empty()) finished = true;
    end += got;
    return got;
  }
};

LineInput::LineInput(std::unique_ptr<State> state) : state_(std::move(state)) {}
LineInput::LineInput(LineInput&&) noexcept = default;
LineInput& LineInput::operator=(LineInput&&) noexcept = default;
LineInput::~LineInput() = default;

Result<LineInput> LineInput::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->stored.path = path;
  state->stored.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (state->stored.descriptor < 0 || ::fstat(state->stored.descriptor, &info) != 0) {
    return Error{errno == ENOENT ? ErrorKind::not_found : ErrorKind::unreadable, fmt::format("opening {}: {}", path, std::strerror(errno))};
  }
  if (S_ISDIR(info.st_mode)) return Error{ErrorKind::unreadable, fmt::format("opening {}: it is a directory", path)};
  state->stored.size = static_cast<std::uint64_t>(info.st_size);
  char magic[4];
  const ssize_t got = ::pread(state->stored.descriptor, magic, sizeof magic, 0);
  state->unpacker = unpacker_for({magic, static_cast<std::size_t>(got > 0 ? got : 0)});
  tell_step("reading {} ({} bytes)", path, state->stored.size);
  return LineInput(std::move(state));
}

LineInput LineInput::from_descriptor(int descriptor, std::string name) {
  auto state = std::make_unique<State>();
  state->stored.path = std::move(name);
  state->stored.descriptor = descriptor;
  state->unpacker = std::make_unique<Plain>();
  return LineInput(std::move(state));
}

LineInput LineInput::from_memory(std::string name, std::string_view text) {
  auto state = std::make_unique<State>();
  state->stored.path = std::move(name);
  state->stored.memory = std::string(text);
  state->stored.size = text.size();
  state->buffer.resize(std::clamp<std::size_t>(text.size(), 4096, block_size) + slack);
  state->unpacker = unpacker_for(text.substr(0, 4));
  return LineInput(std::move(state));
}

const std::string& LineInput::path() const { return state_->stored.path; }

std::string_view LineInput::peek(std::size_t bytes) {
  State& s = *state_;
  while (!s.finished && s.end - s.begin < bytes) s.fill();
  return {s.buffer.data() + s.begin, std::min(bytes, s.end - s.begin)};
}

std::optional<std::string_view> LineInput::next_block() {
  State& s = *state_;
  while (true) {
    const char* const data = s.buffer.data();
    const void* const newline = s.end > s.begin ? ::memrchr(data + s.begin, '\n', s.end - s.begin) : nullptr;
    if (newline != nullptr) {
      const std::size_t stop = static_cast<std::size_t>(static_cast<const char*>(newline) - data) + 1;
      std::string_view block(data + s.begin, stop - s.begin);
      s.begin = stop;
      if (s.skipping) {
        block.remove_prefix(block.find('\n') + 1);
        s.skipping = false;
        if (block.empty()) continue;
      }
      return block;
    }
    if (s.end - s.begin >= longest_line || (s.skipping && s.end > s.begin)) {
      if (!s.skipping) ++s.overlong;
      s.skipping = true;
      s.begin = s.end = 0;
    }
    if (s.finished) {
      if (s.begin == s.end || !status()) return std::nullopt;  // a line that was cut off may look like a whole one
      const std::string_view block(data + s.begin, s.end - s.begin);
      s.begin = s.end;
      return block;
    }
    s.fill();
  }
}

Result<void> LineInput::status() const {
  const std::string& failure = state_->failure.empty() ? state_->stored.failure : state_->failure;
  if (!failure.empty()) return Error{ErrorKind::unreadable, failure};
  return {};
}

std::uint64_t LineInput::overlong_lines() const { return state_->overlong; }
std::uint64_t LineInput::stored_bytes() const { return state_->stored.size; }
std::uint64_t LineInput::stored_bytes_read() const { return state_->stored.consumed; }
std::string LineInput::content_hash() const { return hex(XXH3_128bits_digest(state_->stored.hash.get())); }

Result<std::string> hash_file(const std::string& path) {
  StoredBytes stored;
  stored.path = path;
  stored.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (stored.descriptor < 0) return Error{ErrorKind::unreadable, fmt::format("opening {}: {}", path, std::strerror(errno))};
  std::vector<char> buffer(block_size);
  while (stored.read(buffer.data(), buffer.size()) > 0) {
  }
  if (!stored.failure.empty()) return Error{ErrorKind::unreadable, stored.failure};
  return hex(XXH3_128bits_digest(stored.hash.get()));
}

}  // namespace fathom
