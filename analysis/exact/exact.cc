#include "analysis/exact/exact.h"

#include "analysis/exact/exact_starts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/exact/enumerate_round.h"
#include "sim/draft/drafting.h"
#include "sim/model/argmax.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

/// p at the next position: of the row there, or the mean over rows where contexts are drawn independently.
std::vector<Rational> target_row(ExactModel const& model, std::uint32_t row) {
  if (model.contexts().follow != Follow::independent) return model.row(row).p;
  std::vector<Rational> mean(model.contexts().vocab);
  for (std::uint32_t i = 0; i < model.contexts().rows; ++i)
    for (Token x = 0; x < mean.size(); ++x) mean[x] += model.row(i).p[x] / model.contexts().rows;
  return mean;
}

std::uint32_t row_after(ExactModel const& model, std::uint32_t row, std::vector<Token> const& tokens) {
  for (Token x : tokens) row = model.contexts().after(row, x);
  return row;
}

void extend(ExactModel const& model, int length, std::uint32_t row, std::vector<Token>& tokens,
            Rational const& probability, SequenceLaw& law) {
  if (tokens.size() == static_cast<std::size_t>(length)) {
    law[tokens] += probability;
    return;
  }
  std::vector<Rational> const p = target_row(model, row);
  for (Token x = 0; x < p.size(); ++x) {
    if (p[x] == 0) continue;
    tokens.push_back(x);
    extend(model, length, row_after(model, row, {x}), tokens, probability * p[x], law);
    tokens.pop_back();
  }
}

Rational kept_at_most(ExactModel const& model, int depth, std::uint32_t row, Rational const& p, Rational const& q) {
  Rational sum = 0;
  if (depth == 0) return sum;
  for (Token x = 0; x < model.contexts().vocab; ++x) {
    Rational const next_p = p * model.row(row).p[x], next_q = q * model.row(row).q[x];
    if (next_p == 0 || next_q == 0) continue;
    sum += next_p < next_q ? next_p : next_q;
    if (depth > 1) sum += kept_at_most(model, depth - 1, row_after(model, row, {x}), next_p, next_q);
  }
  return sum;
}

}  // namespace

Rational ExactRound::acceptance() const { return 1 - accepted.front(); }

Rational ExactRound::mean_accepted() const {
  Rational mean = 0;
  for (std::size_t i = 0; i < accepted.size(); ++i) mean += accepted[i] * i;
  return mean;
}

Rational ExactRound::mean_tokens() const {
  Rational mean = 0;
  for (auto const& [tokens, probability] : emitted) mean += probability * tokens.size();
  return mean;
}

std::vector<Rational> ExactRound::tokens_law() const {
  std::vector<Rational> law(accepted.size() + 1);
  for (auto const& [tokens, probability] : emitted) law[tokens.size()] += probability;
  return law;
}

void throw_too_many_paths(std::string const& how_many) {
  throw TooManyPaths("the exact distribution has " + how_many + " paths of answers (each is followed once)",
                     "use a smaller `gamma`, vocabulary or `candidates`, or simulate");
}

namespace {

/// The drafts that may be drawn for the root's children, in order, on the row that has the fewest.
double root_drafts(Task const& task, ExactModel const& model, bool distinct) {
  double fewest = HUGE_VAL;
  for (std::uint32_t row = 0; row < model.contexts().rows; ++row) {
    auto const drawn =
        static_cast<double>(std::ranges::count_if(model.row(row).q, [](Rational const& q) { return q > 0; }));
    double drafts = 1;
    for (std::uint32_t i = 0; i < task.shape.children(0, 0).count; ++i)
      drafts *= distinct ? std::max(drawn - i, 1.) : drawn;
    fewest = std::min(fewest, drafts);
  }
  return fewest;
}

}  // namespace

