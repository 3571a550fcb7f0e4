#include <algorithm>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/sha256.h"
#include "sim/recordings/row_pairs.h"
#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

// Sources that read full rows of two models. They differ in how the files are named, and in what a file is taken for
// of which neither its first bytes nor its name tell.
namespace draftgauge {
namespace {

/// The pairs of rows that the keys ask for; `target` is the name of the key for the target's file.
RowPairs open_pairs(Keys const& keys, std::string_view target, RowFileCard const& format) {
  try {
    return open_row_pairs(keys.text(target), keys.text("draft"),
                          {.target_key = keys.text("target-key"),
                           .draft_key = keys.text("draft-key"),
                           .rows = keys.text("rows"),
                           .assumed = &format});
  } catch (UsageError const& e) {
    throw keys.error(e);
  }
}

/// Bytes of a model's rows that are asked for at a time: where they are packed, so many are unpacked.
constexpr std::uint64_t stretch_bytes = std::uint64_t{1} << 24;

/// The laws of all rows, a stretch of them after another.
RowList tables_of(RowPairs const& pairs, double temperature, int threads) {
  RowLayout const &target = pairs.target->layout(), &draft = pairs.draft->layout();
  auto const vocab = static_cast<std::uint32_t>(target.vocab);
  std::uint64_t const stretch = std::max<std::uint64_t>(
      4 * static_cast<std::uint64_t>(threads), stretch_bytes / std::max(target.row_bytes(), draft.row_bytes()));
  RowList pair_tables;
  pair_tables.reserve(target.rows, vocab);
  for (std::uint64_t begin = 0; begin < target.rows; begin += stretch) {
    std::uint64_t const count = std::min(stretch, target.rows - begin);
    auto const target_bytes = pairs.target->rows(begin, count), draft_bytes = pairs.draft->rows(begin, count);
    auto const read = [&](RowBytes const& rows, std::span<std::uint8_t const> bytes, std::string const& name,
                          std::uint64_t row, std::span<double> law) {
      std::uint64_t const size = rows.layout().row_bytes();
      decode_row(rows.layout(), bytes.subspan(row * size, size), law);
      check_logits(name + ", row " + std::to_string(rows.file_row(begin + row)), law);
      softmax(law, temperature);
    };
    pair_tables.add_rows(count, vocab, threads, [&] {
      return [&](std::uint64_t row, std::span<double> p, std::span<double> q) {
        read(*pairs.target, target_bytes, pairs.target_name, row, p);
        read(*pairs.draft, draft_bytes, pairs.draft_name, row, q);
      };
    });
  }
  return pair_tables;
}

std::vector<std::string> digests_of(std::vector<std::span<std::uint8_t const>> const& files) {
  std::vector<std::string> digests;
  for (auto const bytes : files) {
    Sha256 digest;
    digest.update(bytes);
    digests.push_back(digest.hex());
  }
  return digests;
}

/// Throws InputError where the rows need more memory than the limit; says which of them would do.
void check_memory_of(RowPairs const& pairs, std::uint64_t limit) {
  RowLayout const& layout = pairs.target->layout();
  std::uint64_t const fit = std::min(rows_that_fit(layout.vocab, limit), layout.rows);
  // In the file's numbers: rows that are left out in between take no memory.
  check_memory(layout.rows, layout.vocab, limit,
               fit == 0 ? "take a recording over fewer tokens"
                        : "take a part of them with rows=" + std::to_string(pairs.target->file_row(0)) + ".." +
                              std::to_string(pairs.target->file_row(fit - 1) + 1));
}

Source build(Keys const& keys, SourceOptions const& options) {
  RowFileCard const& card = *std::ranges::find(row_file_cards(), keys.source(), &RowFileCard::word);
  std::string_view const target_key = card.one_model ? "target" : "file";
  RowPairs const pairs = open_pairs(keys, target_key, card);
  check_memory_of(pairs, options.memory_limit);
  Recording recording{.tokens = {}, .sequences = pairs.sequences, .temperature = pairs.temperature};
  for (std::int64_t token : pairs.tokens) recording.tokens.push_back(static_cast<Token>(token));

  // The digest takes one thread as long as the laws take it, so that it runs beside them.
  auto digested =
      std::async(options.threads > 1 ? std::launch::async : std::launch::deferred, digests_of, pairs.bytes);
  RowList pair_tables = tables_of(pairs, keys.number("temperature"), options.threads);
  Follow const follow = keys.text("contexts") == "path" ? Follow::next_row : Follow::independent;
  PairTables tables(pair_tables.take(), follow, options.threads);
  if (follow == Follow::next_row) tables.set_sequences(pairs.sequences);

  std::vector<std::string> const hex = digested.get();
  std::vector<InputFile> inputs;
  std::vector<Keys::Pair> digests;
  for (std::size_t i = 0; i < pairs.files.size(); ++i) {
    inputs.push_back({pairs.files[i], hex[i]});
    digests.emplace_back(i == 0 ? target_key : "draft", hex[i]);
  }
  return {.description = keys.description(),
          .tables = std::move(tables),
          .rounding = pair_tables.rounding(),
          .inputs = std::move(inputs),
          .recording = std::move(recording),
          .by_content = keys.description_by_content(digests)};
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
       .meaning = "T that both distributions are taken at; 0 takes the largest logit",
       .standard = "1",
       .least = 0,
       .most = 1'000'000},
      {.name = "target-key", .kind = text, .meaning = "tensor of the target; target_logits if not given"},
      {.name = "draft-key", .kind = text, .meaning = "tensor of the draft; draft_logits if not given"},
      {.name = "rows", .kind = text, .meaning = "A..B takes rows A to B − 1; all if not given"}};
  keys.insert(keys.end(), shared.begin(), shared.end());
  return keys;
}

}  // namespace

/// One for each format of rows, in the order of their cards.
std::vector<SourceCard> recording_sources() {
  std::vector<SourceCard> sources;
  for (RowFileCard const& card : row_file_cards())
    sources.push_back({.name = card.word(),
                       .summary = card.summary,
                       .tables = card.tables,
                       .keys = keys_of(!card.one_model),
                       .build = build});
  return sources;
}

}  // namespace draftgauge
