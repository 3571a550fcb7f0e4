#include "analysis/exact/stream.h"

#include <map>
#include <utility>

namespace draftgauge {

std::optional<SequenceLaw> stream_law(Task const& task, ExactModel const& model, int length, std::uint32_t start,
                                      std::uint64_t max_paths) {
  Contexts const contexts = model.contexts();
  if (contexts.follow != Follow::independent && !is_chain(contexts.follow)) return std::nullopt;
  std::map<std::uint32_t, ExactRound> rounds;  // by the row from which they start
  std::uint64_t paths = 0;
  auto const round_from = [&](std::uint32_t row) -> ExactRound const& {
    auto const [found, is_new] = rounds.try_emplace(row);
    if (is_new) {
      found->second = exact_round(task, model, row, max_paths - paths);
      paths += found->second.paths;
    }
    return found->second;
  };
  if (round_from(start).repeats) return std::nullopt;
  auto const all = static_cast<std::size_t>(length);
  std::map<std::pair<std::vector<Token>, std::uint32_t>, Rational> now{{{{}, start}, Rational(1)}};
  SequenceLaw law;
  while (!now.empty()) {
    std::map<std::pair<std::vector<Token>, std::uint32_t>, Rational> next;
    for (auto const& [at, chance] : now)
      for (auto const& [emitted, probability] : round_from(at.second).emitted) {
        std::vector<Token> text = at.first;
        std::uint32_t row = at.second;
        for (Token const x : emitted) {
          text.push_back(x);
          row = contexts.after(row, x);
        }
        if (text.size() >= all) {
          text.resize(all);
          law[std::move(text)] += chance * probability;
        } else {
          next[{std::move(text), row}] += chance * probability;
        }
      }
    now = std::move(next);
  }
  return law;
}

}  // namespace draftgauge
