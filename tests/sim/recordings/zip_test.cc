#include "sim/recordings/zip.h"

#include <catch2/catch.hpp>
#include <functional>

#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "sim/recordings/byte_reader.h"
#include "sim/recordings/formats/npz.h"
#include "tests/message.h"
#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

/// The fields of a zip archive's records, so that a test may get one of them wrong.
struct Member {
  std::string name = "a", bytes = "12345";
  std::uint16_t flags = 0, method = 0, part = 0;
  std::uint32_t crc = 0xcbf53a1c;  ///< of "12345"
  std::uint32_t packed = 5, size = 5;
  std::int64_t at = -1;  ///< where the directory says it is; -1: where it is
  std::string extra = {};
  std::string name_there = {};          ///< in its own header, where another
  std::uint16_t method_there = 0xffff;  ///< the same
};

struct Archive {
  std::vector<Member> members = {Member{}};
  std::uint16_t part = 0;
  int entries_off = 0, size_off = 0, offset_off = 0;
  std::string before_directory = {}, before_end = {}, comment = {};
  bool zip64 = false;
  std::uint64_t end64_off = 0;

  std::string bytes() const {
    using U16 = std::uint16_t;
    using U32 = std::uint32_t;
    std::string out, directory;
    for (Member const& m : members) {
      auto const at = static_cast<U32>(m.at < 0 ? static_cast<std::int64_t>(out.size()) : m.at);
      std::string const& there = m.name_there.empty() ? m.name : m.name_there;
      out += "PK\3\4" + raw<U16>({20, m.flags, m.method_there == 0xffff ? m.method : m.method_there, 0, 0}) +
             raw<U32>({m.crc, m.packed, m.size}) + raw<U16>({static_cast<U16>(there.size()), 0}) + there + m.bytes;
      directory += "PK\1\2" + raw<U16>({20, 20, m.flags, m.method, 0, 0}) + raw<U32>({m.crc, m.packed, m.size}) +
                   raw<U16>({static_cast<U16>(m.name.size()), static_cast<U16>(m.extra.size()), 0, m.part, 0}) +
                   raw<U32>({0, at}) + m.name + m.extra;
    }
    out += before_directory;
    std::uint64_t const offset = out.size() + static_cast<std::uint64_t>(offset_off);
    std::uint64_t const size = directory.size() + static_cast<std::uint64_t>(size_off);
    std::uint64_t const entries = members.size() + static_cast<std::uint64_t>(entries_off);
    out += directory + before_end;
    if (zip64) {
      std::uint64_t const end64 = out.size() + end64_off;
      out += "PK\6\6" + raw<std::uint64_t>({44}) + raw<U16>({45, 45}) + raw<U32>({part, 0}) +
             raw<std::uint64_t>({entries, entries, size, offset});
      out += "PK\6\7" + raw<U32>({0}) + raw<std::uint64_t>({end64}) + raw<U32>({1});
      out += "PK\5\6" + raw<U16>({0, 0, 0xffff, 0xffff}) + raw<U32>({~0u, ~0u}) + raw<U16>({0});
      return out;
    }
    return out + "PK\5\6" + raw<U16>({part, 0, static_cast<U16>(entries), static_cast<U16>(entries)}) +
           raw<U32>({static_cast<U32>(size), static_cast<U32>(offset)}) +
           raw<U16>({static_cast<U16>(comment.size())}) + comment;
  }
};

std::string zip_error(Archive const& archive) {
  std::string const bytes = archive.bytes();
  std::string const message = testing::message<InputError>([&] { read_zip("x", as_bytes(bytes)); });
  return message == "(no error)" ? message : behind_path(message, "x");
}

std::string zip_error(std::function<void(Member&)> const& change) {
  Archive archive;
  change(archive.members[0]);
  return zip_error(archive);
}

std::string const zip_advice = " copy it again, or write it again with numpy.savez";
std::string const damaged = " (the file was damaged)" + zip_advice;

TEST_CASE("members are found by the directory at the archive's end") {
  Archive archive;
  archive.members = {Member{}, Member{.name = "folder/", .bytes = "", .crc = 0, .packed = 0, .size = 0},
                     Member{.name = "b", .bytes = "xyz", .packed = 3, .size = 3}};
  for (char const* comment : {"", "PK\5\6 is in this comment, which is longer than a record"}) {
    archive.comment = comment;
    std::string const bytes = archive.bytes();
    auto const members = read_zip("x", as_bytes(bytes));
    REQUIRE(members.size() == 2);
    CHECK((members[0].name == "a" && members[0].size == 5 && members[0].crc == 0xcbf53a1c && !members[0].deflated));
    CHECK((members[1].bytes.size() == 3 && members[1].bytes[0] == 'x'));
  }
  CHECK(read_zip("x", as_bytes(Archive{.members = {}}.bytes())).empty());
}

