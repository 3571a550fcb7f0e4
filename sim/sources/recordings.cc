#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/error.h"
#include "sim/recordings/row_pairs.h"
#include "sim/sha256.h"
#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

// Sources that read full rows of two models. They differ in how the files are named, and in what a file is taken for
// of which neither its first bytes nor its name tell.
namespace draftgauge {
namespace {

/// The pairs of rows that the keys ask for; `target` is the name of the key for the target's file.
RowPairs open_pairs(Keys const& keys, std::string_view target, RowFileKind assumed) {
  try {
    return open_row_pairs(keys.text(target), keys.text("draft"),
                          {.target_key = keys.text("target-key"),
                           .draft_key = keys.text("draft-key"),
                           .rows = keys.text("rows"),
                           .assumed = assumed});
  } catch (UsageError const& e) {
    throw keys.error(e.what());
  }
}

/// The laws of a file's rows, one after another.
class LawReader {
 public:
  LawReader(RowBytes& rows, std::string const& name, std::uint64_t first, double temperature)
      : rows_(rows), name_(name), first_(first), temperature_(temperature), law_(rows.layout().vocab) {}

  /// Weights of the law of a row, valid until the next call.
  std::vector<double> const& read(std::uint64_t row) {
    decode_row(rows_.layout(), rows_.rows(row, 1), law_);
    check_logits(name_ + ", row " + std::to_string(first_ + row), law_);
    softmax(law_, temperature_);
    return law_;
  }

 private:
  RowBytes& rows_;
  std::string const& name_;
  std::uint64_t first_;
  double temperature_;
  std::vector<double> law_;
};

Source build(Keys const& keys, SourceOptions const& options, std::string_view target_key, RowFileKind assumed) {
  RowPairs const pairs = open_pairs(keys, target_key, assumed);
  RowLayout const& layout = pairs.target->layout();
  check_memory(layout.rows, layout.vocab, options.memory_limit, "take a part of them with rows=0..N");
  Recording recording{.tokens = {}, .sequences = pairs.sequences, .temperature = pairs.temperature};
  for (std::int64_t token : pairs.tokens) recording.tokens.push_back(static_cast<Token>(token));

  double const temperature = keys.number("temperature");
  LawReader target(*pairs.target, pairs.target_name, pairs.first, temperature);
  LawReader draft(*pairs.draft, pairs.draft_name, pairs.first, temperature);
  RowList laws;
  for (std::uint64_t row = 0; row < layout.rows; ++row) {
    auto const& p = target.read(row);
    laws.add(p, draft.read(row));
  }
  std::vector<InputFile> inputs;
  std::vector<Keys::Pair> digests;
  for (std::size_t i = 0; i < pairs.files.size(); ++i) {
    Sha256 digest;
    digest.update(pairs.bytes[i]);
    inputs.push_back({pairs.files[i], digest.hex()});
    digests.emplace_back(i == 0 ? target_key : "draft", inputs[i].sha256);
  }
  Follow const follow = keys.text("contexts") == "path" ? Follow::next_row : Follow::independent;
  Source source{.description = keys.description(),
                .laws = Laws(laws.rows(), follow),
                .rounding = laws.rounding(),
                .inputs = std::move(inputs),
                .recording = std::move(recording),
                .by_content = keys.description_by_content(digests)};
  if (follow == Follow::next_row) source.laws.set_sequences(source.recording->sequences);
  return source;
}

template <RowFileKind kind, bool one_file>
Source build_from(Keys const& keys, SourceOptions const& options) {
  return build(keys, options, one_file ? "file" : "target", kind);
}

/// The keys of a source that may have both models in one file, or of one that has them in two.
std::vector<KeyCard> keys_of(bool one_file) {
  using enum KeyCard::Kind;
  std::vector<KeyCard> keys;
  if (one_file) {
    keys = {
        {.name = "file",
         .kind = text,
         .meaning = "the file to read; a name with a comma in double quotes",
         .required = true},
        {.name = "draft", .kind = text, .meaning = "file of the draft, of any format, where it has one of its own"}};
  } else {
    keys = {{.name = "target",
             .kind = text,
             .meaning = "file of the target; a name with a comma in double quotes",
             .required = true},
            {.name = "draft", .kind = text, .meaning = "file of the draft, of any format", .required = true}};
  }
  std::vector<KeyCard> const shared = {
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
      {.name = "rows", .kind = text, .meaning = "A..B takes rows A to B − 1; all if not given"}};
  keys.insert(keys.end(), shared.begin(), shared.end());
  return keys;
}

constexpr std::string_view softmax_laws = "p = softmax(target_logits/T), q = softmax(draft_logits/T), row by row";

}  // namespace

SourceCard safetensors_source() {
  return {.name = "safetensors",
          .summary = "a recording of two models' logits or log-probabilities over one text",
          .laws = softmax_laws,
          .keys = keys_of(true),
          .build = build_from<RowFileKind::safetensors, true>};
}

SourceCard npz_source() {
  return {.name = "npz",
          .summary = "the same in NumPy's .npz, stored or deflated",
          .laws = softmax_laws,
          .keys = keys_of(true),
          .build = build_from<RowFileKind::npz, true>};
}

SourceCard npy_source() {
  return {.name = "npy",
          .summary = "the same in two .npy files of NumPy's, one array of rows in each",
          .laws = softmax_laws,
          .keys = keys_of(false),
          .build = build_from<RowFileKind::npy, false>};
}

SourceCard kld_source() {
  return {.name = "kld",
          .summary = "two files of llama-perplexity --kl-divergence-base, made on one text",
          .laws =
              "p, q ∝ exp((least + scale·code)/T), row by row: small probabilities were raised to a floor when the "
              "file was written",
          .keys = keys_of(false),
          .build = build_from<RowFileKind::kld, false>};
}

}  // namespace draftgauge
