#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <numbers>
#include <optional>
#include <span>

#include "analysis/stats/token_trace.h"

namespace draftgauge {

/// ln of the mean of these logarithms' exponentials: e-values are pooled so, whatever depends on what.
/// ±∞ where the greatest is.
double log_mean_exp(std::span<double const> logs);

/// A test by betting that Σd of a martingale has mean 0, at any number of steps and without a normal limit.
///
/// Capital of 1 is split evenly over 2 `stakes` accounts. The account (λ, +) multiplies by 1 + λ u d at each step,
/// the account (λ, −) by 1 − λ v d, where the scales u and v are known before the step and such that neither falls
/// below 0. If E[d | past] = 0 the capital is a nonnegative martingale, so that it ends at 1/ε or above with
/// probability ε at most (Markov's inequality; Ville 1939 for every moment at once; Waudby-Smith and Ramdas 2024,
/// arXiv 2010.09686, for means of bounded variables). It holds as well where the true mean makes either bet
/// unfavourable. Where nothing unlikely could have happened no bet pays, however often: n steps of d = .01 multiply
/// it by 1.01^n at most, which is what n tokens of probability .99 are worth as evidence, while Σd/√Σd² is √n.
class BettingTest {
 public:
  static constexpr int stakes = 8;  ///< λ = 1, 1/2, … 1/128

  struct Bet {
    double won;    ///< ≥ −1: u d or −v d
    double scale;  ///< u or v
  };
  void step(Bet const& up, Bet const& down);

  double log_capital() const;  ///< ln of the mean over the accounts; −∞ where all are ruined
  double p_value() const;      ///< min(1, 1/capital): below ε with probability ≤ ε

  /// The mean of d from which on the capital exceeds 1/false_alarm with about `power`: an account gains λΣu d −
  /// λ²Σu²d²/2 to second order, and a law that moves d one way by δ in the mean adds up to δ per step to Σu²d² (as in
  /// `bounded_ratio`). The worse of both directions; infinite before the first step.
  double resolution(double false_alarm, double power) const;

 private:
  struct Product {  ///< of factors ≥ 0, beyond the range of a double
    double value = 1, log = 0;
    void multiply(double factor);
    double ln() const;
  };
  struct Side {
    std::array<Product, stakes> accounts;
    double squares = 0, scales = 0;  ///< Σu²d², Σu
  };
  Side up_, down_;
};

/// ln of the mean over λ of Π(1 + λ(q/p − 1)), λ = 1, 1/2, … 1/2048, over the tokens x of a text: the odds for some
/// mixture (1 − λ)p + λq having written it rather than p. Under p the mean of each factor is 1 + λ(Σ{q(x): p(x) > 0}
/// − 1) ≤ 1, so that it reaches ln(1/ε) with probability ε at most, as above. q may be any distribution that is known
/// before the token, or less than one: Σq ≤ 1 is all that is needed.
class MixtureOdds {
 public:
  static constexpr int stakes = 12;

  void step(double log_p, double log_q);  ///< log_p > −∞, both ≤ 0; however far apart
  double log_odds() const;

 private:
  std::array<double, stakes> logs_ = {};
};

/// Whether p excludes a token of the text: then no odds are made of it.
bool excluded(TextTrace const& text);
/// `MixtureOdds` over the texts with log p of which p excludes no token, log_q(text, t) in place of q; none without
/// one.
std::optional<double> mixture_odds(TokenTrace const& trace,
                                   std::function<double(TextTrace const&, std::size_t)> const& log_q);

/// No vocabulary in use is larger. The uniform distribution over as many tokens gives each 2^-20 or, of a smaller
/// vocabulary, less in all than 1.
inline constexpr double log_greatest_vocabulary = 20 * std::numbers::ln2;

}  // namespace draftgauge
