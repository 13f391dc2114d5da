// SPDX-License-Identifier: Apache-2.0
#include "store/database.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/progress.h"
#include "store/damage.h"
#include "store/parquet_writer.h"

namespace fathom {
namespace {

template <class T>
T vector_value(duckdb_vector vector, std::size_t row) {
  return static_cast<const T*>(duckdb_vector_get_data(vector))[row];
}

std::string_view string_at(duckdb_vector vector, std::size_t row) {
  auto* text = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector)) + row;
  return {duckdb_string_t_data(text), duckdb_string_t_length(*text)};
}

// --- rows held by column, offered to DuckDB as a table function ------------------------------------------------

/// The Columns that the next statement reads through fathom_columns().
struct ColumnsFeed {
  const Columns* rows = nullptr;
  std::size_t position = 0;
};

duckdb_logical_type logical_type(const Column& column) {
  switch (column.type()) {
    case ColumnType::number: return duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
    case ColumnType::real: return duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
    case ColumnType::time: return duckdb_create_logical_type(DUCKDB_TYPE_TIMESTAMP);
    default: break;
  }
  // Text travels as an ENUM: its numbers are copied, its words are known once. An ENUM needs at least one word.
  std::vector<const char*> words;
  for (const std::string& word : column.words()) words.push_back(word.c_str());
  if (words.empty()) words.push_back("");
  return duckdb_create_enum_type(words.data(), words.size());
}

void feed_bind(duckdb_bind_info info) {
  const auto* feed = static_cast<const ColumnsFeed*>(duckdb_bind_get_extra_info(info));
  const auto& schema = feed->rows->schema();
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    duckdb_logical_type type = logical_type((*feed->rows)[i]);
    duckdb_bind_add_result_column(info, std::string(schema.columns[i].name).c_str(), type);
    duckdb_destroy_logical_type(&type);
  }
  duckdb_bind_set_cardinality(info, feed->rows->rows(), true);
}

void feed_init(duckdb_init_info info) {
  static_cast<ColumnsFeed*>(duckdb_init_get_extra_info(info))->position = 0;
  duckdb_init_set_max_threads(info, 1);
}

template <class Narrow>
void copy_words(const std::int64_t* from, void* to, std::size_t count) {
  auto* out = static_cast<Narrow*>(to);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Narrow>(from[i]);
}

void fill_vector(const Column& column, std::size_t begin, std::size_t count, duckdb_vector vector) {
  void* const data = duckdb_vector_get_data(vector);
  const std::int64_t* const from = column.values().data() + begin;
  const bool is_word = column.type() == ColumnType::text || column.type() == ColumnType::text_list;
  if (!is_word) {
    std::memcpy(data, from, count * sizeof(std::int64_t));
  } else if (column.words().size() <= UINT8_MAX) {  // DuckDB picks the enum's width by its number of words
    copy_words<std::uint8_t>(from, data, count);
  } else if (column.words().size() <= UINT16_MAX) {
    copy_words<std::uint16_t>(from, data, count);
  } else {
    copy_words<std::uint32_t>(from, data, count);
  }
  if (!column.has_nulls()) return;
  duckdb_vector_ensure_validity_writable(vector);
  std::uint64_t* const validity = duckdb_vector_get_validity(vector);
  for (std::size_t i = 0; i < count; ++i)
    if (column.is_null(begin + i)) duckdb_validity_set_row_invalid(validity, i);
}

void feed_rows(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto* feed = static_cast<ColumnsFeed*>(duckdb_function_get_extra_info(info));
  const std::size_t count = std::min<std::size_t>(duckdb_vector_size(), feed->rows->rows() - feed->position);
  for (std::size_t i = 0; i < feed->rows->schema().columns.size(); ++i)
    fill_vector((*feed->rows)[i], feed->position, count, duckdb_data_chunk_get_vector(chunk, i));
  duckdb_data_chunk_set_size(chunk, count);
  feed->position += count;
}

/// SELECT list that turns the feed's words back into text.
std::string feed_select(const TableSchema& schema) {
  std::string list;
  for (const ColumnSchema& column : schema.columns) {
    if (!list.empty()) list += ", ";
    if (column.type == ColumnType::text)
      list += fmt::format("{0}::VARCHAR AS {0}", column.name);
    else if (column.type == ColumnType::text_list)
      list += fmt::format("CASE WHEN {0} IS NULL OR {0}::VARCHAR = '' THEN []::VARCHAR[] ELSE string_split({0}::VARCHAR, ';') END AS {0}",
                          column.name);
    else
      list += column.name;
  }
  return "SELECT " + list + " FROM fathom_columns()";
}

