#include "analysis/counters/card_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "analysis/cards/read_print.h"
#include "analysis/counters/card_counts.h"
#include "analysis/counters/card_page.h"
#include "analysis/counters/card_rounds.h"
#include "analysis/counters/histogram_sums.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/ordered.h"
#include "analysis/counters/prometheus.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/kaplan_meier.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using enum PrintedQuantity;

std::string_view unit_of_scope(PrintScope scope) {
  switch (scope) {
    case PrintScope::token:
    case PrintScope::round:
    case PrintScope::request: return "request";
    case PrintScope::data_set: return "data set";
    case PrintScope::run: return "run";
    case PrintScope::window: return "window";
    case PrintScope::server: break;
  }
  throw std::logic_error("what is counted since the start has no unit");
}

/// A count; where it lies between two numbers, the middle, and a note.
std::optional<std::int64_t> solved_count(PrintedRecord const& record, Solution const& solution, PrintedQuantity quantity,
                                         std::string_view name, EngineCounters& counters) {
  if (auto const exact = solution.exact(quantity)) return exact;
  if (auto const printed = record.number(quantity)) return std::llround(printed->value);
  auto const about = solution.about(quantity);
  if (!about) return std::nullopt;
  ValueRange const& between = solution.ranges.at(quantity);
  add_once(counters.notes, fmt::format("{} are not printed: by the means they are {:.0f} to {:.0f}.", name,
                                       between.least, between.most));
  return std::llround(*about);
}

/// Whether no round had a draft, where tokens say that there were passes.
bool drafted_nothing(PrintedRecord const& record, CounterSums const& sums) {
  PrintedNumber const* const lost = record.number(rejecting);
  return !record.number(rounds) &&
         (sums.drafted == 0 || (sums.accepted == 0 && lost && lost->value == 0));
}

CounterSums solved_sums(Card const& card, PrintedRecord const& record, Solution const& solution,
                        EngineCounters& counters) {
  auto const count = [&](PrintedQuantity quantity, std::string_view name) {
    return solved_count(record, solution, quantity, name, counters);
  };
  CounterSums sums{.rounds = count(rounds, "Rounds"),
                   .drafted = count(drafted, "Draft tokens"),
                   .accepted = count(accepted, "Accepted tokens"),
                   .emitted = count(emitted, "Tokens"),
                   .drafted_by_position = printed_counts(record, drafted_by_position)};
  if (drafted_nothing(record, sums)) sums.rounds = 0;
  if (!record.positions_are_shares) {
    sums.by_position = printed_counts(record, by_position);
    sums.kept = printed_counts(record, histogram);
  }
  if (PrintedNumber const* const length = record.number(draft_length);
      length && !sums.kept.empty() && static_cast<double>(sums.kept.size()) <= length->value && length->value <= most_positions)
    sums.kept.resize(static_cast<std::size_t>(whole(record, *length)) + 1);  // sparse ones end with the last that was
  for (auto const& [drafts, list] : record.by_length)
    for (PrintedNumber const& each : list) sums.histograms[drafts].push_back(whole(record, each));
  auto const of = card.meaning.over_passes ? solution.exact(passes) : sums.rounds;
  if (sums.by_position.empty() && sums.rounds && of && !solution.cumulative.empty()) {
    for (auto const& [least, most] : solution.cumulative)
      counters.rounding = std::max(counters.rounding, (most - least) / 2);
    bool const is_known = solution.exact(accepted) || record.number(accepted);
    sums.by_position = solution.positions(*of, is_known ? sums.accepted : std::nullopt);
    if (!is_known) sums.accepted = sum_of(sums.by_position);
  }
  return sums;
}

