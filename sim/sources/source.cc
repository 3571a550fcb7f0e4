#include "sim/sources/source.h"

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/mapped_file.h"
#include "sim/base/names.h"
#include "sim/base/shell_word.h"
#include "sim/recordings/pickle.h"
#include "sim/sources/by_hand.h"
#include "sim/sources/keys.h"

namespace draftgauge {
namespace {

std::vector<Keys::Pair> fallbacks_of(SourceOptions const& options) {
  std::vector<Keys::Pair> pairs;
  auto const add = [&](std::string_view key, std::string const& value) {
    if (!value.empty()) pairs.emplace_back(key, value);
  };
  add("contexts", options.contexts);
  add("temperature", options.temperature);
  add("target-key", options.target_key);
  add("draft-key", options.draft_key);
  add("rows", options.rows);
  return pairs;
}

/// Could the text be meant as a source by name? Paths have a point or a slash before any colon.
bool looks_like_name(std::string_view name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == name.npos;
}

/// Whether the source takes a file under this key.
bool takes(SourceCard const& card, std::string_view name) {
  return std::ranges::any_of(card.keys,
                             [&](KeyCard const& key) { return key.kind == KeyCard::Kind::text && key.name == name; });
}

/// Whether the source reads recorded rows, or laws by hand, from files.
bool reads_rows(SourceCard const& card) { return takes(card, "file") || takes(card, "target"); }

/// ".json, .npz": endings of the sources that take a file under the key.
std::string endings_of(std::string_view key, std::string_view between) {
  return joined(
      source_cards() | std::views::filter([&](SourceCard const& card) { return takes(card, key); }),
      [](SourceCard const& card) { return "." + std::string(card.name); }, between);
}

}  // namespace

std::string contexts_text(Contexts const& contexts) {
  std::string const rows = std::to_string(contexts.rows);
  switch (contexts.follow) {
    case Follow::independent: return contexts.rows == 1 ? "one context" : rows + " i.i.d. contexts";
    case Follow::token: return "Markov pair";
    case Follow::state: return "automaton of " + rows + " contexts";
    case Follow::next_row: return rows + " sequential contexts";
    case Follow::prefix: return "a row for every prefix";
  }
  return {};
}

Source open_source(std::string_view text, SourceOptions const& options) {
  if (text.empty())
    throw UsageError("the source is empty (distributions must come from somewhere)", "name a file or a source");
  std::vector<SourceCard> const& cards = source_cards();
  std::size_t const colon = text.find(':');
  std::string_view const name = text.substr(0, colon);
  auto const fallbacks = fallbacks_of(options);
  if (auto const card = std::ranges::find(cards, name, &SourceCard::name); card != cards.end()) {
    if (!reads_rows(*card) && !fallbacks.empty()) {
      throw UsageError("`" + std::string(fallbacks[0].first) + "` cannot be used with " + std::string(name) +
                           " (it says how a recording is read)",
                       "leave it out");
    }
    std::optional<std::string_view> given;
    if (colon != text.npos) given = text.substr(colon + 1);
    return card->build(Keys(*card, given, fallbacks), options);
  }
  std::filesystem::path const path(text);
  std::error_code ignored;
  if (looks_like_name(name) && !std::filesystem::exists(path, ignored)) {
    throw UsageError(unknown_name("source", name, names_in(cards)));
  }
  std::string const file(text);
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(file + ": it is a folder (distributions and recordings are read from files and pipes)",
                     "check the path");
  if (named_as_pickle(file)) {
    MappedFile const there(path);  // or says that it is not
    if (holds_pickle(file, there.bytes())) refuse_pickle(file);
  }
  std::string const extension = path.extension().string();
  auto const card =
      std::ranges::find(cards, std::string_view(extension).substr(extension.empty() ? 0 : 1), &SourceCard::name);
  if (extension.empty() || card == cards.end() || !reads_rows(*card)) {
    throw InputError(
        file + ": its name does not say what it holds (distributions are read from " + endings_of("file", ", ") +
            ", and pairs of " + endings_of("target", " and ") + ")",
        (extension == ".txt" ? "of a book name the source " + shell_word("ngram:text=" + file)
         : extension == ".tsv" || extension == ".csv" || extension == ".jsonl"
             ? std::string("columns say what two models gave a text's own tokens, and no distributions: draftgauge "
                           "measure reads them")
             : std::string("rename it or name a source")));
  }
  if (!takes(*card, "file")) {
    std::string const source(card->name);
    throw UsageError(file + ": a ." + source + " holds the rows of one model (distributions are pairs of p and q)",
                     "name both: " + source + ":target=FILE,draft=FILE");
  }
  auto named = fallbacks;
  named.emplace_back("file", file);
  return card->build(Keys(*card, std::nullopt, named), options);
}

Source source_of_row(std::span<Fraction const> p, std::span<Fraction const> q, SourceOptions const& options) {
  auto const written = [](std::span<Fraction const> law) {
    std::vector<WrittenNumber> out;
    for (Fraction const f : law) out.push_back({f.to_double(), f});
    return out;
  };
  return source_by_hand(written(p), written(q), options);
}

}  // namespace draftgauge
