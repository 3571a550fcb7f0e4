#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "analysis/store/store_row.h"
#include "sim/base/descriptor.h"

namespace draftgauge {

/// The rows of the store at the path (see read_rows, whose errors these are). Its writer may be at work: what it has
/// not finished is passed over. Throws InputError where the file is missing, is not a regular file or may not be
/// read. Memory is for all of the file.
std::vector<StoreRow> read_store(std::filesystem::path const& path);

/// A store that rows are added to; made where there is none. Rows are on the disk when append returns, and whoever is
/// killed leaves at most an unfinished line behind, which is cut off when the store is opened next.
///
/// One writer at a time holds a store, from opening to closing, and a second one is refused instead of waiting: both
/// would find the same trials missing and play them. Two stores, merged afterwards, lose nothing.
class Store {
 public:
  /// Throws InputError as read_store does, where the file may not be written, and where another writer holds it.
  explicit Store(std::filesystem::path const& path);

  /// What the store held when it was opened.
  std::vector<StoreRow> const& rows() const { return rows_; }

  /// Adds rows, whose trials no row of their task and seed has: all of them with one wait for the disk. Throws
  /// InputError where they cannot be written (no space left), and leaves the store without them.
  void append(std::span<StoreRow const> rows);
  void append(StoreRow const& row) { append({&row, 1}); }

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;
  Descriptor file_;
  std::vector<StoreRow> rows_;
  std::size_t size_ = 0;
};

}  // namespace draftgauge
