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

bool begins_with(std::span<std::uint8_t const> bytes, std::string_view first) {
  return std::string_view(reinterpret_cast<char const*>(bytes.data()), bytes.size()).starts_with(first);
}

// The list of formats: what lists, messages and readers know of one is its card.
constexpr RowFileCard cards[] = {
    {.kind = RowFileKind::safetensors,
     .name = ".safetensors",
     .summary = "rows of logits or log-probabilities of two models, in one file or two",
     .begins = begins_safetensors,
     .read = read_safetensors},
    {.kind = RowFileKind::npz,
     .name = ".npz",
     .summary = "the same by NumPy, stored or deflated",
     .begins = [](auto bytes) { return begins_with(bytes, "PK\3\4") || begins_with(bytes, "PK\5\6"); },
     .read = read_npz},
    {.kind = RowFileKind::npy,
     .name = ".npy",
     .summary = "two files by NumPy, an array of one model's rows in each",
     .one_model = true,
     .begins = [](auto bytes) { return begins_with(bytes, "\x93NUMPY"); },
     .read = read_npy},
    {.kind = RowFileKind::kld,
     .name = ".kld",
     .summary = "two files of llama-perplexity --kl-divergence-base",
     .tables = "p, q ∝ exp((least + scale·code)/T), row by row: small probabilities were raised to a floor when the "
               "file was written",
     .one_model = true,
     .begins = [](auto bytes) { return begins_with(bytes, "_logits_"); },
     .read = nullptr}};

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
  for (RowFileCard const& card : cards) {
    if (!card.begins(bytes)) continue;
    if (card.kind == RowFileKind::npz && named_as_pickle(path)) refuse_broken_zip(path, bytes);
    return card.kind;
  }
  if (holds_pickle(path, bytes)) refuse_pickle(path);
  auto const* const named =
      std::ranges::find(cards, std::filesystem::path(path).extension().string(), &RowFileCard::name);
  return named == std::end(cards) ? std::nullopt : std::optional(named->kind);
}

}  // namespace

std::span<RowFileCard const> row_file_cards() { return cards; }

std::string row_file_names() { return joined(cards, &RowFileCard::name); }

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
  if (auto const read = card().read)
    list_ = read(path_, bytes());
  else
    kld_ = read_kld(path_, bytes());
}

RowFileCard const& RowFile::card() const { return *std::ranges::find(cards, kind_, &RowFileCard::kind); }

bool RowFile::one_model() const {
  if (card().one_model) return true;
  return std::ranges::count_if(
             list_.tensors, [](Tensor const& tensor) { return tensor.is_float() && tensor.shape.size() >= 2; }) == 1;
}

}  // namespace draftgauge
