#include "analysis/verifier/early_bets.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/stats/betting_test.h"

namespace draftgauge {

EarlyBets::EarlyBets(std::vector<double> target, std::vector<std::vector<double>> faults)
    : target_(std::move(target)),
      faults_(std::move(faults)),
      seen_(target_.size()),
      log_worths_(1 + faults_.size()) {}

/// How often a text came so far, with as many rounds of p's as there are texts.
double EarlyBets::suggested(std::size_t text) const {
  auto const prior = static_cast<double>(target_.size());
  return (static_cast<double>(seen_[text]) + prior * target_[text]) / (static_cast<double>(rounds_) + prior);
}

double EarlyBets::look(std::vector<std::uint64_t> counts) {
  for (std::size_t text = 0; text < counts.size(); ++text) {
    if (counts[text] == seen_[text]) continue;
    if (target_[text] == 0) return HUGE_VAL;
    auto const times = static_cast<double>(counts[text] - seen_[text]);
    for (std::size_t law = 0; law < log_worths_.size(); ++law) {
      double const gain = (law == 0 ? suggested(text) : faults_[law - 1][text]) / target_[text] - 1;
      double stake = 1;
      for (double& log_worth : log_worths_[law]) {
        log_worth += times * std::log1p(stake * gain);
        stake /= 2;
      }
    }
  }
  seen_ = std::move(counts);
  rounds_ = std::accumulate(seen_.begin(), seen_.end(), std::uint64_t{0});
  // The mean of all parts, each by its share of as many equal ones.
  auto const parts = static_cast<double>(log_worths_.size());
  std::vector<double> logs;
  for (std::size_t law = 0; law < log_worths_.size(); ++law) {
    double const share = faults_.empty() ? 1 : law == 0 ? .5 : .5 / static_cast<double>(faults_.size());
    logs.push_back(log_mean_exp(log_worths_[law]) + std::log(share * parts));
  }
  return log_mean_exp(logs);
}

}  // namespace draftgauge
