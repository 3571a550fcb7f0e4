#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/mapped_file.h"
#include "sim/recordings/kld.h"
#include "sim/recordings/tensor.h"

namespace draftgauge {

/// Formats that hold full rows.
enum class RowFileKind : std::uint8_t { safetensors, npz, npy, kld };

/// What people and programs read about one of them, and how it is known and read.
struct RowFileCard {
  RowFileKind kind;
  std::string_view name;     ///< ".npz": its files' ending
  std::string_view summary;  ///< a line
  /// Of the source of its name: the formula of p and q.
  std::string_view tables = "p = softmax(target_logits/T), q = softmax(draft_logits/T), row by row";
  bool one_model = false;                               ///< each of its files holds one model's rows
  bool (*begins)(std::span<std::uint8_t const> bytes);  ///< whether a file's first bytes are those of one
  /// Null: it is no list of arrays.
  TensorList (*read)(std::string const& file, std::span<std::uint8_t const> bytes);
};
std::span<RowFileCard const> row_file_cards();
/// ".safetensors, .npz, …": the endings of all of them.
std::string row_file_names();

/// What a file's first bytes say it is; where they say nothing (a .safetensors may begin with any length), what its
/// name says. Nothing: neither. Throws InputError for pickles, and where the file cannot be read.
std::optional<RowFileKind> row_file_kind(std::filesystem::path const& path);

/// A mapped file of arrays or of llama.cpp's rows.
class RowFile {
 public:
  /// Throws InputError that begins with the path where the file is none of the kinds, a pickle, or not sound.
  /// `assumed` is its kind where neither first bytes nor name tell.
  explicit RowFile(std::filesystem::path const& path, std::optional<RowFileKind> assumed = {});

  std::string const& path() const { return path_; }
  RowFileKind kind() const { return kind_; }
  std::shared_ptr<MappedFile const> const& mapped() const { return file_; }
  std::span<std::uint8_t const> bytes() const { return file_->bytes(); }
  TensorList const& list() const { return list_; }  ///< of a .kld: empty
  RowFileCard const& card() const;
  /// Whether it holds one model's rows and not two: its format has no more, or one of its arrays could be rows.
  bool one_model() const;
  Kld const& kld() const { return kld_; }  ///< of the other kinds: empty

 private:
  std::string path_;
  std::shared_ptr<MappedFile const> file_;
  RowFileKind kind_;
  TensorList list_;
  Kld kld_;
};

}  // namespace draftgauge
