#include "sim/recordings/formats/npy.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/recordings/array_file.h"
#include "sim/recordings/numbers.h"

namespace draftgauge {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

[[noreturn]] void refuse_npy(std::string const& place, std::string const& problem, std::string const& why) {
  throw InputError(place + ": " + problem + " (" + why + ")", "write it again with numpy.save");
}

/// What the dictionary in a header says.
struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } in any order and spacing, and nothing else.
class HeaderReader {
 public:
  HeaderReader(std::string const& place, std::string_view text) : place_(place), whole_(text), text_(text) {}

  Header read() {
    expect('{');
    bool seen[3] = {};
    while (!accept('}')) {
      std::string const key = quoted();
      constexpr std::string_view keys[] = {"descr", "fortran_order", "shape"};
      auto const i = static_cast<std::size_t>(std::ranges::find(keys, key) - keys);
      if (i == std::size(keys)) wrong("has the key '" + key + "'");
      if (std::exchange(seen[i], true)) wrong("has the key '" + key + "' twice");
      expect(':');
      if (i == 0) read_descr();
      if (i == 1) header_.fortran_order = boolean();
      if (i == 2) read_shape();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!text_.empty()) wrong("goes on behind its dictionary");
    if (!seen[0] || !seen[1] || !seen[2]) wrong("lacks one of descr, fortran_order and shape");
    return std::move(header_);
  }

 private:
  [[noreturn]] void wrong(std::string const& problem) const {
    refuse_npy(place_, "its header " + problem + " at byte " + std::to_string(whole_.size() - text_.size()),
               "it is a dictionary of 'descr', 'fortran_order' and 'shape'");
  }

  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \n"), text_.size())); }
  bool accept(char c) {
    skip_blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) wrong(std::string("has no '") + c + "'");
  }

  std::string quoted() {
    skip_blanks();
    char const quote = text_.empty() ? '\0' : text_[0];
    if (quote != '\'' && quote != '"') wrong("has no text in quotes");
    std::size_t const end = text_.find(quote, 1);
    if (end == text_.npos) wrong("has a quote that is not closed");
    std::string const text(text_.substr(1, end - 1));
    if (text.find('\\') != text.npos) wrong("has a \\ in a text");
    text_.remove_prefix(end + 1);
    return text;
  }

  /// Text, or the list of fields of a structured array, which is passed over: it is no number either way.
  void read_descr() {
    if (!accept('[')) {
      header_.descr = quoted();
      return;
    }
    header_.descr = "fields";
    for (int depth = 1; depth > 0;) {
      if (accept('[') || accept('(')) {
        ++depth;
      } else if (accept(']') || accept(')')) {
        --depth;
      } else if (!accept(',')) {
        if (!text_.empty() && is_digit(text_[0])) {
          number();
        } else {
          quoted();
        }
      }
    }
  }

  bool boolean() {
    skip_blanks();
    for (auto const& [word, value] : {std::pair(std::string_view("False"), false), {"True", true}}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    wrong("has a fortran_order that is neither True nor False");
  }

  void read_shape() {
    expect('(');
    while (!accept(')')) {
      header_.shape.push_back(number());
      if (accept(',')) continue;
      if (header_.shape.size() == 1) wrong("has a shape that is not a tuple");  // (3) is a number
      expect(')');
      break;
    }
  }

  std::uint64_t number() {
    skip_blanks();
    std::uint64_t value = 0;
    if (text_.empty() || !is_digit(text_[0])) wrong("has no whole number");
    for (; !text_.empty() && is_digit(text_[0]); text_.remove_prefix(1)) {
      if (__builtin_mul_overflow(value, 10u, &value) ||
          __builtin_add_overflow(value, static_cast<std::uint64_t>(text_[0] - '0'), &value))
        wrong("has a number of 2^64 or more");
    }
    return value;
  }

  std::string const& place_;
  std::string_view whole_, text_;
  Header header_;
};

