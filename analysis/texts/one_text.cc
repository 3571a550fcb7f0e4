#include "analysis/texts/one_text.h"

#include <algorithm>

namespace draftgauge {
std::vector<std::size_t> ends_of_parts(std::size_t tokens, int deepest) {
  constexpr std::size_t fewest = 8, most = 20, shortest = 64, rounds = 4;
  std::size_t const least = std::max(shortest, rounds * (static_cast<std::size_t>(deepest) + 1));
  std::size_t const count = std::min(most, tokens / least);
  std::vector<std::size_t> ends;
  for (std::size_t k = 1; count >= fewest && k <= count; ++k) ends.push_back(tokens * k / count);
  return ends;
}

std::optional<TextEstimates> parts_of_one_text(TokenTrace const& trace, EstimateOptions const& options) {
  if (trace.texts.size() != 1) return std::nullopt;
  TextTrace const& whole = trace.texts.front();
  auto const ends = ends_of_parts(whole.size(), options.gammas.empty() ? 0 : std::ranges::max(options.gammas));
  if (ends.empty()) return std::nullopt;
  TokenTrace cut;
  cut.name = trace.name;
  cut.temperature = trace.temperature;
  std::size_t begin = 0;
  for (std::size_t const end : ends) {
    TextTrace part;
    part.name = whole.name;
    auto const slice = [&](auto TextTrace::* column) {
      auto const& from = whole.*column;
      if (from.empty()) return;
      (part.*column)
          .assign(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(end));
    };
    slice(&TextTrace::tokens);
    slice(&TextTrace::log_p);
    slice(&TextTrace::log_q);
    slice(&TextTrace::beta);
    slice(&TextTrace::beta_low);
    slice(&TextTrace::beta_high);
    slice(&TextTrace::argmax_match);
    cut.texts.push_back(std::move(part));
    begin = end;
  }
  return TextEstimates(cut, options);
}

}  // namespace draftgauge
