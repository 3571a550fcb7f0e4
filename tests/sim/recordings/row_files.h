#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/recordings/row_pairs.h"
#include "sim/recordings/rows.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {

/// A file that tests/data/make_row_files.py or cut_kld.py wrote.
inline std::string row_file(std::string const& name) { return DRAFTGAUGE_SOURCE_DIR "/tests/data/rows/" + name; }

/// The numbers that make_row_files.py writes: 5 rows of 7.
inline std::vector<double> written_logits(int a, int b) {
  std::vector<double> out;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 7; ++j) out.push_back(((a * i + b * j) % 11 - 5) / 4.0);
  return out;
}
inline std::vector<double> written_target() { return written_logits(7, 3); }
inline std::vector<double> written_draft() { return written_logits(2, 5); }

/// All rows, read `step` at a time.
inline std::vector<double> all_rows(RowBytes& rows, std::uint64_t step = 1) {
  RowLayout const& layout = rows.layout();
  std::vector<double> out(layout.rows * layout.vocab);
  for (std::uint64_t begin = 0; begin < layout.rows; begin += step) {
    std::uint64_t const count = std::min(step, layout.rows - begin);
    auto const bytes = rows.rows(begin, count);
    for (std::uint64_t i = 0; i < count; ++i)
      decode_row(layout, bytes.subspan(i * layout.row_bytes(), layout.row_bytes()),
                 std::span(out).subspan((begin + i) * layout.vocab, layout.vocab));
  }
  return out;
}

/// The bytes of numbers, as little-endian files have them.
template <class T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes;
  for (T v : values) bytes.append(reinterpret_cast<char const*>(&v), sizeof v);
  return bytes;
}

/// A .npy of version 1.0 with this dictionary and data.
inline std::string npy_bytes(std::string const& dictionary, std::string const& data, std::uint8_t version = 1) {
  std::string const header = dictionary + "\n";
  std::string const length = version == 1 ? raw({static_cast<std::uint16_t>(header.size())})
                                          : raw({static_cast<std::uint32_t>(header.size())});
  return "\x93NUMPY" + std::string{static_cast<char>(version), '\0'} + length + header + data;
}
inline std::string npy_of(std::string const& descr, std::string const& shape, std::string const& data) {
  return npy_bytes("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }", data);
}

/// What is said of files of rows that are refused.
template <class E = InputError>
std::string pair_error(std::string const& target, std::string const& draft = "", RowOptions const& options = {}) {
  return testing::message<E>([&] { open_row_pairs(target, draft, options); });
}
inline std::string rows_error(std::string const& file, std::string const& rows = "") {
  return testing::message<InputError>([&] { open_model_rows(file, "", rows); });
}

/// The rest of a message that begins with a file's path and a colon.
inline std::string behind_path(std::string const& message, std::string const& path) {
  std::string const start = path + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : "not named: " + message;
}

}  // namespace draftgauge
