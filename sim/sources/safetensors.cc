#include "sim/safetensors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/error.h"
#include "sim/sha256.h"
#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

constexpr std::string_view target_names[] = {"target_logits", "p_logits", "target"};
constexpr std::string_view draft_names[] = {"draft_logits", "q_logits", "draft"};

/// Half-open range of a recording's rows.
struct Rows {
  std::uint64_t begin, end;
  std::uint64_t size() const { return end - begin; }
};

Tensor const& logits_tensor(std::string const& file, TensorList const& list, std::string const& key,
                            std::string const& asked, std::span<std::string_view const> usual) {
  Tensor const* tensor = nullptr;
  if (!asked.empty()) {
    tensor = list.find(asked);
  } else {
    for (std::string_view name : usual)
      if (tensor == nullptr) tensor = list.find(name);
  }
  if (tensor == nullptr) {
    std::string there;
    for (Tensor const& t : list.tensors) there += (there.empty() ? "" : ", ") + t.name;
    throw InputError(file + ": there is no tensor '" + (asked.empty() ? std::string(usual[0]) : asked) +
                     "' (it holds " + (there.empty() ? "none" : there) + ") name one with " + key);
  }
  if (!tensor->is_float() || tensor->shape.size() != 2) {
    throw InputError(file + ": " + tensor->name + " is " + tensor->dtype + " " + tensor->shape_text() +
                     " (logits are F16, BF16, F32 or F64 of the shape [rows, vocab]) name another with " + key);
  }
  return *tensor;
}

/// A tensor with a whole number per row, or null where the file has none of that name.
Tensor const* per_row(std::string const& file, TensorList const& list, std::string_view name, std::uint64_t rows) {
  Tensor const* const tensor = list.find(name);
  if (tensor == nullptr || (tensor->is_integer() && tensor->shape == std::vector{rows})) return tensor;
  throw InputError(file + ": " + tensor->name + " is " + tensor->dtype + " " + tensor->shape_text() +
                   " (it should hold a whole number for each of the " + std::to_string(rows) +
                   " rows) write it as I64 [" + std::to_string(rows) + "]");
}

std::vector<Token> read_tokens(std::string const& file, Tensor const& tensor, Rows rows, std::uint64_t vocab) {
  std::vector<std::int64_t> const all = read_integers(file, tensor);
  std::vector<Token> tokens;
  for (std::uint64_t i = rows.begin; i < rows.end; ++i) {
    if (all[i] < 0 || static_cast<std::uint64_t>(all[i]) >= vocab) {
      throw InputError(file + ": " + tensor.name + ", row " + std::to_string(i) + " is " + std::to_string(all[i]) +
                       " (the rows have the tokens 0 to " + std::to_string(vocab - 1) + ") record the file again");
    }
    tokens.push_back(static_cast<Token>(all[i]));
  }
  return tokens;
}

/// Lengths of the runs of rows in which `sequence` stays the same and `position` goes up by one, of those that exist.
std::vector<std::uint32_t> read_sequences(std::string const& file, Tensor const* sequence, Tensor const* position,
                                          Rows rows) {
  auto const numbers = [&](Tensor const* t) { return t ? read_integers(file, *t) : std::vector<std::int64_t>{}; };
  auto const sequences = numbers(sequence);
  auto const positions = numbers(position);
  std::vector<std::uint32_t> lengths;
  for (std::uint64_t i = rows.begin; i < rows.end; ++i) {
    bool const follows =
        i > rows.begin && (sequences.empty() || sequences[i] == sequences[i - 1]) &&
        (positions.empty() || (positions[i] > positions[i - 1] && positions[i - 1] + 1 == positions[i]));
    if (!follows) lengths.push_back(0);
    ++lengths.back();
  }
  return lengths;
}

/// The row's logits, refused unless softmax can make a law of them.
void read_logits(std::string const& file, Tensor const& tensor, std::uint64_t row, std::span<double> out) {
  read_floats(tensor, row, out);
  std::string const where = file + ": " + tensor.name + ", row " + std::to_string(row);
  auto const bad = std::ranges::find_if(out, [](double z) { return std::isnan(z) || z == INFINITY; });
  if (bad != out.end()) {
    throw InputError(where + ", column " + std::to_string(bad - out.begin()) + " is " +
                     (std::isnan(*bad) ? "NaN" : "+inf") + " (a logit is a number, or -inf for probability 0) " +
                     "record the row again");
  }
  if (std::ranges::all_of(out, [](double z) { return z == -INFINITY; }))
    throw InputError(where + " is -inf throughout (no token could ever be drawn) record the row again");
}

