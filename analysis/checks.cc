#include "analysis/checks.h"

#include <algorithm>
#include <cmath>

#include "analysis/closed_form.h"
#include "analysis/exact.h"
#include "analysis/expectation.h"
#include "analysis/false_alarm.h"
#include "analysis/goodness.h"
#include "analysis/output_law.h"
#include "analysis/tally_ratio.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t max_gram_vocab = 256;      // 2^16 joint cells
constexpr std::uint64_t max_position_cells = 1 << 22;

bool rounds_are_independent(Simulation const& simulation) {
  Follow const follow = simulation.laws().contexts().follow;
  return follow == Follow::independent || follow == Follow::prefix;
}

/// The checks of one simulation, with what they share.
class Checker {
 public:
  Checker(Simulation const& simulation, Tally const& tally, CheckOptions const& options)
      : simulation_(simulation), tally_(tally), options_(options) {}

  std::vector<Check> take() && { return std::move(checks_); }

  void means() {
    auto const closed = closed_form_tokens(simulation_);
    auto const exact = exact_tokens(simulation_);
    auto const interval = safe_tally_ratio(tally_, TallyLayout::tokens, 1 - options_.false_alarm);
    if (closed || exact) {
      Check mean = start("tokens per round", closed ? closed->origin : exact->origin);
      mean.closed_form = value(closed);
      mean.exact = value(exact);
      judge_mean(std::move(mean), interval);
    }
    if (simulation_.task().rule == "block") at_least_token_rule(interval);
    if (!interval || !closed) return;
    PricedRounds const seen = priced(tally_, *interval, options_.cost, options_.ops_cost);
    RoundShape const& shape = simulation_.task().shape;
    // Theory prices a round as γc + 1 and γĉ + γ + 1; without the bonus token the last position is not scored.
    double const time = shape.gamma * options_.cost + 1;
    double const work = shape.gamma * options_.ops_cost + shape.gamma + (shape.bonus ? 1 : 0);
    derived("speed-up", "Theorem 3.8", closed->value / time, seen.speedup);
    derived("operations", "Theorem 3.11", work / closed->value, seen.operations);
    derived("target reads per token", "Section 3.4", 1 / closed->value, seen.memory_reads);
    if (shape.gamma == 1 && shape.bonus && rounds_are_independent(simulation_))
      if (auto const bound = theory::guaranteed_speedup(mean_beta(simulation_.laws()), options_.cost))
        derived("guaranteed speed-up", "Corollary 3.9", *bound, seen.speedup);
  }

  void law_of_tokens() {
    if (!rounds_are_independent(simulation_)) return;
    auto const closed = closed_form_tokens_law(simulation_);
    auto const exact = closed ? std::nullopt : exact_tokens_law(simulation_);
    if (!closed && !exact) return;
    std::vector<double> const& law = closed ? *closed : *exact;
    // The histogram counts accepted drafts; without the bonus token N = γ for both τ = γ − 1 and τ = γ.
    std::vector<std::uint64_t> counts(tally_.accepted().begin(), tally_.accepted().end());
    if (!simulation_.task().shape.bonus) {
      counts[counts.size() - 2] += counts.back();
      counts.pop_back();
    }
    char const* const statement = closed ? "Section 3.1" : enumeration;
    add_law("law of N (TV)", statement, counts, law);
    auto const moments = histogram_moments(counts, 1, 1 - options_.false_alarm);
    if (!moments) return;
    double mean = 0, square = 0;
    for (std::size_t n = 1; n <= law.size(); ++n) {
      mean += static_cast<double>(n) * law[n - 1];
      square += static_cast<double>(n * n) * law[n - 1];
    }
    Check variance = start("variance of N", statement);
    (closed ? variance.closed_form : variance.exact) = square - mean * mean;
    judge_mean(std::move(variance), moments->variance);
  }

  void laws_of_output() {
    if (tally_.layout().firsts)
      if (auto const law = target_gram_law(simulation_, 1))
        add_law("a round's first token (TV)", "output law is p", tally_.firsts(), *law);
    if (int const positions = tally_.layout().positions; positions > 0) worst_position(positions);
    if (int const gram = tally_.layout().gram; gram > 1)
      if (auto const law = target_gram_law(simulation_, gram))
        add_law("tokens 1, 2 jointly (TV)", "output law is p", tally_.grams(), *law);
  }

 private:
  Check start(std::string name, std::string statement) const {
    Check check;
    check.name = std::move(name);
    check.statement = std::move(statement);
    check.rule = simulation_.task().rule;
    check.gamma = simulation_.task().shape.gamma;
    check.false_alarm = options_.false_alarm;
    return check;
  }

  static std::optional<double> value(std::optional<Expectation> const& e) {
    return e ? std::optional(e->value) : std::nullopt;
  }

  /// A mean against the closed form and, where there is one, against the enumeration.
  void judge_mean(Check check, std::optional<Interval> const& interval) {
    double const expected = check.closed_form ? *check.closed_form : *check.exact;
    bool const disagree =
        check.closed_form && check.exact && std::abs(*check.closed_form - *check.exact) > 1e-9 * expected;
    add_mean(std::move(check), interval, disagree || (interval && !interval->covers(expected)), expected);
  }

  void add_mean(Check check, std::optional<Interval> const& interval, bool rejected, double expected) {
    check.simulated = interval;
    if (interval) check.detectable = (interval->high - interval->low) / 2 * (1 + stated_power_share);
    check.verdict = judge(rejected, check.detectable, options_.resolve * expected);
    checks_.push_back(std::move(check));
  }