/// The solution; of shares that are printed in full, rounds are the least number that gives them.
Solution solved(Card const& card, PrintedRecord& record, EngineCounters& counters) {
  Solution solution = solve(record, card.meaning);
  if (solution.broken || solution.exact(rounds)) return solution;
  auto const least = solution.least_rounds(record);
  if (!least) return solution;
  record.numbers[rounds] = {static_cast<double>(*least)};
  add_once(counters.notes, fmt::format("Rounds are not printed: {} are the fewest that give its shares; twice as many, or "
                                       "another multiple, would give them, too.",
                                       *least));
  return solve(record, card.meaning);
}

/// What is printed beside the counts.
std::vector<EngineNumber> printed_rates(PrintedRecord const& record) {
  std::vector<EngineNumber> all;
  for (auto const& [quantity, rate] :
       {std::pair(tokens_per_round, Rate::tokens_per_round), std::pair(emitted_per_round, Rate::other),
        std::pair(mean_of_requests, Rate::other), std::pair(acceptance_rate, Rate::accepted_per_drafted)})
    if (auto const printed = record.number(quantity))
      all.push_back({printed->word, printed->value, rate, printed->within});
  // Each round tests its drafts up to the first that it rejects.
  if (auto const kept = record.number(accepted), lost = record.number(rejecting);
      kept && lost && kept->value + lost->value > 0)
    all.push_back({fmt::format("{0}/({0} + {1})", kept->word, lost->word), kept->value / (kept->value + lost->value),
                   Rate::alpha});
  return all;
}

/// Lengths that are not listed are those that were set, where their sum says so; where it says no, nobody knows them.
std::vector<OrderedRounds> rounds_in_order(PrintedRecord const& record) {
  std::vector<std::int64_t> const kept = printed_counts(record, accepted_in_order);
  std::vector<std::int64_t> lengths = printed_counts(record, drafted_in_order);
  if (kept.empty()) return {};
  PrintedNumber const *set = record.number(draft_length), *all = record.number(drafted);
  if (lengths.empty() && set && all) {
    if (all->value != set->value * static_cast<double>(kept.size())) return {};
    lengths.assign(kept.size(), whole(record, *set));
  }
  if (!lengths.empty() && lengths.size() != kept.size())
    refuse_record(record.place, fmt::format("{} rounds kept drafts and {} drafted", kept.size(), lengths.size()),
                  "each list is of all rounds");
  OrderedRounds rounds;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    OrderedRound const round{kept[i], lengths.empty() ? length_unknown : lengths[i]};
    if (!lengths.empty() && (round.accepted > round.drafted || std::cmp_greater(round.drafted, most_positions)))
      refuse_record(record.place, fmt::format("round {} kept {} of {} drafts", i + 1, round.accepted, round.drafted),
                    fmt::format("expected: at most as many, and no more than {}", most_positions));
    rounds.push_back(round);
  }
  return {std::move(rounds)};
}

/// What is left of a print without rounds: a mean.
void take_mean(PrintedRecord const& record, Solution const& solution, EngineCounters& counters) {
  PrintedNumber const* const printed = record.number(tokens_per_round);
  auto mean = printed ? std::optional(printed->value) : solution.about(tokens_per_round);
  std::string_view but;
  if (PrintedNumber const* const with_tokens = mean ? nullptr : record.number(emitted_per_round)) {
    mean = with_tokens->value;
    but = "This mean counts each prompt's first token: tokens per round are lower, by requests over rounds.";
  } else if (!mean && (mean = solution.about(emitted_per_pass))) {
    but = "This mean counts each prompt's pass, which gives one token: tokens per round are higher.";
  }
  if (!mean || *mean < 1) return;  // identities.h names one below 1
  if (*mean <= 1)
    refuse_record(record.place, "its mean is one token per round", "no draft token was accepted, or none was drafted",
                  "start the server with speculation");
  if (!counters.stretches.empty())
    refuse_record(record.place, "it is a second mean", "without counts, means cannot be combined",
                  "give one file for each");
  counters.stretches.push_back({1, *mean});
  counters.notes.emplace_back("Only a mean is printed, without the number of rounds: it has no interval.");
  if (!but.empty()) counters.notes.emplace_back(but);
}

