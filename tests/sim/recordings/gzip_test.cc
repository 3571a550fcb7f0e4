#include "sim/recordings/gzip.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>

#include "sim/base/error.h"
#include "tests/message.h"
#include "tests/sim/packed_text.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const &packed = testing::packed_text, &plain = testing::plain_text;

std::string refused(std::string const& bytes, std::uint64_t most = 1000) {
  return testing::message<InputError>([&] { gunzip("x.gz", as_bytes(bytes), most); });
}

TEST_CASE("gzip's members are unpacked one after the other") {
  CHECK(begins_gzip(as_bytes(packed)));
  CHECK_FALSE(begins_gzip(as_bytes(plain)));
  CHECK(gunzip("x.gz", as_bytes(packed), 1000) == plain);
  CHECK(gunzip("x.gz", as_bytes(packed + packed), 1000) == plain + plain);
  CHECK(gunzip("x.gz", as_bytes(packed + std::string(512, '\0')), 1000) == plain);
  CHECK(gunzip("x.gz", as_bytes(packed), plain.size()) == plain);
}

TEST_CASE("a member costs what it unpacks to: many empty ones are read at once") {
  // RFC 1952: the header, an empty block of deflate, and the CRC and the size of nothing.
  std::string const empty("\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", 20);
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += empty;
  auto const begin = std::chrono::steady_clock::now();
  CHECK(gunzip("x.gz", as_bytes(many + packed), 1000) == plain);
  CHECK(gunzip("x.gz", as_bytes(many + packed), 10'000'000) == plain);
  // A mebibyte cleared for each would be 200 GB, tens of seconds.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE("the most that may be unpacked is any number") {
  CHECK(gunzip("x.gz", as_bytes(packed + packed), UINT64_MAX) == plain + plain);
  CHECK(refused(packed, 0).starts_with("x.gz: it unpacks to more than 0 MiB"));
}

TEST_CASE("what is damaged, cut short or too large is said") {
  std::string const copy = " (the file was cut short or damaged) copy or pack it again";
  for (std::size_t size = 2; size < packed.size(); ++size) {
    INFO(size);
    CHECK(refused(packed.substr(0, size)) == "x.gz: its packed bytes end too soon, at byte " + std::to_string(size) +
                                                 " of " + std::to_string(size) + " of the gzip file" + copy);
  }
  CHECK(refused(packed + "more") ==
        "x.gz: something else than gzip follows at byte 46 of 50 of the gzip file" + copy);
  for (std::size_t at = 10; at < packed.size(); ++at) {  // behind the header, of which not all bytes count
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    INFO(at);
    CHECK(refused(damaged).starts_with("x.gz: it"));
  }
  CHECK(refused(packed, plain.size() - 1) ==
        "x.gz: it unpacks to more than 0 MiB (what is unpacked is held in memory) unpack it first: gunzip x.gz");
}

}  // namespace
}  // namespace draftgauge
