#include "sim/recordings/row_labels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/written_number.h"
#include "sim/model/pair_tables.h"
#include "sim/recordings/array_file.h"

namespace draftgauge {
namespace {

constexpr std::int64_t no_token = -100;  // transformers: a label that its loss passes over

std::optional<double> temperature_of(ArrayFile const& file) {
  auto const no_temperature = [&](std::string const& problem) {
    return InputError(file.path() + ": " + problem + " (a temperature is a number of 0 or more)",
                      "write it again, or leave it out");
  };
  for (char const* key : {"temperature_of_text", "temperature"}) {
    if (auto const found = file.list().metadata.find(key); found != file.list().metadata.end()) {
      std::optional<double> value;
      try {
        value = parse_written(found->second).value;
      } catch (Error const&) {
      }
      if (!value || *value < 0) throw no_temperature(std::string("metadata ") + key + " is '" + found->second + "'");
      return value;
    }
    Tensor const* const tensor = file.list().find(key);
    if (tensor == nullptr || tensor->elements() != 1) continue;
    double value = 0;
    for_each_piece(file.path(), *tensor, [&](std::span<double const> piece) { value = piece[0]; });
    if (!std::isfinite(value) || value < 0) throw no_temperature(tensor->name + " is " + std::to_string(value));
    return value;
  }
  return {};
}

/// What metadata says of how the text's law was cut; a text that is not a number in range says nothing.
void read_truncation(ArrayFile const& file, RowLabels& labels) {
  auto const number = [&](char const* key) -> std::optional<double> {
    auto const found = file.list().metadata.find(key);
    if (found == file.list().metadata.end()) return {};
    try {
      return parse_written(found->second).value;
    } catch (Error const&) {
      return {};
    }
  };
  if (auto const k = number("top_k_of_text"); k && *k >= 0 && *k <= max_vocab && *k == std::floor(*k))
    labels.top_k = static_cast<std::uint32_t>(*k);
  if (auto const p = number("top_p_of_text"); p && *p > 0 && *p <= 1) labels.top_p = *p;
}

/// The first of these arrays that the file has.
Tensor const* first_of(ArrayFile const& file, std::initializer_list<std::string_view> names) {
  for (std::string_view const name : names)
    if (Tensor const* const tensor = file.list().find(name)) return tensor;
  return nullptr;
}

[[noreturn]] void refuse(ArrayFile const& file, Tensor const& tensor, std::string const& expected,
                         std::string const& write) {
  throw InputError(
      file.path() + ": " + tensor.name + " is " + tensor.dtype + " " + tensor.shape_text() + " (" + expected + ")",
      "write it as I64 " + write);
}

/// How many numbers an array has for each sequence of the grid, where it is [batch, n], or [n] of one sequence; all of
/// its rows may also stand in one line.
std::optional<std::uint64_t> per_sequence(Tensor const& tensor, RowGrid const& grid) {
  if (!tensor.is_integer()) return {};
  auto const& shape = tensor.shape;
  if (shape.size() == 2 && shape[0] == grid.batch) return shape[1];
  if (shape.size() != 1) return {};
  if (grid.batch == 1) return shape[0];
  return shape[0] == grid.rows() ? std::optional(grid.length) : std::nullopt;
}

/// The whole numbers per row of the first of these names that the file has.
std::vector<std::int64_t> per_row(ArrayFile const& file, std::initializer_list<std::string_view> names,
                                  RowGrid const& grid) {
  Tensor const* const tensor = first_of(file, names);
  if (tensor == nullptr) return {};
  if (per_sequence(*tensor, grid) == grid.length) return read_integers(file.path(), *tensor);
  std::string const rows = std::to_string(grid.rows());
  refuse(file, *tensor, "it should hold a whole number for each of the " + rows + " rows", "[" + rows + "]");
}

/// The tokens beside the rows that predict them, and which rows are left.
class Aligner {
 public:
  Aligner(ArrayFile const& file, RowGrid const& grid, std::optional<std::uint64_t> shift, RowLabels& labels)
      : file_(file), grid_(grid), labels_(labels) {
    tensor_ = first_of(file, {"tokens", "input_ids", "labels"});
    if (tensor_ == nullptr) {
      shift_ = 0;
      labels_.why_no_shift = "it has no array of tokens";
      return;
    }
    labels_.why_no_shift.clear();
    auto const columns = per_sequence(*tensor_, grid);
    if (columns != grid.length && columns != grid.length + 1) {
      std::string const rows = std::to_string(grid.rows());
      refuse(file, *tensor_,
             "it should hold a whole number for each of the " + rows + " rows, or one more for each sequence",
             "[" + rows + "]");
    }
    columns_ = *columns;
    bool const usual = tensor_->name == "tokens" && columns_ == grid.length;
    shift_ = shift.value_or(usual ? 0 : 1);
  }

