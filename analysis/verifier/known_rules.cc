#include "analysis/verifier/known_rules.h"

#include <cmath>

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
  KnownRule known{
      rule, std::string(card.summary), std::vector<double>(cells.emitted()), std::vector<double>(cells.texts()), 0,
      0};
  Task const task{.rule = rule, .shape = {.gamma = cells.gamma}};
  double const weight = 1.0 / cells.vocab;  // of a start
  for (std::uint32_t start = 0; start < cells.vocab; ++start) {
    ExactRound const round = exact_round(with_own_drafting(task), model, start, max_paths);
    max_paths -= round.paths;
    known.mean_accepted += weight * static_cast<double>(round.mean_accepted());
    for (auto const& [tokens, chance] : round.emitted) {
      std::vector<std::int64_t> const emitted(tokens.begin(), tokens.end());
      double const both = weight * static_cast<double>(chance);
      known.emitted[cells.emitted(start, emitted)] += both;
      add_continued(source.laws, cells.text(start, emitted), tokens.back(),
                    cells.length() - static_cast<int>(tokens.size()), both, known.texts);
    }
  }
  for (std::size_t i = 0; i < target.size(); ++i) known.tv += std::abs(known.texts[i] - target[i]) / 2;
  if (known.tv < 1e-12) known.tv = 0;
  return known;
}

}  // namespace

std::vector<double> target_texts(Laws const& laws, VerifierCells const& cells) {
  std::vector<double> texts(cells.texts());
  for (std::uint32_t start = 0; start < cells.vocab; ++start)
    add_continued(laws, start, start, cells.length(), 1.0 / cells.vocab, texts);
  return texts;
}

std::vector<KnownRule> known_rules(Source const& source, VerifierCells const& cells, bool drafts_from_q) {
  std::uint64_t const max_paths = 2'000'000 / cells.vocab;
  ExactModel const model = exact_model(source);
  std::vector<double> const target = target_texts(source.laws, cells);
  std::vector<KnownRule> all;
  for (RuleCard const& card : rule_cards()) {
    if (drafts_from_q && card.drafter != "sample") continue;
    try {
      all.push_back(enumerated(card, source, model, cells, target, max_paths, std::string(card.name)));
    } catch (UsageError const&) {
      // It is not played with one draft a position, or not enumerated on these laws.
    }
  }
  return all;
}

KnownRule known_rule(std::string const& rule, Source const& source, VerifierCells const& cells,
                     std::uint64_t max_paths) {
  return enumerated(rule_card(rule), source, exact_model(source), cells, target_texts(source.laws, cells), max_paths,
                    rule);
}

}  // namespace draftgauge
