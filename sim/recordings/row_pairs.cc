#include "sim/recordings/row_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sim/base/error.h"
#include "sim/model/pair_tables.h"
#include "sim/recordings/array_file.h"
#include "sim/recordings/picked_rows.h"

namespace draftgauge {
namespace {

constexpr std::string_view target_names[] = {"target_logits", "p_logits", "target", "target_logprobs"};
constexpr std::string_view draft_names[] = {"draft_logits", "q_logits", "draft", "draft_logprobs"};
constexpr ModelRole target_role{"target-key", target_names}, draft_role{"draft-key", draft_names},
    model_role{"target-key", model_names};

/// Half-open range of a recording's rows.
struct Range {
  std::uint64_t begin, end;
  std::uint64_t size() const { return end - begin; }
};

/// One model's rows, and the file that has them.
struct Model : RowModel {
  RowFile const* file;

  std::string name() const { return file->path() + ": " + field; }
};

/// As RowFile::model.
Model find_model(RowFile const& file, ModelRole const& role, std::string const& asked, bool alone) {
  Model model{file.model(role, asked, alone), &file};
  if (model.layout.vocab == 0 || model.layout.vocab > max_vocab || model.layout.rows == 0) {
    throw InputError(model.name() + " is " + model.shape + " (1 to " + std::to_string(max_vocab) +
                         " tokens and at least one row can be handled)",
                     "record it again");
  }
  return model;
}

/// Of the range, the rows that are kept (empty: all), over the first `vocab` tokens.
std::unique_ptr<RowBytes> open_rows(Model const& model, Range rows, std::vector<std::uint8_t> const& kept,
                                    std::uint64_t vocab) {
  auto all = model.open(rows.begin, rows.end);
  if (kept.empty() && vocab == model.layout.vocab) return all;
  std::vector<std::uint8_t> of_range;
  if (!kept.empty())
    of_range.assign(kept.begin() + static_cast<std::ptrdiff_t>(rows.begin),
                    kept.begin() + static_cast<std::ptrdiff_t>(rows.end));
  return std::make_unique<PickedRows>(std::move(all), of_range, vocab);
}

/// The mean share that the tokens from `vocab` on have, of a few rows from all over the range; none where no row of
/// these has logits to tell it.
std::optional<double> mass_behind(Model const& model, Range range, std::vector<std::uint8_t> const& kept,
                                  std::uint64_t vocab) {
  constexpr std::uint64_t most = 64;
  auto const rows = open_rows(model, range, kept, model.layout.vocab);
  RowLayout const& layout = rows->layout();
  std::uint64_t const step = (layout.rows + most - 1) / most;
  std::vector<double> logits(layout.vocab);
  double sum = 0, count = 0;
  for (std::uint64_t row = 0; row < layout.rows; row += step) {
    decode_row(layout, rows->rows(row, 1), logits);
    double const highest = *std::ranges::max_element(logits);
    double all = 0, behind = 0;
    for (std::uint64_t token = 0; token < layout.vocab; ++token) {
      double const weight = std::exp(logits[token] - highest);
      all += weight;
      if (token >= vocab) behind += weight;
    }
    if (!std::isfinite(all)) continue;  // no logits, as whoever reads the row will say
    sum += behind / all;
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

/// Vocabularies are padded to sizes that suit a machine, and differently for models of different widths; nobody emits
/// the padding. The tokens that both models have; what is dropped is said. Throws InputError where it is no padding.
std::uint64_t common_vocab(Model const& target, Model const& draft, Range range,
                           std::vector<std::uint8_t> const& kept, std::vector<std::string>& notes) {
  constexpr double most_mass = 1e-3;
  std::uint64_t const vocab = std::min(target.layout.vocab, draft.layout.vocab);
  if (target.layout.vocab == draft.layout.vocab) return vocab;
  bool const target_is_wider = target.layout.vocab > vocab;
  Model const &wider = target_is_wider ? target : draft, &other = target_is_wider ? draft : target;
  std::optional<double> const mass = mass_behind(wider, range, kept, vocab);
  char share[32] = "";
  if (mass) std::snprintf(share, sizeof share, "%.2g", *mass);
  std::string const tokens = "tokens " + std::to_string(vocab) + " to " + std::to_string(wider.layout.vocab - 1);
  if (mass && *mass > most_mass)
    throw InputError(wider.name() + " is " + wider.shape + " but " + other.name() + " is " + other.shape +
                         " (padding has no mass, and its " + tokens + " have a share of " + share +
                         ": the vocabularies differ)",
                     "record both with one tokenizer");
  notes.push_back(wider.name() + ": its " + tokens + ", which " + other.name() +
                  " lacks, are taken for padding and left out" +
                  (mass ? std::string("; they have a share of ") + share : "") + ".");
  return vocab;
}

/// "A..B" within the recording.
Range range_of(std::string const& text, std::string const& file, std::uint64_t recorded) {
  if (text.empty()) return {0, recorded};
  std::size_t const dots = text.find("..");
  auto const number = [&](std::string_view part) -> std::uint64_t {
    if (part.empty() || part.size() > 18 || part.find_first_not_of("0123456789") != part.npos)
      throw UsageError("rows=" + text + " is not a range (rows are numbered from 0)", "write it like 0..24");
    std::uint64_t value = 0;
    for (char digit : part) value = 10 * value + static_cast<std::uint64_t>(digit - '0');
    return value;
  };
  Range const range{number(std::string_view(text).substr(0, dots)),
                    number(dots == text.npos ? std::string_view() : std::string_view(text).substr(dots + 2))};
  if (range.begin >= range.end || range.end > recorded) {
    throw InputError(
        file + ": it has no rows " + text + " (it holds 0.." + std::to_string(recorded) + ", the last not included)",
        "ask for rows within");
  }
  return range;
}

/// The tokens of the range, each compared with the vocabulary.
std::vector<std::int64_t> tokens_in(RowLabels const& labels, std::string const& file, Range rows,
                                    std::uint64_t vocab) {
  std::vector<std::int64_t> const& all = labels.tokens;
  std::vector<std::int64_t> tokens;
  if (all.empty()) return tokens;
  tokens.reserve(rows.size());
  for (std::uint64_t i = rows.begin; i < rows.end; ++i) {
    if (!labels.kept.empty() && labels.kept[i] == 0) continue;
    if (all[i] < 0 || static_cast<std::uint64_t>(all[i]) >= vocab) {
      throw InputError(file + ": tokens, row " + std::to_string(i) + " is " + std::to_string(all[i]) +
                           " (the rows have the tokens 0 to " + std::to_string(vocab - 1) + ")",
                       "record the file again");
    }
    tokens.push_back(all[i]);
  }
  return tokens;
}

/// Throws InputError where none of the range's rows is left: of no row nothing can be said. `other`: the draft's file,
/// where it is another.
void require_a_row(RowLabels const& labels, Range rows, std::string const& file, std::string const& other) {
  if (labels.kept.empty()) return;
  auto const begin = labels.kept.begin() + static_cast<std::ptrdiff_t>(rows.begin);
  if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(rows.size()),
                  [](std::uint8_t kept) { return kept != 0; }))
    return;
  throw InputError(file + ": rows " + std::to_string(rows.begin) + ".." + std::to_string(rows.end) +
                       " have no token that they predict (each is padding, or at the end of its sequence" +
                       (other.empty() ? "" : ", here or in " + other) + ")",
                   "take other rows, or record them again");
}

[[noreturn]] void refuse_one_model(RowFile const& file) {
  throw InputError(file.path() + ": it holds one model's rows (both models' over one text are needed)",
                   "give the other's, too: draftgauge measure TARGET DRAFT, or draft=FILE in a source");
}

bool of_one_model(RowFile const& file, RowOptions const& options) {
  if (file.card().one_model) return true;
  TensorList const* const list = file.arrays();
  if (list == nullptr) return false;
  auto const has = [&](std::span<std::string_view const> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return list->find(name) != nullptr; });
  };
  return options.target_key.empty() && options.draft_key.empty() && !(has(target_names) && has(draft_names)) &&
         std::ranges::count_if(list->tensors, could_be_rows) == 1;
}

