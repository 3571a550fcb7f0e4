#include "sim/recordings/zip.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "sim/recordings/numbers.h"

namespace draftgauge {
namespace {

// Signatures and fixed sizes of the records, and where in them a field lies: sections 4.3 and 4.4 of the APPNOTE.
constexpr std::uint32_t local_signature = 0x04034b50, entry_signature = 0x02014b50, end_signature = 0x06054b50,
                        end64_signature = 0x06064b50, locator_signature = 0x07064b50;
constexpr std::uint64_t local_size = 30, entry_size = 46, end_size = 22, end64_size = 56, locator_size = 20;
constexpr std::uint64_t longest_comment = 0xffff;
constexpr std::uint32_t none32 = 0xffffffff;  ///< the number stands in a zip64 record

/// Where the directory lies and how many entries it has.
struct Directory {
  std::uint64_t entries, size, offset;
};

struct Entry {
  ZipMember member;
  std::uint16_t method;
  std::uint64_t packed, header;  ///< bytes, and where the member begins
};

/// Everything that is wrong with an archive is said by one of these.
class ZipReader {
 public:
  ZipReader(std::string const& file, std::span<std::uint8_t const> bytes) : file_(file), bytes_(bytes) {}

  std::vector<ZipMember> read() {
    Directory const directory = find_directory();
    std::vector<Entry> entries = read_directory(directory);
    std::ranges::sort(entries, {}, &Entry::header);
    std::set<std::string_view> names;
    std::vector<ZipMember> members;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Entry& entry = entries[i];
      if (!names.insert(entry.member.name).second)
        refuse(entry, "stands twice", "readers differ in which of them they take");
      if (entry.header < at)
        refuse(entry, "begins within '" + entries[i - 1].member.name + "'", "each byte belongs to one member");
      at = find_bytes(entry, directory.offset);
    }
    check_size(entries);
    for (Entry& entry : entries)
      if (!entry.member.name.ends_with('/')) members.push_back(std::move(entry.member));
    return members;
  }

 private:
  [[noreturn]] void refuse(std::string const& problem, std::string const& why) const {
    throw InputError(file_ + ": " + problem + " (" + why + ")", "copy it again, or write it again with numpy.savez");
  }
  [[noreturn]] void refuse(Entry const& entry, std::string const& problem, std::string const& why) const {
    refuse("its member '" + entry.member.name + "' " + problem, why);
  }

  /// Whether a record of `size` bytes with that signature lies at `at`.
  bool is(std::uint64_t at, std::uint64_t size, std::uint32_t signature) const {
    return at <= bytes_.size() && size <= bytes_.size() - at && load<std::uint32_t>(bytes_, at) == signature;
  }
  template <class T>
  T get(std::uint64_t at) const {
    return load<T>(bytes_, at);
  }

  /// The record that ends the archive: the last whose comment reaches exactly to the end.
  std::uint64_t find_end() const {
    std::uint64_t const first = bytes_.size() - std::min(bytes_.size(), end_size + longest_comment);
    for (std::uint64_t at = bytes_.size(); at-- > first;) {
      if (is(at, end_size, end_signature) && get<std::uint16_t>(at + 20) == bytes_.size() - at - end_size) return at;
    }
    refuse("it has no zip directory at its end", "the file was cut short or is not an .npz");
  }

  Directory find_directory() const {
    std::uint64_t const end = find_end();
    Directory directory{get<std::uint16_t>(end + 10), get<std::uint32_t>(end + 12), get<std::uint32_t>(end + 16)};
    bool one_part = get<std::uint16_t>(end + 4) == 0 && get<std::uint16_t>(end + 6) == 0;
    std::uint64_t limit = end;
    if (end >= locator_size && is(end - locator_size, locator_size, locator_signature)) {
      std::uint64_t const locator = end - locator_size;
      limit = get<std::uint64_t>(locator + 8);
      if (limit > locator || locator - limit < end64_size || !is(limit, end64_size, end64_signature))
        refuse("its zip64 directory is not where it says", "the file was damaged");
      directory = {get<std::uint64_t>(limit + 32), get<std::uint64_t>(limit + 40), get<std::uint64_t>(limit + 48)};
      one_part = get<std::uint32_t>(limit + 16) == 0 && get<std::uint32_t>(limit + 20) == 0;
    }
    if (!one_part) refuse("it is one part of several", "an archive is read whole");
    if (directory.offset > limit || directory.size != limit - directory.offset) {
      refuse("its directory should be " + std::to_string(directory.size) + " bytes at byte " +
                 std::to_string(directory.offset) + ", but ends at byte " + std::to_string(limit),
             "the file was damaged, or something was put before or into it");
    }
    return directory;
  }

  std::vector<Entry> read_directory(Directory const& directory) const {
    std::vector<Entry> entries;
    std::uint64_t at = directory.offset;
    std::uint64_t const end = directory.offset + directory.size;
    while (at < end) {
      if (entries.size() == most_arrays)
        refuse("it has more than " + std::to_string(most_arrays) + " members", "a recording has a few arrays");
      if (end - at < entry_size || !is(at, entry_size, entry_signature)) refuse_entry(entries.size());
      std::uint64_t const name = get<std::uint16_t>(at + 28), extra = get<std::uint16_t>(at + 30),
                          comment = get<std::uint16_t>(at + 32);
      if (name + extra + comment > end - at - entry_size) refuse_entry(entries.size());
      entries.push_back(read_entry(at, name, extra));
      at += entry_size + name + extra + comment;
    }
    if (entries.size() != directory.entries) {
      refuse("its directory has " + std::to_string(entries.size()) + " entries and should have " +
                 std::to_string(directory.entries),
             "the file was damaged");
    }
    return entries;
  }
  [[noreturn]] void refuse_entry(std::size_t number) const {
    refuse("its directory breaks off at entry " + std::to_string(number), "the file was damaged");
  }

