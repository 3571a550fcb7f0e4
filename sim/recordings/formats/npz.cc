#include "sim/recordings/formats/npz.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/recordings/array_file.h"
#include "sim/recordings/byte_reader.h"
#include "sim/recordings/formats/npy.h"
#include "sim/recordings/pickle.h"
#include "sim/recordings/zip.h"

namespace draftgauge {
namespace {

class NpzFile : public ArrayFile {
 public:
  using ArrayFile::ArrayFile;

  RowModel model(ModelRole const& role, std::string const& asked, bool alone) const override {
    if (list().tensors.empty())
      throw InputError(path() + ": it is a zip archive without .npy arrays (rows are read from arrays)",
                       "unpack it, and give what was in it");
    return ArrayFile::model(role, asked, alone);
  }
};

}  // namespace

RowFileCard npz_rows() {
  return {.name = ".npz",
          .summary = "the same by NumPy, stored or deflated",
          .begins = begins_zip,
          .open = open_arrays<read_npz, NpzFile>};
}

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