/// Of what decoded without a draft no time is one of rounds.
void add_times(Card const& card, PrintedRecord const& record, Solution const& solution, CounterSums const& sums,
               EngineCounters& counters) {
  auto const add = [&](std::optional<double>& sum, PrintedQuantity quantity) {
    if (auto const time = solution.about(quantity); time && *time > 0) sum = sum.value_or(0) + *time;
  };
  if (sums.rounds != 0) add(counters.seconds, seconds);
  add(counters.draft_seconds, draft_seconds);
  add(counters.target_seconds, target_seconds);
  if (auto const calls = solution.exact(draft_calls); calls && counters.draft_seconds)
    counters.draft_calls = counters.draft_calls.value_or(0) + *calls;
  if (auto const time = solution.about(token_seconds); time && *time > 0) {
    PrintedNumber const* const printed = record.number(token_seconds);
    counters.token_time = {printed ? printed->word : record.number(step_seconds)->word + " over tokens per round",
                           *time};
  }
  if (auto const printed = record.number(temperature)) {
    if (counters.temperature && *counters.temperature != printed->value)
      refuse_record(record.place, fmt::format("temperature is {}, and {} before", printed->value, *counters.temperature),
                    "counts are of one distribution");
    counters.temperature = printed->value;
  }
  if (auto const printed = record.number(at_once); printed && printed->value <= most_at_once)
    add_at_once(counters, printed->word, card.at_once_over.empty() ? "as printed" : card.at_once_over, printed->value);
}

bool reads(Card const& card, PrintedQuantity quantity) {
  return contains(card.fields, quantity, &PrintedField::quantity) ||
         std::ranges::any_of(card.lines, [&](PrintedLine const& line) {
           return contains(line.groups, quantity, &PrintedLine::Group::quantity);
         });
}

/// What the card's print calls a quantity; empty where it does not print it.
std::string_view printed_word(Card const& card, PrintedQuantity quantity) {
  for (PrintedField const& field : card.fields)
    if (field.quantity == quantity) {
      std::string_view const path = field.places.front();
      return path.substr(path.rfind('.') + 1);
    }
  for (PrintedLine const& line : card.lines)
    for (PrintedLine::Group const& group : line.groups)
      if (group.quantity == quantity) return group.word;
  return {};
}

/// The fields that no print has had so far.
void note_unread(Card const& card, PrintedRecord const& record, EngineCounters& counters) {
  auto const is_read = [&](PrintedQuantity quantity) {
    return record.number(quantity) || record.list(quantity) || !record.text(quantity).empty();
  };
  std::vector<std::string> unread;
  for (PrintedField const& field : card.fields)
    if (!is_read(field.quantity))
      unread.push_back(fmt::format("{} = {}", quantity_card(field.quantity).name, in_quotes(field.places.front())));
  bool const first = counters.requests.empty() && !counters.since_start && counters.stretches.empty();
  if (first) counters.unread_fields = unread;
  std::erase_if(counters.unread_fields, [&](std::string const& before) { return !contains(unread, before); });
}

}  // namespace

