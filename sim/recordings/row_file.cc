#include "sim/recordings/row_file.h"

#include <algorithm>
#include <utility>

#include "sim/base/error.h"
#include "sim/recordings/npy.h"
#include "sim/recordings/npz.h"
#include "sim/recordings/pickle.h"
#include "sim/recordings/safetensors.h"
#include "sim/recordings/zip.h"

namespace draftgauge {
namespace {

using enum RowFileKind;
constexpr std::pair<RowFileKind, std::string_view> names[] = {
    {safetensors, "safetensors"}, {npz, "npz"}, {npy, "npy"}, {kld, "kld"}};

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
  if (begins_pickle(bytes) || named_as_pickle(path)) refuse_pickle(path);
  std::string const extension = std::filesystem::path(path).extension().string();
  for (auto const& [kind, name] : names)
    if (extension.size() == name.size() + 1 && extension.ends_with(name)) return kind;
  return {};
}

}  // namespace

std::string_view name_of(RowFileKind kind) {
  return std::ranges::find(names, kind, &std::pair<RowFileKind, std::string_view>::first)->second;
}

std::optional<RowFileKind> row_file_kind(std::filesystem::path const& path) {
  return kind_of(path.string(), MappedFile(path).bytes());
}

RowFile::RowFile(std::filesystem::path const& path, std::optional<RowFileKind> assumed)
    : path_(path.string()), file_(std::make_shared<MappedFile const>(path)) {
  auto const kind = kind_of(path_, bytes());
  if (!kind && !assumed) {
    throw InputError(path_ + ": neither its first bytes nor its name say what it is (rows are read from " +
                         ".safetensors, .npz, .npy and .kld)",
                     "check the path");
  }
  kind_ = kind ? *kind : *assumed;
  switch (kind_) {
    case safetensors: list_ = read_safetensors(path_, bytes()); break;
    case npz: list_ = read_npz(path_, bytes()); break;
    case npy: list_ = read_npy(path_, bytes()); break;
    case RowFileKind::kld: kld_ = read_kld(path_, bytes()); break;
  }
}

bool RowFile::one_model() const {
  if (kind_ == RowFileKind::kld || kind_ == RowFileKind::npy) return true;
  return std::ranges::count_if(
             list_.tensors, [](Tensor const& tensor) { return tensor.is_float() && tensor.shape.size() >= 2; }) == 1;
}

}  // namespace draftgauge
