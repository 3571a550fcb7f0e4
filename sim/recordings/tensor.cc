#include "sim/recordings/tensor.h"

#include <algorithm>
#include <ranges>

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/recordings/byte_reader.h"
#include "sim/recordings/numbers.h"

namespace draftgauge {
namespace {

enum class Numbers : std::uint8_t { unread, real, whole };

struct Dtype {
  std::string_view name;
  std::uint64_t size;  ///< bytes per number
  Numbers numbers;
};

using enum Numbers;
constexpr Dtype dtypes[] = {{"BOOL", 1, unread},    {"U8", 1, whole},  {"I8", 1, whole},  {"F8_E5M2", 1, unread},
                            {"F8_E4M3", 1, unread}, {"I16", 2, whole}, {"U16", 2, whole}, {"F16", 2, real},
                            {"BF16", 2, real},      {"I32", 4, whole}, {"U32", 4, whole}, {"F32", 4, real},
                            {"I64", 8, whole},      {"U64", 8, whole}, {"F64", 8, real}};

bool has(Tensor const& tensor, Numbers numbers) {
  auto const found = std::ranges::find(dtypes, tensor.dtype, &Dtype::name);
  return tensor.fault.empty() && found != std::end(dtypes) && found->numbers == numbers;
}

/// least: whole where none but whole numbers are taken.
[[noreturn]] void refuse_dtype(std::string const& file, Tensor const& tensor, Numbers least) {
  auto const read = [least](Dtype const& dtype) { return dtype.numbers >= least; };
  throw InputError(file + ": " + tensor.name + " is " + tensor.dtype + " " + tensor.shape_text() +
                       (least == whole ? " (whole numbers" : " (numbers") + " are read of " +
                       joined(dtypes | std::views::filter(read), &Dtype::name) + ")",
                   least == whole ? "write it as I64" : "write it as F32");
}

/// Calls f(load), where load(i) is the i-th number of the bytes in the type that the dtype names. Throws InputError
/// where numbers of it are not read: nothing passes for 0.
template <class F>
void with_numbers(std::string const& file, Tensor const& tensor, std::uint8_t const* bytes, F const& f) {
  auto const as = [&]<class T>(T) { f([bytes](std::size_t i) { return load<T>(bytes + i * sizeof(T)); }); };
  std::string_view const dtype = tensor.dtype;
  if (dtype == "F16") return f([bytes](std::size_t i) { return from_half(load<std::uint16_t>(bytes + 2 * i)); });
  if (dtype == "BF16") return f([bytes](std::size_t i) { return from_bfloat16(load<std::uint16_t>(bytes + 2 * i)); });
  if (dtype == "F32") return as(float{});
  if (dtype == "F64") return as(double{});
  if (dtype == "I8") return as(std::int8_t{});
  if (dtype == "U8") return as(std::uint8_t{});
  if (dtype == "I16") return as(std::int16_t{});
  if (dtype == "U16") return as(std::uint16_t{});
  if (dtype == "I32") return as(std::int32_t{});
  if (dtype == "U32") return as(std::uint32_t{});
  if (dtype == "I64") return as(std::int64_t{});
  if (dtype == "U64") return as(std::uint64_t{});
  refuse_dtype(file, tensor, real);
}

/// Calls see(bytes, count) for the numbers of the tensor, piece by piece.
template <class F>
void for_bytes(std::string const& file, Tensor const& tensor, F const& see) {
  constexpr std::uint64_t piece = 1 << 16;
  ByteReader reader(file + ": " + tensor.name, tensor.at);
  std::uint64_t const elements = tensor.elements(), size = elements == 0 ? 0 : tensor.at.size / elements;
  for (std::uint64_t begin = 0; begin < elements; begin += piece) {
    std::uint64_t const count = std::min(piece, elements - begin);
    see(reader.read(begin * size, count * size).data(), count);
  }
}

}  // namespace

bool Tensor::is_float() const { return has(*this, real); }

bool Tensor::is_integer() const { return has(*this, whole); }

std::uint64_t Tensor::elements() const { return fault.empty() ? at.size / *dtype_size(dtype) : 0; }

std::string Tensor::shape_text() const {
  std::string text = "[";
  for (std::uint64_t extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

Tensor const* TensorList::find(std::string_view name) const {
  auto const found = std::ranges::find(tensors, name, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

std::string TensorList::names() const {
  constexpr std::size_t most = 16;  // which are enough to see what the file is
  return tensors.empty() ? "none" : first_joined(tensors, most, &Tensor::name);
}

std::optional<std::uint64_t> dtype_size(std::string_view dtype) {
  auto const found = std::ranges::find(dtypes, dtype, &Dtype::name);
  if (found == std::end(dtypes)) return {};
  return found->size;
}

std::string known_dtypes() { return joined(dtypes, &Dtype::name); }

std::optional<std::uint64_t> array_size(std::uint64_t size, std::vector<std::uint64_t> const& shape) {
  if (std::ranges::count(shape, 0u) > 0) return 0;
  for (std::uint64_t extent : shape)
    if (__builtin_mul_overflow(size, extent, &size)) return {};
  return size;
}

void for_each_piece(std::string const& file, Tensor const& tensor,
                    std::function<void(std::span<double const>)> const& see) {
  std::vector<double> numbers;
  for_bytes(file, tensor, [&](std::uint8_t const* bytes, std::uint64_t count) {
    numbers.resize(count);
    with_numbers(file, tensor, bytes, [&](auto const& number) {
      for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(number(i));
    });
    see(numbers);
  });
}

std::vector<std::int64_t> read_integers(std::string const& file, Tensor const& tensor) {
  if (tensor.fault.empty() && !tensor.is_integer()) refuse_dtype(file, tensor, whole);
  std::vector<std::int64_t> out;
  auto const add = [&](auto value) {
    if constexpr (std::is_integral_v<decltype(value)>) {
      if (!std::in_range<std::int64_t>(value)) {
        throw InputError(file + ": " + tensor.name + ", entry " + std::to_string(out.size()) + " is " +
                             std::to_string(value) + " (numbers up to 2^63 - 1 are read)",
                         "write the tensor as I64");
      }
      out.push_back(static_cast<std::int64_t>(value));
    }
  };
  for_bytes(file, tensor, [&](std::uint8_t const* bytes, std::uint64_t count) {
    with_numbers(file, tensor, bytes, [&](auto const& number) {
      for (std::size_t i = 0; i < count; ++i) add(number(i));
    });
  });
  return out;
}

}  // namespace draftgauge
