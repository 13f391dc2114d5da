// SPDX-License-Identifier: Apache-2.0
#include "hdf5_rows/hdf5_rows.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom {
namespace {

constexpr hsize_t most_moments = 100'000'000, most_columns = 1'000'000;
constexpr hsize_t values_at_once = 4'000'000;

struct Trouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A handle of libhdf5, given back with the function that its kind needs.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT: as the library's functions take it
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Opening what another file holds may hang (a FIFO), or read what is not the user's to give.
void refuse_other_files(hid_t access) {
  H5Pset_elink_acc_flags(access, H5F_ACC_RDONLY);
  H5Pset_elink_cb(
      access, [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t { return -1; }, nullptr);
}

bool has(hid_t file, const std::string& path) {
  Handle access(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
  refuse_other_files(access);
  // Each part must be there: the library refuses to look below what is not.
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
    if (H5Lexists(file, path.substr(0, at).c_str(), access) <= 0) return false;
  return H5Lexists(file, path.c_str(), access) > 0;
}

/// Only what lies in the file itself is read: no links to other files, no data of other files, no virtual datasets.
Handle open_dataset(hid_t file, const std::string& path) {
  Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  refuse_other_files(access);
  Handle dataset(H5Dopen2(file, path.c_str(), access), H5Dclose);
  if (!dataset.valid()) throw Trouble(fmt::format("{} cannot be opened", path));
  Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_external_count(creation) > 0 || H5Pget_layout(creation) == H5D_VIRTUAL)
    throw Trouble(fmt::format("the data of {} lie in other files", path));
  return dataset;
}

std::vector<hsize_t> shape_of(hid_t dataset) {
  Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > 2) return {};
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

std::vector<std::int64_t> read_times(hid_t file, const std::string& path) {
  const Handle dataset = open_dataset(file, path);
  const auto shape = shape_of(dataset);
  if (shape.size() != 1 || shape[0] > most_moments) throw Trouble(fmt::format("{} is no list of times", path));
  std::vector<std::int64_t> times(shape[0]);
  if (!times.empty() && H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()) < 0)
    throw Trouble(fmt::format("{} cannot be read", path));
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] < 0 || times[i] > 4'000'000'000 || (i > 0 && times[i] <= times[i - 1]))
      throw Trouble(fmt::format("{} are no times that follow each other", path));
  return times;
}

/// Text up to the first zero byte; what would break a row of the output is replaced.
std::string clean(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  std::string name(text.substr(0, 255));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == '"' || c == ',' || c == 0x7f; }, '_');
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

std::vector<std::string> read_names(hid_t dataset, const char* attribute) {
  if (H5Aexists(dataset, attribute) <= 0) return {};
  Handle names(H5Aopen(dataset, attribute, H5P_DEFAULT), H5Aclose);
  Handle type(H5Aget_type(names), H5Tclose);
  Handle space(H5Aget_space(names), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(type) != H5T_STRING || count < 0 || static_cast<hsize_t>(count) > most_columns) return {};
  std::vector<std::string> found;
  const auto all = static_cast<std::size_t>(count);
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> texts(all, nullptr);
    if (H5Aread(names, type, texts.data()) < 0) return {};
    for (const char* text : texts) found.push_back(text != nullptr ? clean(text) : "");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    return found;
  }
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > 4096) return {};
  std::vector<char> texts(all * size);
  if (H5Aread(names, type, texts.data()) < 0) return {};
  for (std::size_t i = 0; i < all; ++i) found.push_back(clean({texts.data() + i * size, size}));
  return found;
}

/// What one dataset tells, moment by moment. `by_column`: it has a row for each target, as H5LMT; else for each moment, as TOKIO.
class Matrix {
 public:
  Matrix(hid_t file, const std::string& path, bool by_column, std::size_t moments)
      : path_(path), dataset_(open_dataset(file, path)), by_column_(by_column) {
    const auto shape = shape_of(dataset_);
    if (shape.size() != 2 || shape[by_column ? 1 : 0] < moments || shape[by_column ? 0 : 1] > most_columns)
      throw Trouble(fmt::format("{} has not a value for each moment and target", path));
    columns_ = shape[by_column ? 0 : 1];
  }

  hsize_t columns() const { return columns_; }
  hid_t dataset() const { return dataset_; }

