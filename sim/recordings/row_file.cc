#include "sim/recordings/row_file.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/recordings/pickle.h"
#include "sim/recordings/zip.h"

namespace draftgauge {

#define ROWS(name) RowFileCard name##_rows();
#include "sim/recordings/formats/list.inc"
#undef ROWS

namespace {

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

RowFileCard const* kind_of(std::string const& path, std::span<std::uint8_t const> bytes) {
  if (begins_zip(bytes) && named_as_pickle(path)) refuse_broken_zip(path, bytes);
  for (RowFileCard const& card : row_file_cards())
    if (card.begins(bytes)) return &card;
  if (holds_pickle(path, bytes)) refuse_pickle(path);
  return row_file_named(std::filesystem::path(path).extension().string());
}

}  // namespace

std::span<RowFileCard const> row_file_cards() {
  static RowFileCard const all[] = {
#define ROWS(name) name##_rows(),
#include "sim/recordings/formats/list.inc"
#undef ROWS
  };
  return all;
}

std::string row_file_names() { return joined(row_file_cards(), &RowFileCard::name); }

RowFileCard const* row_file_named(std::string_view ending) {
  auto const cards = row_file_cards();
  auto const named = std::ranges::find(cards, ending, &RowFileCard::name);
  return named == cards.end() ? nullptr : &*named;
}

RowFileCard const* row_file_kind(std::filesystem::path const& path) {
  return kind_of(path.string(), MappedFile(path).bytes());
}

std::unique_ptr<RowFile> open_row_file(std::filesystem::path const& path, RowFileCard const* assumed) {
  MappedRows file{nullptr, path.string(), std::make_shared<MappedFile const>(path)};
  file.card = kind_of(file.path, file.mapped->bytes());
  if (!file.card) file.card = assumed;
  if (!file.card)
    throw InputError(file.path + ": neither its first bytes nor its name say what it is (rows are read from " +
                         row_file_names() + ")",
                     "check the path");
  return file.card->open(file);
}

}  // namespace draftgauge
