#include "analysis/verifier/emitted_law.h"

#include <cmath>

#include "analysis/stats/goodness.h"

namespace draftgauge {
namespace {

LawDeviation farthest(VerifierCells const& cells, std::vector<double> texts, std::vector<double> target,
                      double width) {
  LawDeviation worst{0, {}, 0, 0};
  bool excluded = false;
  for (int length = cells.length; length >= 1; --length) {
    for (std::size_t cell = 0; cell < texts.size(); ++cell) {
      double const probability = texts[cell] * cells.vocab, expected = target[cell] * cells.vocab;
      bool const impossible = expected == 0 && probability > width;
      if (excluded && !impossible) continue;
      bool const more = std::abs(probability - expected) >= std::abs(worst.probability - worst.expected);
      if (!more && excluded == impossible) continue;
      excluded = impossible;
      auto [start, tokens] = cells.beginning(cell, length);
      worst = {start, std::move(tokens), probability, expected};
    }
    drop_last_token(texts, cells.vocab);
    drop_last_token(target, cells.vocab);
  }
  return worst;
}

}  // namespace

void EmittedLaw::add(std::span<std::int64_t const> starts, std::span<std::int64_t const> drafts,
                     std::span<std::int64_t const> tokens, std::span<double const> probabilities) {
  auto const length = static_cast<std::size_t>(cells_.row()), drafted = cells_.drafted();
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::span<std::int64_t const> const row = tokens.subspan(i * length, length);
    VerifierRound const round = read_round(cells_, i, drafts.subspan(i * drafted, drafted), row);
    emitted_[cells_.emitted(static_cast<std::uint32_t>(starts[i]), row.first(round.emitted))] += probabilities[i];
    mean_accepted_ += probabilities[i] * static_cast<double>(round.kept);
    strayed_ += round.strayed ? probabilities[i] : 0;
  }
}

LawVerdict judge_law(EmittedLaw const& law, PairTables const& tables, std::span<double const> target,
                     std::vector<KnownRule> const& known, double width) {
  std::vector<double> const texts = completed_texts(tables, law.cells(), law.emitted());
  LawVerdict verdict{distance(texts, target), {}, {}, {}};
  double nearest = width;
  for (KnownRule const& rule : known)
    if (double const apart = distance(law.emitted(), rule.emitted); apart < nearest) {
      nearest = apart;
      verdict.nearest = rule.name;
    }
  for (KnownRule const& rule : known)
    if (verdict.nearest && rule.name != *verdict.nearest && distance(law.emitted(), rule.emitted) < width)
      verdict.same.push_back(rule.name);
  if (verdict.tv > width) verdict.deviation = farthest(law.cells(), texts, {target.begin(), target.end()}, width);
  return verdict;
}

}  // namespace draftgauge
