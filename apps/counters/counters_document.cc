#include "apps/counters/counters_document.h"

#include <fmt/format.h>

#include "analysis/counters/formats.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/counters/rates.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr std::size_t entries_shown = 12;  ///< entries of a list

/// The engine's own word for a rate: what it printed, else what it is known to print.
std::string called(EngineCounters const& counters, RateCard const& card) {
  std::string words;
  for (EngineNumber const& number : counters.says)
    if (number.meaning == card.rate)
      words += fmt::format("{}{} {:.4g}", words.empty() ? "" : ", ", number.name, number.value);
  return words.empty() ? std::string(word_of(counters, card.rate)) : words;
}

}  // namespace

Section counts_section(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  Section section{.table = Table{{"what", counters.format, Align::left}, {"value", "", Align::left}}};
  auto const row = [&](std::string what, std::optional<std::int64_t> const& value) {
    section.table.add({std::move(what), value ? fmt::format("{}", *value) : std::string("not said")});
  };
  auto const whole = [](std::int64_t value) { return fmt::format("{}", value); };
  for (auto const& [draft, texts] : counters.drafts_from) {
    std::size_t tokens = 0;
    for (AcceptedFrom const& text : texts) tokens += text.size();
    section.table.add({fmt::format("tokens with draft {}", draft), fmt::format("{}", tokens)});
  }
  if (counters.drafts_from.empty()) {
    row("rounds with a draft", sums.rounds);
    row("draft tokens", sums.drafted);
    row("accepted draft tokens", sums.accepted);
    row("tokens emitted", sums.emitted);
  }
  if (!sums.by_position.empty())
    section.table.add({"rounds that kept draft 1, 2, …", first_joined(sums.by_position, entries_shown, whole)});
  for (auto const& [length, histogram] : sums.histograms)
    section.table.add({fmt::format("rounds of {} drafts that kept 0, 1, …", length),
                       first_joined(histogram, entries_shown, whole)});
  if (counters.draft_length) row("draft tokens a round, at most", counters.draft_length);
  if (!counters.requests.empty())
    row(fmt::format("{}s", counters.unit), static_cast<std::int64_t>(counters.requests.size()));
  if (counters.seconds) section.table.add({"seconds of decoding", fmt::format("{:.3f}", *counters.seconds)});
  if (counters.draft_seconds)
    section.table.add({"seconds of drafting", fmt::format("{:.3f}", *counters.draft_seconds)});
  if (counters.target_seconds)
    section.table.add({"seconds of the target's passes", fmt::format("{:.3f}", *counters.target_seconds)});
  if (auto const& at_once = counters.at_once)
    section.table.add(
        {"sequences at once", fmt::format("{:.2f}: {}, {}", at_once->mean(), at_once->name, at_once->over)});
  return section;
}

Section rates_section(EngineCounters const& counters) {
  CounterRates const rates = counter_rates(counters);
  Section section{.heading = "What is called acceptance rate",
                  .table = Table{{"name", "name", Align::left},
                                 {"value", "value", Align::left},
                                 {"meaning", "what it is", Align::left},
                                 {"called", "the engine's word", Align::left}}};
  auto const share = [](double value) { return fmt::format("{:.4f}", value); };
  auto const one = [&](std::optional<double> const& value) { return value ? share(*value) : std::string("unknown"); };
  auto const several = [&](std::vector<double> const& values) {
    return values.empty() ? std::string("unknown") : first_joined(values, entries_shown, share);
  };
  for (RateCard const& card : rate_cards()) {
    std::string const value = card.rate == Rate::accepted_per_drafted ? one(rates.accepted_per_drafted)
                              : card.rate == Rate::alpha              ? one(rates.alpha)
                              : card.rate == Rate::conditional        ? several(rates.conditional)
                              : card.rate == Rate::cumulative         ? several(rates.cumulative)
                              : card.rate == Rate::independent        ? one(rates.independent)
                                                                      : one(rates.per_request_mean);
    section.table.add({std::string(card.name), value, std::string(card.meaning), called(counters, card)});
  }
  if (rates.alpha_from == alpha_by_eq1)
    section.note("α solves Eq. (1) at the tokens per round: drafts are taken to be independent.");
  if (rates.conditional.empty() && !rates.cumulative.empty())
    section.note(
        "Drafts differ in length, and which rounds drafted how far is not counted: cumulative is at most what longer "
        "drafts would reach, and conditional rates are not known.");
  return section;
}

std::optional<Section> parts_section(EngineCounters const& counters) {
  constexpr std::size_t most_shown = 24;
  std::vector<CountedRequest> const& parts = counters.requests;
  if (are_requests(counters) || parts.size() < 2 || parts.size() > most_shown || parts.front().name.empty())
    return std::nullopt;
  Section section{.heading = fmt::format("By {}", counters.unit),
                  .table = Table{{"name", std::string(counters.unit), Align::left},
                                 {"rounds", "rounds"},
                                 {"mean_tokens", "E[N]"},
                                 {"accepted_per_drafted", "accepted/drafted"}}};
  auto const number = [](auto const& value, char const* form) {
    return value ? fmt::format(fmt::runtime(form), *value) : std::string("unknown");
  };
  for (CountedRequest const& part : parts)
    section.table.add({part.name, number(part.sums.rounds, "{}"),
                       number(one_and_share_of_counts(part.sums.accepted, part.sums.rounds), "{:.4f}"),
                       number(share_of_counts(part.sums.accepted, part.sums.drafted), "{:.4f}")});
  return section;
}

std::string counters_text(EngineCounters const& counters) {
  std::string files = file_name(counters.file);
  if (!counters.earlier.empty()) files += " less " + file_name(counters.earlier);
  std::string words = files + ": " + counters.format;
  if (counters.since_start) words += ", from the server's start on";
  return words;
}

std::string unit_text(EngineCounters const& counters) {
  if (are_requests(counters) || counters.requests.size() < 2) return {};
  return fmt::format("{} {}s are together: they are no sample of requests, so that no interval is over them.",
                     counters.requests.size(), counters.unit);
}

}  // namespace draftgauge
