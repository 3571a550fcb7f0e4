#include "analysis/stats/betting_test.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "analysis/stats/least_enough.h"
#include "analysis/stats/tails.h"

namespace draftgauge {
double log_mean_exp(std::span<double const> logs) {
  double const most = std::ranges::max(logs);
  if (std::isinf(most)) return most;
  double sum = 0;
  for (double const one : logs) sum += std::exp(one - most);
  return most + std::log(sum / static_cast<double>(logs.size()));
}

void BettingTest::Product::multiply(double factor) {
  value *= std::max(0.0, factor);
  if (value > 1e100 || value < 1e-100) {
    log += std::log(value);
    value = 1;
  }
}

double BettingTest::Product::ln() const { return log + std::log(value); }

void BettingTest::step(Bet const& up, Bet const& down) {
  for (auto const& [side, bet] : {std::pair(&up_, &up), std::pair(&down_, &down)}) {
    side->squares += bet->won * bet->won;
    side->scales += bet->scale;
    double stake = bet->won;
    for (Product& account : side->accounts) {
      account.multiply(1 + stake);
      stake /= 2;
    }
  }
}

double BettingTest::log_capital() const {
  std::array<double, 2 * stakes> logs;
  auto next = logs.begin();
  for (Side const* side : {&up_, &down_})
    for (Product const& account : side->accounts) *next++ = account.ln();
  return log_mean_exp(logs);
}

double BettingTest::p_value() const { return std::min(1.0, std::exp(-log_capital())); }

double BettingTest::resolution(double false_alarm, double power) const {
  double const needed = std::log(2 * stakes / false_alarm);
  double const luck = normal_quantile(power);
  auto const found = [&](Side const& side, double drift) {  // drift: Σu d beyond what there is
    double const squares = side.squares + drift;
    double lambda = 1;
    for (int i = 0; i < stakes; ++i, lambda /= 2)
      if (lambda * drift - lambda * lambda * squares / 2 - luck * lambda * std::sqrt(squares) >= needed) return true;
    return false;
  };
  auto const least = [&](Side const& side) {
    if (!(side.scales > 0)) return HUGE_VAL;
    double const drift = least_real_enough([&](double more) { return found(side, more); });
    return std::isfinite(drift) ? drift / side.scales : HUGE_VAL;
  };
  return std::max(least(up_), least(down_));
}

void MixtureOdds::step(double log_p, double log_q) {
  double const d = log_q - log_p;  // e^d overflows above 709: servers print −9999 for ln 0
  double lambda = 1;
  for (double& log : logs_) {
    log += d > 1 ? std::log(lambda) + d + std::log1p((1 - lambda) / lambda * std::exp(-d))
                 : std::log1p(lambda * std::expm1(d));
    lambda /= 2;
  }
}

double MixtureOdds::log_odds() const { return log_mean_exp(logs_); }

bool excluded(TextTrace const& text) {
  return std::ranges::any_of(text.log_p, [](double p) { return p == -HUGE_VAL; });
}

std::optional<double> mixture_odds(TokenTrace const& trace,
                                   std::function<double(TextTrace const&, std::size_t)> const& log_q) {
  MixtureOdds odds;
  std::size_t tokens = 0;
  for (TextTrace const& text : trace.texts) {
    if (excluded(text)) continue;
    for (std::size_t t = 0; t < text.log_p.size(); ++t) odds.step(text.log_p[t], log_q(text, t));
    tokens += text.log_p.size();
  }
  return tokens > 0 ? std::optional(odds.log_odds()) : std::nullopt;
}

}  // namespace draftgauge
