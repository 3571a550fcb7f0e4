#include "sim/base/sha256.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "tests/random.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string digest(std::string_view text, Sha256Blocks compress) {
  Sha256 hash(compress);
  hash.update(text);
  return hash.hex();
}

TEST_CASE("SHA-256 gives the published digests, on any machine and by this one's instructions") {
  // The same twice where the machine has none for it.
  Sha256Blocks const compress = GENERATE(&sha256_blocks_portable, sha256_blocks_fastest());
  // NIST's examples for FIPS 180-4 and the empty message.
  CHECK(digest("", compress) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest("abc", compress) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", compress) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(digest(std::string(1'000'000, 'a'), compress) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("this machine's instructions and portable code give one digest, however a stream is split") {
  testing::Random random(5);
  std::string text(5000, '\0');
  for (char& c : text) c = static_cast<char>(random.word());
  for (std::size_t length = 0; length <= 300; ++length) {
    // Blocks begin at every place in memory relative to 16 bytes.
    std::string_view const part = std::string_view(text).substr(length % 16, length);
    REQUIRE(digest(part, sha256_blocks_fastest()) == digest(part, sha256_blocks_portable));
  }
  std::string const expected = digest(text, sha256_blocks_portable);
  for (int run = 0; run < 200; ++run) {
    Sha256 hash(sha256_blocks_fastest());
    for (std::string_view rest = text; !rest.empty();) {
      std::size_t const size = std::min<std::size_t>(random.below(400), rest.size());
      hash.update(rest.substr(0, size));
      rest.remove_prefix(size);
    }
    REQUIRE(hash.hex() == expected);
  }
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
