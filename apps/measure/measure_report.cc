#include "apps/measure/measure_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/report/recording.h"
#include "analysis/texts/token_means.h"
#include "analysis/theory/closed_form.h"
#include "apps/cli/as_typed.h"
#include "apps/gamma/gamma_report.h"
#include "apps/recording/sample_words.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr int positions_shown = 8;

std::string written_text(MeasuredRecording const& of) {
  Recorded const& recorded = of.recorded;
  if (!recorded.trace.temperature) return "at which temperature they were written is not recorded";
  std::string const law = law_of_text(recorded.trace);
  if (of.unusable()) return fmt::format("said to be written at {}, and rejected", law);
  return fmt::format("written at {}: {}", law, policy_name(recorded.policy));
}

// What a draft is kept with, under the rule that leads: α is the token rule's.
std::optional<std::pair<std::string, TextEstimate>> acceptance_of(MeasuredRecording const& of) {
  if (!of.main.card->drafts_argmax) {
    if (auto alpha = of.alpha()) return std::pair(std::string("α"), *alpha);
    return {};
  }
  for (TokenMean const& what : token_means())
    if (what.key == "p_of_argmax_q")
      if (auto const mean = mean_of(of.recorded.trace, of.estimates, what)) return std::pair(std::string("mean p(argmax q)"), *mean);
  return {};
}

/// A reader's note as a sentence. One that starts with a file's name, "hf.npz: 1 of", keeps it.
std::string sentence_of(std::string note) {
  bool const names_file = note.substr(0, note.find(' ')).ends_with(':');
  if (!names_file && !note.empty() && note.front() >= 'a' && note.front() <= 'z')
    note.front() = static_cast<char>(note.front() - 'a' + 'A');
  if (!note.empty() && note.back() != '.') note += '.';
  return note;
}

Section acceptance_section(MeasuredRecording const& of, StudyOptions const& options) {
  TextEstimates const& estimates = of.estimates;
  Section section{.table = Table{{"quantity", "quantity", Align::left}, {"estimate", "estimate"}}};
  if (of.text_standing == TextStanding::rejected)
    section.table.add({"the text, by its own check", "rejected: use nothing below"});
  bool agree = false;
  auto const add = [&](std::string what, TextEstimate const& estimate, Limits const& limits = share) {
    agree |= estimate.texts() > 1 && estimate.texts_agree();
    section.table.add({std::move(what), estimate_cell(estimate, options.confidence, 4, limits)});
  };
  if (estimates.alpha())
    add(estimates.alpha_from_beta() ? "α, the mean of β = Σ min(p, q)"
                                    : "α, the mean of a = min(1, q/p) at the text's tokens",
        *of.alpha());
  if (auto const& bounds = estimates.alpha_bounds())
    section.table.add({"mean of β by the tokens that were listed",
                       fmt::format("{:.4f} to {:.4f}", bounds->low.value, bounds->high.value)});
  if (estimates.mean_a() && estimates.alpha_from_beta())
    add("mean of a = min(1, q/p) at the text's tokens", *estimates.mean_a());
  for (TokenMean const& what : token_means())
    if (auto const mean = mean_of(of.recorded.trace, of.estimates, what)) add(std::string(what.words), *mean, what.limits);
  if (of.recorded.trace.files.size() > 1)
    section.note(
        fmt::format("Target: {}; draft: {}.", of.recorded.trace.files.front(), of.recorded.trace.files.back()));
  section.note(of.has_tokens() ? fmt::format("{}, {}.", of.size_text(), written_text(of))
                               : fmt::format("{}: which tokens followed is not recorded, so that only β is known.",
                                             of.size_text()));
  if (estimates.texts() > 1)
    section.note(fmt::format("{:g} % intervals over texts{}", 100 * options.confidence,
                             estimates.texts() < few_texts
                                 ? "; of so few they may cover less: " + few_texts_text(estimates.texts())
                                 : "."));
  section.note(dominating_text(of));
  if (agree) section.note(agreement_note);
  if (of.recorded.policy == Policy::on && (of.recorded.trace.top_k > 0 || of.recorded.trace.top_p < 1))
    section.note(
        "p and q are what that truncation leaves of the models' distributions: all below is on-policy for it alone, "
        "and says nothing of other truncations or none.");
  if (of.recorded.policy == Policy::off && of.text_standing != TextStanding::rejected)
    section.note(
        "The text is not a sample of these distributions: β at each position is exact, but other texts would be met, "
        "so that means over the text and everything below lean towards the text's own distribution.");
  if (of.writer_unknown()) section.note(unknown_writer);
  section.note(finding_text(of.text_check));
  if (estimates.texts() < 2) section.note(one_text_text(of));
  section.note(influence_text(of));
  for (std::string const& note : of.recorded.trace.notes) section.note(sentence_of(note));
  return section;
}

