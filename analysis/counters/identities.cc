#include "analysis/counters/identities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ranges>
#include <utility>

#include "analysis/counters/histogram_sums.h"
#include "analysis/counters/printed_rate.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr std::size_t most_named = 10;

/// "2.2000 and 2.0000": with as many decimals as tell them apart, four at least.
std::string apart(double one, double other) {
  for (int decimals = 4;; ++decimals) {
    std::string const a = fmt::format("{:.{}f}", one, decimals), b = fmt::format("{:.{}f}", other, decimals);
    if (a != b || decimals == 17) return fmt::format("{} and {}", a, b);
  }
}

/// The length that was set, where there is such a one.
std::optional<std::int64_t> possible_length(EngineCounters const& counters) {
  auto const& length = counters.draft_length;
  return length && *length >= 1 && std::cmp_less_equal(*length, most_positions) ? length : std::nullopt;
}

class Checker {
 public:
  Checker(EngineCounters const& counters, std::vector<BrokenIdentity>& broken)
      : of_(counters), gamma_(possible_length(counters)), broken_(broken) {}

  void check(CounterSums const& sums, std::vector<EngineNumber> const& says, std::string const& who) {
    who_ = who;
    counts(sums);
    positions(sums);
    histograms(sums);
    printed(sums, says);
  }

  /// Tokens of so many requests beside their rounds and accepted drafts.
  void check_tokens(CounterSums const& sums, std::int64_t requests, std::string const& who) {
    who_ = who;
    tokens(sums, requests);
  }
  /// The same of those that had a round.
  void check_tokens_of_all(std::vector<CountedRequest> const& requests) {
    CounterSums all{.rounds = 0, .accepted = 0, .emitted = 0};
    std::int64_t count = 0;
    for (CountedRequest const& request : requests) {
      CounterSums const& one = request.sums;
      if (one.rounds == 0) continue;
      if (!one.rounds || !one.accepted || !one.emitted) return;
      *all.rounds += *one.rounds;
      *all.accepted += *one.accepted;
      *all.emitted += *one.emitted;
      if (one.kept.size() > all.kept.size()) all.kept.resize(one.kept.size());
      if (one.by_position.size() > all.by_position.size()) all.by_position.resize(one.by_position.size());
      ++count;
    }
    check_tokens(all, count, "");
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

  /// Each prompt's pass gave a token, each round one and what it accepted. The last round may be cut, and engines that
  /// plan ahead verify another behind it; a prompt that was read again after a pause gave another token.
  void tokens(CounterSums const& sums, std::int64_t requests) {
    if (of_.emitted_by == EmittedBy::unknown || !sums.emitted || !sums.rounds || !sums.accepted || *sums.rounds == 0)
      return;
    std::int64_t const emitted = *sums.emitted, explained = requests + *sums.rounds + *sums.accepted,
                       cut = requests * (2 * std::min(longest(sums), *sums.accepted) + 1),
                       read_again = std::max(requests, emitted / 100);
    bool const few = emitted < explained - cut;
    bool const many = of_.emitted_by == EmittedBy::rounds && emitted > explained + read_again;
    require(!few && !many, "tokens = prompts + rounds + accepted",
            fmt::format("{} tokens ({} from prompts) in {} rounds make {:.4g} per round, {} accepted drafts make "
                        "{:.4g}",
                        emitted, requests, *sums.rounds,
                        static_cast<double>(emitted - requests) / static_cast<double>(*sums.rounds), *sums.accepted,
                        mean_length(sums)),
            "tokens and accepted drafts contradict each other");
  }

  /// Draft tokens that a round accepts at most, as far as anything says it.
  std::int64_t longest(CounterSums const& sums) const {
    auto const listed =
        static_cast<std::int64_t>(std::max(sums.by_position.size(), sums.kept.empty() ? 0 : sums.kept.size() - 1));
    if (gamma_) return *gamma_;
    return std::min<std::int64_t>(listed > 0 ? listed : sums.accepted.value_or(0), most_positions);
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

  /// What counts give of a number that is printed beside them, and how.
  std::pair<std::string_view, std::optional<double>> counted(Rate meaning, CounterSums const& sums) const {
    switch (meaning) {
      case Rate::tokens_per_round:
        return {"1 + accepted/rounds", one_and_share_of_counts(sums.accepted, sums.rounds)};
      case Rate::accepted_per_drafted: return {"accepted/drafted", share_of_counts(sums.accepted, sums.drafted)};
      case Rate::independent:
        return {"tokens that passed by themselves/drafted", share_of_counts(of_.passed_alone, sums.drafted)};
      case Rate::efficiency: {
        auto const per_round = share_of_counts(sums.emitted, sums.rounds);
        return {"emitted/(rounds·(γ + 1))",
                per_round && gamma_ ? std::optional(*per_round / static_cast<double>(*gamma_ + 1)) : std::nullopt};
      }
      default: return {};
    }
  }

  void printed(CounterSums const& sums, std::vector<EngineNumber> const& says) {
    for (auto const& [name, value, meaning, within] : says) {
      double const slack = std::isfinite(within) ? within : 0;
      if (meaning == Rate::tokens_per_round)  // 0 where none ran
        require(value == 0 || value >= 1 - slack, name + " ≥ 1", fmt::format("{}", value));
      else if (meaning != Rate::other)
        require(value >= 0 && value <= 1 + slack, name + " is a share", fmt::format("{}", value),
                name + " is no share from 0 to 1");
      else
        require(value >= 0, name + " ≥ 0", fmt::format("{}", value));
      auto const [identity, expected] = counted(meaning, sums);
      if (expected)
        require(agrees(value, within, *expected), fmt::format("{} = {}", name, identity), apart(value, *expected));
    }
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

}  // namespace

std::vector<BrokenIdentity> broken_identities(EngineCounters const& counters) {
  std::vector<BrokenIdentity> broken;
  Checker checker(counters, broken);
  std::vector<CountedRequest> const& requests = counters.requests;
  auto const who = [&](std::size_t r) {
    return requests[r].name.empty() ? fmt::format("{} {}: ", counters.unit, r + 1)
                                    : fmt::format("{} {}: ", counters.unit, requests[r].name);
  };
  // All together first: one request may be a rare case.
  if (requests.size() > 1) checker.check_tokens_of_all(requests);
  for (std::size_t r = 0; r < requests.size() && broken.size() < most_named; ++r) {
    checker.check(requests[r].sums, requests[r].says, who(r));
    checker.check_tokens(requests[r].sums, 1, who(r));
  }
  if (broken.empty()) std::ranges::copy(counters.broken | std::views::take(most_named), std::back_inserter(broken));
  if (broken.empty()) checker.check(counters.sums, counters.says, "");
  check_length(counters, broken);
  return broken;
}

void check_record(EngineCounters& counters, std::string const& place, CounterSums const& sums,
                  std::vector<EngineNumber> const& says) {
  std::string const file = counters.file + ", ";
  std::string const who = place.starts_with(file) ? place.substr(file.size()) + ": " : std::string();
  Checker(counters, counters.broken).check(sums, says, who);
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
