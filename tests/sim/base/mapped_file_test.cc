#include "sim/base/mapped_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

constexpr char const* advice = " (distributions and recordings are read from files and pipes) check the path";

std::string mapping_error(std::string const& path) {
  return testing::message<InputError>([&] { MappedFile const file(path); });
}

TEST_CASE("a file's bytes are there while it is mapped") {
  TemporaryFile const file(".bin", "abc");
  MappedFile mapped(file.path());
  MappedFile moved(std::move(mapped));
  REQUIRE(moved.bytes().size() == 3);
  CHECK(moved.bytes()[2] == 'c');
  TemporaryFile const other(".bin", "x");
  moved = MappedFile(other.path());
  CHECK(moved.bytes().size() == 1);
  TemporaryFile const empty(".bin", "");
  CHECK(MappedFile(empty.path()).bytes().empty());
}

TEST_CASE("bytes that were put aside are read again") {
  std::string const content(100'000, 'x');
  TemporaryFile const file(".bin", content);
  MappedFile const mapped(file.path());
  for (auto const& [begin, size] : {std::pair(1, 99'998), {0, 100'000}, {5, 10}, {0, 0}}) {
    mapped.put_aside(mapped.bytes().subspan(begin, size));
    CHECK(std::ranges::equal(mapped.bytes(), content));
  }
}

TEST_CASE("memory outside of the mapping is not put aside") {
  std::string const content(100'000, 'x');
  TemporaryFile const file(".bin", content);
  MappedFile const mapped(file.path());
  std::vector<std::uint8_t> const converted(1 << 20, 7);
  mapped.put_aside(converted);
  REQUIRE(std::ranges::count(converted, 7) == 1 << 20);
  // From there to the mapping, or the other way round: whatever lies between is left, and the mapping may go.
  auto const *first = converted.data(), *second = mapped.bytes().data();
  if (std::less<>()(second, first)) std::swap(first, second);
  mapped.put_aside(
      {first, reinterpret_cast<std::uintptr_t>(second) - reinterpret_cast<std::uintptr_t>(first) + 65'536});
  CHECK(std::ranges::count(converted, 7) == 1 << 20);
  CHECK(std::ranges::equal(mapped.bytes(), content));
  TemporaryFile const empty(".bin", "");
  MappedFile(empty.path()).put_aside(converted);
  CHECK(std::ranges::count(converted, 7) == 1 << 20);
}

TEST_CASE("what cannot be read is refused by name") {
  CHECK(mapping_error("/nowhere/at/all") ==
        "/nowhere/at/all: there is no such file (distributions and recordings are read from "
        "files and pipes) there is no folder '/nowhere'");
  CHECK(mapping_error("/tmp") == std::string("/tmp: it is a folder") + advice);
  CHECK(mapping_error("/dev/null") == std::string("/dev/null: it is neither a file nor a pipe") + advice);
  TemporaryFile const locked(".bin", "abc");
  std::filesystem::permissions(locked.path(), std::filesystem::perms::none);
  if (::access(locked.path().c_str(), R_OK) != 0)  // root may read everything
    CHECK(mapping_error(locked.path()) == locked.path() + ": it may not be read" + advice);
}

}  // namespace
}  // namespace draftgauge