// What drafts may cost to gain anything.
std::string plain_note(MeasuredRecording const& of, StudyOptions const& options) {
  int gamma = 0;
  double most = 0;
  for (int const each : options.estimates.gammas)
    if (auto const there = of.speedup_at(each); there && there->break_even.value > most) {
      gamma = each;
      most = there->break_even.value;
    }
  std::vector<int> const& gammas = options.estimates.gammas;
  std::string const none =
      gammas.size() == 1 ? fmt::format("γ = {} does not gain; no other was compared (--gamma 1..16).", gammas.front())
      : gammas.front() > 1
          ? fmt::format("No γ from {} on gains; shorter drafts were not compared (--gamma 1..16).", gammas.front())
          : "No γ gains: plain decoding is fastest.";
  if (gamma == 0) return none + " Drafts that cost nothing would not pay, either.";
  return none + fmt::format(" Drafts would pay below c = {:.3g}, at γ = {}.", most, gamma);
}

// The same for the first line: nothing is said of γ that were not compared.
std::string plain_text(MeasuredRecording const& of, StudyOptions const& options) {
  std::vector<int> const& gammas = options.estimates.gammas;
  if (gammas.size() == 1) {
    auto const there = of.speedup_at(gammas.front());
    return fmt::format("plain decoding is faster than γ = {}{}; no other γ was compared", gammas.front(),
                       there ? fmt::format(" (speed-up {:.3f})", there->speedup.value) : "");
  }
  return gammas.front() == 1
             ? "plain decoding is fastest at these costs"
             : fmt::format("plain decoding is faster than every γ from {} on; shorter drafts were not compared",
                           gammas.front());
}

// Which γ is best, how surely, and what a round is made of there.
std::string best_note(MeasuredRecording const& of, StudyOptions const& options) {
  if (of.best->gamma == 0) return plain_note(of, options);
  std::vector<int> const& gammas = options.estimates.gammas;
  std::string note =
      gammas.size() > 1
          ? fmt::format("Best γ: {}, speed-up {:.3f}", of.best->gamma, of.best->speedup)
          : fmt::format("Speed-up {:.3f} at γ = {}, beside which only plain decoding was compared (--gamma 1..16)",
                        of.best->speedup, of.best->gamma);
  if (gammas.size() > 1 && of.gamma_set) note += fmt::format(" ({})", set_text(ranges_of(of.gamma_set->gammas)));
  if (auto const there = of.speedup_at(of.best->gamma); there && there->pays())
    note += fmt::format("; drafting pays there up to c = {:.3g}", there->break_even.value);
  if (of.costs.draft > 0) {
    TimeSplit const split = time_split(of.costs, of.best->gamma);
    note += fmt::format("; its time is {:.0f} % draft{} {:.0f} % target", 100 * split.draft,
                        split.overhead > 0 ? "," : " and", 100 * split.target);
    if (split.overhead > 0) note += fmt::format(" and {:.0f} % overhead", 100 * split.overhead);
  }
  int const compared = of.longest_priced();
  if (compared < gammas.back())
    note += fmt::format("; more than {} drafts were not compared, as most texts are too short for them", compared);
  else if (gammas.size() > 1 && of.best->gamma == compared)
    note += "; a longer draft may gain more (--gamma)";
  note += ".";
  if (of.costs.extrapolates(of.best->gamma + 1))
    note += fmt::format(" What a pass of {} tokens takes there is a guess: measure v({}).", of.best->gamma + 1,
                        of.best->gamma + 1);
  return note;
}

