#include "sim/recordings/formats/npy.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "sim/base/mapped_file.h"
#include "tests/message.h"
#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

Tensor read_one(std::string const& bytes) { return read_npy("x", as_bytes(bytes)).tensors.at(0); }

std::string npy_error(std::string const& bytes) {
  std::string const message = testing::message<InputError>([&] { read_one(bytes); });
  return message == "(no error)" ? message : behind_path(message, "x");
}

std::string fault_of_file(std::string const& name) {
  MappedFile const file(row_file(name));
  TensorList const list = read_npy("x", file.bytes());
  Tensor const& tensor = list.tensors.at(0);
  CHECK_FALSE((tensor.is_float() || tensor.is_integer() || tensor.elements() > 0));
  return tensor.fault;
}

std::vector<double> numbers_of_file(std::string const& name) {
  MappedFile const file(row_file(name));
  TensorList const list = read_npy("x", file.bytes());
  CHECK(list.tensors.at(0).fault.empty());
  std::vector<double> out;
  for_each_piece("x", list.tensors[0],
                 [&](std::span<double const> piece) { out.insert(out.end(), piece.begin(), piece.end()); });
  return out;
}

TEST_CASE("arrays as NumPy writes them, in every type and version that is read") {
  for (char const* name : {"target_f2.npy", "target_f4.npy", "target_f8.npy", "target_bf16.npy", "target_v2.npy",
                           "target_v3.npy", "batch_f4.npy"}) {
    INFO(name);
    CHECK(numbers_of_file(name) == written_target());
  }
  CHECK(numbers_of_file("integers.npy") == std::vector<double>{0, 1, 2, 3, 4, 5});
  CHECK(numbers_of_file("empty.npy").empty());
}

TEST_CASE("arrays of NumPy's that are not read say why, and what to do") {
  CHECK(fault_of_file("fortran.npy") ==
        "is in Fortran order, column after column (rows are read as they lie in the file) save "
        "numpy.ascontiguousarray(x)");
  CHECK(fault_of_file("big_endian.npy") ==
        "is big-endian, >f4 (numbers are read as little-endian machines write them) save x.astype('<f4')");
  CHECK(fault_of_file("objects.npy") ==
        "holds Python objects (they are pickles, and running one may do anything) save an array of numbers, or each "
        "array under a name of its own with numpy.savez");
  CHECK(fault_of_file("text.npy") ==
        "has the type '<U1' (arrays of f2, f4, f8, bfloat16 and integers are read) save x.astype('<f4')");
  CHECK(fault_of_file("complex.npy").starts_with("has the type '<c8'"));
  CHECK(fault_of_file("record.npy").starts_with("has the type 'fields'"));
  // A type of that name would be a fault, too: it is safetensors' name, not NumPy's.
  CHECK(read_one(npy_of("F32", "1,", "1234")).fault.starts_with("has the type 'F32'"));
}

TEST_CASE("a header may be written in any order and spacing of its dictionary") {
  std::string const data = raw({1.5f, 2.0f});
  for (char const* dictionary : {"{'shape':(2,),'fortran_order':False,'descr':'<f4'}",
                                 "  { \"descr\" :\n'<f4' , 'shape' : ( 2 , ) , "
                                 "'fortran_order' : False , }  ",
                                 "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 1)}"}) {
    Tensor const tensor = read_one(npy_bytes(dictionary, data));
    CHECK((tensor.dtype == "F32" && tensor.elements() == 2 && tensor.fault.empty()));
  }
  CHECK(read_one(npy_of("<i4", "", raw({7}))).shape.empty());
  CHECK(read_one(npy_of("<f4", "0, 18446744073709551615", "")).elements() == 0);
}

