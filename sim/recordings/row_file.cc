#include "sim/recordings/row_file.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/joined.h"
#include "sim/recordings/npy.h"
#include "sim/recordings/npz.h"
#include "sim/recordings/pickle.h"
#include "sim/recordings/safetensors.h"
#include "sim/recordings/zip.h"

namespace draftgauge {
namespace {

using enum RowFileKind;
struct Format {
  RowFileKind kind;
  std::string_view name;
  TensorList (*read)(std::string const& file,
                     std::span<std::uint8_t const> bytes);  ///< null: it is no list of arrays
};
constexpr Format formats[] = {{safetensors, "safetensors", read_safetensors},
                              {npz, "npz", read_npz},
                              {npy, "npy", read_npy},
                              {kld, "kld", nullptr}};

Format const& format_of(RowFileKind kind) { return *std::ranges::find(formats, kind, &Format::kind); }

// What torch.save writes is a zip archive with a pickle in it. A whole one is refused as that, where its members are
// looked at; of one that was cut short nobody should be told to write it with NumPy.
void refuse_broken_zip(std::string const& path, std::span<std::uint8_t const> bytes) {
  try {
    static_cast<void>(read_zip(path, bytes));
  } catch (InputError const&) {
    throw InputError(path +
                         ": it is the beginning of a zip archive with a pickle's name, as torch.save writes, and " +
                         "not a whole one (the file was cut short or damaged)",
                     "copy it again, then convert it with Python");
  }
}

std::optional<RowFileKind> kind_of(std::string const& path, std::span<std::uint8_t const> bytes) {
  std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  if (text.starts_with("\x93NUMPY")) return npy;
  if (text.starts_with("_logits_")) return kld;
  if (text.starts_with("PK\3\4") || text.starts_with("PK\5\6")) {
    if (named_as_pickle(path)) refuse_broken_zip(path, bytes);
    return npz;
  }
  if (begins_safetensors(bytes)) return safetensors;
  if (holds_pickle(path, bytes)) refuse_pickle(path);
  std::string const extension = std::filesystem::path(path).extension().string();
  for (Format const& format : formats)
    if (extension.size() == format.name.size() + 1 && extension.ends_with(format.name)) return format.kind;
  return {};
}

}  // namespace

std::string_view name_of(RowFileKind kind) { return format_of(kind).name; }

std::string row_file_names() {
  return joined(formats, [](Format const& format) { return "." + std::string(format.name); });
}

std::optional<RowFileKind> row_file_kind(std::filesystem::path const& path) {
  return kind_of(path.string(), MappedFile(path).bytes());
}

RowFile::RowFile(std::filesystem::path const& path, std::optional<RowFileKind> assumed)
    : path_(path.string()), file_(std::make_shared<MappedFile const>(path)) {
  auto const kind = kind_of(path_, bytes());
  if (!kind && !assumed) {
    throw InputError(
        path_ + ": neither its first bytes nor its name say what it is (rows are read from " + row_file_names() + ")",
        "check the path");
  }
  kind_ = kind ? *kind : *assumed;
  if (auto const read = format_of(kind_).read)
    list_ = read(path_, bytes());
  else
    kld_ = read_kld(path_, bytes());
}

bool RowFile::one_model() const {
  if (kind_ == RowFileKind::kld || kind_ == RowFileKind::npy) return true;
  return std::ranges::count_if(
             list_.tensors, [](Tensor const& tensor) { return tensor.is_float() && tensor.shape.size() >= 2; }) == 1;
}

}  // namespace draftgauge