// What a round was taken to cost, and what of that was measured.
std::string cost_note(MeasuredRecording const& of, StudyOptions const& options) {
  Costs const& costs = of.costs;
  std::string note = fmt::format("Speed-up by {}: c = {:.4g}", of.main.card->heading, costs.draft);
  int const widest = options.estimates.gammas.back() + 1;
  std::int64_t const measured = costs.last_measured();
  if (measured <= 1) {
    note += ", verification as cheap as one token (no v(n) is given)";
  } else {
    note += ", v(n) as given";
    if (measured < widest) note += fmt::format(" up to n = {} and extrapolated to {}", measured, widest);
  }
  if (costs.overhead > 0) note += fmt::format(", o = {:g}", costs.overhead);
  if (costs.extra_draft_passes > 0) return note + ". " + again_text(costs);
  return note + ".";
}

// What is left of argmax drafts where a recording says how likely p finds them and not where the text kept them.
std::string argmax_by_eq1(MeasuredRecording const& of, StudyOptions const& options) {
  auto const kept = acceptance_of(of);
  if (!of.main.card->drafts_argmax || of.knows(of.main) || !kept) return {};
  int const gamma = options.estimates.gammas.back();
  return fmt::format(
      "Were drafts kept independently of each other, each with the {} of {:.4f}, Eq. (1) would give {:.3f} tokens "
      "per round at γ = {}.",
      kept->first, kept->second.value, theory::expected_tokens(kept->second.value, gamma, options.estimates.bonus),
      gamma);
}

Section tokens_section(MeasuredRecording const& of, RecordingReport const& report, StudyOptions const& options) {
  Section section{.heading = "Tokens per round"};
  if (std::ranges::none_of(estimators(), [&](Estimator estimator) { return of.knows(estimator); })) {
    section.paragraphs.push_back(fmt::format("Not known: it {}.", of.why_not(of.main)));
    return section;
  }
  section.table = token_rows(report.tokens_per_round, of).table();
  bool const agree = std::ranges::any_of(options.estimates.gammas, [&](int gamma) {
    TextEstimate const* const tokens = of.tokens_per_round(of.main, gamma);
    return tokens && tokens->texts() > 1 && tokens->texts_agree();
  });
  if (!of.knows(of.main))
    section.note(
        fmt::format("{} is not known here: it {}. The columns are of other rules: no speed-up and no best γ by them.",
                    of.main.card->heading, of.why_not(of.main)));
  else if (of.main != options.main)
    section.note(of.knows(options.main)
                     ? fmt::format("What leads is by {}: {} is along tokens that another distribution drew.",
                                   of.main.card->heading, options.main.card->heading)
                     : fmt::format("{} is not known here: it {}. What leads is by {}.", options.main.card->heading,
                                   of.why_not(options.main), of.main.card->heading));
  section.note(argmax_by_eq1(of, options));
  if (agree) section.note(agreement_note);
  if (of.best_at_costs()) {
    section.note(cost_note(of, options));
    section.note(best_note(of, options));
  }
  section.note(of.cost_notes);
  return section;
}

Section dependence_section(DependenceReport const& report) {
  Section section{.heading = "What independence would miss"};
  if (!report.sentence.empty()) section.paragraphs.push_back(report.sentence);
  return section;
}
Section positions_section(DependenceReport const& report) {
  auto rows = report.positions;
  std::erase_if(rows, [](PositionReport const& at) { return at.position > positions_shown; });
  return {.table = described_rows(rows).table(), .detail = true};
}

}  // namespace