std::uint64_t least_paths(Task const& task, ExactModel const& model, std::uint32_t start) {
  constexpr double most = 0x1p63;
  Task const named = with_own_drafting(task);
  double least = 1;
  if (named.policy == "fixed" && (named.drafter == "sample" || named.drafter == "sample-without"))
    least = std::min(root_drafts(task, model, named.drafter == "sample-without"), most / 2);
  // Deep nodes of an uneven tree may lie below drafts that are accepted on some rows alone.
  if (task.shape.tree.listed()) return static_cast<std::uint64_t>(least);
  RuleCard const& card = rule_card(task.rule);
  // Rules that go by thresholds of p reject some drafts for certain.
  bool const kept = named.drafter == "sample" && card.drafter == "sample" && named.policy == "fixed" &&
                    (card.lossless || card.counterexample);
  Contexts const contexts = model.contexts();
  if (!kept || (contexts.follow == Follow::independent && contexts.rows > 1))
    return static_cast<std::uint64_t>(least);
  std::vector<double> texts(contexts.rows, 1), longer(contexts.rows);  // of so many tokens as steps, from each row
  for (int i = 0; i < task.shape.gamma; ++i) {
    for (std::uint32_t row = 0; row < contexts.rows; ++row) {
      double sum = 0;
      for (Token x = 0; x < contexts.vocab; ++x) {
        std::uint32_t const next = contexts.after(row, x);  // beyond the last row: what no text of γ tokens reaches
        if (model.row(row).p[x] > 0 && model.row(row).q[x] > 0) sum += next < contexts.rows ? texts[next] : 1;
      }
      longer[row] = std::min(sum, most);
    }
    texts.swap(longer);
  }
  return static_cast<std::uint64_t>(std::max(texts[start], least));
}

ExactRound exact_round(Task const& task, ExactModel const& model, std::uint32_t start, std::uint64_t max_paths,
                       std::function<void(std::uint64_t)> const& progress) {
  if (least_paths(task, model, start) > max_paths) throw_too_many_paths("more than " + std::to_string(max_paths));
  Drafting const drafting = drafting_of(task);
  ExactRound round;
  with_rule(rule_call(task.rule), [&](auto const& rule) {
    round = enumerate_round(rule, drafting, task.shape, model, start, max_paths, progress);
  });
  return round;
}

ExactModel referred(ExactModel const& model, Reference reference) {
  if (reference == Reference::target) return model;
  std::vector<ExactModel::Row> rows;
  for (std::uint32_t i = 0; i < model.contexts().rows; ++i) {
    ExactModel::Row row = model.row(i);
    Token const best = argmax(model.contexts().vocab, [&](Token x) { return row.p[x]; });
    for (Token x = 0; x < row.p.size(); ++x) row.p[x] = Rational(x == best ? 1 : 0);
    rows.push_back(std::move(row));
  }
  return model.with_rows(std::move(rows));
}

int telling_length(Task const& task, int telling_tokens) {
  bool repeats = false;
  with_rule(rule_call(task.rule), [&]<class Rule>(Rule const&) { repeats = frozen_noise<Rule>; });
  return std::max(task.shape.gamma + task.shape.bonus + repeats,
                  keeps_state(rule_call(task.rule)) ? telling_tokens : 0);
}

std::optional<Rational> accepted_bound(ExactModel const& model, int gamma, std::uint32_t start) {
  if (model.contexts().follow == Follow::independent && model.contexts().rows > 1) return std::nullopt;
  return kept_at_most(model, gamma, start, 1, 1);
}

SequenceLaw completed(ExactRound const& round, ExactModel const& model, int length, std::uint32_t start) {
  SequenceLaw law;
  for (auto const& [emitted, probability] : round.emitted) {
    std::vector<Token> tokens = emitted;
    while (round.repeats && tokens.size() < static_cast<std::size_t>(length))
      tokens.insert(tokens.end(), emitted.begin(), emitted.end());
    if (tokens.size() > static_cast<std::size_t>(length)) tokens.resize(static_cast<std::size_t>(length));
    std::uint32_t const row = row_after(model, start, tokens);
    extend(model, length, row, tokens, probability, law);
  }
  return law;
}

SequenceLaw target_law(ExactModel const& model, int length, std::uint32_t start) {
  SequenceLaw law;
  std::vector<Token> tokens;
  extend(model, length, start, tokens, 1, law);
  return law;
}

ExactText exact_text(Task const& task, ExactModel const& model, std::span<std::uint32_t const> starts, int length,
                     std::uint64_t max_paths, std::function<void(std::uint64_t)> const& progress) {
  std::uint32_t const anywhere[] = {0};
  for (std::uint32_t const start : starts.empty() ? std::span<std::uint32_t const>(anywhere) : starts)
    if (std::uint64_t const least = least_paths(task, model, start); least > max_paths)
      throw_too_many_paths("at least " + std::to_string(least) + ", and may have " + std::to_string(max_paths) + ",");
  std::uint64_t before = 0;
  auto const round_from = [&](std::uint32_t start, std::uint64_t most) {
    ExactRound round = exact_round(task, model, start, most, [&](std::uint64_t paths) { progress(before + paths); });
    before += round.paths;
    return round;
  };
  TextOf text_of;
  if (keeps_state(rule_call(task.rule)) && model.contexts().states > 1)
    text_of = [&](ExactRound const&, std::uint32_t start) {
      return text_of_rounds(task, model, start, length, max_paths);
    };
  return exact_starts(round_from, referred(model, rule_card(task.rule).reference), starts, task.shape.gamma, length,
                      max_paths, text_of);
}

