#include "sim/recordings/tensor.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/joined.h"
#include "sim/recordings/byte_reader.h"
#include "sim/recordings/numbers.h"

namespace draftgauge {
namespace {

struct Dtype {
  std::string_view name;
  std::uint64_t size;  ///< bytes per number
};

constexpr Dtype dtypes[] = {{"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
                            {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
                            {"U32", 4},  {"F32", 4}, {"I64", 8}, {"U64", 8},     {"F64", 8}};

/// Calls f(load), where load(i) is the i-th number of the bytes in the type that the dtype names.
template <class F>
void with_numbers(std::string_view dtype, std::uint8_t const* bytes, F const& f) {
  auto const as = [&]<class T>(T) { f([bytes](std::size_t i) { return load<T>(bytes + i * sizeof(T)); }); };
  if (dtype == "F16") f([bytes](std::size_t i) { return from_half(load<std::uint16_t>(bytes + 2 * i)); });
  if (dtype == "BF16") f([bytes](std::size_t i) { return from_bfloat16(load<std::uint16_t>(bytes + 2 * i)); });
  if (dtype == "F32") as(float{});
  if (dtype == "F64") as(double{});
  if (dtype == "I8") as(std::int8_t{});
  if (dtype == "U8") as(std::uint8_t{});
  if (dtype == "I16") as(std::int16_t{});
  if (dtype == "U16") as(std::uint16_t{});
  if (dtype == "I32") as(std::int32_t{});
  if (dtype == "U32") as(std::uint32_t{});
  if (dtype == "I64") as(std::int64_t{});
  if (dtype == "U64") as(std::uint64_t{});
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

bool Tensor::is_float() const {
  return fault.empty() && (dtype == "F16" || dtype == "BF16" || dtype == "F32" || dtype == "F64");
}

bool Tensor::is_integer() const { return fault.empty() && (dtype.front() == 'I' || dtype.front() == 'U'); }

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

std::string TensorList::names() const { return tensors.empty() ? "none" : joined(tensors, &Tensor::name); }

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
    with_numbers(tensor.dtype, bytes, [&](auto const& number) {
      for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(number(i));
    });
    see(numbers);
  });
}

std::vector<std::int64_t> read_integers(std::string const& file, Tensor const& tensor) {
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
    with_numbers(tensor.dtype, bytes, [&](auto const& number) {
      for (std::size_t i = 0; i < count; ++i) add(number(i));
    });
  });
  return out;
}

}  // namespace draftgauge
