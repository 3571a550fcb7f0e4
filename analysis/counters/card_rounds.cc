#include "analysis/counters/card_rounds.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "analysis/cards/read_print.h"
#include "analysis/counters/histogram_sums.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/ordered.h"
#include "analysis/stats/kaplan_meier.h"

namespace draftgauge {
namespace {

using enum PrintedQuantity;

/// What a round drafted and kept; none of a print that counts neither.
std::optional<OrderedRound> counted_round(PrintedRecord const& round) {
  PrintedNumber const* const kept = round.number(accepted);
  PrintedNumber const* const length = round.number(drafted);
  PrintedNumber const* const seen = round.number(verified);
  if (!kept || (!length && !seen)) return std::nullopt;
  OrderedRound const counted{whole(round, *kept), length ? whole(round, *length) : whole(round, *seen) - 1};
  if (counted.accepted > counted.drafted || std::cmp_greater(counted.drafted, most_positions))
    refuse_record(round.place, fmt::format("a round kept {} of {} drafts", counted.accepted, counted.drafted),
                  fmt::format("expected: at most as many, and no more than {}", most_positions));
  return counted;
}

}  // namespace

std::int64_t whole(PrintedRecord const& record, PrintedNumber const& printed) {
  if (printed.value != std::floor(printed.value) || printed.value > static_cast<double>(most_rounds))
    refuse_record(record.place, fmt::format("{} is {}", printed.word, printed.value),
                  fmt::format("expected: a whole number from 0 to {}", most_rounds));
  return static_cast<std::int64_t>(printed.value);
}

void read_tokens(Card const& card, std::string const& file, std::string_view text, EngineCounters& counters) {
  JsonRecords records(file, text);
  OrderedRounds rounds;
  std::int64_t kept = 0, tokens = 0;
  double number_before = 0;
  auto const end_text = [&] {
    if (tokens == 0) return;
    std::vector<std::int64_t> of_rounds;
    for (OrderedRound const& round : rounds) of_rounds.push_back(round.accepted);
    CounterSums sums{.rounds = std::ssize(rounds), .emitted = tokens, .kept = *histogram_of(of_rounds)};
    take_request(counters, {}, std::move(sums), {}, {std::move(rounds)});
    rounds = {};
    kept = tokens = 0;
  };
  while (records.next())
    for (PrintedRecord const& token : prints_of(card, records.place(), records.value())) {
      std::string const drafted = token.text(from_draft);
      if (drafted != "true" && drafted != "false")
        refuse_record(records.place(), "it does not say whether the token was drafted", "expected: true or false");
      if (PrintedNumber const* const number = token.number(token_number)) {
        if (number->value <= number_before) end_text();
        number_before = number->value;
      }
      ++tokens;
      if (drafted == "true") {
        if (std::cmp_greater(++kept, most_positions))
          refuse_record(records.place(), "a round kept more drafts than an engine drafts",
                        fmt::format("{} are the most", most_positions));
      } else {
        rounds.push_back({std::exchange(kept, 0), length_unknown});
      }
    }
  end_text();
}

void read_rounds(Card const& card, std::string const& file, std::string_view text, EngineCounters& counters) {
  JsonRecords records(file, text);
  std::map<std::string, OrderedRounds> requests;
  while (records.next()) {
    if (!is_print(card, records.value()))
      refuse_record(records.place(), "it is no record of " + card.name, "a file is of one kind");
    for (PrintedRecord const& round : prints_of(card, records.place(), records.value()))
      if (auto const counted = counted_round(round)) requests[round.text(name)].push_back(*counted);
  }
  for (auto& [named, rounds] : requests) take_request(counters, named, {}, {}, {std::move(rounds)});
}

void read_rows_of_rounds(Card const& card, std::string const& file, std::string_view text, EngineCounters& counters) {
  OrderedRounds rounds;
  double number_before = 0;
  auto const end_request = [&] {
    if (!rounds.empty()) take_request(counters, {}, {}, {}, {std::exchange(rounds, {})});
  };
  for (PrintedRecord const& round : prints_of(card, file, text)) {
    if (PrintedNumber const* const number = round.number(token_number)) {
      if (number->value <= number_before) end_request();
      number_before = number->value;
    }
    if (auto const counted = counted_round(round)) rounds.push_back(*counted);
  }
  end_request();
}

}  // namespace draftgauge
