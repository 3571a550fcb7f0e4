#include "analysis/verifier/known_rules.h"

#include <algorithm>
#include <numeric>

#include "analysis/ceiling/chain_ceiling.h"
#include "analysis/ceiling/task_ceiling.h"
#include "analysis/exact/chain_rounds.h"
#include "analysis/stats/goodness.h"
#include "sim/draft/parsed_shape.h"
#include "sim/fast/engine.h"

namespace draftgauge {
namespace {

/// Adds a probability of the cells that continue a text so far, split as p splits it.
void add_continued(PairTables const& tables, std::size_t cell, std::uint32_t last, int open, double weight,
                   std::vector<double>& texts) {
  if (open == 0) {
    texts[cell] += weight;
    return;
  }
  for (std::uint32_t x = 0; x < tables.vocab(); ++x)
    if (double const p = tables.target_probability(last, x); p > 0)
      add_continued(tables, cell * tables.vocab() + x, x, open - 1, weight * p, texts);
}

/// Goes on with an open text by a round: to a longer one that is open, or to one that is judged.
void add_round(VerifierCells const& cells, std::span<double const> emitted, std::size_t cell, int there,
               double weight, std::vector<std::vector<double>>& open, std::vector<double>& texts) {
  std::size_t place = cell % cells.vocab * cells.emitted_from_start(), ways = 1;
  for (int more = 1; more <= cells.row(); ++more) {
    ways *= cells.vocab;
    int const length = there + more;
    std::size_t ways_kept = ways, beyond = 1;  // beyond: of tokens after those that are judged
    for (int i = cells.length; i < length; ++i) ways_kept /= cells.vocab, beyond *= cells.vocab;
    std::vector<double>& to = length < cells.length ? open[static_cast<std::size_t>(length)] : texts;
    for (std::size_t tokens = 0; tokens < ways; ++tokens, ++place)
      if (emitted[place] > 0)
        to[cell * ways_kept + tokens / beyond] +=
            weight * emitted[place] * cells.vocab;  // emitted has each start with 1/vocab
  }
}

std::vector<std::uint32_t> every_start(std::uint32_t vocab) {
  std::vector<std::uint32_t> starts(vocab);
  std::iota(starts.begin(), starts.end(), 0);
  return starts;
}

KnownRule enumerated(RuleCard const& card, Source const& source, ExactModel const& model, VerifierCells const& cells,
                     std::vector<double> const& target, std::uint64_t max_paths, std::string const& rule) {
  KnownRule known{rule, std::string(card.summary), std::vector<double>(cells.emitted()), {}, 0, 0};
  Task task{.rule = rule, .shape = {.gamma = cells.gamma}};
  if (cells.is_tree()) {
    draft_tree(task, as_played(cells.tree));
    static_cast<void>(Simulation(task, source.tables, 1));  // whether the rule takes such drafts
  }
  double const weight = 1.0 / cells.vocab;  // of a start
  for (std::uint32_t start = 0; start < cells.vocab; ++start) {
    ExactRound const round = exact_round(with_own_drafting(task), model, start, max_paths);
    max_paths -= round.paths;
    known.mean_accepted += weight * static_cast<double>(round.mean_accepted());
    for (auto const& [tokens, chance] : round.emitted) {
      std::vector<std::int64_t> const emitted(tokens.begin(), tokens.end());
      known.emitted[cells.emitted(start, emitted)] += weight * static_cast<double>(chance);
    }
  }
  known.texts = completed_texts(source.tables, cells, known.emitted);
  known.tv = distance(known.texts, target);
  if (known.tv < KnownRule::rounding) known.tv = 0;
  return known;
}

}  // namespace

std::vector<double> target_texts(PairTables const& tables, VerifierCells const& cells) {
  std::vector<double> texts(cells.texts());
  for (std::uint32_t start = 0; start < cells.vocab; ++start)
    add_continued(tables, start, start, cells.length, 1.0 / cells.vocab, texts);
  return texts;
}

std::vector<double> completed_texts(PairTables const& tables, VerifierCells const& cells,
                                    std::span<double const> emitted) {
  std::vector<double> texts(cells.texts());
  // [tokens there] probabilities of texts that are open before a round, by start and tokens
  std::vector<std::vector<double>> open(1, std::vector<double>(cells.vocab, 1.0 / cells.vocab));
  for (int tokens = 1; tokens < cells.length; ++tokens) open.emplace_back(open.back().size() * cells.vocab);
  for (int round = 0; round < cells.rounds; ++round) {
    auto before = open;
    for (std::vector<double>& some : open) std::ranges::fill(some, 0);
    for (std::size_t there = 0; there < before.size(); ++there)
      for (std::size_t cell = 0; cell < before[there].size(); ++cell)
        if (before[there][cell] > 0)
          add_round(cells, emitted, cell, static_cast<int>(there), before[there][cell], open, texts);
  }
  for (std::size_t there = 1; there < open.size(); ++there)
    for (std::size_t cell = 0; cell < open[there].size(); ++cell)
      if (open[there][cell] > 0)
        add_continued(tables, cell, static_cast<std::uint32_t>(cell % cells.vocab),
                      cells.length - static_cast<int>(there), open[there][cell], texts);
  return texts;
}

std::vector<KnownRule> known_rules(Source const& source, VerifierCells const& cells, bool drafts_from_q) {
  ExactModel const model = exact_model(source);
  std::vector<double> const target = target_texts(source.tables, cells);
  std::vector<KnownRule> all;
  for (RuleCard const& card : rule_cards()) {
    if (drafts_from_q && card.drafter != (cells.without ? "sample-without" : "sample")) continue;
    try {
      all.push_back(enumerated(card, source, model, cells, target, KnownRule::most_paths, std::string(card.name)));
    } catch (UsageError const&) {
      // It is not played with one draft a position, not enumerated on these laws, or has too many paths.
      if (all.empty() && !cells.is_tree()) return all;  // the token rule, which comes first, has the fewest
    }
  }
  return all;
}

std::optional<double> lossless_ceiling(Source const& source, VerifierCells const& cells) {
  if (!cells.is_tree()) return chain_ceiling(source.tables, cells.gamma);
  constexpr std::uint64_t most_drafts = 20'000;
  Task task{.rule = cells.without ? "recursive-without" : "recursive"};  // whose drafts these are
  draft_tree(task, as_played(cells.tree));
  try {
    return static_cast<double>(
        task_ceiling(task, exact_model(source), every_start(cells.vocab), most_drafts / cells.vocab).value);
  } catch (NotEnumerable const&) {
    return std::nullopt;
  }
}

double token_rule_accepted(PairTables const& tables, int gamma) {
  return chain_tokens_per_round(tables, {.gamma = gamma}, every_start(tables.vocab()), 1) - 1;
}

KnownRule known_rule(std::string const& rule, Source const& source, VerifierCells const& cells,
                     std::uint64_t max_paths) {
  return enumerated(rule_card(rule), source, exact_model(source), cells, target_texts(source.tables, cells),
                    max_paths, rule);
}

}  // namespace draftgauge