Cell estimate_cell(TextEstimate const& estimate, double confidence, int decimals, Limits const& limits) {
  auto const interval = interval_within(estimate, confidence, limits);
  if (!interval) return Number{estimate.value, decimals};
  return Estimate{tidy(*interval, decimals), decimals};
}

MeasureReport measure_report(MeasuredRecording const& of, StudyOptions const& options) {
  MeasureReport report{report_of(of, options)};
  report.cost_notes = of.cost_notes;
  report.text_check.cause = as_typed(report.text_check.cause);
  return report;
}

std::vector<Section> measured_sections(MeasuredRecording const& of, RecordingReport const& report,
                                       StudyOptions const& options) {
  std::vector<Section> sections{acceptance_section(of, options), tokens_section(of, report, options)};
  if (of.main.card->of_token_rule && !of.dependence.positions.empty() && !of.too_little())
    sections.insert(sections.end(), {dependence_section(report.dependence), positions_section(report.dependence)});
  if (!of.rejected()) return sections;
  // Of a text that is rejected nothing is to be used but the reasons: those stay.
  Section why{.notes = std::exchange(sections.front().notes, {})};
  for (Section& section : sections) section.detail = true;
  sections.insert(sections.begin() + 1, std::move(why));
  return sections;
}

std::string estimate_text(TextEstimate const& estimate, double confidence, int decimals, Limits const& limits) {
  auto const interval = interval_within(estimate, confidence, limits);
  return fmt::format("{:.{}f}{}", estimate.value, decimals, bounds_text(interval, decimals));
}

std::string measured_title(MeasuredRecording const& of, StudyOptions const& options,
                           std::optional<int> gamma_of_engine) {
  if (of.rejected()) return of.rejection();
  std::string title = of.estimates.name() + ": ";
  if (std::string const words = of.off_policy_text(); !words.empty()) title += words + ": ";
  bool const little = of.estimates.tokens() < fewest_tokens && !of.too_little();
  if (little) title += fmt::format("too little text to say ({}): ", of.size_text());
  auto add = [&, first = true](std::string const& words) mutable {
    title += (std::exchange(first, false) ? "" : ", ") + words;
  };
  if (auto const kept = acceptance_of(of))
    add(fmt::format("{} = {}", kept->first, estimate_text(kept->second, options.confidence, 4, share)));
  TextBestGamma const* const best = of.best_at_costs();
  std::vector<int> shown = {options.estimates.gammas.front(), options.estimates.gammas.back()};
  if (best)
    shown = {best->gamma};
  else if (gamma_of_engine && contains(options.estimates.gammas, *gamma_of_engine))
    shown = {*gamma_of_engine};
  shown.erase(std::ranges::unique(shown).begin(), shown.end());
  for (int const gamma : shown)
    if (TextEstimate const* tokens = of.tokens_per_round(of.main, gamma))
      add(fmt::format("{} tokens per round at γ = {}",
                      estimate_text(*tokens, options.confidence, 3, tokens_in_round(gamma, options.estimates.bonus)),
                      gamma));
  if (!of.knows(of.main) && !of.too_little())
    add(fmt::format("{} is not known here", of.main.card->heading));
  else if (of.knows(of.main) && !(best && best->gamma == 0))
    title += fmt::format(" by {}", of.main.card->heading);
  if (best && best->gamma == 0) add(plain_text(of, options));
  if (best && best->gamma > 0) {
    add(fmt::format("speed-up {:.3f}", best->speedup));
    if (of.lead(options.confidence) == TextLead::no_gain)
      add("its interval reaches 1 or less, so that no gain is shown");
  }
  if (of.parts)
    add("intervals over parts of one text");
  else if (of.estimates.texts() < 2)
    add(of.too_little() ? "too little text to say more" : "one text gives no interval");
  if (!of.costs_given && of.best) add("no costs given");
  if (of.same_numbers()) title += fmt::format(". {}", same_numbers_words);
  return title;
}

}  // namespace draftgauge
