#include "apps/gamma/gamma_load_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "apps/cli/settings_words.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr std::size_t most_ranges_told = 5;
constexpr double least_waiting = 1e-3;  ///< share of the time that is told

std::string sequences(std::int64_t batch) { return counted(static_cast<std::uint64_t>(batch), "sequence"); }

std::string gamma_text(std::int64_t gamma) {
  return gamma == 0 ? std::string("plain decoding") : fmt::format("γ={}", gamma);
}

/// "8", or "8 to 12"; with the word where that is not said before.
std::string batches_text(BatchRange const& range, bool named) {
  std::string const last = named ? sequences(range.last) : fmt::format("{}", range.last);
  return range.first == range.last ? last : fmt::format("{} to {}", range.first, last);
}

/// "γ=5 up to 12 sequences, γ=3 up to 25, plain decoding from 26 to 128".
std::string range_text(std::vector<BatchRange> const& ranges) {
  BatchRange const& front = ranges.front();
  BatchRange const& back = ranges.back();
  if (ranges.size() == 1) return fmt::format("{} with {}", gamma_text(front.gamma), batches_text(front, true));
  if (ranges.size() > most_ranges_told)
    return fmt::format("from {} with {} to {} with {}", gamma_text(front.gamma), sequences(front.first),
                       gamma_text(back.gamma), batches_text(back, false));
  std::string words;
  for (BatchRange const& range : ranges) {
    if (range.first == range.last || (words.empty() && range.first > 1))
      words += fmt::format("{}{} with {}", words.empty() ? "" : ", ", gamma_text(range.gamma),
                           batches_text(range, words.empty()));
    else if (&range == &back)
      words += fmt::format(", {} from {} to {}", gamma_text(range.gamma), range.first, range.last);
    else
      words += fmt::format("{}{} up to {}", words.empty() ? "" : ", ", gamma_text(range.gamma),
                           words.empty() ? sequences(range.last) : fmt::format("{}", range.last));
  }
  return words;
}

std::string point_text(BatchPoint const& best, std::optional<Interval> const& speedup) {
  return fmt::format("S={:.4f}{}, {:.2f} ms per token, {:.0f} tokens/s", best.speedup(), bounds_text(speedup),
                     best.ms_per_token(), best.tokens_per_second());
}

/// "6 requests/s of 256 tokens".
std::string requests_text(Requests const& requests) {
  return fmt::format("{:g} requests/s of {}{} tokens", requests.per_second,
                     requests.lengths == TextLengths::geometric ? "a mean of " : "", requests.tokens);
}

std::string rate_text(RateAnswer const& rate) {
  ServedRate const& served = rate.best.served;
  std::string const asked = requests_text(rate.requests), best = gamma_text(*rate.best.gamma);
  if (!served.ms_per_token)
    return fmt::format("{} are not served: at most {:.3g} requests/s are, by {} with {}", asked,
                       served.most_requests_per_second, best, sequences(served.busiest));
  if (!served.poisson_ms_per_token)
    return fmt::format("at {} {}: {:.2f} ms per token if they arrive evenly; at random they pile up", asked, best,
                       *served.ms_per_token);
  return fmt::format("at {} {}: {:.2f} ms per token, {:.1f} requests in progress", asked, best,
                     *served.poisson_ms_per_token, *served.poisson_concurrency);
}

/// "none above 128 was measured"; empty between the smallest batch and the largest.
std::string beyond_text(LoadAnswer const& answer) {
  std::vector<std::int64_t> const& batches = answer.costs.batches();
  if (answer.at > batches.back()) return fmt::format("none above {} was measured", batches.back());
  if (answer.at < batches.front()) return fmt::format("none below {} was measured", batches.front());
  return {};
}

/// "γ=5 with 1, plain decoding with 8 and more".
std::string wait_text(LoadAnswer const& answer) {
  auto const text = [](WaitRow const& row) { return fmt::format("{} with {}", gamma_text(row.gamma), row.batch); };
  return fmt::format("waiting for the longest of texts of {} tokens: {}; going on each by itself: ",
                     *answer.wait_tokens, joined(answer.waits, text));
}

/// "by num_requests_running" where the engine says how many are decoded at once; empty where that was asked.
std::string said_by(LoadAnswer const& answer) {
  return answer.concurrency_over.empty() ? std::string() : "by " + answer.concurrency_from;
}

/// " (A; B)" of what is there of the two.
std::string in_parentheses(std::string const& a, std::string const& b) {
  if (a.empty() && b.empty()) return {};
  return fmt::format(" ({}{}{})", a, a.empty() || b.empty() ? "" : "; ", b);
}