void take_print(Card const& card, PrintedRecord record, EngineCounters& counters) {
  prepare_print(card, record, counters);
  if (std::string const named = record.text(engine); !named.empty()) {
    std::string const before = counters.requests.empty() ? std::string() : counters.engine;
    take_engine(counters, named);
    if (!before.empty() && before != counters.engine)
      refuse_record(record.place, fmt::format("engine is {}, and {} before", named, before), "counts are of one engine",
                    "keep the records of one");
  }
  if (std::string const named = record.text(model); !named.empty()) counters.model = named;
  if (card.is_given) note_unread(card, record, counters);
  Solution const solution = solved(card, record, counters);
  if (solution.broken) counters.broken.push_back({solution.broken->identity, solution.broken->found});
  if (auto const printed = record.number(draft_length)) {
    std::int64_t const length = whole(record, *printed);
    if (length < 1 || std::cmp_greater(length, most_positions))
      refuse_record(record.place, fmt::format("{} is {}", printed->word, length),
                    fmt::format("expected: a number of draft tokens, from 1 to {}", most_positions));
    counters.draft_length = std::max(counters.draft_length.value_or(0), length);
  } else if (auto const solved_length = solution.exact(draft_length); solved_length && *solved_length > 0)
    counters.draft_length = std::max(counters.draft_length.value_or(0), *solved_length);
  CounterSums sums = solved_sums(card, record, solution, counters);
  auto const counted_before = std::ranges::count(counters.requests, false, &CountedRequest::is_aside);
  if (!record.is_aside || counted_before == 0) add_times(card, record, solution, sums, counters);
  for (PrintNote const& note : card.notes)
    if (note.without && !record.number(*note.without) && !record.list(*note.without)) add_once(counters.notes, note.text);
  if (!sums.rounds && !sums.drafted && sums.kept.empty()) take_mean(record, solution, counters);
  if (card.scope == PrintScope::server) {
    if (counters.sums.rounds || counters.sums.drafted)
      refuse_record(record.place, "it is a second scrape", "each counts from the server's start on",
                    "give them as two files");
    counters.since_start = true;
    counters.sums = std::move(sums);
    counters.says = printed_rates(record);
    return;
  }
  counters.unit = unit_of_scope(card.scope);
  counters.emitted_by = card.meaning.emitted_by;
  take_request(counters, record.text(name), std::move(sums), printed_rates(record), rounds_in_order(record));
  counters.requests.back().is_aside = record.is_aside;
}

