#include "sim/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "sim/error.h"

static_assert(std::endian::native == std::endian::little, "the format is little-endian, and so are its readers here");

namespace draftgauge {
namespace {

using Json = nlohmann::json;

struct Dtype {
  std::string_view name;
  std::uint64_t size;  ///< bytes per number
};

constexpr Dtype dtypes[] = {{"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
                            {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
                            {"U32", 4},  {"F32", 4}, {"I64", 8}, {"U64", 8},     {"F64", 8}};

std::optional<std::uint64_t> size_of(std::string_view name) {
  auto const found = std::ranges::find(dtypes, name, &Dtype::name);
  if (found == std::end(dtypes)) return {};
  return found->size;
}

/// Everything that is wrong with a file is said by one of these.
class Reader {
 public:
  Reader(std::string const& file, std::span<std::uint8_t const> bytes) : file_(file), bytes_(bytes) {}

  TensorList read() {
    std::string_view const header = header_text();
    data_ = bytes_.subspan(8 + header.size());
    Json const json = parse(header);
    for (auto const& [name, value] : json.items()) {
      if (name == "__metadata__") {
        read_metadata(value);
      } else {
        read_tensor(name, value);
      }
    }
    check_cover();
    return std::move(list_);
  }

 private:
  [[noreturn]] void refuse(std::string const& problem, std::string const& why, std::string const& suggestion) const {
    throw InputError(file_ + ": " + problem + " (" + why + ") " + suggestion);
  }
  [[noreturn]] void refuse_tensor(std::string const& name, std::string const& problem, std::string const& why) const {
    refuse("tensor '" + name + "' " + problem, why, "write the file again");
  }

  std::string_view header_text() const {
    if (bytes_.size() < 8) {
      refuse("it has " + std::to_string(bytes_.size()) + " bytes", "a safetensors file begins with 8 bytes of length",
             "check that it is one and was copied whole");
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), 8);
    if (length > bytes_.size() - 8) {
      refuse("its header should be " + std::to_string(length) + " bytes long, but " +
                 std::to_string(bytes_.size() - 8) + " follow",
             "the file was cut short or is not safetensors", "copy it again");
    }
    if (length > max_tensor_header) {
      refuse("its header is " + std::to_string(length) + " bytes long",
             "up to " + std::to_string(max_tensor_header) + " are read", "check that it is a safetensors file");
    }
    return {reinterpret_cast<char const*>(bytes_.data()) + 8, static_cast<std::size_t>(length)};
  }

  /// The header as JSON of at most the depth that the format has; a name that stands twice is refused, since readers
  /// differ in which they take.
  Json parse(std::string_view text) const {
    std::vector<std::set<std::string>> names;
    auto const watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
      using enum Json::parse_event_t;
      bool const opens = event == object_start || event == array_start;
      if (opens && depth >= 3) {
        refuse("its header is nested deeper than 3", "the format has tensors with a shape, no more",
               "check that it is a safetensors file");
      }
      if (event == object_start) names.emplace_back();
      if (event == object_end) names.pop_back();
      if (event == key && !names.back().insert(parsed.get<std::string>()).second) {
        refuse("its header has '" + parsed.get<std::string>() + "' twice",
               "readers differ in which of them they take", "write the file again");
      }
      return true;
    };
    Json json;
    try {
      json = Json::parse(text, watch);
    } catch (Json::exception const& e) {
      refuse("its header is not JSON: " + std::string(e.what()), "it says where the tensors lie",
             "check that it is a safetensors file");
    }
    if (!json.is_object()) {
      refuse("its header is not a JSON object", "it says where the tensors lie",
             "check that it is a safetensors file");
    }
    return json;
  }

  void read_metadata(Json const& json) {
    if (!json.is_object()) refuse("'__metadata__' is not an object", "it holds text by name", "write the file again");
    for (auto const& [key, value] : json.items()) {
      if (!value.is_string())
        refuse("'" + key + "' in '__metadata__' is not text", "the format allows no other", "write the file again");
      list_.metadata[key] = value.get<std::string>();
    }
  }

  void read_tensor(std::string const& name, Json const& json) {
    std::string const why = "a tensor has dtype, shape and data_offsets";
    if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
        !json.contains("data_offsets")) {
      refuse_tensor(name, "lacks a field or has another", why);
    }
    if (!json["dtype"].is_string()) refuse_tensor(name, "has a dtype that is not text", why);
    Tensor tensor{name, json["dtype"].get<std::string>(), {}, {}};
    auto const size = size_of(tensor.dtype);
    if (!size) {
      std::string known;
      for (Dtype const& d : dtypes) known += (known.empty() ? "" : ", ") + std::string(d.name);
      refuse_tensor(name, "has the dtype '" + tensor.dtype + "'", "known are " + known);
    }
    tensor.shape = whole_numbers(name, "shape", json["shape"]);
    auto const offsets = whole_numbers(name, "data_offsets", json["data_offsets"]);
    if (offsets.size() != 2)
      refuse_tensor(name, "has " + std::to_string(offsets.size()) + " data_offsets", "2 belong");
    auto const [begin, end] = std::pair(offsets[0], offsets[1]);
    if (begin > end || end > data_.size()) {
      refuse_tensor(name,
                    "lies at bytes " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                        std::to_string(data_.size()),
                    "its bytes must be in the file");
    }
    std::uint64_t expected = *size;
    bool overflow = false;
    for (std::uint64_t extent : tensor.shape) overflow |= __builtin_mul_overflow(expected, extent, &expected);
    if (overflow && std::ranges::count(tensor.shape, 0u) > 0) {
      expected = 0;
      overflow = false;
    }
    if (overflow || expected != end - begin) {
      refuse_tensor(name, "has " + std::to_string(end - begin) + " bytes",
                    tensor.dtype + " " + tensor.shape_text() + " takes " +
                        (overflow ? "more than 2^64" : std::to_string(expected)));
    }
    tensor.bytes = data_.subspan(begin, end - begin);
    list_.tensors.push_back(std::move(tensor));
  }