/// The first row behind `begin` that is null where that one is not, or the other way round; `end` if none is.
std::size_t end_of_equal_bits(const std::uint64_t* bits, std::size_t begin, std::size_t end) {
  const std::uint64_t usual = (bits[begin / 64] >> (begin % 64) & 1u) != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t word = begin / 64; word * 64 < end; ++word) {
    std::uint64_t others = bits[word] ^ usual;
    if (word == begin / 64) others &= ~std::uint64_t{0} << (begin % 64);
    if (others != 0) return std::min(end, word * 64 + static_cast<std::size_t>(std::countr_zero(others)));
  }
  return end;
}

/// Shows a bar while a query of the connection runs. DuckDB does all of it in one call, so a thread asks meanwhile how far it is.
class QueryBar {
 public:
  QueryBar(duckdb_connection connection, const std::string& title) {
    for (const char* setting : {"SET enable_progress_bar = true", "SET enable_progress_bar_print = false", "SET progress_bar_time = 0"})
      duckdb_query(connection, setting, nullptr);
    asking_ = std::thread([this, connection, title] { ask(connection, title); });
  }
  ~QueryBar() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    end_.notify_one();
    asking_.join();
  }
  QueryBar(const QueryBar&) = delete;

 private:
  void ask(duckdb_connection connection, const std::string& title) {
    Progress bar(title, Progress::Unit::share);
    std::unique_lock lock(mutex_);
    while (!end_.wait_for(lock, std::chrono::milliseconds(100), [this] { return ended_; })) {
      const double percentage = duckdb_query_progress(connection).percentage;  // -1 where it does not know
      bar.update(static_cast<std::uint64_t>(std::clamp(percentage, 0.0, 100.0) * 1e4), 1'000'000);
    }
  }
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread asking_;
};

}  // namespace

std::string sql_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

// --- Rows -------------------------------------------------------------------------------------------------------

struct Rows::State {
  std::string sql;
  duckdb_connection connection = nullptr;  // of its own: a connection has one stream at a time
  duckdb_result result{};
  duckdb_data_chunk chunk = nullptr;
  std::vector<duckdb_vector> vectors;
  std::vector<std::uint64_t*> validity;
  std::vector<duckdb_type> types;
  std::size_t size = 0;

  void release() {
    if (chunk != nullptr) duckdb_destroy_data_chunk(&chunk);
    chunk = nullptr;
  }
  ~State() {
    release();
    duckdb_destroy_result(&result);
    if (connection != nullptr) duckdb_disconnect(&connection);
  }
};

Rows::Rows(std::unique_ptr<State> state) : state_(std::move(state)) {}
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;
Rows::~Rows() = default;

bool Rows::next() {
  State& s = *state_;
  s.release();
  s.chunk = duckdb_fetch_chunk(s.result);
  if (s.chunk == nullptr) return false;
  s.size = duckdb_data_chunk_get_size(s.chunk);
  const std::size_t count = duckdb_data_chunk_get_column_count(s.chunk);
  s.vectors.resize(count);
  s.validity.resize(count);
  s.types.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    s.vectors[i] = duckdb_data_chunk_get_vector(s.chunk, i);
    s.validity[i] = duckdb_vector_get_validity(s.vectors[i]);
    s.types[i] = duckdb_column_type(&s.result, i);
  }
  return s.size > 0 || next();
}

std::size_t Rows::size() const { return state_->size; }
std::size_t Rows::columns() const { return duckdb_column_count(&state_->result); }

bool Rows::is_null(std::size_t column, std::size_t row) const {
  return state_->validity[column] != nullptr && !duckdb_validity_row_is_valid(state_->validity[column], row);
}