namespace {

/// A data set or run that stands again, with the same numbers, is one print: pasted twice, beside each load that it ran at, or in a
/// last table.
void take_prints(Card const& card, std::vector<PrintedRecord> prints, EngineCounters& counters) {
  constexpr std::size_t least_numbers = 3;  // fewer may be the same by chance
  std::map<std::string, PrintedRecord> seen;
  bool const whole_runs = card.scope == PrintScope::data_set || card.scope == PrintScope::run;
  for (PrintedRecord& print : prints) {
    if (print.is_cut) {
      add_once(counters.notes, std::string("The file begins in the middle of a print: that print is left out."));
      continue;
    }
    std::string const named = print.text(name);
    if (whole_runs && (!named.empty() || print.numbers.size() >= least_numbers)) {
      auto const [before, is_new] = seen.emplace(named, print);
      if (!is_new && before->second.says_as(print)) {
        add_once(counters.notes, std::string("The same print stands more than once: it is counted once."));
        continue;
      }
    }
    take_print(card, std::move(print), counters);
  }
}

using Record = nlohmann::json;

/// Prints without a number of drafts, beside others that have some.
void leave_out_empty(EngineCounters& counters) {
  auto const is_empty = [](CountedRequest const& request) {
    CounterSums const& sums = request.sums;
    return !sums.rounds && !sums.drafted && !sums.accepted && !sums.emitted && sums.kept.empty() && request.says.empty() &&
           request.texts.empty();
  };
  auto const empty = static_cast<std::size_t>(std::ranges::count_if(counters.requests, is_empty));
  if (empty == 0 || empty == counters.requests.size()) return;
  std::erase_if(counters.requests, is_empty);
  counters.notes.push_back(fmt::format("{} without counts of drafts {} left out.", counted(empty, "print"),
                                       empty == 1 ? "is" : "are"));
}

/// Prints that others count, too, or that are of a warm-up.
void leave_out_aside(Card const& card, EngineCounters& counters) {
  auto const aside = std::ranges::count(counters.requests, true, &CountedRequest::is_aside);
  if (aside == 0 || aside == std::ssize(counters.requests)) return;
  std::erase_if(counters.requests, [](CountedRequest const& request) { return request.is_aside; });
  counters.notes.push_back(fmt::format("{} with {} {} left out.", counted(static_cast<std::uint64_t>(aside), "print"),
                                       card.aside, aside == 1 ? "is" : "are"));
}

/// How a card's print is known and read: record by record, or as a whole.
void set_reader(Card const& card, CounterFormat& format) {
  auto const is_record = [&card](Record const& record) { return is_print(card, record); };
  auto const is_text = [&card](std::string_view text) { return is_print(card, text); };
  bool const rounds = card.scope == PrintScope::round, text = card.form == PrintForm::text;
  if (card.scope == PrintScope::token || (rounds && !text)) {
    format.is_record = is_record;
    format.read = [&card, read = rounds ? &read_rounds : &read_tokens](
                      std::string const& file, std::string_view all, EngineCounters& counters) {
      read(card, file, all, counters);
    };
  } else if (rounds) {
    format.is_text = is_text;
    format.read = [&card](std::string const& file, std::string_view all, EngineCounters& counters) {
      read_rows_of_rounds(card, file, all, counters);
    };
  } else if (card.form == PrintForm::json) {
    format.is_record = is_record;
    if (!card.without_drafts.empty())
      format.is_bare = [&card](Record const& record) { return counts_no_drafts(card, record); };
    format.take = [&card](std::string const& place, Record const& record, EngineCounters& counters) {
      for (PrintedRecord& print : prints_of(card, place, record)) take_print(card, std::move(print), counters);
    };
  } else if (card.form == PrintForm::metrics) {
    format.is_text = [&card](std::string_view page) {
      return is_recognised(card.recognise, [&](std::string const& name) { return has_metric(page, name); });
    };
    format.read = [&card](std::string const& file, std::string_view page, EngineCounters& counters) {
      take_print(card, page_record(card, file, page, counters), counters);
    };
  } else {
    format.is_text = is_text;
    format.read = [&card](std::string const& file, std::string_view all, EngineCounters& counters) {
      take_prints(card, prints_of(card, file, all), counters);
      if (counters.requests.empty() && counters.stretches.empty() && !counters.since_start)
        throw InputError(fmt::format("{}: it looks like {}, and none of its counts can be read", file, card.name),
                         "give the whole print");
    };
  }
}

/// What the print calls the rates that it has.
std::vector<RateWord> rate_words(Card const& card) {
  std::vector<RateWord> words;
  auto const add = [&](Rate rate, PrintedQuantity quantity) {
    if (auto const word = printed_word(card, quantity); !word.empty()) words.push_back({rate, word});
  };
  add(Rate::accepted_per_drafted, acceptance_rate);
  if (card.unit(by_position).is_share) add(Rate::cumulative, by_position);
  add(Rate::conditional, conditional);
  return words;
}

}  // namespace

CounterFormat card_format(Card const& card) {
  bool const by_request = card.scope == PrintScope::request;
  CounterFormat format{.name = card.name,
                       .engine = card.engine,
                       .program = card.program,
                       .summary = card.summary,
                       .versions = card.versions,
                       .has_ids = by_request && reads(card, name),
                       .words = rate_words(card),
                       .times_sequences = by_request && reads(card, seconds),
                       .times_tokens = reads(card, token_seconds) || reads(card, step_seconds),
                       .at_once = printed_word(card, at_once),
                       .shares_since_start = card.scope == PrintScope::server && card.positions_are_shares(),
                       .holds = card.holds};
  format.settle = [&card](EngineCounters& counters) {
    leave_out_aside(card, counters);
    leave_out_empty(counters);
    for (PrintNote const& note : card.notes)
      if (!note.without) add_once(counters.notes, note.text);
    for (std::string const& field : counters.unread_fields)
      counters.notes.push_back(fmt::format("The card's {} matches nothing in this file.", field));
  };
  set_reader(card, format);
  return format;
}

}  // namespace draftgauge
