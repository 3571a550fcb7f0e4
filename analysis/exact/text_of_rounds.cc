#include <map>
#include <utility>
#include <vector>

#include "analysis/exact/enumerate_round.h"
#include "analysis/exact/exact.h"
#include "sim/draft/drafting.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

/// What a round emits, and the row that the next one starts from.
using RoundEnds = std::map<std::pair<std::vector<Token>, std::uint32_t>, Rational>;

template <class Rule>
RoundEnds ends_of_state_keeper(Rule const& rule, Task const& task, ExactModel const& model, std::uint32_t start,
                               std::uint64_t& paths_left) {
  Drafting const drafting = drafting_of(task);
  RoundEnds ends;
  Enumerator<Rational> chance;
  do {
    if (paths_left-- == 0) throw_too_many_paths("too many");
    RoundPath path;
    play_round(rule, drafting, model, task.shape, chance, model.contexts().first(chance, start), path);
    ends[{path.tokens, *path.stands}] += chance.probability();
  } while (chance.next_path());
  return ends;
}

RoundEnds ends_of(Task const& task, ExactModel const& model, std::uint32_t start, std::uint64_t& paths_left) {
  RoundEnds ends;
  with_rule(rule_call(task.rule), [&]<class Rule>(Rule const& rule) {
    if constexpr (KeepsState<Rule>) {
      ends = ends_of_state_keeper(rule, task, model, start, paths_left);
    } else {
      ExactRound const round = exact_round(task, model, start, paths_left);
      paths_left -= round.paths;
      for (auto const& [tokens, probability] : round.emitted) {
        std::uint32_t row = start;
        for (Token const x : tokens) row = model.contexts().after(row, x);
        ends[{tokens, row}] += probability;
      }
    }
  });
  return ends;
}

}  // namespace

SequenceLaw text_of_rounds(Task const& task, ExactModel const& model, std::uint32_t start, int length,
                           std::uint64_t max_paths) {
  std::size_t const all = static_cast<std::size_t>(length);
  std::map<std::uint32_t, RoundEnds> rounds;  // by the row that they start from
  RoundEnds open{{{{}, start}, Rational(1)}};
  SequenceLaw law;
  while (!open.empty()) {
    RoundEnds longer;
    for (auto const& [text, probability] : open) {
      auto const [round, is_new] = rounds.try_emplace(text.second);
      if (is_new) round->second = ends_of(task, model, text.second, max_paths);
      for (auto const& [end, chance] : round->second) {
        std::vector<Token> tokens = text.first;
        tokens.insert(tokens.end(), end.first.begin(), end.first.end());
        if (tokens.size() < all) {
          longer[{std::move(tokens), end.second}] += probability * chance;
        } else {
          tokens.resize(all);
          law[std::move(tokens)] += probability * chance;
        }
      }
    }
    open = std::move(longer);
  }
  return law;
}

}  // namespace draftgauge