std::int64_t Rows::number(std::size_t column, std::size_t row) const {
  duckdb_vector vector = state_->vectors[column];
  switch (state_->types[column]) {
    case DUCKDB_TYPE_BOOLEAN: return vector_value<bool>(vector, row) ? 1 : 0;
    case DUCKDB_TYPE_TINYINT: return vector_value<std::int8_t>(vector, row);
    case DUCKDB_TYPE_SMALLINT: return vector_value<std::int16_t>(vector, row);
    case DUCKDB_TYPE_INTEGER: return vector_value<std::int32_t>(vector, row);
    case DUCKDB_TYPE_UINTEGER: return vector_value<std::uint32_t>(vector, row);
    case DUCKDB_TYPE_HUGEINT: {
      const auto value = vector_value<duckdb_hugeint>(vector, row);
      return static_cast<std::int64_t>(value.lower);  // sums of BIGINT columns that fit 63 bits
    }
    case DUCKDB_TYPE_DOUBLE: return static_cast<std::int64_t>(vector_value<double>(vector, row));
    default: return vector_value<std::int64_t>(vector, row);
  }
}

double Rows::real(std::size_t column, std::size_t row) const {
  return state_->types[column] == DUCKDB_TYPE_DOUBLE ? vector_value<double>(state_->vectors[column], row)
                                                     : static_cast<double>(number(column, row));
}

std::string_view Rows::text(std::size_t column, std::size_t row) const {
  if (is_null(column, row)) return {};
  return string_at(state_->vectors[column], row);
}

const std::int64_t* Rows::numbers(std::size_t column) const {
  assert(state_->types[column] == DUCKDB_TYPE_BIGINT || state_->types[column] == DUCKDB_TYPE_TIMESTAMP);
  return static_cast<const std::int64_t*>(duckdb_vector_get_data(state_->vectors[column]));
}

const std::uint64_t* Rows::validity(std::size_t column) const { return state_->validity[column]; }

std::size_t Rows::end_of_run(std::size_t columns, std::size_t begin) const {
  std::size_t end = state_->size;
  for (std::size_t c = 0; c < columns; ++c) {
    if (state_->validity[c] != nullptr) end = end_of_equal_bits(state_->validity[c], begin, end);
    if (is_null(c, begin)) continue;
    const auto* texts = static_cast<const duckdb_string_t*>(duckdb_vector_get_data(state_->vectors[c]));
    for (std::size_t row = begin + 1; row < end; ++row) {
      // Equal bits are equal texts: short ones are held in place, long ones of one dictionary by the same pointer.
      const bool same = std::memcmp(texts + begin, texts + row, sizeof(duckdb_string_t)) == 0 ||
                        string_at(state_->vectors[c], begin) == string_at(state_->vectors[c], row);
      if (!same) end = row;
    }
  }
  return end;
}

std::vector<std::string> Rows::text_list(std::size_t column, std::size_t row) const {
  std::vector<std::string> list;
  if (is_null(column, row)) return list;
  duckdb_vector vector = state_->vectors[column];
  const auto entry = vector_value<duckdb_list_entry>(vector, row);
  duckdb_vector child = duckdb_list_vector_get_child(vector);
  std::uint64_t* const valid = duckdb_vector_get_validity(child);
  for (std::uint64_t i = entry.offset; i < entry.offset + entry.length; ++i)
    if (valid == nullptr || duckdb_validity_row_is_valid(valid, i)) list.emplace_back(string_at(child, i));
  return list;
}

Result<void> Rows::status() const {
  const char* message = duckdb_result_error(&state_->result);
  if (message != nullptr) return query_error(state_->sql, message, ErrorKind::unreadable);
  return {};
}

// --- Database ---------------------------------------------------------------------------------------------------

struct Database::State {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  ColumnsFeed feed;
  std::string progress_title;
  ~State() {
    if (connection != nullptr) duckdb_disconnect(&connection);
    if (database != nullptr) duckdb_close(&database);
  }
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

std::string engine_version() { return duckdb_library_version(); }

Result<Database> Database::open(const DatabaseOptions& options) {
  auto state = std::make_unique<State>();
  state->progress_title = options.progress_title;
  duckdb_config config = nullptr;
  duckdb_create_config(&config);
  auto set = [&](const char* key, const std::string& value) { duckdb_set_config(config, key, value.c_str()); };
  set("autoinstall_known_extensions", "false");
  set("autoload_known_extensions", "false");
  set("memory_limit", fmt::format("{}MB", options.memory_limit >> 20));
#if defined(__SANITIZE_THREAD__)
  set("threads", "1");  // DuckDB is not instrumented: its own threads look like races
#else
  if (options.threads != 0) set("threads", fmt::format("{}", options.threads));
#endif
  set("temp_directory", options.scratch_directory);
  char* message = nullptr;
  const bool failed = duckdb_open_ext(nullptr, &state->database, config, &message) == DuckDBError;
  duckdb_destroy_config(&config);
  if (failed) {
    Error error{ErrorKind::unsupported, fmt::format("starting DuckDB: {}", message != nullptr ? message : "no reason given")};
    duckdb_free(message);
    return error;
  }
  if (duckdb_connect(state->database, &state->connection) == DuckDBError)
    return Error{ErrorKind::unsupported, "starting DuckDB: no connection"};

  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, "fathom_columns");
  duckdb_table_function_set_extra_info(function, &state->feed, nullptr);
  duckdb_table_function_set_bind(function, feed_bind);
  duckdb_table_function_set_init(function, feed_init);
  duckdb_table_function_set_function(function, feed_rows);
  const bool registered = duckdb_register_table_function(state->connection, function) == DuckDBSuccess;
  duckdb_destroy_table_function(&function);
  if (!registered) return Error{ErrorKind::unsupported, "starting DuckDB: no table function"};
  return Database(std::move(state));
}

