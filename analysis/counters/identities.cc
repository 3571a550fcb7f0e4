#include "analysis/counters/identities.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "analysis/counters/histogram_sums.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/counters/rates.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr std::size_t most_named = 10;

/// The length that was set, where there is such a one.
std::optional<std::int64_t> possible_length(EngineCounters const& counters) {
  auto const& length = counters.draft_length;
  return length && *length >= 1 && std::cmp_less_equal(*length, most_positions) ? length : std::nullopt;
}

class Checker {
 public:
  Checker(EngineCounters const& counters, std::vector<BrokenIdentity>& broken)
      : of_(counters), gamma_(possible_length(counters)), broken_(broken) {}

  void check(CounterSums const& sums, std::string const& who) {
    who_ = who;
    counts(sums);
    positions(sums);
    histograms(sums);
  }

 private:
  void require(bool holds, std::string identity, std::string found, std::string words = {}) {
    if (!holds && broken_.size() < most_named)
      broken_.push_back({who_ + identity, std::move(found), words.empty() ? words : who_ + words});
  }

  void counts(CounterSums const& sums) {
    if (sums.accepted && sums.drafted)
      require(*sums.accepted <= *sums.drafted, "accepted ≤ drafted",
              fmt::format("{} and {}", *sums.accepted, *sums.drafted));
    if (!sums.rounds) return;
    if (gamma_ && sums.drafted)
      require(*sums.drafted <= *gamma_ * *sums.rounds, "drafted ≤ γ·rounds",
              fmt::format("{} and {}·{}", *sums.drafted, *gamma_, *sums.rounds));
    if (gamma_ && sums.accepted && *sums.rounds > 0)
      require(*sums.accepted <= *gamma_ * *sums.rounds, "mean acceptance length ≤ γ + 1",
              fmt::format("{:.4g} and {}", mean_length(sums), *gamma_ + 1));
    require(*sums.rounds > 0 || sums.accepted.value_or(0) == 0, "no token is accepted without a round",
            fmt::format("{} tokens and no round", sums.accepted.value_or(0)));
  }

  static double mean_length(CounterSums const& sums) {
    return 1 + static_cast<double>(*sums.accepted) / static_cast<double>(*sums.rounds);
  }

  void positions(CounterSums const& sums) {
    if (!sums.rounds || sums.by_position.empty()) return;
    double const slack = of_.rounding * static_cast<double>(*sums.rounds) * 2 + (of_.rounding > 0 ? 1 : 0);
    std::int64_t before = *sums.rounds, total = 0;
    for (std::size_t i = 0; i < sums.by_position.size(); ++i) {
      std::int64_t const kept = sums.by_position[i];
      bool const holds = static_cast<double>(kept) <= static_cast<double>(before) + slack;
      if (i == 0)
        require(holds, "by_position[1] ≤ rounds", fmt::format("{} and {}", kept, before));
      else
        require(holds, fmt::format("by_position[{}] ≤ by_position[{}]", i + 1, i),
                fmt::format("{} after {}", kept, before), fmt::format("cumulative rates grow at position {}", i + 1));
      if (gamma_ && std::cmp_greater_equal(i, *gamma_))
        require(kept == 0, "no round keeps a draft beyond γ",
                fmt::format("{} kept draft {}, and γ = {}", kept, i + 1, *gamma_));
      before = kept;
      total += kept;
    }
    if (sums.accepted)
      require(std::abs(static_cast<double>(total - *sums.accepted)) <=
                  slack * static_cast<double>(sums.by_position.size()),
              "Σ by_position = accepted", fmt::format("{} and {}", total, *sums.accepted));
    drafted_positions(sums, slack);
  }

  void drafted_positions(CounterSums const& sums, double slack) {
    if (sums.drafted_by_position.empty()) return;
    std::int64_t drafted = 0;
    for (std::size_t i = 0; i < sums.drafted_by_position.size(); ++i) {
      std::int64_t const there = sums.drafted_by_position[i];
      drafted += there;
      if (i < sums.by_position.size())
        require(static_cast<double>(sums.by_position[i]) <= static_cast<double>(there) + slack,
                fmt::format("by_position[{}] ≤ drafted_by_position[{}]", i + 1, i + 1),
                fmt::format("{} and {}", sums.by_position[i], there));
    }
    if (sums.drafted)
      require(drafted == *sums.drafted, "Σ drafted_by_position = drafted",
              fmt::format("{} and {}", drafted, *sums.drafted));
  }

  void histograms(CounterSums const& sums) {
    if (!sums.kept.empty()) histogram(sums, sums.kept, "histogram");
    if (sums.histograms.empty()) return;
    HistogramSums const all = over_lengths(sums.histograms);
    // A histogram made of rounded shares has their error, which positions() allows for.
    if (of_.rounding == 0) histogram(sums, all.kept, "histograms");
    if (sums.drafted)
      require(all.drafted == *sums.drafted, "Σ length·rounds of that length = drafted",
              fmt::format("{} and {}", all.drafted, *sums.drafted));
  }

