#include "analysis/stats/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/exact/exact.h"
#include "analysis/exact/output_law.h"
#include "analysis/stats/false_alarm.h"
#include "analysis/stats/goodness.h"
#include "analysis/stats/tally_ratio.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/expectation.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t max_gram_vocab = 32;  // 2^10 joint cells, which a million trials can fill
constexpr std::uint32_t max_chain_gram_vocab =
    64;  // there only tokens late in a trial show what goes wrong between rounds
constexpr std::uint32_t max_triple_vocab = 16;
constexpr std::uint64_t max_position_cells = 1 << 22;
constexpr std::uint32_t chain_rounds = 16;  // per trial where contexts depend on the text
constexpr std::uint32_t latest_gram = 62;   // what its law is pushed through: this many steps of the chain at most

/// What a rule's output has the law of, in words.
char const* word(Reference reference) { return reference == Reference::target ? "p" : "argmax p"; }

bool rounds_are_independent(Task const& task, PairTables const& tables) {
  if (policy_card(with_own_drafting(task).policy).adapts) return false;
  Follow const follow = tables.contexts().follow;
  return follow == Follow::independent || follow == Follow::prefix;
}

std::string gram_text(TallyLayout const& layout) {
  std::uint32_t const first = layout.gram_from + 1, last = layout.gram_from + static_cast<std::uint32_t>(layout.gram);
  if (layout.gram == 1) return fmt::format("token {} (TV)", first);
  return fmt::format("tokens {}{}{} jointly (TV)", first, layout.gram == 2 ? ", " : " to ", last);
}

/// What is certified of a distance, as an interval. Counts scatter, which the certificate allows for: where many
/// cells make the observed distance greater than what is proved, that is no estimate of the distance, and the bound
/// stands for it.
Interval certified(Certificate const& certificate) {
  return {std::min(certificate.observed_tv, certificate.tv_at_most), 0, certificate.tv_at_most,
          certificate.confidence};
}