Result<Rows> Database::query(const std::string& sql) {
  auto rows = std::make_unique<Rows::State>();
  rows->sql = sql;
  duckdb_prepared_statement statement = nullptr;
  if (duckdb_connect(state_->database, &rows->connection) == DuckDBError) return Error{ErrorKind::unreadable, "no connection to DuckDB"};
  std::optional<QueryBar> bar;
  if (!state_->progress_title.empty() && Progress::wanted()) bar.emplace(rows->connection, state_->progress_title);
  if (duckdb_prepare(rows->connection, sql.c_str(), &statement) == DuckDBError) {
    Error error = query_error(sql, duckdb_prepare_error(statement), ErrorKind::unreadable);
    duckdb_destroy_prepare(&statement);
    return error;
  }
  duckdb_pending_result pending = nullptr;
  duckdb_state status = duckdb_pending_prepared_streaming(statement, &pending);
  if (status == DuckDBSuccess) status = duckdb_execute_pending(pending, &rows->result);
  std::string message;
  if (status == DuckDBError) {
    const char* text = duckdb_result_error(&rows->result);
    if (text == nullptr && pending != nullptr) text = duckdb_pending_error(pending);
    message = text != nullptr ? text : "unknown error";
  }
  duckdb_destroy_pending(&pending);
  duckdb_destroy_prepare(&statement);
  if (status == DuckDBError) return query_error(sql, message, ErrorKind::unreadable);
  return Rows(std::move(rows));
}

Result<void> Database::run(const std::string& sql) {
  duckdb_result result{};
  Result<void> outcome;
  if (duckdb_query(state_->connection, sql.c_str(), &result) == DuckDBError)
    outcome = query_error(sql, duckdb_result_error(&result), ErrorKind::unwritable);
  duckdb_destroy_result(&result);
  return outcome;
}

Result<std::int64_t> Database::number(const std::string& sql) {
  TRY(Rows rows, query(sql));
  if (!rows.next()) {
    TRY_VOID(rows.status());
    return std::int64_t{0};
  }
  return rows.is_null(0, 0) ? std::int64_t{0} : rows.number(0, 0);
}

Result<void> Database::write_parquet(const std::string& select, const std::string& path, const std::vector<FooterNote>& notes) {
  std::string said;
  for (const FooterNote& note : notes) said += fmt::format("{}{}: {}", said.empty() ? "" : ", ", sql_text(note.key), sql_text(note.value));
  return run(fmt::format("COPY ({}) TO {} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {}, WRITE_BLOOM_FILTER false{})", select,
                         sql_text(path), parquet_rows_per_group, said.empty() ? "" : fmt::format(", KV_METADATA {{{}}}", said)));
}

Result<void> Database::write_parquet(const Columns& rows, const std::string& path, const std::vector<FooterNote>& notes) {
  if (can_write_parquet(rows.schema())) return write_parquet_file(rows, path, notes);
  TRY_VOID(rows.even());
  state_->feed = {&rows, 0};
  return write_parquet(feed_select(rows.schema()), path, notes);
}

Result<void> Database::create_table(const std::string& name, const Columns& rows) {
  TRY_VOID(rows.even());
  state_->feed = {&rows, 0};
  return run(fmt::format("CREATE OR REPLACE TABLE {} AS {}", name, feed_select(rows.schema())));
}

}  // namespace fathom
