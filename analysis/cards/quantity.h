#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// What a printed number is. The names on cards are those of quantity_cards().
enum class PrintedQuantity {
  rounds,                ///< R
  drafted,               ///< D
  accepted,              ///< A, draft tokens without the token that follows them
  rejected,              ///< D − A
  verified,              ///< D + R: what passes saw of rounds, each round's drafts and the token before them
  emitted,               ///< E
  requests,
  conversations,         ///< of two requests each
  each_request,          ///< stands once for each of `requests`
  passes,                ///< of the target: rounds, one for each prompt, and plain steps
  plain_steps,           ///< steps without a draft, each of which gave a token
  rejecting,             ///< rounds that rejected a draft
  draft_length,          ///< K, as it was set
  tokens_per_round,      ///< 1 + A/R
  accepted_per_round,    ///< A/R
  drafted_per_round,     ///< D/R
  acceptance_rate,       ///< A/D
  accepted_per_emitted,  ///< A/E
  emitted_per_round,     ///< E/R, with what prompts' passes gave
  mean_of_requests,      ///< of each request's tokens per round: no mean of rounds
  emitted_per_pass,      ///< E/passes
  tokens_per_second,     ///< E over `seconds`
  draft_slots,           ///< K·passes, as if prompts' passes had drafts, too
  slots_not_kept,        ///< of these all but A
  by_position,           ///< a list: rounds that kept draft i, or their share of all rounds
  conditional,           ///< a list: the share, of rounds that kept draft i − 1, that kept draft i
  histogram,             ///< a list: [j] rounds that kept j
  by_draft_length,       ///< such a list for each draft length
  tokens_of_passes,      ///< a list: [j] passes, those of prompts too, that gave j + 1 tokens
  drafted_by_position,   ///< a list: rounds that drafted an i-th token
  accepted_in_order,     ///< a list: what each round kept, in their order
  drafted_in_order,      ///< a list: what each of these rounds drafted
  temperature,
  at_once,             ///< sequences that were decoded at once
  seconds,             ///< of decoding
  draft_seconds,       ///< of the draft model
  target_seconds,      ///< of the target's passes
  draft_call_seconds,  ///< of one pass of the draft model
  round_seconds,       ///< of one pass of the target
  draft_calls,         ///< passes of the draft model
  token_seconds,       ///< a sequence waits so long for a token
  step_seconds,        ///< and so long for a step
  name,                ///< a text: of the request or data set
  model,               ///< a text
  from_draft,          ///< a text: whether one token is a draft that was kept
  token_number,        ///< of that token in its text
  engine,              ///< a text: whose counts these are, by a word for it of engines/cards
};

struct QuantityCard {
  PrintedQuantity quantity;
  std::string_view name;
  bool is_list = false, is_text = false;
};

/// Every quantity once.
std::vector<QuantityCard> const& quantity_cards();
QuantityCard const& quantity_card(PrintedQuantity quantity);
/// Whether it is a whole number.
bool is_count(PrintedQuantity quantity);

/// One unit of the last digit that is written: .01 of "2.92", 1 of "7", 1e-6 of "2.5e-05".
double last_unit(std::string_view digits);

/// A number as it was printed: how far rounding may have moved it.
struct PrintedNumber {
  double value = 0;
  double within = 0;
  std::string word = {};  ///< what stands beside it

  double least() const { return value - within * 1.02; }  // a fiftieth is for binary
  double most() const { return value + within * 1.02; }
  bool operator==(PrintedNumber const&) const = default;
};

/// What one print says.
struct PrintedRecord {
  std::string place = {};  ///< "FILE, line 3", for errors
  std::map<PrintedQuantity, PrintedNumber> numbers = {};
  std::map<PrintedQuantity, std::vector<PrintedNumber>> lists = {};
  std::map<std::int64_t, std::vector<PrintedNumber>> by_length = {};  ///< by_draft_length
  std::map<PrintedQuantity, std::string> texts = {};
  bool positions_are_shares = false;  ///< by_position, histogram
  bool is_cut = false;                ///< its beginning is not in the file
  bool is_aside = false;              ///< it counts only where no other print does (Card::aside)

  /// What it has of a quantity; null, or empty, where it has none.
  PrintedNumber const* number(PrintedQuantity quantity) const {
    auto const found = numbers.find(quantity);
    return found == numbers.end() ? nullptr : &found->second;
  }
  std::vector<PrintedNumber> const* list(PrintedQuantity quantity) const {
    auto const found = lists.find(quantity);
    return found == lists.end() ? nullptr : &found->second;
  }
  std::string text(PrintedQuantity quantity) const {
    auto const found = texts.find(quantity);
    return found == texts.end() ? std::string() : found->second;
  }

  /// Whether both say the same, wherever they stand.
  bool says_as(PrintedRecord const& other) const {
    return numbers == other.numbers && lists == other.lists && by_length == other.by_length && texts == other.texts;
  }
};

}  // namespace draftgauge
