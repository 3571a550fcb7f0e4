#include "sim/recordings/formats/safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/limits.h"
#include "sim/recordings/array_file.h"
#include "sim/recordings/numbers.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

/// Everything that is wrong with a file is said by one of these.
class SafetensorsReader {
 public:
  SafetensorsReader(std::string const& file, std::span<std::uint8_t const> bytes) : file_(file), bytes_(bytes) {}

  TensorList read() {
    std::string_view const header = header_text();
    data_ = bytes_.subspan(8 + header.size());
    Json const json = parse(header);
    if (json.size() > most_arrays) refuse_number(json.size(), "tensors");
    check_whole(json);
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
    throw InputError(file_ + ": " + problem + " (" + why + ")", suggestion);
  }
  [[noreturn]] void refuse_number(std::size_t number, std::string const& what) const {
    refuse("it has " + std::to_string(number) + " " + what, "up to " + std::to_string(most_arrays) + " are read",
           "write the tensors of the recording alone");
  }
  [[noreturn]] void refuse_tensor(std::string const& name, std::string const& problem, std::string const& why) const {
    refuse("tensor '" + name + "' " + problem, why, "write the file again");
  }

  std::string_view header_text() const {
    if (bytes_.size() < 8) {
      refuse("it has " + std::to_string(bytes_.size()) + " bytes", "a safetensors file begins with 8 bytes of length",
             "check that it is one and was copied whole");
    }
    auto const length = load<std::uint64_t>(bytes_, 0);
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

  Json parse(std::string_view text) const {
    Json json;
    try {
      json = parse_json(text, {.subject = "its header",
                               .why = "it says where the tensors lie",
                               .hint = "check that it is a safetensors file, and whole",
                               .deepest = deepest_tensor_header});
    } catch (Error const& error) {
      throw InputError(file_, error);
    }
    if (!json.is_object()) {
      refuse("its header is not a JSON object", "it says where the tensors lie",
             "check that it is a safetensors file");
    }
    return json;
  }

  /// Says of a file that was cut short where it ends, and which of its tensors are there.
  void check_whole(Json const& json) const {
    constexpr std::size_t most_named = 16;
    std::uint64_t declared = 0;
    std::vector<std::string> tensors;
    for (auto const& [name, value] : json.items()) {
      Json const* const at = value.is_object() && value.contains("data_offsets") ? &value["data_offsets"] : nullptr;
      if (!at || !at->is_array() || at->size() != 2) continue;
      if (!(*at)[0].is_number_unsigned() || !(*at)[1].is_number_unsigned()) continue;
      auto const [begin, end] = std::pair((*at)[0].get<std::uint64_t>(), (*at)[1].get<std::uint64_t>());
      declared = std::max(declared, end);
      if (tensors.size() < most_named)
        tensors.push_back("'" + name + "' " +
                          (end <= data_.size()    ? "is whole"
                           : begin < data_.size() ? "is cut"
                                                  : "is missing"));
    }
    if (declared <= data_.size()) return;
    std::string list;
    for (std::string const& tensor : tensors) list += ", " + tensor;
    refuse("it is truncated: it ends after " + std::to_string(data_.size()) + " of the " + std::to_string(declared) +
               " bytes of data that its header declares",
           "tensor " + list.substr(2), "copy it again, or write it again");
  }

  void read_metadata(Json const& json) {
    if (!json.is_object()) refuse("'__metadata__' is not an object", "it holds text by name", "write the file again");
    if (json.size() > most_arrays) refuse_number(json.size(), "texts in '__metadata__'");
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
    Tensor tensor{.name = name, .dtype = json["dtype"].get<std::string>(), .shape = {}, .at = {}};
    auto const size = dtype_size(tensor.dtype);
    if (!size) refuse_tensor(name, "has the dtype '" + tensor.dtype + "'", "known are " + known_dtypes());
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
    auto const expected = array_size(*size, tensor.shape);
    if (expected != end - begin) {
      refuse_tensor(name, "has " + std::to_string(end - begin) + " bytes",
                    tensor.dtype + " " + tensor.shape_text() + " takes " +
                        (expected ? std::to_string(*expected) : "more than 2^64"));
    }
    tensor.at = {.bytes = data_.subspan(begin, end - begin), .size = end - begin};
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
      return std::pair(a.at.bytes.data(), a.at.size) < std::pair(b.at.bytes.data(), b.at.size);
    });
    std::uint64_t at = 0;
    Tensor const* before = nullptr;
    for (Tensor const& tensor : list_.tensors) {
      auto const begin = static_cast<std::uint64_t>(tensor.at.bytes.data() - data_.data());
      if (begin < at)
        refuse_tensor(tensor.name, "overlaps '" + before->name + "'", "each byte belongs to one tensor");
      if (begin > at) refuse_gap(at, begin);
      at = begin + tensor.at.size;
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

}  // namespace

RowFileCard safetensors_rows() {
  return {.name = ".safetensors",
          .summary = "rows of logits or log-probabilities of two models, in one file or two",
          .begins = begins_safetensors,
          .open = open_arrays<read_safetensors>};
}

bool begins_safetensors(std::span<std::uint8_t const> bytes) {
  return bytes.size() > 8 && bytes[8] == '{' && load<std::uint64_t>(bytes, 0) <= bytes.size() - 8;
}

TensorList read_safetensors(std::string const& file, std::span<std::uint8_t const> bytes) {
  return SafetensorsReader(file, bytes).read();
}

}  // namespace draftgauge