TEST_CASE("zip64 numbers are read where the others have no room") {
  Archive archive{.zip64 = true};
  archive.members[0].size = archive.members[0].packed = ~0u;
  archive.members[0].extra = raw<std::uint16_t>({0x7777, 2, 0, 1, 16}) + raw<std::uint64_t>({5, 5});
  std::string const bytes = archive.bytes();
  auto const members = read_zip("x", as_bytes(bytes));
  REQUIRE(members.size() == 1);
  CHECK((members[0].size == 5 && members[0].bytes.size() == 5));
  archive.members[0].extra = raw<std::uint16_t>({1, 8}) + raw<std::uint64_t>({5});
  CHECK(zip_error(archive) == "its member 'a' has too short a zip64 field" + damaged);
  archive.members[0].extra = raw<std::uint16_t>({1, 16}) + raw<std::uint64_t>({5});
  CHECK(zip_error(archive) == "its member 'a' has an extra field that breaks off" + damaged);
  archive.members[0].extra =
      raw<std::uint16_t>({1, 16}) + raw<std::uint64_t>({std::uint64_t{1} << 63, ~std::uint64_t{0}});
  CHECK(zip_error(archive) ==
        "its member 'a' should have 18446744073709551615 bytes, but the directory begins before their end" + damaged);
  archive.end64_off = 1;
  CHECK(zip_error(archive) == "its zip64 directory is not where it says" + damaged);
  archive.end64_off = std::uint64_t{1} << 63;
  CHECK(zip_error(archive) == "its zip64 directory is not where it says" + damaged);
}

TEST_CASE("an archive whose directory does not fit it is refused") {
  CHECK(testing::message<InputError>([] { read_zip("x", {}); }) ==
        "x: it has no zip directory at its end (the file was cut short or is not an .npz)" + zip_advice);
  std::string const whole = Archive{}.bytes();
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_THROWS_AS(read_zip("x", as_bytes(whole.substr(0, length))), InputError);
  CHECK(zip_error(Archive{.part = 1}) == "it is one part of several (an archive is read whole)" + zip_advice);
  std::string const moved = " (the file was damaged, or something was put before or into it)" + zip_advice;
  CHECK(zip_error(Archive{.size_off = 1}) ==
        "its directory should be 48 bytes at byte 36, but ends at byte 83" + moved);
  CHECK(zip_error(Archive{.offset_off = 1}) ==
        "its directory should be 47 bytes at byte 37, but ends at byte 83" + moved);
  CHECK(zip_error(Archive{.offset_off = 1 << 20})
            .starts_with("its directory should be 47 bytes at byte 1048612, but ends at byte 83"));
  CHECK(zip_error(Archive{.size_off = 3, .before_end = "abc"}) == "its directory breaks off at entry 1" + damaged);
  CHECK(zip_error(Archive{.entries_off = 1}) == "its directory has 1 entries and should have 2" + damaged);
  Archive other_part;
  other_part.members[0].part = 2;
  CHECK(zip_error(other_part) == "its member 'a' lies in another part (an archive is read whole)" + zip_advice);
}

TEST_CASE("a member that is not what the directory says is refused by name") {
  CHECK(zip_error([](Member& m) { m.flags = 1; }) ==
        "its member 'a' is encrypted (its numbers cannot be read)" + zip_advice);
  CHECK(zip_error([](Member& m) { m.method = 14; }) ==
        "its member 'a' is packed by method 14 (known are 0, stored, and 8, deflated)" + zip_advice);
  CHECK(zip_error([](Member& m) { m.at = 1; }) == "its member 'a' has no header at byte 1" + damaged);
  CHECK(zip_error([](Member& m) { m.at = 1 << 30; }) == "its member 'a' has no header at byte 1073741824" + damaged);
  CHECK(zip_error([](Member& m) { m.packed = m.size = 6; }) ==
        "its member 'a' should have 6 bytes, but the directory begins before their end" + damaged);
  CHECK(zip_error([](Member& m) { m.size = 4; }) ==
        "its member 'a' is stored in 5 bytes and should have 4" + damaged);
  CHECK(zip_error([](Member& m) { m.name_there = "b"; }) ==
        "its member 'a' is called 'b' where its bytes are" + damaged);
  CHECK(zip_error([](Member& m) { m.method_there = 8; }) ==
        "its member 'a' is packed by another method where its bytes are" + damaged);
  CHECK(zip_error([](Member& m) { m.method = 8, m.size = 5 * 1032; }) == "(no error)");
  CHECK(zip_error([](Member& m) { m.method = 8, m.size = 6 * 1032; }) ==
        "its member 'a' should unpack from 5 bytes to 6192 (deflate saves at most a factor of 1032)" + zip_advice);
}

