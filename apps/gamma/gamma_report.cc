#include "apps/gamma/gamma_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/stats/counted.h"
#include "analysis/stats/false_alarm.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_input.h"
#include "apps/options/confidence.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr std::int64_t shown_around = 4;  // of the best γ
constexpr int narrow_bar = 8;             // columns; what intervals, wins and long times leave of a line of 100

}  // namespace

Option resamples_option(std::string_view of) {
  return {.name = "--resamples",
          .kind = Kind::count,
          .summary = fmt::format("{}; 0 or at least {}", of, fewest_resamples),
          .standard = "1000"};
}

void refuse_recorded(Invocation const& args, bool rounds) {
  args.refuse({recording_options(), fold_options()}, without_recording);
  if (!rounds) refuse_draft_length(args);
}

void refuse_sampled(Invocation const& args, std::string_view asked) {
  args.refuse({"--confidence", "--resamples"},
              fmt::format("has no meaning with {} (what it says is taken as exact)", asked));
}

std::size_t resamples_from(Invocation const& args, std::string_view made) {
  constexpr std::int64_t most = 100'000;
  auto const resamples = static_cast<std::size_t>(count_at_most(args, "--resamples", most));
  require_resamples(resamples, made);
  return resamples;
}

GammaAsked::GammaAsked(Invocation const& args)
    : bonus(!args.has("--no-bonus")),
      bars(args.format() == Format::text),
      ops_cost(number_of(args, "--ops-cost")),
      near_optimal(near_from(args)),
      batch(args.count("--batch")),
      confidence(confidence_from(args)),
      resamples(resamples_from(args, "intervals and odds")),
      seed(args.seed()),
      to_set(args.text_given("--for")) {
  if (args.has("--most")) most = count_at_most(args, "--most", longest_gamma);
}

Result GammaAnswer::printed() && {
  if (report) {
    Json document = document_of(*report);
    document.update(result.document);
    result.document = std::move(document);
  }
  return std::move(result);
}

GammaRow const* GammaAnswer::row(std::int64_t gamma) const {
  auto const found = std::ranges::find(rows, gamma, &GammaRow::gamma);
  return found == rows.end() ? nullptr : &*found;
}

EngineSettings add_settings(GammaAnswer& answer, std::string_view engine, std::optional<std::int64_t> otherwise) {
  if (!answer.best && !otherwise && answer.alpha)
    throw UsageError(
        "--for has no meaning where no γ is best (S grows with γ at this α and these costs, the longer "
        "the draft the better)",
        "add --most, the longest draft that you would set, or --cost where none is given");
  if (!answer.best && !otherwise)
    throw UsageError("--for has no meaning where no single γ is best (there is nothing to set)",
                     "give one recording or α, and --cost");
  SettingsAsked asked{.gamma = answer.best ? *answer.best : *otherwise,
                      .survival = answer.survival,
                      .drawn = answer.drawn,
                      .draft_kinds = answer.draft_kinds};
  if (GammaRow const* const row = answer.row(asked.gamma)) asked.tokens_per_round = row->tokens;
  bool const broken = std::ranges::count(answer.result.alarms, Alarm::Kind::broken, &Alarm::kind) > 0;
  if (answer.too_few && !broken) {
    add_nothing_to_set(answer.result, engine, too_few_to_set());
    return {};
  }
  EngineSettings settings = add_settings(answer.result, engine, asked);
  if (!answer.best && !settings.flags.empty())
    answer.result.sections.back().note("That is the γ that ran: without costs none is best.");
  return settings;
}

std::string bar(double value, double most, int width) {
  constexpr std::array<std::string_view, 8> rests = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  auto const eighths = static_cast<std::size_t>(std::lround(8 * width * std::clamp(value / most, 0.0, 1.0)));
  std::string drawn;
  for (std::size_t i = 0; i < eighths / 8; ++i) drawn += "█";
  return drawn.append(rests[eighths % 8]);
}

CountedAsked GammaAsked::counted() const {
  return {.confidence = confidence,
          .bonus = bonus,
          .most = most,
          .draws = resamples,
          .seed = seed,
          .along_text = along_text};
}

Section curve_section(std::span<GammaRow const> rows, std::optional<std::int64_t> best, GammaAsked const& asked,
                      std::optional<std::int64_t> ran) {
  Fields<CurveRow> fields = fields_of<CurveRow>();
  bool const leads = std::ranges::any_of(rows, [](GammaRow const& row) { return row.lead.has_value(); });
  double const most = std::ranges::max(speedups_of(rows));
  auto const drawn = [=](CurveRow const& row) { return bar(row.speedup, most, leads ? narrow_bar : bar_width); };
  if (asked.bars && !(leads && std::ranges::any_of(rows, &GammaRow::guess)))  // a line has no room for both
    fields.push_back({"bar", "", drawn, {.spare = true, .table_only = true}});
  auto const far = [best, ran](CurveRow const& row) {
    return best && row.gamma != ran && std::abs(row.gamma - *best) > shown_around && !row.may_be_best.value_or(false);
  };
  Section section{.heading = "Speed-up by draft length", .table = rows_of(fields, curve_of(rows, asked.operations(), best), far).table()};
  if (auto const chosen = std::ranges::find(rows, best, &GammaRow::gamma); chosen != rows.end() && chosen->guess)
    section.note(fmt::format("What a pass takes at γ = {} is a guess along the last slope: measure v({}).",
                             chosen->gamma, chosen->gamma + 1));
  return section;
}

