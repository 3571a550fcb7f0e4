#include "sim/recordings/formats/safetensors.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "tests/message.h"
#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

std::string safetensors_error(std::string const& header, std::string const& data = "") {
  std::string const bytes = tensor_bytes(header, data);
  return testing::message<InputError>([&] { read_safetensors("x", as_bytes(bytes)); });
}

std::string tensor(std::string const& name, std::string const& dtype, std::string const& shape,
                   std::string const& at) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + shape + "],\"data_offsets\":[" + at + "]}";
}

std::vector<double> numbers_of(Tensor const& tensor) {
  std::vector<double> out;
  for_each_piece("x", tensor,
                 [&](std::span<double const> piece) { out.insert(out.end(), piece.begin(), piece.end()); });
  return out;
}

TEST_CASE("tensors and metadata are found, in the order of their bytes") {
  std::string const bytes =
      tensor_bytes("{\"__metadata__\":{\"made\":\"by hand\"}," + tensor("b", "I64", "1", "8,16") + "," +
                       tensor("a", "F32", "1,2", "0,8") + "," + tensor("none", "F16", "0,7", "16,16") + "}   ",
                   raw({1.5f, -INFINITY}) + raw({std::int64_t{-7}}));
  TensorList const list = read_safetensors("x", as_bytes(bytes));
  REQUIRE(list.tensors.size() == 3);
  CHECK(list.tensors[0].name == "a");
  CHECK(list.metadata.at("made") == "by hand");
  Tensor const& a = *list.find("a");
  CHECK((a.is_float() && !a.is_integer() && a.elements() == 2 && a.shape_text() == "[1, 2]"));
  CHECK(numbers_of(a) == std::vector{1.5, -HUGE_VAL});
  CHECK(read_integers("x", *list.find("b")) == std::vector<std::int64_t>{-7});
  CHECK(list.find("none")->elements() == 0);
  CHECK(list.find("c") == nullptr);
}

TEST_CASE("every dtype reads its numbers exactly") {
  auto const floats = [](std::string const& dtype, std::string const& data, std::size_t count) {
    std::string const bytes =
        tensor_bytes("{" + tensor("t", dtype, std::to_string(count), "0," + std::to_string(data.size())) + "}", data);
    TensorList const list = read_safetensors("x", as_bytes(bytes));
    return numbers_of(list.tensors[0]);
  };
  // 1, −2, the largest half, the smallest normal and subnormal, −0, ∞ (IEEE 754-2019, table 3.5).
  auto const half = floats("F16", raw<std::uint16_t>({0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x8000, 0x7c00}), 7);
  CHECK(half == std::vector{1.0, -2.0, 65504.0, 0x1p-14, 0x1p-24, -0.0, HUGE_VAL});
  CHECK(std::signbit(half[5]));
  CHECK(std::isnan(floats("F16", raw<std::uint16_t>({0x7e00}), 1)[0]));
  CHECK(floats("BF16", raw<std::uint16_t>({0x3f80, 0xc040, 0xff80}), 3) == std::vector{1.0, -3.0, -HUGE_VAL});
  CHECK(floats("F64", raw({0.1, -1e300}), 2) == std::vector{0.1, -1e300});

  auto const integers = [](std::string const& dtype, std::string const& data) {
    std::string const bytes =
        tensor_bytes("{" + tensor("t", dtype, "1", "0," + std::to_string(data.size())) + "}", data);
    TensorList const list = read_safetensors("x", as_bytes(bytes));
    return read_integers("x", list.tensors[0])[0];
  };
  CHECK(integers("I8", raw<std::int8_t>({-3})) == -3);
  CHECK(integers("U8", raw<std::uint8_t>({253})) == 253);
  CHECK(integers("I16", raw<std::int16_t>({-300})) == -300);
  CHECK(integers("U16", raw<std::uint16_t>({65000})) == 65000);
  CHECK(integers("I32", raw<std::int32_t>({-70000})) == -70000);
  CHECK(integers("U32", raw<std::uint32_t>({4000000000})) == 4000000000);
  CHECK(integers("U64", raw<std::uint64_t>({9})) == 9);
  CHECK(testing::message<InputError>([&] { integers("U64", raw<std::uint64_t>({std::uint64_t{1} << 63})); }) ==
        "x: t, entry 0 is 9223372036854775808 (numbers up to 2^63 - 1 are read) write the tensor as I64");
}

