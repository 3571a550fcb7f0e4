#include "sim/base/bytes_text.h"

#include <catch2/catch.hpp>

using draftgauge::bytes_text;

TEST_CASE("memory is said in four digits") {
  CHECK(bytes_text(0) == "0 bytes");
  CHECK(bytes_text(1023) == "1023 bytes");
  CHECK(bytes_text(1024) == "1 KiB");
  CHECK(bytes_text(21'474'836) == "20.48 MiB");
  CHECK(bytes_text(std::uint64_t{13} << 30) == "13 GiB");
  CHECK(bytes_text(std::uint64_t{1} << 63) == "8388608 TiB");
}
