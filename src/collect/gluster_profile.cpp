// SPDX-License-Identifier: Apache-2.0
#include "collect/gluster_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "collect/xml_scan.h"

namespace fathom {
namespace {

// <volProfile><volname>t2</volname> ... <brick><brickName>gl1:/b1</brickName><cumulativeStats> ...
//   <fopStats><fop><name>WRITE</name><hits>24</hits> ... </fop></fopStats><duration>3</duration>
//   <totalRead>2097152</totalRead><totalWrite>3145728</totalWrite></cumulativeStats><intervalStats> ...
class ProfileReader final : public XmlVisitor {
 public:
  void opened(std::string_view name) override {
    if (name == "brick") brick_ = {};
    if (name == "cumulativeStats") cumulative_ = true;
    if (name == "fop") operation_ = {};
  }

  void closed(std::string_view name, const std::string& text) override {
    if (name == "opRet") failed_ = text != "0";
    if (name == "opErrstr") reason_ = text;
    if (name == "volname") profile_.volume = text;
    if (name == "brickName") brick_.name = text;
    if (name == "brick") end_brick();
    if (!cumulative_) return;
    if (name == "cumulativeStats") cumulative_ = false;
    if (name == "name") operation_.name = text;
    if (name == "hits") operation_.hits = parse_u64(text);
    if (name == "fop") end_operation();
    if (name == "totalRead") total(Counter::read_bytes, text);
    if (name == "totalWrite") total(Counter::write_bytes, text);
  }

  Result<GlusterProfile> finish() {
    if (failed_)
      return Error{ErrorKind::unreadable, fmt::format("gluster says: {}", excerpt(reason_.empty() ? "failed, without a reason" : reason_))};
    if (broken_) return Error{ErrorKind::malformed, fmt::format("brick {}: a counter is not a number", excerpt(*broken_))};
    if (profile_.volume.empty()) return Error{ErrorKind::malformed, "there is no volume in it"};
    return std::move(profile_);
  }

 private:
  struct Operation {
    std::string name;
    std::optional<std::uint64_t> hits;
  };
  struct Brick {
    std::string name;
    Counters values{};
    CounterMask totals = 0;
  };

  void total(Counter counter, const std::string& text) {
    const auto value = parse_u64(text);
    if (!value) return spoil();
    brick_.values[index(counter)] = *value;
    brick_.totals |= mask(counter);
  }

  void end_operation() {
    static constexpr std::pair<std::string_view, Counter> meanings[] = {{"READ", Counter::read_ops}, {"WRITE", Counter::write_ops},
                                                                        {"OPEN", Counter::opens},    {"CREATE", Counter::opens},
                                                                        {"READDIR", Counter::dirs},  {"READDIRP", Counter::dirs}};
    static constexpr std::string_view of_metadata[] = {
        "OPEN",     "CREATE",    "LOOKUP",      "STAT",         "FSTAT",  "ACCESS",  "READLINK", "MKNOD",    "MKDIR",
        "SYMLINK",  "LINK",      "UNLINK",      "RMDIR",        "RENAME", "SETATTR", "FSETATTR", "GETXATTR", "FGETXATTR",
        "SETXATTR", "FSETXATTR", "REMOVEXATTR", "FREMOVEXATTR", "STATFS", "OPENDIR", "READDIR",  "READDIRP"};
    for (const auto& [name, counter] : meanings)
      if (operation_.name == name && !add(counter)) return spoil();
    if (std::find(std::begin(of_metadata), std::end(of_metadata), operation_.name) != std::end(of_metadata) && !add(Counter::metadata_ops))
      spoil();
  }

  bool add(Counter counter) {
    std::uint64_t& sum = brick_.values[index(counter)];
    return operation_.hits && !__builtin_add_overflow(sum, *operation_.hits, &sum);
  }

  /// Half of a brick's counters would look like a reset: then the whole answer is refused.
  void spoil() { broken_ = brick_.name; }

  void end_brick() {
    if (brick_.name.empty() || brick_.totals != byte_counters) return;  // a brick that is down has none
    profile_.bricks.push_back({brick_.name, brick_.values});
  }

  GlusterProfile profile_;
  Brick brick_;
  Operation operation_;
  bool cumulative_ = false, failed_ = false;
  std::string reason_;
  std::optional<std::string> broken_;
};

}  // namespace

Result<GlusterProfile> parse_gluster_profile(std::string_view xml) {
  ProfileReader reader;
  TRY_VOID(scan_xml(xml, reader));
  return reader.finish();
}

}  // namespace fathom