/// The claim is that the distance to `law` is 0. A G-test judges it; what is shown is what the certificate proves.
void judge_law(Check& check, std::span<std::uint64_t const> counts, std::span<double const> law,
               CheckOptions const& options) {
  check.closed_form = 0;
  check.certificate = certify(counts, law, options.confidence);
  if (!check.certificate) return;
  check.simulated = certified(*check.certificate);
  Goodness const test = g_test(counts, law);
  check.p_value = test.p_value;
  check.asymptotic = test.asymptotic;
  check.detectable = detectable_tv(test, options.false_alarm, stated_power);
  check.verdict = judge(test.p_value < options.false_alarm, check.detectable, options.resolve);
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
    auto const seen = safe_tally_ratio(simulation_, tally_, TallyLayout::tokens, 1 - options_.false_alarm);
    if (closed || exact) {
      Check mean = start("tokens per round", closed ? closed->origin : exact->origin);
      mean.closed_form = value(closed);
      mean.exact = value(exact);
      judge_mean(std::move(mean), seen);
    }
    if (simulation_.tables().contexts().follow != Follow::independent) return;
    if (keeps_at_least_token_rule(simulation_)) at_least_token_rule(seen);
    if (plays_token_rule(simulation_) && seen) prices(*seen);
  }

  void law_of_tokens() {
    if (!rounds_are_independent(simulation_.task(), simulation_.tables())) return;
    auto const closed = closed_form_tokens_law(simulation_);
    auto const exact = closed ? std::nullopt : exact_tokens_law(simulation_);
    if (!closed && !exact) return;
    std::vector<double> const& law = closed ? *closed : *exact;
    std::vector<std::uint64_t> const counts = rounds_by_tokens();
    char const* const statement = closed ? "Section 3.1" : "enumeration";
    add_law("distribution of N (TV)", statement, counts, law);
    double mean = 0, square = 0;
    for (std::size_t n = 1; n <= law.size(); ++n) {
      mean += static_cast<double>(n) * law[n - 1];
      square += static_cast<double>(n * n) * law[n - 1];
    }
    Check variance = start("variance of N", statement);
    (closed ? variance.closed_form : variance.exact) = square - mean * mean;
    double const range = static_cast<double>(law.size() - 1);
    double const most = range * range / 4;  // that any value in the range can have
    auto seen = variance_estimate(counts, 1 - options_.false_alarm);
    if (seen) seen->interval.high = std::min(seen->interval.high, most);
    judge(std::move(variance), seen, most);
  }

  /// Entry n − 1: rounds that emit n tokens. The histogram counts accepted drafts, one fewer; but without the bonus
  /// token a round emits no token below a draft that has no children.
  std::vector<std::uint64_t> rounds_by_tokens() const {
    std::vector<std::uint64_t> counts(tally_.accepted().begin(), tally_.accepted().end());
    Task const& task = simulation_.task();
    if (task.shape.bonus) return counts;
    TreeShape const& tree = task.tree;
    for (std::uint32_t node = 1; node < tree.size(); ++node) {
      auto const depth = static_cast<std::size_t>(tree.depth(node));
      if (tree.children(node).count > 0 || tree.depth(node) == task.shape.gamma) continue;
      counts[depth] -= tally_.passed()[node - 1];
      counts[depth - 1] += tally_.passed()[node - 1];
    }
    counts[counts.size() - 2] += counts.back();  // all drafts of the last level
    counts.pop_back();
    return counts;
  }

  void law_of_first_tokens() {
    if (!tally_.layout().firsts) return;
    if (!claims_lossless(simulation_.rule_called())) return law_of_lossy_output();
    if (auto const law = target_gram_law(simulation_, 1))
      add_law("a round's first token (TV)", output_law(), tally_.firsts(), *law);
  }

  void tables_of_texts() {
    if (!claims_lossless(simulation_.rule_called())) return;
    if (int const positions = tally_.layout().positions; positions > 0) worst_position(positions);
    if (TallyLayout const& layout = tally_.layout(); layout.gram > 0)
      if (auto const law = target_gram_law(simulation_, layout.gram, layout.gram_from))
        add_law(gram_text(layout), output_law(), tally_.grams(), *law);
  }

 private:
  /// A lossy rule claims no law: its first token is held against the enumerated one, and its distance from the target
  /// is a result. That is the exact one where it can be enumerated; what is certified of the simulated one stands
  /// beside it.
  void law_of_lossy_output() {
    auto const own = exact_first_law(simulation_);
    if (own) add_law("a round's first token, as enumerated (TV)", "enumeration", tally_.firsts(), *own);
    auto const target = target_gram_law(simulation_, 1);
    Check check = start(fmt::format("a first token's distance from {} (TV)", word(simulation_.rule().reference)),
                        "a result, not a claim");
    if (own) check.exact = distance(*own, *target);
    if (own) check.law = *own;
    check.is_result = true;
    check.certificate = certify(tally_.firsts(), *target, options_.confidence);
    if (check.certificate) check.simulated = certified(*check.certificate);
    bool const told = own || (check.certificate && scatter(target->size(), check.certificate->draws,
                                                           options_.confidence) <= options_.resolve);
    check.verdict = told ? Verdict::holds : Verdict::inconclusive;
    checks_.push_back(std::move(check));
  }

  Check start(std::string name, std::string statement) const {
    Check check;
    check.name = std::move(name);
    check.statement = std::move(statement);
    check.rule = simulation_.task().rule;
    check.policy = simulation_.task().policy;
    check.gamma = simulation_.task().shape.gamma;
    check.false_alarm = options_.false_alarm;
    return check;
  }

  static std::optional<double> value(std::optional<Expectation> const& e) {
    return e ? std::optional(e->value) : std::nullopt;
  }

  enum class Side { both, at_least, at_most };

  /// A number against the closed form and, where there is one, against the enumeration. `scale`: what --resolve is
  /// relative to.
  void judge(Check check, std::optional<Measured> const& seen, double scale, Side side = Side::both) {
    double const expected = check.closed_form ? *check.closed_form : *check.exact;
    bool rejected = check.closed_form && check.exact && std::abs(*check.closed_form - *check.exact) > 1e-9 * scale;
    if (seen) {
      check.simulated = seen->interval;
      check.detectable = seen->detectable;
      check.asymptotic = seen->interval.asymptotic;
      rejected = rejected || (side != Side::at_most && seen->interval.high < expected) ||
                 (side != Side::at_least && seen->interval.low > expected);
    }
    check.verdict = draftgauge::judge(rejected, check.detectable, options_.resolve * scale);
    checks_.push_back(std::move(check));
  }

  void judge_mean(Check check, std::optional<Measured> const& seen, Side side = Side::both) {
    double const expected = check.closed_form ? *check.closed_form : *check.exact;
    judge(std::move(check), seen, expected, side);
  }

  /// Of a chain Sun et al. 2024 (arXiv 2403.10444), Theorem 2: no block keeps fewer drafts in the mean than the token
  /// rule does, in a round by itself. Of trees what the rule's record says (sim/task/record.h).
  void at_least_token_rule(std::optional<Measured> const& seen) {
    auto const token = token_rule_tokens(simulation_);
    if (!token) return;
    bool const chain = simulation_.task().shape.branching == 1;
    Check check = start("at least the token rule's", chain ? "Sun et al. 2024" : "the rule's record");
    check.closed_form = token->value;
    judge_mean(std::move(check), seen, Side::at_least);
  }

  /// Time, operations and reads: the passes are counted as rounds make them, priced, and laid beside the theorems. All
  /// are monotone in tokens per round, so that they share its interval and its false alarm.
  void prices(Measured const& seen) {
    RoundShape const& shape = simulation_.task().shape;
    double const alpha = mean_beta(simulation_.tables());
    Priced<Measured> const price = priced(tally_, seen, options_.cost, options_.ops_cost);
    double const speedup = theory::speedup(alpha, shape.gamma, options_.cost, shape.bonus);
    price_check(fmt::format("speed-up at c = {:g}", options_.cost), "Theorem 3.8", speedup, price.speedup);
    price_check(fmt::format("operations at ĉ = {:g}", options_.ops_cost), "Theorem 3.11",
                theory::operations(alpha, shape.gamma, options_.ops_cost, shape.bonus), price.operations);
    price_check("target reads per token", "Section 3.4", theory::memory_reads(alpha, shape.gamma, shape.bonus),
                price.memory_reads);
    if (!shape.bonus) return;
    // Corollary 3.9: where α > c the best γ gains at least (1 + α)/(1 + c); where α ≤ c no γ gains.
    if (auto const bound = theory::guaranteed_speedup(alpha, options_.cost)) {
      if (best_gamma({alpha, {.draft = options_.cost}}).gamma == shape.gamma)
        price_check("the best γ gains at least", "Corollary 3.9", *bound, price.speedup, Side::at_least);
    } else {
      price_check("no γ gains", "Corollary 3.9", 1, price.speedup, Side::at_most);
    }
  }

  void price_check(std::string name, std::string statement, double expected, Measured const& seen,
                   Side side = Side::both) {
    Check check = start(std::move(name), std::move(statement));
    check.closed_form = expected;
    judge_mean(std::move(check), seen, side);
  }

  void add_law(std::string name, std::string statement, std::span<std::uint64_t const> counts,
               std::span<double const> law) {
    checks_.push_back(judge_laws(start(std::move(name), std::move(statement)), {counts}, law, options_));
  }

  /// The tokens at places 1…γ+1 of a trial, each against its law.
  void worst_position(int positions) {
    auto const law = target_gram_law(simulation_, 1);
    if (!law) return;
    if (simulation_.tables().contexts().follow != Follow::independent) positions = 1;
    std::vector<std::span<std::uint64_t const>> counts;
    for (int i = 0; i < positions; ++i) counts.push_back(tally_.token_histogram(i));
    Check const claim = start(positions > 1 ? "tokens 1 to " + std::to_string(positions) + " (TV)" : "first token (TV)",
                              output_law());
    checks_.push_back(judge_laws(claim, counts, *law, options_));
  }

  char const* output_law() const { return claim_on_output(simulation_.rule().reference); }

  Simulation const& simulation_;
  Tally const& tally_;
  CheckOptions const& options_;
  std::vector<Check> checks_;
};

}  // namespace

