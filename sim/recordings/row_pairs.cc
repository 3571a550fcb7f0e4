#include "sim/recordings/row_pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/error.h"
#include "sim/fraction.h"
#include "sim/laws.h"
#include "sim/recordings/byte_reader.h"
#include "sim/recordings/numbers.h"

namespace draftgauge {
namespace {

/// A model's part in a pair: how its array is named and asked for.
struct Role {
  std::string_view key;
  std::span<std::string_view const> usual;
};
constexpr std::string_view target_names[] = {"target_logits", "p_logits", "target", "target_logprobs"};
constexpr std::string_view draft_names[] = {"draft_logits", "q_logits", "draft", "draft_logprobs"};
constexpr std::string_view model_names[] = {"logits", "logprobs"};
constexpr Role target_role{"target-key", target_names}, draft_role{"draft-key", draft_names},
    model_role{"target-key", model_names};

/// How an array is named: as an option of a command, and as a key in a source's text.
std::string naming(Role const& role) {
  std::string const key(role.key);
  return "with --" + key + " NAME (" + key + "=NAME in a source)";
}

/// Half-open range of a recording's rows.
struct Range {
  std::uint64_t begin, end;
  std::uint64_t size() const { return end - begin; }
};

/// What a file says beside a model's rows, for all of its rows; empty: nothing.
struct Labels {
  std::vector<std::int64_t> tokens, sequence, position;
  std::optional<double> temperature;
  std::uint32_t top_k = 0;
  double top_p = 1;
};

/// One model's rows in a file.
struct Model {
  RowFile const* file;
  std::string field;  ///< "target_logits"
  std::string shape;
  RowLayout layout;  ///< of all rows
  Extent at;         ///< of an array

  std::string name() const { return file->path() + ": " + field; }
};

/// Puts the bytes of a mapped file aside that lie behind the reader, so that a pass over a file that is larger than
/// memory keeps little of it.
class Wake {
 public:
  explicit Wake(std::shared_ptr<MappedFile const> file) : file_(std::move(file)) {}

  /// The reader has come to these bytes. Those of the call before may no longer be in use.
  void reach(std::span<std::uint8_t const> piece) {
    constexpr std::ptrdiff_t most = 32 << 20;
    if (first_ == nullptr || piece.data() < first_) first_ = piece.data();
    if (piece.data() - first_ < most) return;
    file_->put_aside({first_, piece.data()});
    first_ = piece.data();
  }

 private:
  std::shared_ptr<MappedFile const> file_;
  std::uint8_t const* first_ = nullptr;
};

/// An array's rows, of which row 0 may be a later one of the file's.
class TensorRows : public RowBytes {
 public:
  TensorRows(RowLayout const& layout, std::uint64_t first, std::string const& name, Extent const& at,
             std::shared_ptr<MappedFile const> file)
      : RowBytes(layout), first_(first), reader_(name, at), wake_(std::move(file)), packed_(at.deflated) {}

  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    auto const bytes = reader_.read((first_ + begin) * layout().row_bytes(), count * layout().row_bytes());
    wake_.reach(packed_ ? reader_.left() : bytes);
    return bytes;
  }

 private:
  std::uint64_t first_;
  ByteReader reader_;
  Wake wake_;
  bool packed_;
};

/// The rows of a .kld, whose scales and least numbers are looked at when their rows are asked for: looking at all of
/// them first would fetch every page of a file that may be larger than memory.
class KldRows : public RowBytes {
 public:
  KldRows(RowLayout const& layout, std::uint64_t first, std::string path, Kld const& kld,
          std::shared_ptr<MappedFile const> file)
      : RowBytes(layout), first_(first), path_(std::move(path)), kld_(kld), wake_(std::move(file)) {}

  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    std::uint64_t const size = layout().row_bytes();
    auto const rows = kld_.rows.subspan((first_ + begin) * size, count * size);
    wake_.reach(rows);
    for (std::uint64_t i = 0; i < count; ++i) check(first_ + begin + i, rows.subspan(i * size, size));
    return rows;
  }

