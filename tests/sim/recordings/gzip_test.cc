#include "sim/recordings/gzip.h"

#include <catch2/catch.hpp>

#include "sim/error.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// "seq,logp,logq\n0,-1,-2\n0,-.5,-.25\n", as Python's gzip.compress(…, mtime=0) packs it.
std::string const packed(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x4e\x2d\xd4\xc9\xc9\x4f\x2f\x00\x11\x85\x5c\x06\x3a\xba\x86\x3a\xba"
    "\x46\x20\x5a\xcf\x14\x88\x8d\x4c\xb9\x00\xea\x00\xb6\x83\x21\x00\x00\x00",
    46);
std::string const plain = "seq,logp,logq\n0,-1,-2\n0,-.5,-.25\n";

std::string refused(std::string const& bytes, std::uint64_t most = 1000) {
  return message_of<InputError>([&] { gunzip("x.gz", as_bytes(bytes), most); });
}

TEST_CASE("gzip's members are unpacked one after the other") {
  CHECK(begins_gzip(as_bytes(packed)));
  CHECK_FALSE(begins_gzip(as_bytes(plain)));
  CHECK(gunzip("x.gz", as_bytes(packed), 1000) == plain);
  CHECK(gunzip("x.gz", as_bytes(packed + packed), 1000) == plain + plain);
  CHECK(gunzip("x.gz", as_bytes(packed + std::string(512, '\0')), 1000) == plain);
  CHECK(gunzip("x.gz", as_bytes(packed), plain.size()) == plain);
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