std::string title(LoadAnswer const& answer) {
  std::string words;
  std::string const beyond = beyond_text(answer);
  if (answer.rate)
    words = rate_text(*answer.rate) + "; ";
  else if (answer.concurrency)
    words = fmt::format("with {}{} {}, {}; ", sequences(answer.at), in_parentheses(said_by(answer), beyond),
                        gamma_text(best_point(answer).gamma), point_text(best_point(answer), answer.speedup));
  if (!answer.waits.empty()) words += wait_text(answer);
  if (answer.cap) words = fmt::format("{}γ={} or more (the longest looked at): ", words, *answer.cap);
  std::string const edge =
      answer.edge ? fmt::format("; no longer draft than γ={} is known, and S still grows there", *answer.edge) : "";
  return fmt::format("{}{}{} ({}: {}{})", words, range_text(answer.choice.ranges), edge, file_name(answer.table.file),
                     answer.table.format, answer.costs.prices_drafts() ? "" : ", drafts taken as free");
}

/// The batch sizes that were measured of which that holds, as "8, 32"; or empty.
std::string measured_where(LoadAnswer const& answer, auto const& holds) {
  return joined(answer.costs.batches() | std::views::filter(holds),
                [](std::int64_t batch) { return fmt::format("{}", batch); });
}

Section batch_section(LoadAnswer const& answer) {
  Section section{.heading = "Best γ by batch size",
                  .table = rows_of(point_fields(), answer.choice.measured)
                               .table()
                               .only({"batch", "gamma", "mean_tokens", "speedup", "ms_per_token",
                                      "plain_ms_per_token", "tokens_per_second", "plain_tokens_per_second"})};
  auto const is_plain = [](BatchRange const& range) { return range.gamma == 0; };
  std::string const plain = joined(answer.choice.ranges | std::views::filter(is_plain),
                                   [](BatchRange const& range) { return batches_text(range, false); });
  section.note(plain.empty() ? std::string("Speculation pays at every batch size that was measured.")
                             : fmt::format("Plain decoding (K = 0) is best with {} sequences.", plain));
  section.note(
      "Sequences go on each by what it accepted, as in continuous batching; a round takes as long for all.");
  section.note("Between the batch sizes that were measured times lie on straight lines.");
  if (answer.costs.by_tokens())
    section.note(
        "Only one number of tokens, or one batch size, was measured: T(n, B) is taken to be that of n·B tokens.");
  if (std::ranges::any_of(answer.choice.measured, &BatchPoint::guess))
    section.note(
        "Some of the best γ go by times that were not measured, but continued from shorter drafts or other batches.");
  auto const only_plain = [&](std::int64_t batch) { return answer.costs.only_plain(batch); };
  if (std::string const batches = measured_where(answer, only_plain); !batches.empty())
    section.note(fmt::format(
        "Only plain steps were measured with {} sequences: n tokens are taken to take n of them, the most they can.",
        batches));
  auto const draft = [&](std::int64_t batch) { return answer.costs.guesses_draft(batch); };
  if (std::string const batches = measured_where(answer, draft); !batches.empty())
    section.note(fmt::format(
        "The draft was not measured with {} sequences: its time is continued from other batches.", batches));
  if (!answer.costs.prices_drafts()) section.note(free_load_words);
  for (std::string const& note : answer.table.notes)
    section.note(fmt::format("{}: {}", file_name(answer.table.file), note));
  section.note(answer.notes);
  return section;
}

Section doubt_section(LoadAnswer const& answer) {
  Section section{.heading = "How sure the best γ is", .table = rows_of(doubt_fields(), answer.doubts).table()};
  section.note(
      fmt::format("Of each batch size by itself: with {:g} % confidence its best γ is one that may be best, which "
                  "the data do not show to be worse. The times of steps are taken as exact.",
                  100 * answer.confidence));
  return section;
}

Section point_section(LoadAnswer const& answer) {
  Section section{.heading = fmt::format("With {} at once", sequences(answer.at)),
                  .table = rows_of(point_fields(&best_point(answer)), answer.points)
                               .table()
                               .only({"gamma", "best", "mean_tokens", "round_ms", "ms_per_token", "tokens_per_second",
                                      "speedup"})};
  if (!answer.concurrency_over.empty())
    section.note(fmt::format(
        "So many are decoded at once by the engine's own {} ({:.2f}, {}); --concurrency says another number.",
        answer.concurrency_from, *answer.concurrency, answer.concurrency_over));
  auto const guess = std::ranges::find_if(answer.points, &BatchPoint::guess);
  if (std::string const beyond = beyond_text(answer); !beyond.empty())
    section.note(fmt::format("These times are guesses: of batches {}.", beyond));
  else if (guess != answer.points.end())
    section.note(fmt::format(
        "From γ={} on times are guesses: not measured, but continued from shorter drafts or other batches.",
        guess->gamma));
  return section;
}

