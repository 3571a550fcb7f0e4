#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/recordings/row_file.h"

namespace draftgauge {

/// How an array of rows is named in a file of one model.
inline constexpr std::string_view model_names[] = {"logits", "logprobs"};

/// A file of named arrays, of one model's rows or both models', and of what belongs to these.
class ArrayFile : public RowFile {
 public:
  ArrayFile(MappedRows const& file, TensorList list) : RowFile(file), list_(std::move(list)) {}

  TensorList const& list() const { return list_; }
  TensorList const* arrays() const override { return &list_; }
  /// Its format has no more, or one of its arrays could be rows.
  bool one_model() const override;
  RowModel model(ModelRole const& role, std::string const& asked, bool alone) const override;
  RowLabels labels(RowGrid const& grid, std::optional<std::uint64_t> shift) const override;

 private:
  TensorList list_;
};

/// For the card of a format: `read` finds the arrays in a file's bytes.
template <TensorList (*read)(std::string const& file, std::span<std::uint8_t const> bytes), class File = ArrayFile>
std::unique_ptr<RowFile> open_arrays(MappedRows const& file) {
  return std::make_unique<File>(file, read(file.path, file.mapped->bytes()));
}

/// [rows, vocab], or [batch, rows, vocab] as Hugging Face's models return logits.
bool could_be_rows(Tensor const& tensor);

}  // namespace draftgauge
