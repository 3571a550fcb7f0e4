#include "analysis/recordings/logprobs/beta_bounds.h"

#include <algorithm>
#include <cmath>

namespace draftgauge {

double ListedLaw::unlisted() const {
  double sum = 0;
  for (ListedToken const& token : tokens) sum += std::exp(token.log_prob);
  return std::max(0.0, 1 - sum);
}

Bounds beta_bounds(ListedLaw const& p, ListedLaw const& q) {
  double const mass_p = p.unlisted(), mass_q = q.unlisted();
  double const most_p = std::min(p.most_unlisted, mass_p), most_q = std::min(q.most_unlisted, mass_q);
  double low = 0, s = 0, t = 0;
  auto x = p.tokens.begin(), y = q.tokens.begin();
  while (x != p.tokens.end() || y != q.tokens.end()) {
    if (y == q.tokens.end() || (x != p.tokens.end() && x->name < y->name)) {
      s += std::min(std::exp(x++->log_prob), most_q);
    } else if (x == p.tokens.end() || y->name < x->name) {
      t += std::min(std::exp(y++->log_prob), most_p);
    } else {
      low += std::exp(std::min(x++->log_prob, y++->log_prob));
    }
  }
  double const more = std::min(mass_p + std::min(s, mass_q), mass_q + std::min(t, mass_p));
  return {std::min(low, 1.0), std::min(low + more, 1.0)};
}

}  // namespace draftgauge