TEST_CASE("a header is a dictionary of three keys and nothing else") {
  std::string const what =
      " (it is a dictionary of 'descr', 'fortran_order' and 'shape') write it again with numpy.save";
  auto const error = [](std::string const& dictionary) { return npy_error(npy_bytes(dictionary, "")); };
  std::string const most = "'descr': '<f4', 'fortran_order': False";
  CHECK(error("") == "its header has no '{' at byte 1" + what);
  CHECK(error("__import__('os').system('true')") == "its header has no '{' at byte 0" + what);
  CHECK(error("{" + most + "}") == "its header lacks one of descr, fortran_order and shape at byte 41" + what);
  CHECK(error("{'a': 1}") == "its header has the key 'a' at byte 4" + what);
  CHECK(error("{'shape': (), 'shape': ()}") == "its header has the key 'shape' twice at byte 21" + what);
  CHECK(error("{shape: ()}") == "its header has no text in quotes at byte 1" + what);
  CHECK(error("{'shape") == "its header has a quote that is not closed at byte 1" + what);
  CHECK(error("{'descr': '\\x3cf4'}") == "its header has a \\ in a text at byte 10" + what);
  CHECK(error("{'shape' ()}") == "its header has no ':' at byte 9" + what);
  CHECK(error("{'descr': '<f4' 'shape': ()}") == "its header has no '}' at byte 16" + what);
  CHECK(error("{'fortran_order': 0}") ==
        "its header has a fortran_order that is neither True nor False at byte 18" + what);
  CHECK(error("{'shape': [2]}") == "its header has no '(' at byte 10" + what);
  CHECK(error("{'shape': (2)}") == "its header has a shape that is not a tuple at byte 12" + what);
  CHECK(error("{'shape': (2, 3") == "its header has no ')' at byte 16" + what);
  CHECK(error("{'shape': (-1,)}") == "its header has no whole number at byte 11" + what);
  CHECK(error("{'shape': (1e3,)}") == "its header has a shape that is not a tuple at byte 12" + what);
  CHECK(error("{'shape': (18446744073709551616,)}") == "its header has a number of 2^64 or more at byte 30" + what);
  CHECK(error("{" + most + ", 'shape': ()} + 1") == "its header goes on behind its dictionary at byte 54" + what);
  CHECK(error("{'descr': [[[[") == "its header has no text in quotes at byte 15" + what);
}

TEST_CASE("an .npy's lengths are compared with the bytes that are there") {
  CHECK(npy_error("\x93NUMPX\1\0\0\0") ==
        "its first bytes are not those of an .npy (an .npy begins with \\x93NUMPY and a version) write it again with "
        "numpy.save");
  CHECK(npy_error("\x93NUMPY") == npy_error(""));
  CHECK(npy_error(npy_bytes("{}", "", 4)) ==
        "it has the version 4.0 (known are 1.0, 2.0 and 3.0) write it again with numpy.save");
  std::string minor = npy_bytes("{}", "");
  minor[7] = 1;
  CHECK(npy_error(minor).starts_with("it has the version 1.1 "));
  CHECK(npy_error("\x93NUMPY\2" + std::string(3, '\0')) ==
        "it has 10 bytes (an .npy begins with \\x93NUMPY and a version) write it again with numpy.save");
  CHECK(npy_error("\x93NUMPY\1" + std::string(1, '\0') + raw<std::uint16_t>({7}) + "{}") ==
        "its header should be 7 bytes long, but 2 follow (it was cut short) write it again with numpy.save");
  CHECK(npy_error("\x93NUMPY\2" + std::string(1, '\0') + raw<std::uint32_t>({~0u}) + "{}")
            .starts_with("its header should be 4294967295 bytes long, but 2 follow"));
  CHECK(npy_error(npy_bytes(std::string(70000, ' '), "", 2)) ==
        "its header is 70001 bytes long (up to 65524 are read) write it again with numpy.save");
  CHECK(npy_error(npy_of("<f4", "3,", std::string(8, 'x'))) ==
        "8 bytes follow its header (F32 [3] takes 12) write it again with numpy.save");
  CHECK(
      npy_error(npy_of("<f4", "2,", std::string(9, 'x'))).starts_with("9 bytes follow its header (F32 [2] takes 8)"));
  // 2^33 · 2^31 · 4 bytes is 0 modulo 2^64.
  CHECK(
      npy_error(npy_of("<f4", "8589934592, 2147483648", "")) ==
      "0 bytes follow its header (F32 [8589934592, 2147483648] takes more than 2^64) write it again with numpy.save");
  std::string const whole = npy_of("<f2", "2, 1", "abcd");
  CHECK_NOTHROW(read_one(whole));
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_THROWS_AS(read_one(whole.substr(0, length)), InputError);
}

}  // namespace
}  // namespace draftgauge