ExactText exact_starts(RoundFrom const& round_from, ExactModel const& reference,
                       std::span<std::uint32_t const> starts, int gamma, int length, std::uint64_t max_paths,
                       TextOf const& text_of) {
  std::uint32_t const anywhere[] = {0};
  if (starts.empty()) starts = anywhere;
  Rational const share(1, starts.size());
  ExactText text{};
  text.round.accepted.resize(static_cast<std::size_t>(gamma) + 1);
  for (std::uint32_t const start : starts) {
    ExactRound const round = round_from(start, max_paths - text.round.paths);
    SequenceLaw const output = text_of ? text_of(round, start) : completed(round, reference, length, start);
    SequenceLaw const target = target_law(reference, length, start);
    text.divergence += divergence(output, target) / static_cast<double>(starts.size());
    text.distance += share * total_variation(output, target);
    for (auto const& [tokens, probability] : round.emitted) text.round.emitted[tokens] += share * probability;
    for (std::size_t i = 0; i < round.accepted.size(); ++i) text.round.accepted[i] += share * round.accepted[i];
    text.round.passed.resize(round.passed.size());
    for (std::size_t v = 0; v < round.passed.size(); ++v) text.round.passed[v] += share * round.passed[v];
    text.round.draft_passes += share * round.draft_passes;
    for (auto const& [tokens, probability] : output) text.output[tokens] += share * probability;
    for (auto const& [tokens, probability] : target) text.target[tokens] += share * probability;
    text.round.paths += round.paths;
  }
  return text;
}

std::vector<Rational> marginal(SequenceLaw const& law, int position, std::uint32_t vocab) {
  std::vector<Rational> result(vocab);
  for (auto const& [tokens, probability] : law) result[tokens.at(static_cast<std::size_t>(position))] += probability;
  return result;
}

Rational total_variation(SequenceLaw const& a, SequenceLaw const& b) {
  Rational excess_of_a = 0, mass_a = 0, mass_b = 0;
  for (auto const& [tokens, probability] : a) {
    auto const found = b.find(tokens);
    excess_of_a += found == b.end() ? probability : excess(probability, found->second);
    mass_a += probability;
  }
  for (auto const& [tokens, probability] : b) mass_b += probability;
  return (2 * excess_of_a - mass_a + mass_b) / 2;  // ½Σ|a − b|, also where a law's mass is not 1
}

double divergence(SequenceLaw const& a, SequenceLaw const& b) {
  double sum = 0;
  for (auto const& [tokens, probability] : a) {
    if (probability == 0) continue;
    auto const found = b.find(tokens);
    if (found == b.end() || found->second == 0) return std::numeric_limits<double>::infinity();
    sum += static_cast<double>(probability) * std::log(static_cast<double>(Rational(probability / found->second)));
  }
  return std::max(sum, 0.0);
}

namespace {

std::vector<std::uint32_t> transitions_of(PairTables const& tables) {
  auto const transitions = tables.arrays().transitions;
  return {transitions.begin(), transitions.end()};
}

}  // namespace

ExactModel exact_model(PairTables const& tables) {
  std::vector<ExactModel::Row> rows(tables.rows());
  for (std::uint32_t i = 0; i < tables.rows(); ++i) {
    for (std::uint64_t w : tables.p(i)) rows[i].p.emplace_back(w, tables.total(i));
    for (std::uint64_t w : tables.q(i)) rows[i].q.emplace_back(w, tables.total(i));
  }
  return {tables.contexts().follow, std::move(rows), transitions_of(tables), tables.contexts().states};
}

ExactModel exact_model(Source const& source) {
  if (source.written.empty()) return exact_model(source.tables);
  auto const law = [](std::vector<Fraction> const& weights) {
    std::vector<Rational> entries;
    Rational sum = 0;
    for (Fraction const& weight : weights) sum += entries.emplace_back(weight.num(), weight.den());
    for (Rational& entry : entries) entry /= sum;
    return entries;
  };
  std::vector<ExactModel::Row> rows;
  for (WrittenRow const& row : source.written) rows.push_back({law(row.p), law(row.q)});
  Contexts const contexts = source.tables.contexts();
  return {contexts.follow, std::move(rows), transitions_of(source.tables), contexts.states};
}

}  // namespace draftgauge