 private:
  void check(std::uint64_t number, std::span<std::uint8_t const> row) const {
    auto const scale = load<float>(row, 0), least = load<float>(row, 4);
    if (std::isfinite(scale) && scale >= 0 && std::isfinite(least)) return;
    throw InputError(path_ + ": row " + std::to_string(number % kld_.rows_per_chunk()) + " of chunk " +
                     std::to_string(number / kld_.rows_per_chunk()) + " has the scale " + std::to_string(scale) +
                     " and the least log-probability " + std::to_string(least) +
                     " (they are finite, the scale not below 0) write it again with llama-perplexity " +
                     "--kl-divergence-base");
  }

  std::uint64_t first_;
  std::string path_;
  Kld kld_;
  Wake wake_;
};

std::optional<Encoding> encoding_of(Tensor const& tensor) {
  if (!tensor.is_float()) return {};
  if (tensor.dtype == "F16") return Encoding::f16;
  if (tensor.dtype == "BF16") return Encoding::bf16;
  return tensor.dtype == "F32" ? Encoding::f32 : Encoding::f64;
}

/// The shape without a batch of one in front, as Hugging Face's models return logits.
std::span<std::uint64_t const> without_batch(Tensor const& tensor, std::size_t dimensions) {
  std::span<std::uint64_t const> const shape = tensor.shape;
  return shape.size() == dimensions + 1 && shape[0] == 1 ? shape.subspan(1) : shape;
}

bool could_be_rows(Tensor const& tensor) { return tensor.is_float() && without_batch(tensor, 2).size() == 2; }

Tensor const& logits_tensor(RowFile const& file, Role const& role, std::string const& asked, bool alone) {
  TensorList const& list = file.list();
  if (list.tensors.empty() && file.kind() == RowFileKind::npz) {
    throw InputError(
        file.path() +
        ": it is a zip archive without .npy arrays (rows are read from arrays) unpack it, and give what " +
        "was in it");
  }
  Tensor const* tensor = nullptr;
  auto const try_names = [&](std::span<std::string_view const> names) {
    for (std::string_view name : names)
      if (tensor == nullptr) tensor = list.find(name);
  };
  if (!asked.empty()) {
    tensor = list.find(asked);
  } else {
    try_names(role.usual);
    if (alone) {
      try_names(model_names);
      if (tensor == nullptr && std::ranges::count_if(list.tensors, could_be_rows) == 1)
        tensor = &*std::ranges::find_if(list.tensors, could_be_rows);
      // Of one array there is no choice; what is wrong with it is then said of it.
      if (tensor == nullptr && list.tensors.size() == 1) tensor = &list.tensors[0];
    }
  }
  if (tensor == nullptr) {
    throw InputError(file.path() + ": there is no tensor '" + (asked.empty() ? std::string(role.usual[0]) : asked) +
                     "' (it holds " + list.names() + ") name one " + naming(role));
  }
  if (!tensor->fault.empty()) throw InputError(file.path() + ": " + tensor->name + " " + tensor->fault);
  if (!could_be_rows(*tensor)) {
    throw InputError(file.path() + ": " + tensor->name + " is " + tensor->dtype + " " + tensor->shape_text() +
                     " (logits are F16, BF16, F32 or F64 of the shape [rows, vocab]) name another " + naming(role));
  }
  return *tensor;
}

/// The whole numbers per row of the first of these names that the file has.
std::vector<std::int64_t> per_row(RowFile const& file, std::initializer_list<std::string_view> names,
                                  std::uint64_t rows) {
  for (std::string_view name : names) {
    Tensor const* const tensor = file.list().find(name);
    if (tensor == nullptr) continue;
    if (tensor->is_integer() && std::ranges::equal(without_batch(*tensor, 1), std::span(&rows, 1)))
      return read_integers(file.path(), *tensor);
    throw InputError(file.path() + ": " + tensor->name + " is " + tensor->dtype + " " + tensor->shape_text() +
                     " (it should hold a whole number for each of the " + std::to_string(rows) +
                     " rows) write it as I64 [" + std::to_string(rows) + "]");
  }
  return {};
}