/// Two models' rows, found in their files, and what of these is read.
struct Opened {
  std::unique_ptr<RowFile> first, second;  ///< second: null where one file has both models
  Model target = {}, draft = {};
  Range rows = {};
  RowLabels labels = {};
  std::string tokens_file = {};
  std::uint64_t vocab = 0;

  Opened(std::string const& target_file, std::string const& draft_file, RowOptions const& options)
      : first(open_row_file(target_file, options.assumed)) {
    bool const two_files = !draft_file.empty();
    if (two_files) second = open_row_file(draft_file, options.assumed);
    if (!two_files && of_one_model(*first, options)) refuse_one_model(*first);
    RowFile const& other = two_files ? *second : *first;
    if (two_files) first->check_same_text(other);
    target = find_model(*first, target_role, options.target_key, two_files);
    draft = find_model(other, draft_role, options.draft_key, two_files);
    if (target.layout.rows != draft.layout.rows) {
      throw InputError(target.name() + " is " + target.shape + " but " + (two_files ? draft.name() : draft.field) +
                           " is " + draft.shape + " (rows and tokens of the two must be the same)",
                       "record both on one text with one tokenizer");
    }
    rows = range_of(options.rows, first->path(), target.layout.rows);
    labels = first->labels(target.grid, options.shift);
    tokens_file = labels.tokens.empty() ? other.path() : first->path();
    std::string const why_no_shift = labels.why_no_shift;
    bool shifted = why_no_shift.empty();
    if (two_files) {
      RowLabels of_draft = other.labels(draft.grid, options.shift);
      shifted = shifted || of_draft.why_no_shift.empty();
      labels = joined(first->path(), std::move(labels), other.path(), std::move(of_draft));
    }
    if (options.shift && !shifted)
      throw UsageError("a shift is asked of " + first->path() + " (" + why_no_shift + ")", "leave it out");
    require_a_row(labels, rows, first->path(), two_files ? other.path() : "");
    vocab = common_vocab(target, draft, rows, labels.kept, labels.notes);
  }
  Opened(Opened const&) = delete;  // models point to the files
};

}  // namespace