  void histogram(CounterSums const& sums, std::vector<std::int64_t> const& rounds, std::string const& name) {
    std::int64_t all = 0, kept = 0;
    for (std::size_t j = 0; j < rounds.size(); ++j) {
      all += rounds[j];
      kept += static_cast<std::int64_t>(j) * rounds[j];
    }
    if (sums.rounds)
      require(all == *sums.rounds, fmt::format("Σ {} = rounds", name), fmt::format("{} and {}", all, *sums.rounds));
    if (sums.accepted)
      require(kept == *sums.accepted, fmt::format("Σ j·{}[j] = accepted", name),
              fmt::format("{} and {}", kept, *sums.accepted));
  }

  EngineCounters const& of_;
  std::optional<std::int64_t> gamma_;
  std::vector<BrokenIdentity>& broken_;
  std::string who_;
};

/// The length that was set, and the means that the engine prints, which are at most one more.
void check_length(EngineCounters const& counters, std::vector<BrokenIdentity>& broken) {
  if (!counters.draft_length) return;
  std::int64_t const gamma = *counters.draft_length;
  if (!possible_length(counters)) {
    broken.push_back({fmt::format("1 ≤ γ ≤ {}", most_positions), fmt::format("{}", gamma)});
    return;
  }
  constexpr double shown_to = .005 * 1.02;  // the least digits that any of them is printed to
  auto const require = [&](double mean, std::string const& name) {
    bool const holds = mean <= static_cast<double>(gamma + 1) + shown_to;
    if (!holds && broken.size() < most_named)
      broken.push_back({name + " ≤ γ + 1", fmt::format("{:.4g} and {}", mean, gamma + 1)});
    return holds;
  };
  bool hold = true;
  for (EngineNumber const& number : counters.says)
    if (number.meaning == Rate::tokens_per_round) hold = require(number.value, number.name) && hold;
  for (std::size_t i = 0; hold && i < counters.stretches.size(); ++i)
    hold = require(counters.stretches[i].tokens_per_round, fmt::format("mean acceptance length {}", i + 1));
}

/// What the engine prints, beside what its counts give under the same name.
void check_printed(EngineCounters const& counters, std::vector<BrokenIdentity>& broken) {
  CounterRates const rates = counter_rates(counters);
  for (EngineNumber const& number : counters.says) {
    bool const in_range = number.meaning == Rate::other || number.meaning == Rate::tokens_per_round
                              ? number.value >= 0
                              : number.value >= 0 && number.value <= 1;
    if (!in_range && broken.size() < most_named)
      broken.push_back({number.name + " is a share, or a length ≥ 0", fmt::format("{}", number.value)});
    std::string identity;
    std::optional<double> const counted = number.meaning == Rate::tokens_per_round       ? rates.tokens_per_round
                                          : number.meaning == Rate::accepted_per_drafted ? rates.accepted_per_drafted
                                          : number.meaning == Rate::independent          ? rates.independent
                                                                                         : std::nullopt;
    if (!counted || agrees(number.value, number.within, *counted) || broken.size() >= most_named) continue;
    broken.push_back({fmt::format("{} = {}", number.name,
                                  number.meaning == Rate::tokens_per_round ? kept_and_one
                                  : number.meaning == Rate::independent ? "tokens that passed by themselves/drafted"
                                                                        : kept_of_drafted),
                      fmt::format("{:.4f} and {:.4f}", number.value, *counted)});
  }
}

}  // namespace

std::vector<BrokenIdentity> broken_identities(EngineCounters const& counters) {
  std::vector<BrokenIdentity> broken;
  Checker checker(counters, broken);
  for (std::size_t r = 0; r < counters.requests.size() && broken.size() < most_named; ++r) {
    CountedRequest const& request = counters.requests[r];
    checker.check(request.sums, request.name.empty() ? fmt::format("{} {}: ", counters.unit, r + 1)
                                                     : fmt::format("{} {}: ", counters.unit, request.name));
  }
  if (broken.empty()) checker.check(counters.sums, "");
  check_length(counters, broken);
  check_printed(counters, broken);
  return broken;
}

std::string to_string(BrokenIdentity const& broken) {
  if (!broken.words.empty()) return fmt::format("{}: {}", broken.words, broken.found);
  return fmt::format("{} does not hold: {}", broken.identity, broken.found);
}

void require_identities(EngineCounters const& counters) {
  auto const broken = broken_identities(counters);
  if (!broken.empty())
    throw InputError(fmt::format("{}: {} (counts that contradict each other say nothing)", counters.file,
                                 to_string(broken.front())),
                     "look at them with `draftgauge inspect`");
}

}  // namespace draftgauge
