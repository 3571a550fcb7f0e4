#include "apps/gamma/replay_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/choose/replay_gamma.h"
#include "analysis/counters/kept.h"
#include "analysis/sequence/count_bracket.h"
#include "analysis/stats/counted.h"
#include "analysis/texts/text_lead.h"
#include "apps/gamma/counted_report.h"
#include "apps/gamma/depth_words.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/gamma/gamma_yield.h"
#include "apps/options/number_options.h"
#include "apps/recording/sample_words.h"

namespace draftgauge {
namespace {

constexpr char const* replay_assumes =
    "A replay holds for drafts that depend on the text alone, and for token verification. For EAGLE or MTP heads and "
    "for block verification read it beside the truncated curve.";

/// By how much the truncated curve is off the replay, as a share.
std::optional<double> error_of(ReplayedRow const& row) {
  return row.truncated ? std::optional(*row.truncated / row.tokens - 1) : std::nullopt;
}

std::string holes_text(ReplayGamma const& found) {
  std::uint64_t const holes = static_cast<std::uint64_t>(found.hole_count);
  if (holes == 0) return "No round accepted all its drafts, so the replay has no gaps.";
  return fmt::format(
      "{} of {} tokens follow a full round, so no draft of them was tested. The replay accepts them at the rate "
      "{:.4f}, as seen one token later. "
      "\"At least\" rejects all of them, \"at most\" accepts all.",
      holes, found.tokens, found.holes.rate<double>());
}

/// The γ that ran or a shorter one at which the truncated curve is most off.
std::string truncated_text(ReplayGamma const& found) {
  ReplayedRow const* worst = nullptr;
  for (ReplayedRow const& row : found.replayed)
    if (row.truncated && (!worst || std::abs(*error_of(row)) > std::abs(*error_of(*worst)))) worst = &row;
  if (!worst || std::abs(*error_of(*worst)) < .001) return {};
  return fmt::format(
      "The survival curve of the rounds that ran, cut off at γ = {}, gives {:.3f} tokens per round: {:+.1f} % off. "
      "Rounds of another draft length start elsewhere in the text.",
      worst->gamma, *worst->truncated, 100 * *error_of(*worst));
}

/// What the replay takes for granted, and how far off the curve is.
std::vector<std::string> replay_notes(ReplayGamma const& found) {
  std::vector<std::string> notes = depth_words(found);
  if (found.ran > most_replayed_gamma)
    notes.push_back(fmt::format("Drafts of up to {} tokens ran. The replay ends at γ = {}.", found.ran,
                                most_replayed_gamma));
  if (found.depth) return notes;
  notes.insert(notes.begin(), {holes_text(found), truncated_text(found), replay_assumes});
  std::erase(notes, "");
  return notes;
}

Section replay_section(ReplayGamma const& found) {
  Fields<ReplayedRow> fields = fields_of<ReplayedRow>();
  for (Field<ReplayedRow>& field : fields)  // no bracket is needed where all is known
    if (field.key == "low" || field.key == "high") field.form.detail = found.depth.has_value();
  Section section{.heading = "Tokens per round, replayed", .table = rows_of(fields, found.replayed).table()};
  section.note(replay_notes(found));
  return section;
}

std::string size_text(ReplayGamma const& found) {
  if (found.depth) return fmt::format("{}, {}", counted(found.requests, "request"), counted(found.tokens, "token"));
  return fmt::format("{}, {} in their order{}", counted(found.requests, "request"), counted(found.rounds, "round"),
                     found.parts > 0 ? ", intervals over parts of one request" : "");
}

void add_at_costs(GammaAnswer& answer, ReplayGamma const& found, Costs const& costs, GammaAsked const& asked) {
  CountedGamma const& choice = found.choice;
  GammaRow const& best = choice.rows[choice.best];
  auto const near = near_best(choice.speedups(), asked.near_optimal);
  std::vector<GammaRange> const ranges = add_choice(answer, choice, near, asked);
  GammaYield const* const there = yield_of_best(choice);
  std::string words = draftgauge::answer({best.gamma, best.speedup}) + bounds_text(best.interval);
  if (choice.set) words += "; " + set_text(ranges);
  bool const longest = best.gamma > 0 && choice.best + 1 == choice.rows.size();
  if (longest) words += ", the longest draft replayed";
  answer.caveat = counts_caveat(found.rounds, &choice);
  answer.result.title = fmt::format("{} ({}, {}{})", led_by_counts(answer.caveat, words), size_text(found),
                                    cost_text(costs), batch_text(asked));
  Section curve = curve_section(choice.rows, best.gamma, asked, found.ran);
  if (choice.set) curve.note(set_sentence(ranges, best.gamma, choice.set->regret, choice.set->confidence));
  curve.note(near_text(near, asked.near_optimal));
  if (there) curve.note(pays_text(best.gamma, there->pays, there->pays_within));
  curve.note(unbounded_words(found));
  if (longest && unbounded_words(found).empty() && !found.depth) curve.note(still_rises_text(best.gamma));
  if (choice.runner_up)
    curve.note(runner_up_text(static_cast<int>(choice.best), *choice.runner_up, static_cast<double>(found.rounds),
                              "rounds"));
  answer.result.sections.push_back(std::move(curve));
  answer.result.sections.push_back(replay_section(found));
  if (!choice.policies.empty()) {
    answer.result.sections.push_back(policy_section(choice.policies, best.speedup, best.gamma));
    answer.result.sections.back().note(
        most_text(choice.rows.size() - 1) +
        ", replayed along the same texts. --verbose adds the least and the most S over "
        "all ways to fill the gaps.");
  }
}

}  // namespace

GammaAnswer gamma_of_replay(OrderedCounts const& ordered, PricedRound const& round, GammaAsked const& asked) {
  if (asked.most) at_most("--most", *asked.most, most_replayed_gamma, " where rounds are replayed");
  ReplayGamma const found = choose_by_replay(ordered.requests, round.costs, asked.counted(), ordered.accepted_from);
  GammaAnswer answer{.report = report_of(GammaReport::Of::counts, round, asked, "replayed_rounds"),
                     .too_few = !enough_rounds(found.rounds),
                     .replayed = true,
                     .survival = found.choice.survival};
  GammaReport& report = *answer.report;
  report.survival = found.choice.survival;
  report.rounds = found.rounds;
  if (found.requests > 1) report.requests = found.requests;
  report.replay = found;
  if (round.given) {
    add_at_costs(answer, found, round.costs, asked);
  } else {
    add_yield(answer, found.choice.yields, asked);
    std::string const words = yield_answer(found.choice.yields, static_cast<std::size_t>(found.ran));
    answer.result.title = fmt::format("{} ({}{})", led_by_counts(counts_caveat(found.rounds, nullptr), words),
                                      size_text(found), batch_text(asked));
    answer.result.sections = {yield_section(found.choice.yields, asked), replay_section(found)};
  }
  report.note(replay_notes(found));
  if (std::string note = unbounded_words(found); !note.empty()) report.notes.push_back(std::move(note));
  Section& first = answer.result.sections.front();
  auto const spread = [](ReplayedRow const& row) { return row.within.has_value(); };
  if (found.parts > 0)
    first.note(parts_words(found, asked.confidence));
  else if (found.requests > 1 && std::ranges::any_of(found.replayed, spread))
    first.note(fmt::format("{:g} % intervals over requests{}.", 100 * asked.confidence,
                           found.depth ? "" : ", of the replay with its gaps filled"));
  else if (found.requests == 1)
    first.note("One request has no interval: give several.");
  add_setting_notes(first, asked, round);
  return answer;
}

void add_order_free(GammaAnswer& answer, EngineCounters const& counters, GammaAsked const& asked) {
  auto const& histograms = counters.sums.histograms;
  if (!asked.bonus || kept_by_length(counters.sums).empty()) return;
  std::vector<OrderFreeRow> rows;
  double truncated = 1;
  CountBrackets<std::int64_t> const counts(histograms);
  for (std::int64_t gamma = 1; gamma < histograms.rbegin()->first; ++gamma) {
    if (std::cmp_greater(gamma, answer.survival.size())) break;
    truncated += answer.survival[static_cast<std::size_t>(gamma) - 1];
    auto const found = counts.at(gamma);
    if (found.fewest_rounds == 0) break;
    rows.push_back({gamma, found.low(), found.high(), truncated});
  }
  if (rows.empty()) return;
  answer.report->order_free = rows;
  Section section{.heading = "Tokens per round of shorter drafts, whatever the order of rounds",
                  .table = described_rows(rows).table()};
  section.note(
      "The true value lies between \"at least\" and \"at most\" if drafts depend on the text alone and tokens are "
      "verified one by one, however acceptances depend on each other.");
  auto const excluded = std::ranges::find_if(rows, &OrderFreeRow::excluded);
  if (excluded != rows.end()) {
    std::string const words = fmt::format(
        "At γ = {} the counts {} tokens per round. The survival curve, cut off there, gives {:.3f}: rounds of another "
        "draft length start elsewhere in the text.",
        excluded->gamma,
        excluded->high - excluded->low < 5e-4 ? fmt::format("give {:.3f}", excluded->low)
                                              : fmt::format("allow {:.3f} to {:.3f}", excluded->low, excluded->high),
        excluded->truncated);
    answer.result.sections.front().note(words);
    answer.report->notes.push_back(words);
  }
  section.note("Rounds listed in their order give a value for every draft length, longer ones too.");
  answer.result.sections.push_back(std::move(section));
}

}  // namespace draftgauge