TEST_CASE("numbers of a dtype that is known and not read are refused and not taken for 0") {
  auto const error = [](std::string const& dtype, auto const& read, std::size_t size = 1) {
    std::string const bytes =
        tensor_bytes("{" + tensor("t", dtype, "1", "0," + std::to_string(size)) + "}", std::string(size, '\1'));
    TensorList const list = read_safetensors("x", as_bytes(bytes));
    return testing::message<InputError>([&] { read(list.tensors[0]); });
  };
  auto const integers_of = [](Tensor const& tensor) { return read_integers("x", tensor); };
  for (std::string const dtype : {"BOOL", "F8_E5M2", "F8_E4M3"}) {
    CHECK(error(dtype, numbers_of) ==
          "x: t is " + dtype +
              " [1] (numbers are read of U8, I8, I16, U16, F16, BF16, I32, U32, F32, I64, U64, F64) write it as F32");
    CHECK(error(dtype, integers_of) ==
          "x: t is " + dtype +
              " [1] (whole numbers are read of U8, I8, I16, U16, I32, U32, I64, U64) write it as I64");
  }
  CHECK(error("F32", integers_of, 4) ==
        "x: t is F32 [1] (whole numbers are read of U8, I8, I16, U16, I32, U32, I64, U64) write it as I64");
}

TEST_CASE("the length of the header is not believed") {
  auto const error = [](std::string const& bytes) {
    return testing::message<InputError>([&] { read_safetensors("x", as_bytes(bytes)); });
  };
  CHECK(error("") ==
        "x: it has 0 bytes (a safetensors file begins with 8 bytes of length) check that it is one and "
        "was copied whole");
  CHECK(error(raw<std::uint64_t>({std::uint64_t{1} << 63}) + "{}") ==
        "x: its header should be 9223372036854775808 bytes long, but 2 follow (the file was cut short or is not "
        "safetensors) copy it again");
  CHECK(error(raw<std::uint64_t>({~std::uint64_t{0}}) + "{}") ==
        "x: its header should be 18446744073709551615 bytes long, but 2 follow (the file was cut short or is not "
        "safetensors) copy it again");
  CHECK(error(raw<std::uint64_t>({3}) + "{}") ==
        "x: its header should be 3 bytes long, but 2 follow (the file was "
        "cut short or is not safetensors) copy it again");
  CHECK(error(tensor_bytes(std::string(max_tensor_header + 1, ' '), "")) ==
        "x: its header is 100000001 bytes long (up to 100000000 are read) check that it is a safetensors file");
}

TEST_CASE("a file has a hundred thousand tensors at most, and an error names a few") {
  auto const header = [](std::size_t tensors) {
    std::string text = "{";
    for (std::size_t i = 0; i < tensors; ++i)
      text += (i > 0 ? ",\"t" : "\"t") + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    return text + "}";
  };
  CHECK(safetensors_error(header(most_arrays)) == "(no error)");
  CHECK(safetensors_error(header(most_arrays + 1)) ==
        "x: it has 100001 tensors (up to 100000 are read) write the tensors of the recording alone");
  TensorList list;
  for (char name = 'a'; name <= 'z'; ++name)
    list.tensors.push_back({.name = {name}, .dtype = "U8", .shape = {}, .at = {}});
  CHECK(list.names() == "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, …");
}

TEST_CASE("the header must be what the format says") {
  std::string const not_json = " on (it says where the tensors lie) check that it is a safetensors file, and whole";
  CHECK(safetensors_error("{") == "x: its header is not JSON from its byte 1 of 1" + not_json);
  CHECK(safetensors_error("") == "x: its header is not JSON from its byte 0 of 0" + not_json);
  CHECK(safetensors_error("{\"a\": }") == "x: its header is not JSON from its byte 7 of 7" + not_json);
  CHECK(safetensors_error("{\"a\": 1e999}") ==
        "x: its header has a number that is out of range (it says where the tensors lie) check that it is a "
        "safetensors file, and whole");
  CHECK(safetensors_error("[]") ==
        "x: its header is not a JSON object (it says where the tensors lie) check that it is a "
        "safetensors file");
  CHECK(safetensors_error("{\"t\":{\"shape\":[[1]]}}") ==
        "x: its header is nested deeper than 3 levels (no format that is read is so deep) check that it is the right "
        "file");
  CHECK(safetensors_error(std::string(100000, '[')).find("nested deeper than 3") != std::string::npos);
  CHECK(safetensors_error("{\"t\":1,\"t\":2}") ==
        "x: its header has the key 't' twice (readers differ in which of them they take) keep one");
  CHECK(safetensors_error("{\"t\":{\"dtype\":\"F16\",\"dtype\":\"F32\"}}").find("has the key 'dtype' twice") !=
        std::string::npos);
  CHECK(safetensors_error("{\"__metadata__\":3}") ==
        "x: '__metadata__' is not an object (it holds text by name) write the file again");
  CHECK(safetensors_error("{\"__metadata__\":{\"a\":3}}") ==
        "x: 'a' in '__metadata__' is not text (the format allows no other) write the file again");
}