Section rate_section(RateAnswer const& rate) {
  Section section{.heading = fmt::format("At {}", requests_text(rate.requests)),
                  .table = rows_of(rate_fields(rate), rate.rows).table()};
  section.note(
      "Requests arrive at random (Poisson). A request waits for the step in progress, then takes whole rounds: the "
      "last one may go beyond its text.");
  section.note(
      "At most the largest batch is decoded at once. Requests in progress include those that wait for a place. "
      "Empty: they pile up.");
  section.note("Evenly spaced: the smallest batch that keeps pace, by Little's law.");
  if (auto const waiting = rate.best.served.poisson_waiting; waiting && *waiting >= least_waiting)
    section.note(fmt::format("With {} requests wait for a place {:.1f} % of the time.", gamma_text(*rate.best.gamma),
                             100 * *waiting));
  section.note("The time of prompts is not counted.");
  return section;
}

Section wait_section(LoadAnswer const& answer) {
  Section section{.heading = fmt::format("If texts of {} tokens begin together and the batch waits for the longest",
                                         *answer.wait_tokens),
                  .table = rows_of(wait_fields(), answer.waits).table()};
  section.note(answer.waits.empty() ? "Texts this long are too many steps to work out."
                                    : "Rounds and texts taken to be independent and alike: too few "
                                      "rounds of the longest where texts differ from each other.");
  return section;
}

/// The best γ at each batch size that was measured, and how sure it is where that is known.
Json batches_document(LoadAnswer const& answer) {
  Json all = rows_of(point_fields(), answer.choice.measured).array(),
       doubts = rows_of(doubt_fields(), answer.doubts).array();
  for (std::size_t i = 0; i < doubts.size(); ++i) all[i].update(doubts[i]);
  return all;
}

Json rate_document(RateAnswer const& rate) {
  return {{"requests_per_second", rate.requests.per_second},
          {"tokens_per_request", rate.requests.tokens},
          {"request_lengths", rate.requests.lengths == TextLengths::geometric ? "geometric" : "equal"},
          {"served", rate.best.served.concurrency.has_value()},
          {"best_gamma", *rate.best.gamma},
          {"curve", rows_of(rate_fields(rate), rate.rows).array()}};
}

Json load_document(LoadAnswer const& answer) {
  return {{"file", answer.table.file},
          {"format", answer.table.format},
          {"by_tokens", answer.costs.by_tokens()},
          {"ranges", ranges_document(answer.choice.ranges)},
          {"batches", batches_document(answer)},
          {"at",
           {{"batch", answer.at},
            {"concurrency", or_null(answer.concurrency)},
            {"concurrency_from", answer.concurrency ? Json(answer.concurrency_from) : Json()},
            {"curve", rows_of(point_fields(), answer.points).array()}}},
          {"request_rate", answer.rate ? rate_document(*answer.rate) : Json()},
          {"waiting", answer.wait_tokens ? Json{{"tokens", *answer.wait_tokens},
                                                {"batches", rows_of(wait_fields(), answer.waits).array()}}
                                         : Json()}};
}

}  // namespace

Fields<BatchPoint> point_fields(BatchPoint const* best) {
  return {{"batch", "sequences", &BatchPoint::batch},
          {"gamma", "γ", &BatchPoint::gamma},
          {"best", "", [best](BatchPoint const& row) { return &row == best ? "best" : ""; }, for_people},
          {"mean_tokens", "E[N]", &BatchPoint::tokens},
          {"speedup", "S", &BatchPoint::speedup},
          {"round_ms", "ms/round", &BatchPoint::round_ms, {.decimals = 3}},
          {"ms_per_token", "ms/token", &BatchPoint::ms_per_token, {.decimals = 3}},
          {"plain_ms_per_token", "plain ms/token", &BatchPoint::plain_ms, {.decimals = 3}},
          {"tokens_per_second", "tokens/s", &BatchPoint::tokens_per_second, {.decimals = 1}},
          {"plain_tokens_per_second", "plain tokens/s", &BatchPoint::plain_tokens_per_second, {.decimals = 1}},
          {"extrapolated", &BatchPoint::guess}};
}

