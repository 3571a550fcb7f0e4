#include "sim/recordings/array_file.h"

#include <algorithm>
#include <utility>

#include "sim/base/error.h"
#include "sim/recordings/byte_reader.h"
#include "sim/recordings/wake.h"

namespace draftgauge {
namespace {

/// How an array is named: as an option of a command, and as a key in a source's text.
std::string naming(ModelRole const& role) {
  std::string const key(role.key);
  return "with `" + key + "` NAME (" + key + "=NAME in a source)";
}

/// An array's rows, of which row 0 may be a later one of the file's.
class TensorRows : public RowBytes {
 public:
  TensorRows(RowLayout const& layout, std::uint64_t first, std::string const& name, Extent const& at,
             std::shared_ptr<MappedFile const> file)
      : RowBytes(layout, first), reader_(name, at), wake_(std::move(file)), packed_(at.deflated) {}

  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    auto const bytes = reader_.read(file_row(begin) * layout().row_bytes(), count * layout().row_bytes());
    wake_.reach(packed_ ? reader_.left() : bytes);
    return bytes;
  }

 private:
  ByteReader reader_;
  Wake wake_;
  bool packed_;
};

std::optional<Encoding> encoding_of(Tensor const& tensor) {
  if (!tensor.is_float()) return {};
  if (tensor.dtype == "F16") return Encoding::f16;
  if (tensor.dtype == "BF16") return Encoding::bf16;
  return tensor.dtype == "F32" ? Encoding::f32 : Encoding::f64;
}

Tensor const& logits_tensor(ArrayFile const& file, ModelRole const& role, std::string const& asked, bool alone) {
  TensorList const& list = file.list();
  Tensor const* tensor = nullptr;
  auto const try_names = [&](std::span<std::string_view const> names) {
    for (std::string_view name : names)
      if (tensor == nullptr) tensor = list.find(name);
  };
  if (!asked.empty()) {
    tensor = list.find(asked);
  } else {
    try_names(role.usual);
    if (alone) {
      try_names(model_names);
      if (tensor == nullptr && std::ranges::count_if(list.tensors, could_be_rows) == 1)
        tensor = &*std::ranges::find_if(list.tensors, could_be_rows);
      // Of one array there is no choice; what is wrong with it is then said of it.
      if (tensor == nullptr && list.tensors.size() == 1) tensor = &list.tensors[0];
    }
  }
  if (tensor == nullptr) {
    throw InputError(file.path() + ": there is no tensor '" + (asked.empty() ? std::string(role.usual[0]) : asked) +
                         "' (it holds " + list.names() + ")",
                     "name one " + naming(role));
  }
  if (!tensor->fault.empty()) throw InputError(file.path() + ": " + tensor->name + " " + tensor->fault);
  if (!could_be_rows(*tensor)) {
    throw InputError(file.path() + ": " + tensor->name + " is " + tensor->dtype + " " + tensor->shape_text() +
                         " (logits are F16, BF16, F32 or F64 of the shape [rows, vocab] or [batch, rows, vocab])",
                     "name another " + naming(role));
  }
  return *tensor;
}

}  // namespace

bool could_be_rows(Tensor const& tensor) {
  return tensor.is_float() && (tensor.shape.size() == 2 || tensor.shape.size() == 3);
}

bool ArrayFile::one_model() const {
  auto const of_rows = [](Tensor const& tensor) { return tensor.is_float() && tensor.shape.size() >= 2; };
  return card().one_model || std::ranges::count_if(list_.tensors, of_rows) == 1;
}

RowModel ArrayFile::model(ModelRole const& role, std::string const& asked, bool alone) const {
  Tensor const& tensor = logits_tensor(*this, role, asked, alone);
  auto const& shape = tensor.shape;
  RowGrid const grid{shape.size() == 3 ? shape[0] : 1, shape[shape.size() - 2]};
  // The array's bytes are in the file, so that their number is none beyond 64 bits.
  RowLayout const layout{*encoding_of(tensor), grid.rows(), shape.back()};
  return {.field = tensor.name,
          .shape = tensor.shape_text(),
          .layout = layout,
          .grid = grid,
          .open = [layout, name = path() + ": " + tensor.name, at = tensor.at, file = mapped()](
                      std::uint64_t begin, std::uint64_t end) -> std::unique_ptr<RowBytes> {
            return std::make_unique<TensorRows>(RowLayout{layout.encoding, end - begin, layout.vocab}, begin, name,
                                                at, file);
          }};
}

RowLabels ArrayFile::labels(RowGrid const& grid, std::optional<std::uint64_t> shift) const {
  return labels_of_arrays(*this, grid, shift);
}

}  // namespace draftgauge