RowPairs open_row_pairs(std::string const& target_file, std::string const& draft_file, RowOptions const& options) {
  Opened const opened(target_file, draft_file, options);
  RowLabels const& labels = opened.labels;
  RowPairs pairs;
  pairs.target = open_rows(opened.target, opened.rows, labels.kept, opened.vocab);
  pairs.draft = open_rows(opened.draft, opened.rows, labels.kept, opened.vocab);
  pairs.tokens = tokens_in(labels, opened.tokens_file, opened.rows, opened.vocab);
  find_runs(labels, opened.rows.begin, opened.rows.end, pairs.sequences, pairs.names);
  pairs.temperature = labels.temperature;
  pairs.top_k = labels.top_k;
  pairs.top_p = labels.top_p;
  pairs.target_name = opened.target.name();
  pairs.draft_name = opened.draft.name();
  pairs.files = {opened.first->path()};
  pairs.bytes = {opened.first->bytes()};
  if (opened.second) {
    pairs.files.push_back(opened.second->path());
    pairs.bytes.push_back(opened.second->bytes());
  }
  return pairs;
}

std::vector<std::string> reading_notes(std::string const& target_file, std::string const& draft_file,
                                       RowOptions const& options) {
  return Opened(target_file, draft_file, options).labels.notes;
}

ModelRows open_model_rows(std::string const& path, std::string const& key, std::string const& rows) {
  auto const file = open_row_file(path);
  Model const model = find_model(*file, model_role, key, true);
  Range const range = range_of(rows, path, model.layout.rows);
  RowLabels const labels = file->labels(model.grid, {});
  require_a_row(labels, range, path, "");
  ModelRows result;
  result.rows = open_rows(model, range, labels.kept, model.layout.vocab);
  result.name = model.name();
  result.tokens = tokens_in(labels, path, range, model.layout.vocab);
  find_runs(labels, range.begin, range.end, result.sequences, result.names);
  result.temperature = labels.temperature;
  return result;
}

}  // namespace draftgauge