TEST_CASE("members of one name, or that share bytes, are refused") {
  Archive archive;
  archive.members = {Member{}, Member{}};
  CHECK(zip_error(archive) == "its member 'a' stands twice (readers differ in which of them they take)" + zip_advice);
  // A bomb: many members, one stretch of bytes.
  archive.members[1].name = "b";
  archive.members[1].at = 0;
  archive.members[1].name_there = "a";
  CHECK(zip_error(archive).find("begins within 'a' (each byte belongs to one member)") != std::string::npos);
}

/// A deflated stream of one block that is not packed: RFC 1951, section 3.2.4.
std::string deflated(std::string const& text) {
  auto const size = static_cast<std::uint16_t>(text.size());
  return "\1" + raw({size, static_cast<std::uint16_t>(~size)}) + text;
}

std::string reader_error(Extent const& at) {
  return testing::message<InputError>([&] {
    ByteReader reader("x: a", at);
    reader.read(0, at.size);
  });
}

TEST_CASE("bytes are unpacked in order, again from the first where one goes back, and held against their CRC") {
  std::string const packed = deflated("ab12345");
  std::uint32_t const crc = 0x5a9c1b2d;
  Extent at{.bytes = as_bytes(packed), .size = 5, .before = 2, .deflated = true};
  ByteReader reader("x: a", at);
  auto const text = [&](std::uint64_t begin, std::uint64_t count) {
    auto const bytes = reader.read(begin, count);
    return std::string(bytes.begin(), bytes.end());
  };
  CHECK(text(0, 2) == "12");
  CHECK(text(3, 2) == "45");
  CHECK(text(1, 3) == "234");
  CHECK(text(0, 5) == "12345");
  CHECK(text(5, 0).empty());
  std::string const why = " (the file was damaged) copy or write it again";
  at.crc = crc;
  CHECK(reader_error(at) == "x: a: its bytes have another CRC-32 than the file says" + why);
  std::string const plain = "ab12345";
  Extent stored{.bytes = as_bytes(plain), .size = 5, .before = 2, .crc = crc};
  CHECK(reader_error(stored) == "x: a: its bytes have another CRC-32 than the file says" + why);
  // Bytes that are passed over leave the CRC unasked.
  ByteReader part("x: a", stored);
  CHECK(part.read(1, 4).size() == 4);
  std::string const five = "12345";
  CHECK(reader_error({.bytes = as_bytes(five), .size = 5, .crc = 0xcbf53a1c}) == "(no error)");
}

TEST_CASE("an archive unpacks to a few times its size, or to little") {
  CHECK(most_unpacked(0) == unpacked_room);
  CHECK(most_unpacked(1000) == unpacked_room + 200'000);
  CHECK(most_unpacked(UINT64_MAX) == UINT64_MAX);
  Member const zeros{
      .name = "a.npy", .bytes = std::string(100'000, 'x'), .method = 8, .packed = 100'000, .size = 80'000'000};
  CHECK(zip_error({.members = {zeros}}) == "(no error)");
  Member more = zeros;
  more.name = "b.npy";
  more.size = 30'000'000;
  CHECK(zip_error({.members = {zeros, more}}) ==
        "its 200194 bytes unpack to more than 107147664 (at most 64 MiB are unpacked, and 200 times the file's size "
        "beyond) if its numbers are so alike, write them with numpy.savez, which does not pack");
}

TEST_CASE("packed bytes that do not unpack to what was said are refused") {
  std::string const why = " (the file was damaged) copy or write it again";
  auto const error = [](std::string const& packed, std::uint64_t size) {
    return reader_error({.bytes = as_bytes(packed), .size = size, .deflated = true});
  };
  std::string const packed = deflated("12345");
  CHECK(error(packed, 5) == "(no error)");
  CHECK(error(packed, 6) == "x: a: its packed bytes cannot be unpacked: the stream ends too soon" + why);
  CHECK(error(packed, 4) == "x: a: its packed bytes go on behind the 4 bytes that it should have" + why);
  CHECK(error(packed + "x", 5) == "x: a: its packed bytes go on behind the 5 bytes that it should have" + why);
  CHECK(error("\7", 5) == "x: a: its packed bytes cannot be unpacked: invalid block type" + why);
  for (std::size_t length = 0; length < packed.size(); ++length)
    CHECK(error(packed.substr(0, length), 5) != "(no error)");
}

}  // namespace
}  // namespace draftgauge
