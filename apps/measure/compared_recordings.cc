#include "apps/measure/compared_recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/choose/alarms.h"
#include "analysis/report/field.h"
#include "analysis/texts/compare.h"
#include "apps/gamma/draft_report.h"
#include "apps/measure/measure_report.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// The γ at which recordings are laid side by side: the first one's best, or where no costs were given the longest.
int compared_gamma(std::span<MeasuredRecording const> all, StudyOptions const& options) {
  std::vector<int> const& gammas = options.estimates.gammas;
  if (!all.front().costs_given) return gammas.back();
  TextBestGamma const* const best = all.front().best_at_costs();
  return best && best->gamma > 0 ? best->gamma : gammas.front();
}

/// How many are rejected, or which gains most or, where no costs were given, has the most tokens per round.
std::string compared_title(std::span<MeasuredRecording const> all, StudyOptions const& options) {
  if (auto const rejected = std::ranges::count_if(all, &MeasuredRecording::rejected); rejected > 0)
    return fmt::format("{} of {} recordings {} rejected", rejected, all.size(), rejected == 1 ? "is" : "are");
  int const common = compared_gamma(all, options);
  bool const priced = all.front().costs_given;
  MeasuredRecording const* leads = nullptr;
  double most = 0;
  std::set<Estimator> mains;
  bool gains = false;
  for (MeasuredRecording const& one : all) {
    TextEstimate const* const tokens = one.tokens_per_round(one.main, common);
    TextBestGamma const* const best = one.best_at_costs();
    if (priced ? !best : !tokens) continue;
    mains.insert(one.main);
    gains |= priced && best->gamma > 0;
    if (double const value = priced ? best->speedup : tokens->value; !leads || value > most) {
      leads = &one;
      most = value;
    }
  }
  if (!leads) return fmt::format("None of {} recordings gives an answer", all.size());
  if (mains.size() > 1)
    return fmt::format(
        "{} recordings go by different estimators, and are not to be compared: --estimator NAME gives all the same",
        all.size());
  std::string const whose = fmt::format("{}, of {} recordings", leads->estimates.name(), all.size());
  if (!priced) return fmt::format("{}, has the most tokens per round at γ = {}: {:.3f}", whose, common, most);
  if (!gains) return fmt::format("Plain decoding is fastest in each of {} recordings", all.size());
  return fmt::format("{}, gains most: speed-up {:.3f} at γ = {}", whose, most, leads->best->gamma);
}

/// One line each, of what they are and of the best γ.
std::vector<Section> summary_sections(std::span<MeasuredRecording const> all, StudyOptions const& options) {
  bool const priced = all.front().costs_given;
  Section recordings{.heading = "All recordings",
                     .table = Table{{"recording", "recording", Align::left},
                                    {"temperature", "T"},
                                    {"tokens", "tokens"},
                                    {"policy", "policy", Align::left},
                                    {"text_check", "text", Align::left},
                                    {"alpha", "α"}}};
  Section best{.table = priced ? Table{{"recording", "recording", Align::left},
                                       {"estimator", "by", Align::left},
                                       {"best_gamma", "best γ"},
                                       {"mean_tokens", "tokens per round there"},
                                       {"speedup", "speed-up"},
                                       {"verify_extrapolated", "v(γ+1) a guess"}}
                               : Table{{"recording", "recording", Align::left},
                                       {"estimator", "by", Align::left},
                                       {"gamma", "γ"},
                                       {"mean_tokens", "tokens per round"}}};
  bool agree = false;
  auto const shown = [&](TextEstimate const& estimate, int decimals, Limits const& limits) {
    agree |= estimate.texts() > 1 && estimate.texts_agree();
    return estimate_cell(estimate, options.confidence, decimals, limits);
  };
  for (MeasuredRecording const& one : all) {
    recordings.table.add({one.estimates.name(), cell_of(temperature_of(one.recorded), 2),
                          static_cast<std::int64_t>(one.estimates.tokens()),
                          std::string(policy_name(one.recorded.policy)), std::string(word(one.text_standing)),
                          one.estimates.alpha() ? shown(*one.alpha(), 4, share) : Cell()});
    std::vector<Cell> row{one.estimates.name()};
    TextBestGamma const* const chosen = one.best_at_costs();
    int const gamma = chosen ? chosen->gamma : compared_gamma(all, options);
    TextEstimate const* const tokens = one.tokens_per_round(one.main, gamma);  // none of plain decoding
    if (one.rejected()) {
      row.emplace_back(fmt::format("{}: not to be used", word(one.text_standing)));
    } else if (!one.knows(one.main)) {
      row.emplace_back(fmt::format("{}: not known", one.main.card->heading));
    } else if (chosen || (!priced && tokens)) {
      row.emplace_back(std::string(one.main.card->heading));
      row.emplace_back(static_cast<std::int64_t>(gamma));
      row.push_back(tokens ? shown(*tokens, 3, tokens_in_round(gamma, options.estimates.bonus)) : Number{1, 3});
    }
    if (chosen) {
      auto const there = one.speedup_at(gamma);  // none of plain decoding
      row.push_back(there ? shown(there->speedup, 3, there->speedup_limits) : Number{1, 3});
      row.emplace_back(one.costs.extrapolates(gamma + 1));
    }
    row.resize(best.table.columns().size());
    best.table.add(std::move(row));
  }
  best.note(fmt::format("{:g} % intervals over texts.{}", 100 * options.confidence,
                        priced ? " Best γ of those asked for; 0 is plain decoding." : ""));
  std::set<Estimator> mains;
  for (MeasuredRecording const& one : all)
    if (one.knows(one.main) && !one.rejected()) mains.insert(one.main);
  if (mains.size() > 1)
    best.note("Rows by different ways (\"by\") are not to be compared: --estimator NAME gives all the same.");
  if (agree) best.note(agreement_note);
  std::vector<std::string> said;  // what several recordings have in common is said once
  for (MeasuredRecording const& one : all)
    for (std::string const& note : one.cost_notes) add_once(said, note);
  best.note(said);
  return {std::move(recordings), std::move(best)};
}