  /// Sun et al. 2024 (arXiv 2403.10444), Theorem 2: no block keeps fewer drafts in the mean than the token rule.
  void at_least_token_rule(std::optional<Interval> const& interval) {
    auto const token = token_rule_tokens(simulation_);
    if (!token) return;
    Check check = start("at least the token rule's", "Sun et al. 2024");
    check.closed_form = token->value;
    add_mean(std::move(check), interval, interval && interval->high < token->value, token->value);
  }

  void derived(std::string name, std::string statement, double expected, Interval const& interval) {
    Check check = start(std::move(name), std::move(statement));
    check.closed_form = expected;
    judge_mean(std::move(check), interval);
  }

  void add_law(std::string name, std::string statement, std::span<std::uint64_t const> counts,
               std::span<double const> law) {
    Check check = start(std::move(name), std::move(statement));
    judge_law(check, counts, law, options_.false_alarm);
    checks_.push_back(std::move(check));
  }

  /// The claim is that the distance to `law` is 0. A G-test judges it; what is shown is what the certificate proves.
  void judge_law(Check& check, std::span<std::uint64_t const> counts, std::span<double const> law, double false_alarm) {
    check.closed_form = 0;
    check.certificate = certify(counts, law, options_.confidence);
    if (!check.certificate) return;
    check.simulated = Interval{check.certificate->observed_tv, 0, check.certificate->tv_at_most, options_.confidence};
    Goodness const test = g_test(counts, law);
    check.p_value = test.p_value;
    bool const certain = std::ranges::count_if(law, [](double p) { return p > 0; }) == 1;
    check.detectable = certain ? std::optional(0.0)
                               : detectable_tv(test.cells, check.certificate->draws, false_alarm, stated_power);
    check.verdict = judge(test.p_value < false_alarm, check.detectable, options_.resolve);
  }

  /// The tokens at places 1…γ+1 of a trial, each against its law; the worst is shown, at a share of the false alarm.
  void worst_position(int positions) {
    auto const law = target_gram_law(simulation_, 1);
    Follow const follow = simulation_.laws().contexts().follow;
    if (!law || follow != Follow::independent) positions = std::min(positions, 1);
    if (!law) return;
    std::optional<Check> worst;
    for (int i = 0; i < positions; ++i) {
      Check check = start(positions > 1 ? "tokens 1 to " + std::to_string(positions) + " (TV)" : "first token (TV)",
                          "output law is p");
      judge_law(check, tally_.token_histogram(i), *law, options_.false_alarm / positions);
      check.false_alarm = options_.false_alarm;
      if (!worst || (check.p_value && worst->p_value && *check.p_value < *worst->p_value)) worst = check;
    }
    if (worst) checks_.push_back(*worst);
  }

  // An interval's half width is z standard errors, and stated_power asks for 1.28 more; at the false alarms of a suite
  // z is 5 or more.
  static constexpr double stated_power_share = 1.2816 / 5;
  static constexpr char const* enumeration = "enumeration";

  Simulation const& simulation_;
  Tally const& tally_;
  CheckOptions const& options_;
  std::vector<Check> checks_;
};

}  // namespace

Task counted_for_checks(Task task, Laws const& laws) {
  Follow const follow = laws.contexts().follow;
  int const longest = task.shape.gamma + 1;
  if (task.rounds_per_trial == 0 && follow == Follow::independent)
    task.rounds_per_trial = static_cast<std::uint32_t>(std::max(longest, 2));
  bool const several = follow == Follow::independent && task.rounds_per_trial >= static_cast<std::uint32_t>(longest);
  bool const fits = std::uint64_t{laws.vocab()} * static_cast<std::uint64_t>(longest) <= max_position_cells;
  // Where rounds depend on each other the first tokens of trials are the only random sample: many trials, each long
  // enough for the chain to show.
  if (task.rounds_per_trial == 0 && (follow == Follow::token || follow == Follow::next_row)) task.rounds_per_trial = 8;
  task.positions = several && fits ? longest : 1;
  bool const pairs = follow == Follow::independent ? task.rounds_per_trial >= 2
                                                   : follow == Follow::token && task.rounds_per_trial != 1;
  task.gram = pairs && laws.vocab() <= max_gram_vocab ? 2 : 0;
  task.firsts = follow == Follow::independent;
  return task;
}

std::vector<Check> check_simulation(Simulation const& simulation, Tally const& tally, CheckOptions const& options) {
  Checker checker(simulation, tally, options);
  checker.means();
  checker.law_of_tokens();
  checker.laws_of_output();
  return std::move(checker).take();
}

std::optional<Check> check_exact_law(Simulation const& simulation, std::uint64_t max_paths) {
  Laws const& laws = simulation.laws();
  Task const& task = simulation.task();
  int const length = task.shape.gamma + 1;
  if (std::pow(laws.vocab(), length) > static_cast<double>(max_paths)) return std::nullopt;
  ExactModel const model = exact_model(laws);
  std::uint32_t const start = simulation.starts().empty() ? 0 : simulation.starts().front();
  try {
    ExactRound const round = exact_round(task, model, start, max_paths);
    Check check;
    check.name = "tokens 1 to " + std::to_string(length) + " jointly (TV)";
    check.statement = "output law is p";
    check.rule = task.rule;
    check.gamma = task.shape.gamma;
    check.closed_form = 0;
    SequenceLaw const output = completed(round, model, length, start);
    check.exact = static_cast<double>(total_variation(output, target_law(model, length, start)));
    check.verdict = *check.exact == 0 ? Verdict::holds : Verdict::fails;
    return check;
  } catch (TooManyPaths const&) {
    return std::nullopt;
  }
}

}  // namespace draftgauge