  Entry read_entry(std::uint64_t at, std::uint64_t name_size, std::uint64_t extra_size) const {
    Entry entry{};
    entry.member.name = text(at + entry_size, name_size);
    entry.method = get<std::uint16_t>(at + 10);
    entry.member.crc = get<std::uint32_t>(at + 16);
    entry.packed = get<std::uint32_t>(at + 20);
    entry.member.size = get<std::uint32_t>(at + 24);
    entry.header = get<std::uint32_t>(at + 42);
    if (get<std::uint16_t>(at + 8) & 1) refuse(entry, "is encrypted", "its numbers cannot be read");
    if (get<std::uint16_t>(at + 34) != 0) refuse(entry, "lies in another part", "an archive is read whole");
    read_zip64(entry, bytes_.subspan(at + entry_size + name_size, extra_size));
    if (entry.method != 0 && entry.method != 8) {
      refuse(entry, "is packed by method " + std::to_string(entry.method), "known are 0, stored, and 8, deflated");
    }
    entry.member.deflated = entry.method == 8;
    return entry;
  }

  /// What all members unpack to takes time, and its rows memory: a few kilobytes of zeros may stand for gigabytes.
  void check_size(std::vector<Entry> const& entries) const {
    std::uint64_t const most = most_unpacked(bytes_.size());
    std::uint64_t left = most;
    for (Entry const& entry : entries) {
      if (entry.member.size > left)
        throw InputError(file_ + ": its " + std::to_string(bytes_.size()) + " bytes unpack to more than " +
                             std::to_string(most) + " (at most " + std::to_string(unpacked_room >> 20) +
                             " MiB are unpacked, and " + std::to_string(most_unpacked_per_byte) +
                             " times the file's size beyond)",
                         "if its numbers are so alike, write them with numpy.savez, which does not pack");
      left -= entry.member.size;
    }
  }

  /// Extra field 1 has, in this order, those of size, packed size and place that the entry had no room for.
  void read_zip64(Entry& entry, std::span<std::uint8_t const> extra) const {
    std::uint64_t* const wanted[] = {entry.member.size == none32 ? &entry.member.size : nullptr,
                                     entry.packed == none32 ? &entry.packed : nullptr,
                                     entry.header == none32 ? &entry.header : nullptr};
    while (extra.size() >= 4) {
      std::uint64_t const id = load<std::uint16_t>(extra, 0), size = load<std::uint16_t>(extra, 2);
      if (size > extra.size() - 4) refuse(entry, "has an extra field that breaks off", "the file was damaged");
      std::span<std::uint8_t const> field = extra.subspan(4, size);
      extra = extra.subspan(4 + size);
      if (id != 1) continue;
      for (std::uint64_t* number : wanted) {
        if (!number) continue;
        if (field.size() < 8) refuse(entry, "has too short a zip64 field", "the file was damaged");
        *number = load<std::uint64_t>(field, 0);
        field = field.subspan(8);
      }
      return;
    }
  }

  /// Where the member ends, after its header was held against the directory's words.
  std::uint64_t find_bytes(Entry& entry, std::uint64_t limit) const {
    std::uint64_t const at = entry.header;
    if (at > limit || limit - at < local_size || !is(at, local_size, local_signature))
      refuse(entry, "has no header at byte " + std::to_string(at), "the file was damaged");
    std::uint64_t const name = get<std::uint16_t>(at + 26), extra = get<std::uint16_t>(at + 28);
    std::uint64_t const begin = at + local_size + name + extra;
    if (begin > limit || entry.packed > limit - begin) {
      refuse(entry,
             "should have " + std::to_string(entry.packed) + " bytes, but the directory begins before their end",
             "the file was damaged");
    }
    if (text(at + local_size, name) != entry.member.name)
      refuse(entry, "is called '" + text(at + local_size, name) + "' where its bytes are", "the file was damaged");
    if (get<std::uint16_t>(at + 8) != entry.method)
      refuse(entry, "is packed by another method where its bytes are", "the file was damaged");
    if (!entry.member.deflated && entry.packed != entry.member.size) {
      refuse(entry,
             "is stored in " + std::to_string(entry.packed) + " bytes and should have " +
                 std::to_string(entry.member.size),
             "the file was damaged");
    }
    if (entry.member.deflated && entry.member.size / most_deflated > entry.packed) {
      refuse(entry,
             "should unpack from " + std::to_string(entry.packed) + " bytes to " + std::to_string(entry.member.size),
             "deflate saves at most a factor of 1032");
    }
    entry.member.bytes = bytes_.subspan(begin, entry.packed);
    return begin + entry.packed;
  }

  std::string text(std::uint64_t at, std::uint64_t size) const {
    return {reinterpret_cast<char const*>(bytes_.data()) + at, static_cast<std::size_t>(size)};
  }

  std::string const& file_;
  std::span<std::uint8_t const> bytes_;
};

}  // namespace

bool begins_zip(std::span<std::uint8_t const> bytes) {
  std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  return text.starts_with("PK\3\4") || text.starts_with("PK\5\6");
}

std::vector<ZipMember> read_zip(std::string const& file, std::span<std::uint8_t const> bytes) {
  return ZipReader(file, bytes).read();
}

}  // namespace draftgauge