// The estimator that every recording goes by: what is asked, else, where that is of the token rule, Eq. (1), which
// most know.
std::optional<Estimator> common_estimator(std::span<MeasuredRecording const> all, Estimator asked) {
  if (std::ranges::all_of(all, [&](MeasuredRecording const& one) { return one.main == asked && one.knows(asked); }))
    return asked;
  return asked.card->of_token_rule ? std::optional(Estimator::iid) : std::nullopt;
}

// Whether each has a speed-up at costs of its own, by one estimator: then that is what they are compared by.
bool all_priced(std::span<MeasuredRecording const> all) {
  return std::ranges::all_of(
      all, [&](MeasuredRecording const& one) { return one.best_at_costs() && one.main == all.front().main; });
}

// Pairs that have some texts in common are neither over the same texts nor independent: no interval of theirs holds.
std::vector<std::string> overlap_notes(std::span<TokenTrace const> trace, MeasureOfSeveral& report) {
  std::vector<std::string> notes;
  report.overlaps.emplace();
  for (std::size_t i = 0; i < trace.size(); ++i)
    for (std::size_t j = i + 1; j < trace.size(); ++j) {
      if (could_be_same_texts(trace[i], trace[j]))
        notes.push_back(fmt::format(
            "The texts of {} and {} have the same names and lengths; that they are the same nothing says, and they "
            "are taken as others. With a column token they would be compared pair by pair.",
            trace[i].name, trace[j].name));
      std::size_t const shared = same_texts(trace[i], trace[j]) ? 0 : shared_texts(trace[i], trace[j]);
      if (shared == 0) continue;
      report.overlaps->push_back({trace[i].name, trace[j].name, shared});
      notes.push_back(fmt::format(
          "{} and {} are not compared: {} of their texts are the same, beside others or in another order, so that "
          "they are neither pairs nor independent. Record both drafts over the same texts.",
          trace[i].name, trace[j].name, shared));
    }
  return notes;
}

// Both of a pair are a sample of their target.
bool usable(TextComparison const& pair, std::span<MeasuredRecording const> all) {
  return !all[pair.first].rejected() && !all[pair.second].rejected();
}

// Every pair, at the best γ of the first recording. What a pair alone says becomes the title.
Section comparison_section(std::span<MeasuredRecording const> all, StudyOptions const& options, Result& result,
                           MeasureOfSeveral& report) {
  std::vector<TokenTrace> trace;
  std::vector<TextEstimates> estimates;
  for (MeasuredRecording const& one : all) {
    trace.push_back(one.recorded.trace);
    estimates.push_back(one.estimates);
  }
  int const gamma = compared_gamma(all, options);
  auto const common = common_estimator(all, options.main);
  if (!common) return {};
  Estimator const by = *common;
  auto const pairs = compare(trace, estimates, by, gamma, options.confidence);
  if (pairs.size() == 1 && usable(pairs.front(), all))
    result.title = fmt::format("{} at γ = {}", comparison_text(pairs.front(), estimates), gamma);
  for (TextComparison const& pair : pairs)
    report.comparisons.push_back({all[pair.first].estimates.name(), all[pair.second].estimates.name(), gamma,
                                  std::string(by.card->name), pair, usable(pair, all)});
  Section section{.heading = fmt::format("Compared at γ = {}", gamma),
                  .table = described_rows(report.comparisons).table()};
  bool const agree = std::ranges::any_of(pairs, [](auto const& pair) { return !std::isfinite(pair.difference.low); });
  section.note(overlap_notes(trace, report));
  if (pairs.empty() && section.notes.empty()) return {};
  if (!pairs.empty())
    section.note(fmt::format("By {}; intervals that all cover together with {:g} %.", by.card->name,
                             100 * options.confidence));
  if (agree)
    section.note("A difference that all texts agree on has no interval: there is no spread to tell luck from.");
  return section;
}

}  // namespace

void add_compared(Result& result, MeasureOfSeveral& report, std::span<MeasuredRecording const> all,
                  std::size_t compared, StudyOptions const& options) {
  result.sections = summary_sections(all, options);
  bool const pooled = compared < all.size();
  if (Section section = comparison_section(all.first(compared), options, result, report); !section.heading.empty())
    result.sections.push_back(std::move(section));
  std::vector<Study const*> studies;
  for (MeasuredRecording const& one : all) studies.push_back(&one);
  result.alarms = alarms_of(studies, options.confidence);
  if (!pooled && all_priced(all)) {
    report.asks_fastest = true;
    report.fastest = add_fastest(result, studies, options.confidence).report;
  }
  if (result.title.empty())
    result.title = pooled ? measured_title(all.back(), options, std::nullopt) : compared_title(all, options);
}

}  // namespace draftgauge