/// safetensors' name for a type of number as NumPy writes it; nothing for what is not read.
std::optional<std::string> dtype_of(std::string_view descr) {
  // bfloat16 is no type of NumPy's own. That of ml_dtypes is saved as two bytes without meaning.
  if (descr == "<V2" || descr == "|V2" || descr == "bfloat16") return "BF16";
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"|b1", "BOOL"}, {"|i1", "I8"},  {"|u1", "U8"},  {"<i2", "I16"}, {"<u2", "U16"}, {"<i4", "I32"},
      {"<u4", "U32"},  {"<i8", "I64"}, {"<u8", "U64"}, {"<f2", "F16"}, {"<f4", "F32"}, {"<f8", "F64"}};
  for (auto const& [theirs, ours] : names)
    if (theirs == descr) return std::string(ours);
  return {};
}

/// Why an array of this type is not read.
std::string fault_of(std::string_view descr) {
  if (descr.starts_with('>')) {
    return "is big-endian, " + std::string(descr) +
           " (numbers are read as little-endian machines write them) save x.astype('<" +
           std::string(descr.substr(1)) + "')";
  }
  if (descr.find('O') != descr.npos) {
    return "holds Python objects (they are pickles, and running one may do anything) save an array of numbers, or "
           "each array under a name of its own with numpy.savez";
  }
  return "has the type '" + std::string(descr) +
         "' (arrays of f2, f4, f8, bfloat16 and integers are read) save x.astype('<f4')";
}

}  // namespace

Tensor read_npy_header(std::string const& place, std::string const& name, std::span<std::uint8_t const> start,
                       std::uint64_t size) {
  std::string_view const text(reinterpret_cast<char const*>(start.data()), start.size());
  std::string const why_npy = "an .npy begins with \\x93NUMPY and a version";
  if (!text.starts_with(npy_magic) || text.size() < 10)
    refuse_npy(place, "its first bytes are not those of an .npy", why_npy);
  int const major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0) {
    refuse_npy(place, "it has the version " + std::to_string(major) + "." + std::to_string(minor),
               "known are 1.0, 2.0 and 3.0");
  }
  std::uint64_t const fixed = major == 1 ? 10 : 12;
  if (size < fixed) refuse_npy(place, "it has " + std::to_string(size) + " bytes", why_npy);
  std::uint64_t const length = major == 1 ? load<std::uint16_t>(start, 8) : load<std::uint32_t>(start, 8);
  if (length > size - fixed) {
    refuse_npy(place,
               "its header should be " + std::to_string(length) + " bytes long, but " + std::to_string(size - fixed) +
                   " follow",
               "it was cut short");
  }
  if (length > max_npy_header - fixed) {
    refuse_npy(place, "its header is " + std::to_string(length) + " bytes long",
               "up to " + std::to_string(max_npy_header - fixed) + " are read");
  }
  Header const header = HeaderReader(place, text.substr(fixed, length)).read();
  auto const dtype = dtype_of(header.descr);
  Tensor tensor{.name = name,
                .dtype = dtype.value_or(header.descr),
                .shape = header.shape,
                .at = {.bytes = {}, .size = size - fixed - length, .before = fixed + length}};
  if (!dtype) {
    tensor.fault = fault_of(header.descr);
    return tensor;
  }
  auto const expected = array_size(*dtype_size(*dtype), tensor.shape);
  if (expected != tensor.at.size) {
    refuse_npy(place, std::to_string(tensor.at.size) + " bytes follow its header",
               tensor.dtype + " " + tensor.shape_text() + " takes " +
                   (expected ? std::to_string(*expected) : "more than 2^64"));
  }
  // In one dimension the two orders are the same.
  if (header.fortran_order && std::ranges::count_if(tensor.shape, [](auto n) { return n > 1; }) > 1) {
    tensor.fault =
        "is in Fortran order, column after column (rows are read as they lie in the file) save "
        "numpy.ascontiguousarray(x)";
  }
  return tensor;
}

RowFileCard npy_rows() {
  return {.name = ".npy",
          .summary = "two files by NumPy, an array of one model's rows in each",
          .one_model = true,
          .begins =
              [](auto bytes) {
                return std::string_view(reinterpret_cast<char const*>(bytes.data()), bytes.size())
                    .starts_with("\x93NUMPY");
              },
          .open = open_arrays<read_npy>};
}

TensorList read_npy(std::string const& file, std::span<std::uint8_t const> bytes) {
  TensorList list;
  list.tensors.push_back(read_npy_header(file, "array", bytes, bytes.size()));
  list.tensors[0].at.bytes = bytes;
  return list;
}

}  // namespace draftgauge