std::optional<double> temperature_of(RowFile const& file) {
  for (char const* key : {"temperature_of_text", "temperature"}) {
    if (auto const found = file.list().metadata.find(key); found != file.list().metadata.end()) {
      std::optional<double> value;
      try {
        value = parse_fraction(found->second).to_double();
      } catch (Error const&) {
      }
      if (!value || *value < 0)
        throw InputError(file.path() + ": metadata " + key + " is '" + found->second +
                         "' (a temperature is a number of 0 or more) write it again, or leave it out");
      return value;
    }
    Tensor const* const tensor = file.list().find(key);
    if (tensor == nullptr || tensor->elements() != 1) continue;
    double value = 0;
    for_each_piece(file.path(), *tensor, [&](std::span<double const> piece) { value = piece[0]; });
    if (!std::isfinite(value) || value < 0) {
      throw InputError(file.path() + ": " + tensor->name + " is " + std::to_string(value) +
                       " (a temperature is a number of 0 or more) write it again, or leave it out");
    }
    return value;
  }
  return {};
}

/// What metadata says of how the text's law was cut; a text that is not a number in range says nothing.
void read_truncation(RowFile const& file, Labels& labels) {
  auto const number = [&](char const* key) -> std::optional<double> {
    auto const found = file.list().metadata.find(key);
    if (found == file.list().metadata.end()) return {};
    try {
      return parse_fraction(found->second).to_double();
    } catch (Error const&) {
      return {};
    }
  };
  if (auto const k = number("top_k_of_text"); k && *k >= 0 && *k <= max_vocab && *k == std::floor(*k))
    labels.top_k = static_cast<std::uint32_t>(*k);
  if (auto const p = number("top_p_of_text"); p && *p > 0 && *p <= 1) labels.top_p = *p;
}

Labels labels_of(RowFile const& file, std::uint64_t rows) {
  Labels labels;
  if (file.kind() != RowFileKind::kld) {
    labels = {.tokens = per_row(file, {"tokens"}, rows),
              .sequence = per_row(file, {"sequence", "seq"}, rows),
              .position = per_row(file, {"position", "pos"}, rows),
              .temperature = temperature_of(file)};
    read_truncation(file, labels);
    return labels;
  }
  Kld const& kld = file.kld();
  for (std::uint64_t c = 0; c < kld.n_chunk; ++c)
    for (std::uint64_t r = 0; r < kld.rows_per_chunk(); ++r) {
      labels.tokens.push_back(kld.predicted(c, r));
      labels.sequence.push_back(static_cast<std::int64_t>(c));
    }
  return labels;
}

/// alone: the pair's other model has a file of its own.
Model find_model(RowFile const& file, Role const& role, std::string const& asked, bool alone) {
  Model model{&file, "log-probabilities", {}, {}, {}};
  if (file.kind() == RowFileKind::kld) {
    Kld const& kld = file.kld();
    model.layout = {Encoding::kld, kld.n_chunk * kld.rows_per_chunk(), kld.n_vocab};
    model.shape = "[" + std::to_string(model.layout.rows) + ", " + std::to_string(model.layout.vocab) + "]";
    return model;  // as large as read_kld lets it be
  }
  Tensor const& tensor = logits_tensor(file, role, asked, alone);
  auto const shape = without_batch(tensor, 2);
  model.field = tensor.name;
  model.shape = tensor.shape_text();
  model.layout = {*encoding_of(tensor), shape[0], shape[1]};
  model.at = tensor.at;
  if (model.layout.vocab == 0 || model.layout.vocab > max_vocab || model.layout.rows == 0) {
    throw InputError(model.name() + " is " + model.shape + " (1 to " + std::to_string(max_vocab) +
                     " tokens and at least one row can be handled) record it again");
  }
  return model;
}