std::string answer(BestGamma const& best) {
  if (!best.gamma)
    return std::isinf(best.speedup) ? "no γ is best: S grows with γ without bound"
                                    : fmt::format("no γ is best: S grows with γ towards {:.5g}", best.speedup);
  if (*best.gamma == 0) return "γ=0, S=1: plain decoding is fastest";
  return fmt::format("γ={}, S={:.4f}", *best.gamma, best.speedup);
}

std::string gamma_list(std::span<GammaRange const> ranges) {
  return joined(ranges, [](GammaRange const& range) {
    if (!range.last) return fmt::format("{} and more", range.first);
    return *range.last == range.first ? fmt::format("{}", range.first)
                                      : fmt::format("{} to {}", range.first, *range.last);
  });
}

std::string near_text(std::span<GammaRange const> ranges, double near_optimal) {
  return ranges.empty() ? std::string()
                        : fmt::format("Within {:g} % of the best: γ = {}.", 100 * near_optimal, gamma_list(ranges));
}

std::string set_text(std::span<GammaRange const> set) { return "the data allow γ=" + gamma_list(set); }

std::string set_sentence(std::span<GammaRange const> set, std::int64_t best, std::optional<double> regret,
                         double confidence) {
  bool const one = set.size() == 1 && set.front().last == set.front().first;
  std::string words =
      one ? fmt::format("With {:g} % confidence γ={} is the best of these.", 100 * confidence, best)
          : fmt::format("With {:g} % confidence the best γ is one of {}.", 100 * confidence, gamma_list(set));
  if (one || !regret) return words;
  return words +
         fmt::format(" γ={} is expected to lose {} of S to it.", best,
                     *regret < 5e-4 ? std::string("less than 0.1 %") : fmt::format("{:.1f} %", 100 * *regret));
}

std::string most_text(std::size_t most) { return fmt::format("At most {} a round", counted(most, "draft")); }

EdgeWords edge_text(std::size_t best, std::size_t last_known) {
  if (best == 0 || best != last_known) return {};
  return {"; no longer draft is known, and S still grows there",
          {fmt::format("Nothing is known beyond γ = {}, and S still grows there.", best)}};
}

std::string pays_text(std::int64_t gamma, double cost, std::optional<Interval> const& interval,
                      std::string_view from) {
  std::string words = fmt::format("At γ = {} drafting pays {}up to c = {:.4g}", gamma, from, cost);
  if (interval) words += fmt::format(" [{:.4g}, {:.4g}]", interval->low, interval->high);
  if (interval && interval->low < 0) words += " (below 0: a draft that costs nothing would not pay)";
  return words + ".";
}

Section policy_section(std::span<PolicyRow const> rows, double best_speedup, std::int64_t best) {
  Section section{.heading = "What adapting γ could win",
                  .table = described_rows(adapting_of(rows, best_speedup)).table()};
  std::map<std::string_view, Cell> const fixed = {{"policy", "the best fixed γ"},
                                                  {"speedup", Number{best_speedup, 4}},
                                                  {"over_best", Number{0, 1}},
                                                  {"mean_drafts", Number{static_cast<double>(best), 1}}};
  std::vector<Cell> cells;
  for (Column const& column : section.table.columns()) {
    auto const known = fixed.find(column.key);
    cells.push_back(known == fixed.end() ? Cell() : known->second);
  }
  section.table.add_first(std::move(cells));
  return section;
}

std::string runner_up_text(int best, GammaRunnerUp const& runner_up, double have, std::string_view unit) {
  // Two digits of a guess.
  auto const rounded = [](double x) {
    double const digit = std::pow(10., std::max(0., std::floor(std::log10(x)) - 1));
    return fmt::format("{:.0f}", std::ceil(x / digit) * digit);
  };
  if (runner_up.lead.value == 0)
    return fmt::format("γ={}, the next best, gives the same S as γ={}.", runner_up.gamma, best);
  Interval const lead = tidy(runner_up.lead, 3);
  std::string const words = fmt::format("γ={} leads γ={}, the next best, by {:.3f}{} in S", best, runner_up.gamma,
                                        lead.value, bounds_text(lead, 3));
  if (runner_up.apart) return fmt::format("{}: these {:.0f} {} tell the two apart.", words, have, unit);
  constexpr double hopeless = 1e12;
  std::string const more =
      !runner_up.need || *runner_up.need > hopeless
          ? fmt::format("no number of {} that anyone has would tell them apart", unit)
          : fmt::format("about {} {} in place of these {:.0f} would tell them apart with probability {:.0f} %",
                        rounded(*runner_up.need), unit, have, 100 * stated_power);
  return fmt::format("{}: not surely, as the {:g} % interval reaches below 0; {}.", words,
                     100 * runner_up.lead.confidence, more);
}

std::string pass_text(Costs const& costs) {
  std::string words;
  if (costs.verify.size() > 1)
    words += costs.last_measured() > 0 ? fmt::format(", v(n) to n={}", costs.last_measured())
                                       : std::string(", no v(n) measured for so many sequences");
  if (costs.overhead > 0) words += fmt::format(", o={:.4g}", costs.overhead);
  return words;
}

std::string cost_text(Costs const& costs) { return fmt::format("c={:.4g}", costs.draft) + pass_text(costs); }

}  // namespace draftgauge