  /// The values of `count` moments, which at() then gives.
  void read(hsize_t first, hsize_t count) {
    count_ = count;
    values_.resize(count * columns_);
    const hsize_t from[2] = {by_column_ ? 0 : first, by_column_ ? first : 0},
                  size[2] = {by_column_ ? columns_ : count, by_column_ ? count : columns_};
    Handle file_space(H5Dget_space(dataset_), H5Sclose);
    Handle memory(H5Screate_simple(2, size, nullptr), H5Sclose);
    if (values_.empty()) return;
    if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, from, nullptr, size, nullptr) < 0 ||
        H5Dread(dataset_, H5T_NATIVE_DOUBLE, memory, file_space, H5P_DEFAULT, values_.data()) < 0)
      throw Trouble(fmt::format("{} cannot be read", path_));
  }
  double at(hsize_t moment, hsize_t column) const { return values_[by_column_ ? column * count_ + moment : moment * columns_ + column]; }

 private:
  std::string path_;
  Handle dataset_;
  bool by_column_;
  hsize_t columns_ = 0, count_ = 0;
  std::vector<double> values_;
};

/// A counter of a group of targets.
struct Source {
  std::size_t counter;  // place in the output's columns
  Matrix matrix;
  bool rates;                   // per second, not per interval
  std::optional<hsize_t> only;  // this column alone, of another table than one of targets
};

constexpr const char* header = "t,server,filesystem,read_bytes,write_bytes,opens,closes,step\n";
constexpr std::size_t counters = 4;

/// The part of an OST's or MDT's name that is its file system's.
std::string filesystem_of(const std::string& name) {
  const std::size_t at = std::min(name.find("-OST"), name.find("-MDT"));
  return at == std::string::npos ? "" : name.substr(0, at);
}

struct Group {
  std::vector<std::int64_t> begins, ends;  // of the interval of each moment
  std::vector<std::string> names;
  std::vector<std::string> filesystems;
  std::vector<Source> sources;
  std::optional<Matrix> missing;
};

/// An amount as counters_csv takes it; nothing where the file has none. In TOKIO's files -0.0 stands for "not measured".
void append_amount(std::string& row, double value, double seconds) {
  row += ',';
  if (std::signbit(value) || !(value * seconds < 0x1p62)) return;
  row += fmt::format("{}", static_cast<std::uint64_t>(std::llround(value * seconds)));
}

void write_block(Group& group, hsize_t first, hsize_t count, std::string& out) {
  for (Source& source : group.sources) source.matrix.read(first, count);
  if (group.missing) group.missing->read(first, count);
  for (hsize_t m = 0; m < count; ++m) {
    const auto length = static_cast<double>(group.ends[first + m] - group.begins[first + m]);
    if (length == 0) continue;
    for (hsize_t c = 0; c < group.names.size(); ++c) {
      if (group.missing && group.missing->at(m, c) != 0) continue;
      std::string amounts;
      for (std::size_t counter = 0; counter < counters; ++counter) {
        const auto source = std::find_if(group.sources.begin(), group.sources.end(), [&](const Source& s) { return s.counter == counter; });
        if (source == group.sources.end())
          amounts += ',';
        else
          append_amount(amounts, source->matrix.at(m, source->only.value_or(c)), source->rates ? length : 1);
      }
      if (amounts.size() == counters) continue;  // nothing but commas
      out += fmt::format("{},{},{}{},{}\n", group.ends[first + m], group.names[c], group.filesystems[c], amounts, length);
    }
    if (out.size() > (1u << 20)) {
      if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size()) throw Trouble("nobody takes the rows");
      out.clear();
    }
  }
}

void write_group(Group& group) {
  std::string out;
  const hsize_t moments = group.ends.size();
  const hsize_t at_once = std::max<hsize_t>(1, values_at_once / std::max<hsize_t>(1, group.names.size()));
  for (hsize_t first = 0; first < moments; first += at_once) write_block(group, first, std::min(at_once, moments - first), out);
  if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size()) throw Trouble("nobody takes the rows");
}

/// TOKIO: GROUP/readbytes[moment][target], amounts of the intervals that begin at GROUP/timestamps; or readrates, per second.
bool write_tokio(hid_t file, const std::string& folder, const std::vector<std::pair<std::string, std::size_t>>& wanted) {
  if (!has(file, folder + "/timestamps")) return false;
  Group group;
  group.begins = read_times(file, folder + "/timestamps");
  if (group.begins.size() < 2) return false;  // the length of an interval is not known
  group.ends.assign(group.begins.begin() + 1, group.begins.end());
  group.ends.push_back(group.begins.back() + (group.begins.back() - group.begins[group.begins.size() - 2]));
  for (const auto& [name, counter] : wanted) {
    const std::string amounts = folder + "/" + name + (counter < 2 ? "bytes" : "s"), rates = folder + "/" + name + "rates";
    const bool by_rate = !has(file, amounts);
    if (by_rate && !has(file, rates)) continue;
    group.sources.push_back({counter, Matrix(file, by_rate ? rates : amounts, false, group.begins.size()), by_rate, std::nullopt});
    const auto names = read_names(group.sources.back().matrix.dataset(), "columns");
    if (names.empty() || names.size() > group.sources.back().matrix.columns() || (!group.names.empty() && names != group.names))
      throw Trouble(fmt::format("{} has no list of its columns, or another one than {}", by_rate ? rates : amounts, folder));
    group.names = names;
  }
  if (group.sources.empty()) return false;
  for (const std::string& name : group.names) group.filesystems.push_back(filesystem_of(name));
  write_group(group);
  return true;
}