  std::vector<std::uint64_t> whole_numbers(std::string const& name, std::string const& field,
                                           Json const& json) const {
    std::vector<std::uint64_t> numbers;
    if (!json.is_array())
      refuse_tensor(name, "has a " + field + " that is not a list", "it is a list of whole numbers");
    for (Json const& entry : json) {
      if (!entry.is_number_unsigned())
        refuse_tensor(name, "has " + entry.dump(-1, ' ', true, Json::error_handler_t::replace) + " in its " + field,
                      "it is a list of whole numbers");
      numbers.push_back(entry.get<std::uint64_t>());
    }
    return numbers;
  }

  /// Sorted by their places the tensors must follow each other without gap or overlap, to the last byte.
  void check_cover() {
    std::ranges::sort(list_.tensors, [](Tensor const& a, Tensor const& b) {
      return std::pair(a.bytes.data(), a.bytes.size()) < std::pair(b.bytes.data(), b.bytes.size());
    });
    std::uint64_t at = 0;
    Tensor const* before = nullptr;
    for (Tensor const& tensor : list_.tensors) {
      auto const begin = static_cast<std::uint64_t>(tensor.bytes.data() - data_.data());
      if (begin < at)
        refuse_tensor(tensor.name, "overlaps '" + before->name + "'", "each byte belongs to one tensor");
      if (begin > at) refuse_gap(at, begin);
      at = begin + tensor.bytes.size();
      before = &tensor;
    }
    if (at != data_.size()) refuse_gap(at, data_.size());
  }

  [[noreturn]] void refuse_gap(std::uint64_t begin, std::uint64_t end) const {
    refuse("bytes " + std::to_string(begin) + " to " + std::to_string(end) + " of the data belong to no tensor",
           "each byte belongs to one tensor", "write the file again");
  }

  std::string const& file_;
  std::span<std::uint8_t const> bytes_, data_;
  TensorList list_;
};

template <class T>
T load(std::uint8_t const* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// IEEE 754 binary16.
double from_half(std::uint16_t bits) {
  std::uint32_t const sign = std::uint32_t{bits} >> 15 << 31;
  std::uint32_t const exponent = bits >> 10 & 31;
  std::uint32_t const fraction = bits & 1023;
  if (exponent == 0) return (sign ? -1.0 : 1.0) * fraction * 0x1p-24;
  std::uint32_t const shifted = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | shifted << 23 | fraction << 13);
}

template <class T>
void widen(std::uint8_t const* from, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = load<T>(from + i * sizeof(T));
}

template <class T>
std::vector<std::int64_t> integers(std::string const& file, Tensor const& tensor) {
  std::vector<std::int64_t> out(tensor.bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < out.size(); ++i) {
    T const value = load<T>(tensor.bytes.data() + i * sizeof(T));
    if (!std::in_range<std::int64_t>(value)) {
      throw InputError(file + ": " + tensor.name + ", entry " + std::to_string(i) + " is " + std::to_string(value) +
                       " (numbers up to 2^63 - 1 are read) write the tensor as I64");
    }
    out[i] = static_cast<std::int64_t>(value);
  }
  return out;
}

}  // namespace

bool Tensor::is_float() const { return dtype == "F16" || dtype == "BF16" || dtype == "F32" || dtype == "F64"; }

bool Tensor::is_integer() const { return dtype.front() == 'I' || dtype.front() == 'U'; }

std::uint64_t Tensor::elements() const { return bytes.size() / *size_of(dtype); }

std::string Tensor::shape_text() const {
  std::string text = "[";
  for (std::uint64_t extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

Tensor const* TensorList::find(std::string_view name) const {
  auto const found = std::ranges::find(tensors, name, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

TensorList read_tensors(std::string const& file, std::span<std::uint8_t const> bytes) {
  return Reader(file, bytes).read();
}

void read_floats(Tensor const& tensor, std::uint64_t row, std::span<double> out) {
  std::uint8_t const* const from = tensor.bytes.data() + row * out.size() * *size_of(tensor.dtype);
  if (tensor.dtype == "F16") {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = from_half(load<std::uint16_t>(from + 2 * i));
  } else if (tensor.dtype == "BF16") {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(from + 2 * i)} << 16);
  } else if (tensor.dtype == "F32") {
    widen<float>(from, out);
  } else {
    widen<double>(from, out);
  }
}

std::vector<std::int64_t> read_integers(std::string const& file, Tensor const& tensor) {
  if (tensor.dtype == "I8") return integers<std::int8_t>(file, tensor);
  if (tensor.dtype == "U8") return integers<std::uint8_t>(file, tensor);
  if (tensor.dtype == "I16") return integers<std::int16_t>(file, tensor);
  if (tensor.dtype == "U16") return integers<std::uint16_t>(file, tensor);
  if (tensor.dtype == "I32") return integers<std::int32_t>(file, tensor);
  if (tensor.dtype == "U32") return integers<std::uint32_t>(file, tensor);
  if (tensor.dtype == "I64") return integers<std::int64_t>(file, tensor);
  return integers<std::uint64_t>(file, tensor);
}

}  // namespace draftgauge
