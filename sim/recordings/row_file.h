#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/mapped_file.h"
#include "sim/recordings/row_labels.h"
#include "sim/recordings/rows.h"
#include "sim/recordings/tensor.h"

namespace draftgauge {

class RowFile;
struct RowFileCard;

/// A file that is mapped, and the format that it is read by.
struct MappedRows {
  RowFileCard const* card;
  std::string path;
  std::shared_ptr<MappedFile const> mapped;
};

/// What people and programs read about a format of full rows, and how its files are known and read.
struct RowFileCard {
  std::string_view name;     ///< ".npz": its files' ending; the source that reads them is called npz
  std::string_view summary;  ///< a line, of the format and of that source
  /// Of that source: the formula of p and q.
  std::string_view tables = "p = softmax(target_logits/T), q = softmax(draft_logits/T), row by row";
  bool one_model = false;                               ///< each of its files holds one model's rows
  bool (*begins)(std::span<std::uint8_t const> bytes);  ///< whether a file's first bytes are those of one
  /// Throws InputError that begins with the path where the file is not sound.
  std::unique_ptr<RowFile> (*open)(MappedRows const& file);

  std::string_view word() const { return name.substr(1); }  ///< "npz": of that source, and of its parts of documents
};
std::span<RowFileCard const> row_file_cards();
/// ".safetensors, .npz, …": the endings of all of them.
std::string row_file_names();
/// The format of files that end so, or null.
RowFileCard const* row_file_named(std::string_view ending);

/// The format that a file's first bytes are of; where they say nothing (a .safetensors may begin with any length), the
/// one that its name says. Null: neither. Throws InputError for pickles, and where the file cannot be read.
RowFileCard const* row_file_kind(std::filesystem::path const& path);

/// A model's part in a recording: by which key its array is asked for where a file has several, and how it is usually
/// named.
struct ModelRole {
  std::string_view key;
  std::span<std::string_view const> usual;
};

/// One model's rows in a file.
struct RowModel {
  std::string field;  ///< "target_logits"
  std::string shape;  ///< "[5, 7]"
  RowLayout layout;   ///< of all rows
  RowGrid grid;       ///< how these lie
  /// Rows begin … end − 1 of these; they may be read when the RowFile is gone.
  std::function<std::unique_ptr<RowBytes>(std::uint64_t begin, std::uint64_t end)> open;
};

/// What the head of a file says that is no list of arrays.
struct RowFileHead {
  std::string_view title;  ///< "llama.cpp, --kl-divergence-base"
  /// For programs: {"n_ctx", 512}.
  std::vector<std::pair<std::string_view, std::uint64_t>> numbers = {};
  /// For people: {"chunks × tokens", "4 × 512"}.
  std::vector<std::pair<std::string_view, std::string>> lines = {};
};

/// A mapped file of rows, as its format reads it.
class RowFile {
 public:
  explicit RowFile(MappedRows file) : file_(std::move(file)) {}
  virtual ~RowFile() = default;
  RowFile(RowFile const&) = delete;
  RowFile& operator=(RowFile const&) = delete;

  RowFileCard const& card() const { return *file_.card; }
  std::string const& path() const { return file_.path; }
  std::shared_ptr<MappedFile const> const& mapped() const { return file_.mapped; }
  std::span<std::uint8_t const> bytes() const { return file_.mapped->bytes(); }

  /// Whether it holds one model's rows and not two.
  virtual bool one_model() const { return card().one_model; }
  /// The rows of a model: of the name `asked`, or if that is empty, of one that is usual for the role. alone: the
  /// pair's other model has a file of its own. Of a file that can hold one model only, that model.
  virtual RowModel model(ModelRole const& role, std::string const& asked, bool alone) const = 0;
  /// What the file says beside such rows. `shift`: what RowOptions has, for a format whose files leave it open.
  virtual RowLabels labels(RowGrid const& grid, std::optional<std::uint64_t> shift) const = 0;
  /// Throws InputError where both say more of their text than tokens do, and it is another.
  virtual void check_same_text(RowFile const& /*draft*/) const {}

  virtual TensorList const* arrays() const { return nullptr; }            ///< null: it is no list of arrays
  virtual RowFileHead head() const { return {.title = card().summary}; }  ///< of one that is no list of arrays

 private:
  MappedRows file_;
};

/// Throws InputError that begins with the path where the file is of no format, a pickle, or not sound. `assumed` is its
/// format where neither first bytes nor name tell.
std::unique_ptr<RowFile> open_row_file(std::filesystem::path const& path, RowFileCard const* assumed = nullptr);

}  // namespace draftgauge
