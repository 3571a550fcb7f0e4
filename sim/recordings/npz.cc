#include "sim/recordings/npz.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/recordings/byte_reader.h"
#include "sim/recordings/npy.h"
#include "sim/recordings/pickle.h"
#include "sim/recordings/zip.h"

namespace draftgauge {

TensorList read_npz(std::string const& file, std::span<std::uint8_t const> bytes) {
  constexpr std::string_view ending = ".npy";
  std::vector<ZipMember> const members = read_zip(file, bytes);
  bool const pickled = std::ranges::any_of(
      members, [](ZipMember const& m) { return m.name == "data.pkl" || m.name.ends_with("/data.pkl"); });
  if (pickled) refuse_pickle(file);
  TensorList list;
  for (ZipMember const& member : members) {
    if (!member.name.ends_with(ending)) continue;
    std::string const name = member.name.substr(0, member.name.size() - ending.size());
    std::string const place = file + ": " + name;
    Extent const whole{.bytes = member.bytes, .size = member.size, .before = 0, .deflated = member.deflated};
    ByteReader start(place, whole);
    Tensor tensor = read_npy_header(place, name, start.read(0, std::min(member.size, max_npy_header)), member.size);
    tensor.at.bytes = member.bytes;
    tensor.at.deflated = member.deflated;
    tensor.at.crc = member.crc;
    list.tensors.push_back(std::move(tensor));
  }
  return list;
}

}  // namespace draftgauge