  void align() {
    labels_.kept.assign(grid_.rows(), 1);
    if (tensor_ != nullptr) take_tokens();
    take_mask();
    auto const left = static_cast<std::uint64_t>(std::ranges::count(labels_.kept, 1));
    if (left == 0)
      throw InputError(file_.path() + ": none of its " + std::to_string(grid_.rows()) +
                           " rows has a token that it predicts (all are padding, or at the end of their sequence)",
                       "check its mask, its lengths and the shift of its tokens");
    if (shift_ > 0)
      labels_.notes.push_back(file_.path() + ": row i is taken to predict " + tensor_->name + "[i + " +
                              std::to_string(shift_) + "].");
    if (left < grid_.rows())
      labels_.notes.push_back(file_.path() + ": " + std::to_string(grid_.rows() - left) + " of " +
                              std::to_string(grid_.rows()) +
                              " rows are padding or have no token that they predict; they are left out.");
    else
      labels_.kept.clear();
  }

 private:
  void take_tokens() {
    std::vector<std::int64_t> const all = read_integers(file_.path(), *tensor_);
    labels_.tokens.assign(grid_.rows(), 0);
    for (std::uint64_t b = 0; b < grid_.batch; ++b)
      for (std::uint64_t s = 0; s < grid_.length; ++s) {
        std::uint64_t const row = b * grid_.length + s, column = s + shift_;
        std::int64_t const token = column < columns_ ? all[b * columns_ + column] : no_token;
        bool const there = token != no_token && in_same_text(row, b);
        labels_.kept[row] = there;
        if (there) labels_.tokens[row] = token;
      }
  }

  /// Texts that follow each other in one sequence of the array are told apart by their labels: by another name, or by
  /// positions that begin again, as of texts that are packed for training.
  bool in_same_text(std::uint64_t row, std::uint64_t b) const {
    auto const &sequence = labels_.sequence, &position = labels_.position;
    std::uint64_t const of_token = row + shift_;
    if (of_token >= (b + 1) * grid_.length) return true;  // behind the last row stands that row's own token
    if (!sequence.empty() && sequence[of_token] != sequence[row]) return false;
    // In unsigned numbers: no difference of two 64-bit positions is beyond them.
    return position.empty() ||
           static_cast<std::uint64_t>(position[of_token]) - static_cast<std::uint64_t>(position[row]) == shift_;
  }

  void take_mask() {
    if (Tensor const* const mask = first_of(file_, {"attention_mask"})) {
      auto const columns = per_sequence(*mask, grid_);
      if (columns != grid_.length && columns != grid_.length + 1)
        refuse(file_, *mask, "it should say of each row, by 1 or 0, whether it is one",
               "[" + std::to_string(grid_.batch) + ", " + std::to_string(grid_.length) + "]");
      std::vector<std::int64_t> const all = read_integers(file_.path(), *mask);
      for (std::uint64_t row = 0; row < grid_.rows(); ++row) {
        std::uint64_t const b = row / grid_.length, s = row % grid_.length;
        auto const at = [&](std::uint64_t column) { return column >= *columns || all[b * *columns + column] != 0; };
        if (!at(s) || !at(s + shift_)) labels_.kept[row] = 0;
      }
    }
    Tensor const* const lengths = first_of(file_, {"lengths"});
    if (lengths == nullptr) return;
    if (!lengths->is_integer() || lengths->elements() != grid_.batch)
      refuse(file_, *lengths, "it should hold the length of each sequence", "[" + std::to_string(grid_.batch) + "]");
    std::vector<std::int64_t> const all = read_integers(file_.path(), *lengths);
    for (std::uint64_t row = 0; row < grid_.rows(); ++row)
      if (static_cast<std::int64_t>(row % grid_.length + shift_) >= all[row / grid_.length]) labels_.kept[row] = 0;
  }