TEST_CASE("a tensor's words are compared with the bytes that are there") {
  std::string const four(4, '\0');
  auto const one = [&](std::string const& t) { return safetensors_error("{" + t + "}", four); };
  CHECK(one(tensor("t", "F16", "2", "0,4")) == "(no error)");
  CHECK(
      one("\"t\":{\"dtype\":\"F16\",\"shape\":[2]}") ==
      "x: tensor 't' lacks a field or has another (a tensor has dtype, shape and data_offsets) write the file again");
  CHECK(
      one("\"t\":{\"dtype\":3,\"shape\":[2],\"data_offsets\":[0,4]}") ==
      "x: tensor 't' has a dtype that is not text (a tensor has dtype, shape and data_offsets) write the file again");
  CHECK(one(tensor("t", "F15", "2", "0,4")).starts_with("x: tensor 't' has the dtype 'F15' (known are BOOL, U8, "));
  CHECK(one(tensor("t", "F16", "-2", "0,4")) ==
        "x: tensor 't' has -2 in its shape (it is a list of whole numbers) write the file again");
  CHECK(one(tensor("t", "F16", "2.0", "0,4")) ==
        "x: tensor 't' has 2.0 in its shape (it is a list of whole numbers) write the file again");
  CHECK(one(tensor("t", "F16", "18446744073709551616", "0,4")).find("in its shape") != std::string::npos);
  CHECK(one("\"t\":{\"dtype\":\"F16\",\"shape\":2,\"data_offsets\":[0,4]}") ==
        "x: tensor 't' has a shape that is not a list (it is a list of whole numbers) write the file again");
  CHECK(one(tensor("t", "F16", "2", "0,4,8")) == "x: tensor 't' has 3 data_offsets (2 belong) write the file again");
  CHECK(
      one(tensor("t", "F16", "3", "0,6")) ==
      "x: it is truncated: it ends after 4 of the 6 bytes of data that its header declares (tensor 't' is cut) copy "
      "it again, or write it again");
  CHECK(
      one(tensor("a", "F16", "1", "0,2") + "," + tensor("b", "F16", "2", "2,6") + "," +
          tensor("c", "F16", "1", "6,8")) ==
      "x: it is truncated: it ends after 4 of the 8 bytes of data that its header declares (tensor 'a' is whole, 'b' "
      "is cut, 'c' is missing) copy it again, or write it again");
  CHECK(one(tensor("t", "F16", "2", "4,0")) ==
        "x: tensor 't' lies at bytes 4 to 0 of 4 (its bytes must be in the file) write the file again");
  CHECK(one(tensor("t", "F16", "2", "18446744073709551615,4")).find("must be in the file") != std::string::npos);
  CHECK(one(tensor("t", "F16", "3", "0,4")) == "x: tensor 't' has 4 bytes (F16 [3] takes 6) write the file again");
  // 2^33 · 2^31 · 2 bytes is 0 modulo 2^64.
  CHECK(safetensors_error("{" + tensor("t", "F16", "8589934592,2147483648", "0,0") + "}") ==
        "x: tensor 't' has 0 bytes (F16 [8589934592, 2147483648] takes more than 2^64) write the file again");
  CHECK(safetensors_error("{" + tensor("t", "F16", "8589934592,2147483648,0", "0,0") + "}") == "(no error)");
}

TEST_CASE("every byte belongs to one tensor") {
  std::string const eight(8, '\0');
  auto const two = [&](std::string const& a, std::string const& b) {
    return safetensors_error("{" + tensor("a", "U8", "4", a) + "," + tensor("b", "U8", "4", b) + "}", eight);
  };
  CHECK(two("0,4", "4,8") == "(no error)");
  CHECK(two("4,8", "0,4") == "(no error)");
  CHECK(two("0,4", "3,7") == "x: tensor 'b' overlaps 'a' (each byte belongs to one tensor) write the file again");
  CHECK(two("0,4", "0,4") == "x: tensor 'b' overlaps 'a' (each byte belongs to one tensor) write the file again");
  CHECK(safetensors_error("{" + tensor("a", "U8", "4", "4,8") + "}", eight) ==
        "x: bytes 0 to 4 of the data belong to no tensor (each byte belongs to one tensor) write the file again");
  CHECK(safetensors_error("{" + tensor("a", "U8", "4", "0,4") + "}", eight) ==
        "x: bytes 4 to 8 of the data belong to no tensor (each byte belongs to one tensor) write the file again");
  CHECK(safetensors_error("{}", eight).find("bytes 0 to 8") != std::string::npos);
}

TEST_CASE("a file that was cut short anywhere is refused") {
  std::string const whole = tensor_bytes("{" + tensor("a", "F16", "3", "0,6") + "}", std::string(6, 'x'));
  CHECK_NOTHROW(read_safetensors("x", as_bytes(whole)));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::string const part = whole.substr(0, length);
    CHECK_THROWS_AS(read_safetensors("x", as_bytes(part)), InputError);
  }
}

}  // namespace
}  // namespace draftgauge