char const* claim_on_output(Reference reference) {
  return reference == Reference::target ? "output distribution is p" : "output is argmax p";
}

Check judge_laws(Check const& claim, std::vector<std::span<std::uint64_t const>> const& counts,
                 std::span<double const> law, CheckOptions const& options) {
  auto const several = static_cast<double>(counts.size());
  CheckOptions share = options;
  share.false_alarm /= several;
  if (counts.size() > 1) share.confidence = 1 - (1 - options.confidence) / several;
  std::optional<Check> worst;
  for (auto const& each : counts) {
    Check check = claim;
    judge_law(check, each, law, share);
    if (!worst) {
      worst = check;
      continue;
    }
    if (check.certificate && worst->certificate && check.certificate->tv_at_most > worst->certificate->tv_at_most) {
      worst->certificate = check.certificate;
      worst->simulated = check.simulated;
    }
    if (check.verdict == Verdict::fails ||
        (check.verdict == Verdict::inconclusive && worst->verdict == Verdict::holds))
      worst->verdict = check.verdict;
    if (check.p_value < worst->p_value) worst->p_value = check.p_value;
    if (check.detectable > worst->detectable || !check.detectable) worst->detectable = check.detectable;
  }
  if (worst->certificate) worst->certificate->confidence = options.confidence;
  if (worst->simulated) worst->simulated->confidence = options.confidence;
  // The least of several p-values is adjusted (Bonferroni), so that it can be held against the false alarm of the
  // check.
  if (worst->p_value) worst->p_value = std::min(1.0, *worst->p_value * several);
  return *worst;
}