  ArrayFile const& file_;
  RowGrid grid_;
  RowLabels& labels_;
  Tensor const* tensor_ = nullptr;
  std::uint64_t columns_ = 0, shift_ = 0;
};

}  // namespace

RowLabels labels_of_arrays(ArrayFile const& file, RowGrid const& grid, std::optional<std::uint64_t> shift) {
  RowLabels labels{.tokens = {},
                   .sequence = per_row(file, {"sequence", "seq"}, grid),
                   .position = per_row(file, {"position", "pos"}, grid),
                   .temperature = temperature_of(file)};
  read_truncation(file, labels);
  if (labels.sequence.empty() && grid.batch > 1)
    for (std::uint64_t row = 0; row < grid.rows(); ++row)
      labels.sequence.push_back(static_cast<std::int64_t>(row / grid.length));
  Aligner(file, grid, shift, labels).align();
  return labels;
}

void refuse_other_text(std::string const& what, std::string const& file_a, std::int64_t in_a,
                       std::string const& file_b, std::int64_t in_b, std::string const& hint) {
  throw InputError(file_a + ": " + what + " is " + std::to_string(in_a) + ", but in " + file_b + " it is " +
                       std::to_string(in_b) + " (rows of the two must be about the same places of one text)",
                   hint);
}

RowLabels joined(std::string const& target, RowLabels from_target, std::string const& draft, RowLabels from_draft) {
  if (from_target.kept.empty()) from_target.kept = from_draft.kept;
  for (std::size_t i = 0; i < from_draft.kept.size(); ++i)
    if (from_draft.kept[i] == 0) from_target.kept[i] = 0;
  std::ranges::move(from_draft.notes, std::back_inserter(from_target.notes));

  if (from_target.tokens.empty()) {
    from_target.tokens = std::move(from_draft.tokens);
  } else if (!from_draft.tokens.empty()) {
    for (std::size_t i = 0; i < from_target.tokens.size(); ++i) {
      std::int64_t const a = from_target.tokens[i], b = from_draft.tokens[i];
      if (a == b || (!from_target.kept.empty() && from_target.kept[i] == 0)) continue;
      refuse_other_text("tokens, row " + std::to_string(i), target, a, draft, b, "record both on one text");
    }
  }
  if (from_target.sequence.empty() && from_target.position.empty()) {
    from_target.sequence = std::move(from_draft.sequence);
    from_target.position = std::move(from_draft.position);
  }
  // A cut that the target's file gives, or its silence on one beside a temperature, is not to be undone.
  if (!from_target.temperature) {
    bool const says_no_cut = from_target.top_k == 0 && from_target.top_p == 1;
    from_target.temperature = from_draft.temperature;
    if (says_no_cut) from_target.top_k = from_draft.top_k, from_target.top_p = from_draft.top_p;
  }
  return from_target;
}

void find_runs(RowLabels const& labels, std::uint64_t begin, std::uint64_t end, std::vector<std::uint32_t>& lengths,
               std::vector<std::int64_t>& names) {
  auto const &sequence = labels.sequence, &position = labels.position;
  auto const kept = [&](std::uint64_t i) { return labels.kept.empty() || labels.kept[i] != 0; };
  for (std::uint64_t i = begin; i < end; ++i) {
    if (!kept(i)) continue;
    bool const follows =
        i > begin && kept(i - 1) && (sequence.empty() || sequence[i] == sequence[i - 1]) &&
        (position.empty() || (position[i] > position[i - 1] && position[i - 1] + 1 == position[i])) &&
        lengths.back() < UINT32_MAX;
    if (!follows) {
      lengths.push_back(0);
      names.push_back(sequence.empty() ? 0 : sequence[i]);
    }
    ++lengths.back();
  }
}

}  // namespace draftgauge