Fields<BatchDoubt> doubt_fields() {
  using Row = BatchDoubt const&;
  return {{"batch", "sequences", inner(&BatchDoubt::of, &BatchPoint::batch), for_people},
          {"gamma", "γ", inner(&BatchDoubt::of, &BatchPoint::gamma), for_people},
          {"confidence_set", &BatchDoubt::set},
          {"confidence_set", "may be best", [](Row row) { return gamma_list(row.set); }, for_people},
          {"expected_regret", "expected loss of S", &BatchDoubt::regret},
          {"speedup_interval", &BatchDoubt::speedup},
          {"speedup", "S",
           [](Row row) {
             return Estimated{row.of.speedup(), row.speedup};
           },
           for_people}};
}

Fields<RateRow> rate_fields(RateAnswer const& rate) {
  using Row = RateRow const&;
  auto const served = [](auto member) { return inner(&RateRow::served, member); };
  auto const marked = [best = rate.best.gamma](Row row) {
    return row.gamma ? fmt::format("{}{}", *row.gamma, row.gamma == best ? " best" : "") : "by batch size";
  };
  return {{"gamma", [](Row row) { return row.gamma ? Json(*row.gamma) : Json("by_batch"); }},
          {"gamma", "γ", marked, for_people},
          {"poisson_concurrency", "requests in progress", served(&ServedRate::poisson_concurrency), {.decimals = 2}},
          {"poisson_ms_per_token", "ms/token", served(&ServedRate::poisson_ms_per_token), {.decimals = 3}},
          {"poisson_waiting", served(&ServedRate::poisson_waiting)},
          {"concurrency", "evenly spaced: sequences", served(&ServedRate::concurrency), {.decimals = 2}},
          {"ms_per_token", "ms/token", served(&ServedRate::ms_per_token), {.decimals = 3}},
          {"most_requests_per_second",
           "most requests/s",
           served(&ServedRate::most_requests_per_second),
           {.decimals = 3}}};
}

Fields<WaitRow> wait_fields() {
  return {{"batch", "sequences", &WaitRow::batch},
          {"gamma", "best γ", &WaitRow::gamma},
          {"rounds_alone", "rounds of one", &WaitRow::rounds_alone, {.decimals = 2}},
          {"rounds", "rounds of the longest", &WaitRow::rounds, {.decimals = 2}},
          {"seconds", "seconds", [](WaitRow const& row) { return row.ms / 1e3; }, {.decimals = 3}},
          {"speedup", "S", [](WaitRow const& row) { return row.plain_ms / row.ms; }}};
}

BatchPoint const& best_point(LoadAnswer const& answer) {
  if (!answer.rate) return best_of(answer.points);
  return *std::ranges::find(answer.points, *answer.rate->best.gamma, &BatchPoint::gamma);
}

GammaAnswer load_result(LoadAnswer const& answer, GammaAnswer base) {
  Result& result = base.result;
  std::vector<Section> of_one_batch = std::move(result.sections);
  bool const alone = !base.report;
  BatchPoint const& best = best_point(answer);
  if (alone) {
    base.report.emplace().of = GammaReport::Of::load;
    base.report->estimator = "measured_rounds";
    base.report->notes = answer.table.notes;
  }
  GammaReport& report = *base.report;
  if (alone || answer.rate) {
    report.best_gamma = best.gamma;
    report.best_speedup = best.speedup();
  }
  if (answer.edge) {
    auto const edge = static_cast<std::size_t>(*answer.edge);
    for (std::string& note : edge_text(edge, edge).notes)
      if (!contains(report.notes, note)) report.notes.push_back(std::move(note));
  }
  report.load = load_document(answer);
  std::string const of_batch = result.title;
  result.title = title(answer);
  result.sections = {batch_section(answer)};
  if (!answer.doubts.empty()) result.sections.push_back(doubt_section(answer));
  if (answer.rate) result.sections.push_back(rate_section(*answer.rate));
  if (answer.rate || answer.concurrency) result.sections.push_back(point_section(answer));
  if (answer.wait_tokens) result.sections.push_back(wait_section(answer));
  if (alone) return base;
  auto& notes = result.sections.front().notes;
  auto const said = [&](std::string const& note) {  // by the table, with its name, or already
    return contains(answer.table.notes, note) || contains(notes, note);
  };
  for (std::string const& note : report.notes)
    if (!said(note)) notes.push_back(note);
  for (std::size_t i = 0; i < of_one_batch.size(); ++i) {
    Section& section = of_one_batch[i];
    section.heading = fmt::format("With {}: {}", sequences(answer.at), section.heading);
    if (i == 0) section.paragraphs.insert(section.paragraphs.begin(), of_batch);
    section.detail = true;
    result.sections.push_back(std::move(section));
  }
  return base;
}

}  // namespace draftgauge