Task counted_for_checks(Task task, PairTables const& tables) {
  Follow const follow = tables.contexts().follow;
  int const longest = task.shape.gamma + 1;
  if (task.rounds_per_trial == 0 && follow == Follow::independent)
    task.rounds_per_trial = static_cast<std::uint32_t>(std::max(longest, 2));
  bool const several = follow == Follow::independent && task.rounds_per_trial >= static_cast<std::uint32_t>(longest);
  bool const fits = std::uint64_t{tables.vocab()} * static_cast<std::uint64_t>(longest) <= max_position_cells;
  // Where rounds depend on each other a token at one place of every trial is the only random sample: many trials,
  // each just long enough for several rounds to follow from each other.
  bool const chain = is_chain(follow);
  if (task.rounds_per_trial == 0 && chain) task.rounds_per_trial = chain_rounds;
  if (task.rounds_per_trial == 0 && follow == Follow::next_row) task.rounds_per_trial = 2;
  task.positions = several && fits ? longest : 1;
  bool const pairs = (chain || follow == Follow::independent) && task.rounds_per_trial >= 2;
  // One token where pairs would be too many cells. Where contexts remember more than a token, three if they fit: a
  // law of pairs can be right though the third token forgets (drafts of a bigram model have the text's pairs).
  task.gram = !pairs ? 0 : tables.vocab() <= (chain ? max_chain_gram_vocab : max_gram_vocab) ? 2 : chain ? 1 : 0;
  if (follow == Follow::state && tables.vocab() <= max_triple_vocab && task.rounds_per_trial >= 3) task.gram = 3;
  // Every round emits a token at least, so these two are complete in every trial. In a chain the latest such pair
  // says more than the first: it lies anywhere in a round or across its end, and depends on all that was emitted
  // before and on the context being carried from round to round; what is wrong within a round is wrong in each of
  // them.
  auto const counted = static_cast<std::uint32_t>(task.gram);
  task.gram_from = chain && counted > 0 ? std::min(task.rounds_per_trial - counted, latest_gram) : 0;
  // A memory may be full soon, or its text at an end: the beginning of a text shows what an engine feeds it.
  if (tables.telling_tokens() > 0 && task.gram > 0) {
    auto const most =
        std::min<std::uint32_t>(static_cast<std::uint32_t>(tables.telling_tokens()), task.rounds_per_trial);
    while (static_cast<std::uint32_t>(task.gram) < most &&
           std::pow(tables.vocab(), task.gram + 1) <= std::pow(max_triple_vocab, 3))
      ++task.gram;
    task.gram_from = 0;
  }
  task.firsts = follow == Follow::independent;
  return task;
}

std::optional<Task> counted_for_single_rounds(Task task, PairTables const& tables) {
  bool const independent = tables.contexts().follow == Follow::independent && rounds_are_independent(task, tables);
  if (!independent || task.rounds_per_trial != 0) return std::nullopt;
  task.rounds_per_trial = 1;
  task.firsts = true;
  return task;
}

std::vector<Check> check_simulation(Simulation const& simulation, Tally const& tally, CheckOptions const& options,
                                    Claims claims) {
  Checker checker(simulation, tally, options);
  if (claims != Claims::of_texts) {
    checker.means();
    checker.law_of_tokens();
    checker.law_of_first_tokens();
  }
  if (claims != Claims::of_rounds) checker.tables_of_texts();
  return std::move(checker).take();
}

std::vector<Check> check_exact_law(Simulation const& simulation, std::uint64_t max_paths) {
  PairTables const& tables = simulation.tables();
  Task const& task = simulation.task();
  int const length = telling_length(task, tables.telling_tokens());
  bool const claimed = claims_lossless(simulation.rule_called());
  // Each text of that length is a path at least, and each start's rounds begin with the draft of a token.
  if (std::pow(tables.vocab(), length) > static_cast<double>(max_paths) ||
      simulation.starts().size() * tables.vocab() > max_paths)
    return {};
  try {
    ExactText const text = exact_text(task, exact_model(tables), simulation.starts(), length, max_paths);
    Check check;
    std::string const tokens = "tokens 1 to " + std::to_string(length);
    char const* const from = word(simulation.rule().reference);
    check.name = claimed ? tokens + " jointly (TV)" : fmt::format("{}, distance from {} (TV)", tokens, from);
    check.statement = claimed ? claim_on_output(simulation.rule().reference) : "a result, not a claim";
    check.rule = task.rule;
    check.policy = task.policy;
    check.is_result = !claimed;
    check.gamma = task.shape.gamma;
    if (claimed) check.closed_form = 0;
    check.exact = static_cast<double>(text.distance);
    check.verdict = claimed && *check.exact != 0 ? Verdict::fails : Verdict::holds;
    if (claimed) return {check};
    Check divergence = check;
    divergence.name = fmt::format("{}, KL(output ‖ {}) in nats", tokens, from);
    divergence.exact = text.divergence;
    return {check, divergence};
  } catch (NotEnumerable const&) {
    return {};
  }
}

}  // namespace draftgauge
