// SPDX-License-Identifier: Apache-2.0
#include "synth/text_file.h"

#include <cerrno>

namespace fathom {

TextFile::TextFile(std::string path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")), buffer_(std::make_unique<char[]>(block_size)) {
  if (!file_) failure_ = fmt::format("creating {}: {}", path_, std::strerror(errno));
}

void TextFile::put(std::string_view text) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, block_size);
    char* at = room(part.size());
    std::memcpy(at, part.data(), part.size());
    wrote(at + part.size());
    text.remove_prefix(part.size());
  }
}

void TextFile::write_out() {
  if (good() && file_ && std::fwrite(buffer_.get(), 1, used_, file_.get()) != used_)
    failure_ = fmt::format("writing {}: {}", path_, std::strerror(errno));
  used_ = 0;
}

Result<void> TextFile::close() {
  write_out();
  if (std::FILE* file = file_.release(); file != nullptr && std::fclose(file) != 0 && good())
    failure_ = fmt::format("closing {}: {}", path_, std::strerror(errno));
  if (!good()) return Error{ErrorKind::unwritable, failure_};
  return {};
}

}  // namespace fathom