std::unique_ptr<RowBytes> open_rows(Model const& model, Range rows) {
  RowLayout const layout{model.layout.encoding, rows.size(), model.layout.vocab};
  RowFile const& file = *model.file;
  if (file.kind() == RowFileKind::kld)
    return std::make_unique<KldRows>(layout, rows.begin, file.path(), file.kld(), file.mapped());
  return std::make_unique<TensorRows>(layout, rows.begin, model.name(), model.at, file.mapped());
}

/// "A..B" within the recording.
Range range_of(std::string const& text, std::string const& file, std::uint64_t recorded) {
  if (text.empty()) return {0, recorded};
  std::size_t const dots = text.find("..");
  auto const number = [&](std::string_view part) -> std::uint64_t {
    if (part.empty() || part.size() > 18 || part.find_first_not_of("0123456789") != part.npos)
      throw UsageError("rows=" + text + " is not a range (rows are numbered from 0) write it like 0..24");
    std::uint64_t value = 0;
    for (char digit : part) value = 10 * value + static_cast<std::uint64_t>(digit - '0');
    return value;
  };
  Range const range{number(std::string_view(text).substr(0, dots)),
                    number(dots == text.npos ? std::string_view() : std::string_view(text).substr(dots + 2))};
  if (range.begin >= range.end || range.end > recorded) {
    throw InputError(file + ": it has no rows " + text + " (it holds 0.." + std::to_string(recorded) +
                     ", the last not included) ask for rows within");
  }
  return range;
}

/// The tokens of the range, each compared with the vocabulary.
std::vector<std::int64_t> tokens_in(std::vector<std::int64_t> const& all, std::string const& file, Range rows,
                                    std::uint64_t vocab) {
  if (all.empty()) return {};
  for (std::uint64_t i = rows.begin; i < rows.end; ++i)
    if (all[i] < 0 || static_cast<std::uint64_t>(all[i]) >= vocab) {
      throw InputError(file + ": tokens, row " + std::to_string(i) + " is " + std::to_string(all[i]) +
                       " (the rows have the tokens 0 to " + std::to_string(vocab - 1) + ") record the file again");
    }
  auto const first = all.begin();
  return {first + static_cast<std::ptrdiff_t>(rows.begin), first + static_cast<std::ptrdiff_t>(rows.end)};
}

/// Splits the range into runs in which the sequence stays the same and the position goes up by one, where there are
/// such labels.
void find_runs(Labels const& labels, Range rows, std::vector<std::uint32_t>& lengths,
               std::vector<std::int64_t>& names) {
  auto const& sequence = labels.sequence;
  auto const& position = labels.position;
  for (std::uint64_t i = rows.begin; i < rows.end; ++i) {
    bool const follows =
        i > rows.begin && (sequence.empty() || sequence[i] == sequence[i - 1]) &&
        (position.empty() || (position[i] > position[i - 1] && position[i - 1] + 1 == position[i])) &&
        lengths.back() < UINT32_MAX;
    if (!follows) {
      lengths.push_back(0);
      names.push_back(sequence.empty() ? 0 : sequence[i]);
    }
    ++lengths.back();
  }
}

/// The target's labels, and from the draft's file what the target's lacks.
Labels joined(Model const& target, Labels from_target, Model const& draft, Labels from_draft) {
  if (from_target.tokens.empty()) {
    from_target.tokens = std::move(from_draft.tokens);
  } else if (!from_draft.tokens.empty()) {
    auto const [a, b] = std::ranges::mismatch(from_target.tokens, from_draft.tokens);
    if (a != from_target.tokens.end()) {
      throw InputError(target.file->path() + ": tokens, row " + std::to_string(a - from_target.tokens.begin()) +
                       " is " + std::to_string(*a) + ", but in " + draft.file->path() + " it is " +
                       std::to_string(*b) + " (rows of the two must be about the same places of one text) record " +
                       "both on one text");
    }
  }
  if (from_target.sequence.empty() && from_target.position.empty()) {
    from_target.sequence = std::move(from_draft.sequence);
    from_target.position = std::move(from_draft.position);
  }
  if (!from_target.temperature) {
    from_target.temperature = from_draft.temperature;
    from_target.top_k = from_draft.top_k;
    from_target.top_p = from_draft.top_p;
  }
  return from_target;
}

