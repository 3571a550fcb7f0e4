#include "analysis/counters/card_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/counters/card_rounds.h"
#include "analysis/recordings/json_records.h"
#include "analysis/stats/kaplan_meier.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using enum PrintedQuantity;

/// Passes by their tokens: those of prompts, one a request, gave one token each; the others are rounds by what they kept.
void take_passes(PrintedRecord& record) {
  auto const found = record.lists.find(tokens_of_passes);
  if (found == record.lists.end()) return;
  std::vector<PrintedNumber> list = std::move(found->second);
  record.lists.erase(found);
  if (list.empty()) return;
  double all = 0, kept = 0;
  for (std::size_t j = 0; j < list.size(); ++j) {
    all += list[j].value;
    kept += static_cast<double>(j) * list[j].value;
  }
  record.numbers[passes] = {all};
  record.numbers[accepted] = {kept};
  record.numbers[emitted] = {all + kept};
  PrintedNumber const* const count = record.number(requests);
  if (!count) return;
  if (count->value > list.front().value)
    refuse_record(record.place,
                  fmt::format("{} passes gave one token, and {} requests ran", list.front().value, count->value),
                  "each request's first pass gives one token");
  list.front().value -= count->value;
  record.lists[histogram] = std::move(list);
}

/// Whether positions end before the drafts do, and miss accepted tokens: the print was cut.
bool positions_are_cut(PrintedRecord const& record) {
  auto const list = record.list(by_position);
  PrintedNumber const *all = record.number(rounds), *of = record.number(drafted),
                      *kept = record.number(accepted);
  if (!list || !all || !of || !kept || !(all->value > 0)) return false;
  if (static_cast<double>(list->size()) * all->value >= of->value) return false;
  double most = 0;
  for (PrintedNumber const& each : *list) most += record.positions_are_shares ? each.most() * all->value : each.value;
  return most < kept->value;
}

/// Counts that the engine leaves out where they are 0.
void fill_zeros(Card const& card, PrintedRecord& record) {
  auto const is_there = [&](PrintedQuantity quantity) { return record.number(quantity) != nullptr; };
  if (std::ranges::none_of(card.zero, is_there))
    for (PrintedQuantity const quantity : card.zero) record.numbers[quantity] = {};
  for (PrintedQuantity const quantity : card.zero)
    if (!is_there(quantity))
      refuse_record(record.place, fmt::format("{} is missing", quantity_card(quantity).name),
                    fmt::format("it stands beside {}", joined(card.zero, [](PrintedQuantity each) {
                                  return quantity_card(each).name;
                                })),
                    "give the whole record");
}

/// What lists of counts add up to, where that is not printed.
void add_up_lists(PrintedRecord& record) {
  auto const set = [&](PrintedQuantity quantity, double value) {
    record.numbers.try_emplace(quantity, PrintedNumber{value});
  };
  if (auto const list = record.list(drafted_by_position); list && !list->empty()) set(rounds, list->front().value);
  if (record.positions_are_shares) return;
  if (auto const list = record.list(histogram); list && !list->empty()) {
    double all = 0, kept = 0;
    for (std::size_t j = 0; j < list->size(); ++j) {
      all += (*list)[j].value;
      kept += static_cast<double>(j) * (*list)[j].value;
    }
    set(rounds, all);
    set(accepted, kept);
  } else if (auto const positions = record.list(by_position); positions && !positions->empty()) {
    double kept = 0;
    for (PrintedNumber const& each : *positions) kept += each.value;
    set(accepted, kept);
  }
}

/// A mean that fits all tokens over rounds, and not 1 + accepted/rounds, counts prompts' first tokens as rounds'.
void name_mean(PrintedRecord& record) {
  PrintedNumber const *mean = record.number(tokens_per_round), *all = record.number(rounds), *tokens = record.number(emitted);
  if (!mean || !all || !tokens || !(all->value > 0)) return;
  double const share = tokens->value / all->value;
  if (share < mean->least() || share > mean->most()) return;
  record.numbers[emitted_per_round] = *mean;
  record.numbers.erase(tokens_per_round);
}

}  // namespace

std::vector<std::int64_t> printed_counts(PrintedRecord const& record, PrintedQuantity quantity) {
  std::vector<std::int64_t> counts;
  if (auto const list = record.list(quantity))
    for (PrintedNumber const& each : *list) counts.push_back(whole(record, each));
  return counts;
}

void prepare_print(Card const& card, PrintedRecord& record, EngineCounters& counters) {
  fill_zeros(card, record);
  for (PrintedQuantity const quantity : {by_position, conditional, histogram})
    if (auto const list = record.list(quantity); list && (quantity == conditional || card.unit(quantity).is_share))
      for (PrintedNumber const& each : *list)
        if (each.least() > 1)
          refuse_record(record.place, fmt::format("{} is {}", each.word, each.value), "expected: a share from 0 to 1");
  PrintedNumber const* const tokens = record.number(emitted);
  if (card.scope == PrintScope::request && !record.number(requests))  // one without a token has no prompt's
    record.numbers[requests] = {tokens && tokens->value == 0 ? 0. : 1.};
  PrintedNumber const* const count = record.number(requests);
  if (!count &&
      std::erase_if(record.numbers, [&](auto const& each) { return card.unit(each.first).per_request; }) > 0)
    add_once(counters.notes,
             std::string("The number of requests is missing, so means over requests say no counts. Give the "
                         "whole print."));
  for (auto& [quantity, printed] : record.numbers)
    if (card.unit(quantity).per_request) {
      printed.value *= count->value;
      printed.within = (printed.within > 0 ? printed.within : .5) * count->value;
    }
  if (auto const list = record.list(by_position); list && card.meaning.fixed_length)
    record.numbers.try_emplace(draft_length, PrintedNumber{static_cast<double>(list->size()), 0, "the number of positions"});
  if (PrintedNumber const* mean = record.number(tokens_per_round); mean && mean->value == 0)
    record.numbers.erase(tokens_per_round);
  for (PrintedQuantity const quantity : {by_position, conditional, drafted_by_position}) {
    auto const list = record.list(quantity);
    bool const has_hole =
        list && std::ranges::any_of(*list, [](PrintedNumber const& each) { return each.word.empty(); });
    if (!has_hole && (quantity != by_position || !positions_are_cut(record))) continue;
    record.lists.erase(quantity);
    add_once(counters.notes, std::string("A position is missing in the print, so positions are left out."));
  }
  take_passes(record);
  add_up_lists(record);
  if (card.meaning.emitted_by != EmittedBy::unknown) name_mean(record);
  for (auto const& [quantity, printed] : record.numbers)
    if (is_count(quantity) && printed.value > static_cast<double>(most_rounds))
      refuse_record(record.place, fmt::format("{} is {}", quantity_card(quantity).name, printed.value),
                    fmt::format("expected: at most {}", most_rounds));
}

}  // namespace draftgauge