Group lmt_group(const std::vector<std::int64_t>& times) {
  Group group;
  // A value stands at the end of its interval. The first one has no interval, and always is 0.
  group.ends = times;
  group.begins = times;
  for (std::size_t i = times.size(); i-- > 1;) group.begins[i] = times[i - 1];
  return group;
}

/// H5LMT: OSTReadGroup/OSTBulkReadDataSet[target][moment] in bytes per second, of the intervals that end at FSStepsGroup/FSStepsDataSet.
bool write_lmt(hid_t file) {
  if (!has(file, "FSStepsGroup/FSStepsDataSet")) return false;
  const auto times = read_times(file, "FSStepsGroup/FSStepsDataSet");
  Group targets = lmt_group(times);
  for (std::size_t counter = 0; counter < 2; ++counter) {
    const std::string path = counter == 0 ? "OSTReadGroup/OSTBulkReadDataSet" : "OSTWriteGroup/OSTBulkWriteDataSet";
    if (!has(file, path)) continue;
    targets.sources.push_back({counter, Matrix(file, path, true, times.size()), true, std::nullopt});
    const auto names = read_names(targets.sources.back().matrix.dataset(), "OSTNames");
    if (names.empty() || names.size() > targets.sources.back().matrix.columns() || (!targets.names.empty() && names != targets.names))
      throw Trouble(fmt::format("{} has no list of its OSTs", path));
    targets.names = names;
  }
  if (targets.sources.empty()) return false;
  for (const std::string& name : targets.names) targets.filesystems.push_back(filesystem_of(name));
  if (has(file, "FSMissingGroup/FSMissingDataSet")) {
    targets.missing.emplace(file, "FSMissingGroup/FSMissingDataSet", true, times.size());
    if (targets.missing->columns() < targets.names.size()) throw Trouble("FSMissingGroup/FSMissingDataSet has not a row for each OST");
  }
  write_group(targets);

  const std::string operations = "MDSOpsGroup/MDSOpsDataSet";
  if (!has(file, operations)) return true;
  Group metadata = lmt_group(times);
  for (const auto& [name, counter] : {std::pair<std::string, std::size_t>{"open", 2}, {"close", 3}}) {
    Matrix matrix(file, operations, true, times.size());
    const auto names = read_names(matrix.dataset(), "OpNames");
    const auto found = std::find(names.begin(), names.end(), name);
    const auto row = static_cast<hsize_t>(found - names.begin());
    if (found != names.end() && row < matrix.columns()) metadata.sources.push_back({counter, std::move(matrix), true, row});
  }
  if (metadata.sources.empty()) return true;
  const std::string filesystem = targets.filesystems.front();
  metadata.names = {filesystem.empty() ? "MDS" : filesystem + "-MDS"};  // the file does not name it
  metadata.filesystems = {filesystem};
  write_group(metadata);
  return true;
}

void bound_this_process() {
  const auto bound = [](int what, rlim_t most) {
    const rlimit limit{most, most};
    ::setrlimit(static_cast<__rlimit_resource>(what), &limit);
  };
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they take up all of the address space for themselves
  bound(RLIMIT_AS, rlim_t{4} << 30);
#endif
  bound(RLIMIT_CPU, 600);
  bound(RLIMIT_CORE, 0);
  bound(RLIMIT_FSIZE, 0);
  bound(RLIMIT_NPROC, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGXCPU, SIG_DFL);
}

int write_rows(const char* path) {
  bound_this_process();
  try {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);  // no filters from elsewhere
    const Handle file(H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.valid()) throw Trouble("it is damaged, or no HDF5 file");
    std::fputs(header, stdout);
    bool any = write_lmt(file);
    any = write_tokio(file, "datatargets", {{"read", 0}, {"write", 1}}) || any;
    any = write_tokio(file, "mdtargets", {{"open", 2}, {"close", 3}}) || any;
    if (!any)
      throw Trouble("it has neither the datasets of TOKIO (datatargets/readbytes) nor those of H5LMT (OSTReadGroup/OSTBulkReadDataSet)");
    if (std::fflush(stdout) != 0) throw Trouble("nobody takes the rows");
    return 0;
  } catch (const std::exception& trouble) {
    fmt::print(stderr, "{}", trouble.what());
    return 1;
  }
}

}  // namespace
}  // namespace fathom

extern "C" __attribute__((visibility("default"))) int fathom_write_hdf5_rows(const char* path) { return fathom::write_rows(path); }
