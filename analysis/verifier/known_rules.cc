#include "analysis/verifier/known_rules.h"

#include <cmath>
#include <numeric>

#include "analysis/exact/chain_rounds.h"

namespace draftgauge {
namespace {

double probability(Laws const& laws, std::uint32_t row, std::uint32_t token) {
  return static_cast<double>(laws.p(row)[token]) / static_cast<double>(laws.total(row));
}

/// Adds a probability of the cells that continue a text so far, split as p splits it.
void add_continued(Laws const& laws, std::size_t cell, std::uint32_t last, int open, double weight,
                   std::vector<double>& texts) {
  if (open == 0) {
    texts[cell] += weight;
    return;
  }
  for (std::uint32_t x = 0; x < laws.vocab(); ++x)
    if (double const p = probability(laws, last, x); p > 0)
      add_continued(laws, cell * laws.vocab() + x, x, open - 1, weight * p, texts);
}

KnownRule enumerated(RuleCard const& card, Source const& source, ExactModel const& model, VerifierCells const& cells,
                     std::vector<double> const& target, std::uint64_t max_paths, std::string const& rule) {
  KnownRule known{rule, std::string(card.summary), std::vector<double>(cells.emitted()), {}, 0, 0};
  Task const task{.rule = rule, .shape = {.gamma = cells.gamma}};
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
  known.texts = completed_texts(source.laws, cells, known.emitted);
  known.tv = distance(known.texts, target);
  if (known.tv < 1e-12) known.tv = 0;
  return known;
}

}  // namespace

double distance(std::span<double const> a, std::span<double const> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

std::vector<double> target_texts(Laws const& laws, VerifierCells const& cells) {
  std::vector<double> texts(cells.texts());
  for (std::uint32_t start = 0; start < cells.vocab; ++start)
    add_continued(laws, start, start, cells.length(), 1.0 / cells.vocab, texts);
  return texts;
}

std::vector<double> completed_texts(Laws const& laws, VerifierCells const& cells, std::span<double const> emitted) {
  std::vector<double> texts(cells.texts());
  std::size_t place = 0;
  for (std::uint32_t start = 0; start < cells.vocab; ++start) {
    std::size_t ways = 1;
    for (int length = 1; length <= cells.length(); ++length) {
      ways *= cells.vocab;
      for (std::size_t tokens = 0; tokens < ways; ++tokens, ++place)
        if (emitted[place] > 0)
          add_continued(laws, start * ways + tokens, static_cast<std::uint32_t>(tokens % cells.vocab),
                        cells.length() - length, emitted[place], texts);
    }
  }
  return texts;
}

std::vector<KnownRule> known_rules(Source const& source, VerifierCells const& cells, bool drafts_from_q) {
  ExactModel const model = exact_model(source);
  std::vector<double> const target = target_texts(source.laws, cells);
  std::vector<KnownRule> all;
  for (RuleCard const& card : rule_cards()) {
    if (drafts_from_q && card.drafter != "sample") continue;
    try {
      all.push_back(enumerated(card, source, model, cells, target, KnownRule::most_paths, std::string(card.name)));
    } catch (UsageError const&) {
      // It is not played with one draft a position, not enumerated on these laws, or has too many paths.
      if (all.empty()) return all;  // the token rule, which comes first, has the fewest
    }
  }
  return all;
}

double token_rule_accepted(Laws const& laws, int gamma) {
  std::vector<std::uint32_t> starts(laws.vocab());
  std::iota(starts.begin(), starts.end(), 0);
  return chain_tokens_per_round(laws, {.gamma = gamma}, starts, 1) - 1;
}

KnownRule known_rule(std::string const& rule, Source const& source, VerifierCells const& cells,
                     std::uint64_t max_paths) {
  return enumerated(rule_card(rule), source, exact_model(source), cells, target_texts(source.laws, cells), max_paths,
                    rule);
}

}  // namespace draftgauge
