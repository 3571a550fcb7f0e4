#include "analysis/audit/engine_logprobs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace draftgauge {
namespace {

/// In nats; 0 where both exclude the token.
double apart(double a, double b) { return a == b ? 0 : std::abs(a - b); }

/// Each text's log-probabilities moved by a token; of the one that comes in nobody knows.
TextLogprobs moved(TokenTrace const& scored, int by) {
  TextLogprobs all;
  for (TextTrace const& text : scored.texts) {
    std::vector<double> row(text.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i + 1 < text.size(); ++i) (by > 0 ? row[i] : row[i + 1]) = text.log_p[by > 0 ? i + 1 : i];
    all.push_back(std::move(row));
  }
  return all;
}

TextLogprobs of_column(TokenTrace const& scored, std::vector<double> TextTrace::* column) {
  TextLogprobs all;
  for (TextTrace const& text : scored.texts) all.push_back(text.*column);
  return all;
}

TextLogprobs zeros(TokenTrace const& scored) {
  TextLogprobs all;
  for (TextTrace const& text : scored.texts) all.emplace_back(text.size(), 0.);
  return all;
}

}  // namespace

EngineLogprobs check_engine_logprobs(TokenTrace const& scored, TextLogprobs const& engine,
                                     std::vector<LogprobAlternative> const& alternatives, double tolerance) {
  EngineLogprobs found{.tolerance = tolerance};
  struct Differing {
    std::size_t text, token;
  };
  std::vector<Differing> differing;
  double ratios = 0;
  std::uint64_t finite = 0;
  for (std::size_t t = 0; t < scored.texts.size(); ++t)
    for (std::size_t i = 0; i < scored.texts[t].size(); ++i) {
      double const here = engine[t][i], right = scored.texts[t].log_p[i], off = apart(here, right);
      ++found.tokens;
      found.largest = std::max(found.largest, off);
      if (std::isfinite(here) && std::isfinite(right)) {
        ++finite;
        ratios += std::exp(right - here);
        if (std::abs(right - here) > std::abs(found.largest_log_ratio)) found.largest_log_ratio = right - here;
      }
      if (off <= tolerance) continue;
      if (!found.first) found.first = {t, i, here, right};
      differing.push_back({t, i});
    }
  found.differing = differing.size();
  if (finite > 0) found.mean_ratio = ratios / static_cast<double>(finite);
  std::vector<LogprobAlternative> all = {{LogprobFault::zero, zeros(scored)}};
  if (all_have(scored, &TextTrace::log_q)) all.push_back({LogprobFault::draft, of_column(scored, &TextTrace::log_q)});
  all.insert(all.end(), alternatives.begin(), alternatives.end());
  all.push_back({LogprobFault::early, moved(scored, 1)});
  all.push_back({LogprobFault::late, moved(scored, -1)});
  std::optional<LogprobFault> most;
  for (LogprobAlternative const& one : all) {
    auto const explained = static_cast<std::uint64_t>(std::ranges::count_if(differing, [&](Differing const& at) {
      double const value = one.values[at.text][at.token];
      // 0 is written, never rounded to.
      return one.fault == LogprobFault::zero ? engine[at.text][at.token] == 0
                                             : apart(engine[at.text][at.token], value) <= tolerance;
    }));
    if (explained <= found.explained) continue;
    found.explained = explained;
    most = one.fault;
  }
  if (static_cast<double>(found.explained) >= EngineLogprobs::named_from * static_cast<double>(found.differing))
    found.fault = most;
  return found;
}

double largest_difference(TextLogprobs const& one, TextLogprobs const& other) {
  double largest = 0;
  for (std::size_t t = 0; t < one.size(); ++t)
    for (std::size_t i = 0; i < one[t].size(); ++i) largest = std::max(largest, apart(one[t][i], other[t][i]));
  return largest;
}

}  // namespace draftgauge