/// "A..B" within the recording.
Rows rows_asked(Keys const& keys, std::string const& file, std::uint64_t recorded) {
  std::string const& text = keys.text("rows");
  if (text.empty()) return {0, recorded};
  std::size_t const dots = text.find("..");
  auto const number = [&](std::string_view part) -> std::uint64_t {
    if (part.empty() || part.size() > 18 || part.find_first_not_of("0123456789") != part.npos)
      throw keys.error("rows=" + text + " is not a range (rows are numbered from 0) write it like 0..24");
    std::uint64_t value = 0;
    for (char digit : part) value = 10 * value + static_cast<std::uint64_t>(digit - '0');
    return value;
  };
  Rows const rows{number(std::string_view(text).substr(0, dots)),
                  number(dots == text.npos ? std::string_view() : std::string_view(text).substr(dots + 2))};
  if (rows.begin >= rows.end || rows.end > recorded) {
    throw InputError(file + ": it has no rows " + text + " (it holds 0.." + std::to_string(recorded) +
                     ", the last not included) ask for rows within");
  }
  return rows;
}

std::optional<double> temperature_of_text(TensorList const& list) {
  for (char const* key : {"temperature_of_text", "temperature"}) {
    auto const found = list.metadata.find(key);
    if (found == list.metadata.end()) continue;
    try {
      return parse_fraction(found->second).to_double();
    } catch (Error const&) {
      return {};  // a text that is not a number says nothing; it is shown as metadata
    }
  }
  return {};
}

Source build(Keys const& keys, SourceOptions const& options) {
  std::string const& file = keys.text("file");
  TensorFile const tensors(file);
  TensorList const& list = tensors.list();
  Tensor const& target = logits_tensor(file, list, "target-key", keys.text("target-key"), target_names);
  Tensor const& draft = logits_tensor(file, list, "draft-key", keys.text("draft-key"), draft_names);
  if (target.shape != draft.shape) {
    throw InputError(file + ": " + target.name + " is " + target.shape_text() + " but " + draft.name + " is " +
                     draft.shape_text() + " (rows and tokens of the two must be the same) record both on one text " +
                     "with one tokenizer");
  }
  std::uint64_t const vocab = target.shape[1];
  if (vocab == 0 || vocab > max_vocab || target.shape[0] == 0) {
    throw InputError(file + ": " + target.name + " is " + target.shape_text() + " (1 to " +
                     std::to_string(max_vocab) + " tokens and at least one row can be handled) record it again");
  }
  Rows const rows = rows_asked(keys, file, target.shape[0]);
  check_memory(rows.size(), vocab, options.memory_limit, "take a part of them with rows=0..N");

  Recording recording;
  if (Tensor const* tokens = per_row(file, list, "tokens", target.shape[0]))
    recording.tokens = read_tokens(file, *tokens, rows, vocab);
  recording.sequences = read_sequences(file, per_row(file, list, "sequence", target.shape[0]),
                                       per_row(file, list, "position", target.shape[0]), rows);
  recording.temperature = temperature_of_text(list);

  RowList laws;
  std::vector<double> p(vocab), q(vocab);
  double const temperature = keys.number("temperature");
  for (std::uint64_t row = rows.begin; row < rows.end; ++row) {
    read_logits(file, target, row, p);
    read_logits(file, draft, row, q);
    softmax(p, temperature);
    softmax(q, temperature);
    laws.add(p, q);
  }
  Sha256 digest;
  digest.update(tensors.bytes());
  Follow const follow = keys.text("contexts") == "path" ? Follow::next_row : Follow::independent;
  Source source{.description = keys.description(),
                .laws = Laws(laws.rows(), follow),
                .rounding = laws.rounding(),
                .inputs = {{file, digest.hex()}},
                .recording = recording,
                .by_content = keys.description_by_content("file", digest.hex())};
  if (follow == Follow::next_row) source.laws.set_sequences(recording.sequences);
  return source;
}

}  // namespace

SourceCard safetensors_source() {
  using enum KeyCard::Kind;
  return {
      .name = "safetensors",
      .summary = "a recording of two models' logits or log-probabilities over one text",
      .laws = "p = softmax(target_logits/T), q = softmax(draft_logits/T), row by row",
      .keys = {{.name = "file",
                .kind = text,
                .meaning = "the file to read; a name with a comma in double quotes",
                .required = true},
               {.name = "contexts",
                .kind = choice,
                .meaning = "bag: each position takes a recorded row at random; path: rows in the text's order",
                .standard = "bag",
                .choices = {"bag", "path"}},
               {.name = "temperature",
                .kind = number,
                .meaning = "T that both laws are taken at; 0 takes the largest logit",
                .standard = "1",
                .least = 0,
                .most = 1'000'000},
               {.name = "target-key", .kind = text, .meaning = "tensor of the target; target_logits if not given"},
               {.name = "draft-key", .kind = text, .meaning = "tensor of the draft; draft_logits if not given"},
               {.name = "rows", .kind = text, .meaning = "A..B takes rows A to B − 1; all if not given"}},
      .build = build};
}

}  // namespace draftgauge
