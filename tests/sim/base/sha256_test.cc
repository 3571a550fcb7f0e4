#include "sim/base/sha256.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

TEST_CASE("SHA-256 gives the published digests") {
  // NIST's examples for FIPS 180-4 and the empty message.
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the pieces in which a stream arrives do not matter") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (std::size_t length = 0; length <= text.size(); ++length) {
    std::string_view const part(text.data(), length);
    Sha256 by_bytes;
    for (char const& c : part) by_bytes.update({&c, 1});
    Sha256 in_two;
    in_two.update(part.substr(0, length / 3));
    CHECK(in_two.hex().size() == 64);
    in_two.update(part.substr(length / 3));
    REQUIRE(by_bytes.hex() == sha256_hex(part));
    REQUIRE(in_two.hex() == sha256_hex(part));
  }
}

TEST_CASE("a file's digest is that of its bytes, and a file that cannot be read is named") {
  std::string gone;
  for (std::string const& content : {std::string(200'000, 'x'), std::string()}) {
    TemporaryFile const file("", content);
    CHECK(sha256_of_file(file.path()) == sha256_hex(content));
    gone = file.path();
  }
  CHECK_THROWS_WITH(sha256_of_file(gone), gone +
                                              ": there is no such file (distributions and recordings are "
                                              "read from files and pipes) check the path");
}

}  // namespace
}  // namespace draftgauge
