#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/mapped_file.h"

namespace draftgauge {

/// A named array in a file, row-major; the bytes lie in the file and need not be aligned.
struct Tensor {
  std::string name;
  std::string dtype;                 ///< as the format writes it: "F16", "I64"
  std::vector<std::uint64_t> shape;  ///< empty for a single number
  std::span<std::uint8_t const> bytes;

  bool is_float() const;    ///< F16, BF16, F32 or F64
  bool is_integer() const;  ///< I8 … I64, U8 … U64
  std::uint64_t elements() const;
  std::string shape_text() const;  ///< "[24, 49152]"
};

/// What a file in the format safetensors says, checked: 8 bytes of header length, a JSON header, the tensors' bytes.
/// https://github.com/huggingface/safetensors#format (read as strictly as its reference reader: names once, every
/// byte of the data in exactly one tensor).
struct TensorList {
  std::vector<Tensor> tensors;                  ///< in the order of their bytes
  std::map<std::string, std::string> metadata;  ///< "__metadata__"

  /// The tensor of that name, or null.
  Tensor const* find(std::string_view name) const;
};

/// Headers longer than this are refused; the reference reader has the same bound.
inline constexpr std::uint64_t max_tensor_header = 100'000'000;

/// Throws InputError that begins with `file`, for the first thing in the bytes that is not as the format demands.
/// No length, count or offset is believed before it is compared with the bytes that are there.
TensorList read_tensors(std::string const& file, std::span<std::uint8_t const> bytes);

/// The numbers out.size()·row … of a tensor of floats, as doubles, which hold each of them exactly.
/// The caller keeps within the tensor.
void read_floats(Tensor const& tensor, std::uint64_t row, std::span<double> out);

/// All numbers of a tensor of integers. Throws InputError naming `file`, tensor and index for one above 2^63 − 1.
std::vector<std::int64_t> read_integers(std::string const& file, Tensor const& tensor);

/// A file of tensors, mapped.
class TensorFile {
 public:
  explicit TensorFile(std::filesystem::path const& path)
      : file_(path), list_(read_tensors(path.string(), file_.bytes())) {}

  std::span<std::uint8_t const> bytes() const { return file_.bytes(); }
  TensorList const& list() const { return list_; }

 private:
  MappedFile file_;
  TensorList list_;
};

}  // namespace draftgauge