[[noreturn]] void refuse_one_model(RowFile const& file) {
  throw InputError(file.path() +
                   ": it holds one model's rows (both models' over one text are needed) give the other's, too: " +
                   "draftgauge measure TARGET DRAFT, or draft=FILE in a source");
}

bool of_one_model(RowFile const& file, RowOptions const& options) {
  if (file.kind() == RowFileKind::kld || file.kind() == RowFileKind::npy) return true;
  auto const has = [&](std::span<std::string_view const> names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return file.list().find(name) != nullptr; });
  };
  return options.target_key.empty() && options.draft_key.empty() && !(has(target_names) && has(draft_names)) &&
         std::ranges::count_if(file.list().tensors, could_be_rows) == 1;
}

}  // namespace

RowPairs open_row_pairs(std::string const& target_file, std::string const& draft_file, RowOptions const& options) {
  bool const two_files = !draft_file.empty();
  RowFile const first(target_file, options.assumed);
  std::optional<RowFile> second;
  if (two_files) second.emplace(draft_file, options.assumed);
  if (!two_files && of_one_model(first, options)) refuse_one_model(first);
  RowFile const& other = two_files ? *second : first;
  if (first.kind() == RowFileKind::kld && other.kind() == RowFileKind::kld)
    check_same_text(first.path(), first.kld(), other.path(), other.kld());
  Model const target = find_model(first, target_role, options.target_key, two_files);
  Model const draft = find_model(other, draft_role, options.draft_key, two_files);
  if (target.layout.rows != draft.layout.rows || target.layout.vocab != draft.layout.vocab) {
    throw InputError(target.name() + " is " + target.shape + " but " + (two_files ? draft.name() : draft.field) +
                     " is " + draft.shape +
                     " (rows and tokens of the two must be the same) record both on one text " +
                     "with one tokenizer");
  }
  Range const rows = range_of(options.rows, first.path(), target.layout.rows);
  Labels labels = labels_of(first, target.layout.rows);
  std::string const& tokens_file = labels.tokens.empty() ? other.path() : first.path();
  if (two_files) labels = joined(target, std::move(labels), draft, labels_of(other, target.layout.rows));

  RowPairs pairs;
  pairs.target = open_rows(target, rows);
  pairs.draft = open_rows(draft, rows);
  pairs.tokens = tokens_in(labels.tokens, tokens_file, rows, target.layout.vocab);
  find_runs(labels, rows, pairs.sequences, pairs.names);
  pairs.temperature = labels.temperature;
  pairs.top_k = labels.top_k;
  pairs.top_p = labels.top_p;
  pairs.target_name = target.name();
  pairs.draft_name = draft.name();
  pairs.first = rows.begin;
  pairs.files = {first.path()};
  pairs.bytes = {first.bytes()};
  if (two_files) {
    pairs.files.push_back(other.path());
    pairs.bytes.push_back(other.bytes());
  }
  return pairs;
}

ModelRows open_model_rows(std::string const& path, std::string const& key, std::string const& rows) {
  RowFile const file(path);
  Model const model = find_model(file, model_role, key, true);
  Range const range = range_of(rows, path, model.layout.rows);
  Labels const labels = labels_of(file, model.layout.rows);
  ModelRows result;
  result.rows = open_rows(model, range);
  result.name = model.name();
  result.first = range.begin;
  result.tokens = tokens_in(labels.tokens, path, range, model.layout.vocab);
  find_runs(labels, range, result.sequences, result.names);
  result.temperature = labels.temperature;
  return result;
}

}  // namespace draftgauge
