#include "analysis/open/open_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/counters/formats.h"
#include "analysis/open/lookalikes.h"
#include "analysis/open/text_cards.h"
#include "analysis/recordings/delimited.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/logprobs/logprobs.h"
#include "analysis/recordings/table_numbers.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/lists.h"
#include "sim/base/piped_input.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

[[noreturn]] void unknown(std::string const& place, std::string const& found, bool book = false) {
  auto const given = given_cards();
  throw InputError(fmt::format("{}: unknown file format: it has {}{}", place, found,
                               given.empty() ? ""
                                             : fmt::format(", and `recognise` of the card {} does not fit",
                                                           fmt::join(given, ", "))),
                   !given.empty() ? "correct `recognise` in the card (docs/cards.md)"
                   : book ? "distributions of a book come from the source ngram:text=FILE"
                        : "`draftgauge list recordings` and `draftgauge list counters` name what is read");
}

/// Of numbers alone, which `gamma` takes with a word on what they are.
[[noreturn]] void refuse_bare_counts(std::string const& place) {
  throw InputError(place + ": it has whole numbers without names (accepted drafts, round by round?)",
                   "give gamma what each round accepted, in order, as `accepted-rounds`, and rounds by accepted drafts "
                   "as `accepted-histogram`");
}

/// "3,0,2", "3 0 2", "[3, 0, 2]"; beside a semicolon or tab a comma is a decimal one.
bool are_counts(std::string_view line) {
  if (line.find(',') != line.npos && line.find_first_of(";\t") != line.npos) return false;
  return line.find_first_of("0123456789") != line.npos && line.find_first_not_of("0123456789,; \t[]") == line.npos;
}

/// A list of counts, or lists of them.
bool are_counts(Json const& value) {
  return value.is_array() && !value.empty() && std::ranges::all_of(value, [](Json const& each) {
           return each.is_number_unsigned() || are_counts(each);
         });
}

bool has_accepted_counts(Json const& record) {
  if (!record.is_object()) return false;
  for (auto const& [key, value] : record.items())
    if (lower(key).starts_with("accept") && are_counts(value)) return true;
  return false;
}

/// Of a table whose first line is one of numbers.
void refuse_without_header(std::string const& file, std::string_view line) {
  if (are_counts(line)) refuse_bare_counts(file);
  auto const header = header_in(line);
  if (!header || header->names.size() < 2) return;
  auto const is_number = [](std::string const& name) {
    return parse_real(name) || plain_number(name, DecimalMark::point) || plain_number(name, DecimalMark::comma);
  };
  if (!std::ranges::all_of(header->names, is_number)) return;
  throw InputError(fmt::format("{}: its first line that is no comment has {} numbers and no names: a header line is "
                               "missing (which column is log p and which log q would be a guess)",
                               file, header->names.size()),
                   "put a line of names before it, such as seq, token, logp, logq, with the same separator");
}

/// Of a record that is nothing known, whether its numbers are those of a token, if under other names. Tables by hand
/// have lists under p and q.
bool has_numbers(Json const& record) {
  return std::ranges::none_of(record, [](Json const& value) { return value.is_array() || value.is_object(); });
}

/// The first kind that is known by this; or null.
template <class What>
TextCard const* kind_by(bool (*TextCard::*is)(What), std::type_identity_t<What> what) {
  for (TextCard const& card : text_cards())
    if (card.*is && (card.*is)(what)) return &card;
  return nullptr;
}

TextCard const& kind_of_record(std::string const& place, Json const& record) {
  if (auto const kind = kind_by(&TextCard::is_record, record)) return *kind;
  if (has_numbers(record))
    if (auto const kind = kind_by(&TextCard::could_have_names, lower_keys(record))) return *kind;
  if (are_counts(record) || has_accepted_counts(record)) refuse_bare_counts(place);
  refuse_lookalike(place, record);
  unknown(place, "JSON with " + keys_of(record));
}

}  // namespace

TextCard const& text_kind(std::string const& file, std::string_view bytes) {
  std::string_view const text = text_of(file, bytes);
  std::string_view first = trimmed(text.substr(0, text.find('\n')));  // that is no comment
  Lines lines(text);
  while (lines.next()) {
    std::string_view const line = trimmed(lines.line());
    if (line.empty() || (line.starts_with('#') && !line.starts_with("# HELP") && !line.starts_with("# TYPE")))
      continue;
    first = line;
    if (JsonRecords::looks_like_json(line)) {
      JsonRecords records(file, std::string_view(line.data(), static_cast<std::size_t>(text.end() - line.begin())));
      if (records.next()) return kind_of_record(records.place(), records.value());
    }
    if (auto const kind = kind_by(&TextCard::is_line, line)) return *kind;
    if (auto const header = header_in(line)) {
      if (auto const kind = kind_by(&TextCard::has_names, header->names)) return *kind;
      if (auto const kind = kind_by(&TextCard::could_have_names, header->names)) return *kind;
    }
    break;
  }
  if (auto const kind = kind_by(&TextCard::is_text, text)) return *kind;
  refuse_without_header(file, first);
  refuse_lookalike(file, text, first);
  unknown(file, "a first line of " + in_quotes(first), file.ends_with(".txt"));
}

namespace {

/// A file, its text, and what it is.
struct Opened {
  std::string file;
  TextFile bytes;
  std::string_view text;
  TextCard const& card;

  explicit Opened(std::string const& path)
      : file(path), bytes(path), text(bytes.text()), card(text_kind(path, text)) {
    if (!card.refusal.empty()) throw InputError(fmt::format("{}: {}", file, card.refusal), std::string(card.hint));
  }
};

}  // namespace

bool holds_log_probabilities(std::string const& path) {
  if (!is_input_file(path) || row_file_kind(path)) return false;
  try {
    return text_kind(path, TextFile(path).text()).kind == TextKind::log_probabilities;
  } catch (InputError const&) {
    return false;
  }
}

TokenTrace open_text_trace(std::string const& target, std::string const& draft, TextOptions const& options) {
  Opened const first(target);
  if (first.card.read) {
    if (!draft.empty()) {
      throw InputError(target + ": its " + first.card.name + " are of both models (a second file, " + draft +
                           ", would have no place)",
                       "give one of the two");
    }
    return first.card.read(target, first.text, options);
  }
  if (draft.empty()) {
    throw InputError(
        target + ": it is of one model (both models' log-probabilities are needed)",
        "score the same text with the other model, and give both files: draftgauge measure TARGET DRAFT");
  }
  Opened const second(draft);
  if (second.card.read) {
    throw InputError(draft + ": its " + second.card.name + " are of both models (beside " + target +
                         " a file of the draft alone is needed)",
                     "give " + second.card.name + " alone, or the draft's responses");
  }
  return join(first.card.read_one_model(target, first.text, options),
              second.card.read_one_model(draft, second.text, options),
              {.prompt_tokens = options.prompt_tokens, .temperature = options.temperature});
}

}  // namespace draftgauge
