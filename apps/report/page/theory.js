// The formulas behind the sliders, of Leviathan, Kalman and Matias 2023 (arXiv 2211.17192). A setting has
//   alpha     α in [0, 1]: each draft is kept with this probability, independently of the others
//   cost      c ≥ 0: time of a draft step
//   verify    w ≥ 0: v(n) = 1 + w (n − 1), the time of a target pass over n tokens
//   curve     v(1), v(2), … in place of that, or null
//   overhead  o ≥ 0: other time in a round
//   bonus     whether a token follows γ kept drafts
// with times in plain steps of the target; γ = 0 is plain decoding.
"use strict";

const theory = {
  // Eq. (1) as the sum 1 + α + … + α^γ, which loses no digits near α = 1; one term less without the bonus token.
  expected_tokens(alpha, gamma, bonus = true) {
    const terms = gamma === 0 ? 1 : gamma + (bonus ? 1 : 0);
    let sum = 0, power = 1;
    for (let i = 0; i < terms; ++i) {
      sum += power;
      power *= alpha;
    }
    return sum;
  },

  round_cost(setting, gamma) {
    if (gamma === 0) return 1;
    const verify = setting.curve ? setting.curve[gamma] : 1 + setting.verify * gamma;
    return gamma * setting.cost + verify + setting.overhead;
  },

  // Theorem 3.8, with verification and overhead as they cost.
  speedup(setting, gamma) {
    return theory.expected_tokens(setting.alpha, gamma, setting.bonus) / theory.round_cost(setting, gamma);
  },

  // The smallest γ from 0 to speedups.length − 1 within a relative 1e-12 of the greatest.
  best_gamma(speedups) {
    const most = Math.max(...speedups);
    return speedups.findIndex((speedup) => speedup >= most * (1 - 1e-12));
  },
};
