#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// Where in a file an array's bytes are: at `before` of a stretch of `before + size` bytes, which lies there as it is
/// or deflated (RFC 1951).
struct Extent {
  std::span<std::uint8_t const> bytes;  ///< the stretch, or what it was deflated to; in the file
  std::uint64_t size = 0;               ///< of the array, in bytes
  std::uint64_t before = 0;             ///< bytes of something else first: the header of an .npy
  bool deflated = false;
  std::optional<std::uint32_t> crc = {};  ///< CRC-32 of the stretch, where the file has one
};

/// A named array in a file: row-major, little-endian, not aligned.
struct Tensor {
  std::string name;
  std::string dtype;                 ///< "F16", "I64": safetensors' names, in all formats that know the type
  std::vector<std::uint64_t> shape;  ///< empty for a single number
  Extent at;
  /// "problem (why) suggestion" where the numbers cannot be read: it is then neither float nor integer and has no
  /// elements.
  std::string fault = {};

  bool is_float() const;    ///< F16, BF16, F32 or F64
  bool is_integer() const;  ///< I8 … I64, U8 … U64
  std::uint64_t elements() const;
  std::string shape_text() const;  ///< "[24, 49152]"
};

/// The arrays of a file, with what else it says.
struct TensorList {
  std::vector<Tensor> tensors;                  ///< in the order of their bytes
  std::map<std::string, std::string> metadata;  ///< of safetensors: "__metadata__"

  /// The tensor of that name, or null.
  Tensor const* find(std::string_view name) const;
  /// "target_logits, tokens", the first of them; "none".
  std::string names() const;
};

/// Bytes per number of a dtype; nothing where it is unknown.
std::optional<std::uint64_t> dtype_size(std::string_view dtype);
/// "BOOL, U8, …"
std::string known_dtypes();

/// Bytes that numbers of `size` bytes take in an array of that shape; nothing where that is 2^64 or more.
std::optional<std::uint64_t> array_size(std::uint64_t size, std::vector<std::uint64_t> const& shape);

/// A tensor of floats or integers as doubles, in order and in pieces of which the last may be shorter; constant
/// memory. Integers beyond 2^53 are rounded. Throws InputError beginning with `file` where the tensor is neither, and
/// where packed bytes are damaged.
void for_each_piece(std::string const& file, Tensor const& tensor,
                    std::function<void(std::span<double const>)> const& see);

/// All numbers of a tensor of integers. Throws InputError naming `file` and tensor for one of other numbers, and with
/// its index for one above 2^63 − 1.
std::vector<std::int64_t> read_integers(std::string const& file, Tensor const& tensor);

}  // namespace draftgauge
