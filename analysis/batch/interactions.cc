#include <utility>

#include "analysis/batch/drafted_paths.h"

namespace draftgauge {
namespace {

/// P(the slots behind these texts are all verified | the texts), for every choice of their last tokens.
class LastTokens {
 public:
  void add(std::vector<Token> const& last, bool verified, Rational const& probability) {
    auto& [all, yes] = chances_[last];
    all += probability;
    if (verified) yes += probability;
  }

  /// Last tokens, and others in their place, whose mixed difference is not 0.
  struct Found {
    std::vector<Token> tokens, others;
    Rational difference;
  };
  std::optional<Found> interaction() const {
    std::vector<Token> const& base = chances_.begin()->first;
    for (auto const& [tokens, chance] : chances_) {
      Rational difference = 0;
      for (std::size_t others = 0; others < std::size_t{1} << tokens.size(); ++others) {
        std::vector<Token> mixed = tokens;
        bool negative = false;
        for (std::size_t i = 0; i < mixed.size(); ++i) {
          if (!(others >> i & 1)) continue;
          mixed[i] = base[i];
          negative = !negative;
        }
        auto const& [all, yes] = chances_.at(mixed);
        difference += (negative ? -1 : 1) * Rational(yes / all);
      }
      if (difference != 0) return Found{tokens, base, difference};
    }
    return std::nullopt;
  }

 private:
  std::map<std::vector<Token>, std::pair<Rational, Rational>>
      chances_;  ///< of the drafts; of those that are verified
};

/// Each request that is looked at, with how many of its drafts.
using Slots = std::vector<std::pair<std::size_t, int>>;

/// Calls f(slots) for every choice of a slot of each of `count` requests, until it says true.
bool any_slots(std::vector<BatchRequest> const& requests, std::size_t count, Slots& slots,
               std::function<bool(Slots const&)> const& f) {
  if (slots.size() == count) return f(slots);
  for (std::size_t r = slots.empty() ? 0 : slots.back().first + 1; r < requests.size(); ++r)
    for (int place = 1; place <= requests[r].gamma; ++place) {
      slots.emplace_back(r, place);
      if (any_slots(requests, count, slots, f)) return true;
      slots.pop_back();
    }
  return false;
}

}  // namespace

std::optional<Interaction> first_interaction(std::vector<BatchRequest> const& requests, ExactSchedule const& schedule,
                                             std::uint64_t max_paths) {
  struct Decided {
    std::vector<std::vector<Token>> drafts;
    std::vector<int> lengths;
    Rational probability;
  };
  std::vector<Decided> all;
  for_drafts(requests, starting_rows(requests), schedule.memory, max_paths,
             [&](DraftedBatch const& batch, Rational const& probability) {
               all.push_back({batch.drafts, schedule.lengths(batch), probability});
             });
  std::optional<Interaction> found;
  auto const look = [&](Slots const& slots) {
    std::map<std::vector<std::vector<Token>>, LastTokens> by_prefix;
    for (auto const& [drafts, lengths, probability] : all) {
      std::vector<std::vector<Token>> prefixes;
      std::vector<Token> last;
      bool verified = true;
      for (auto const& [r, place] : slots) {
        prefixes.emplace_back(drafts[r].begin(), drafts[r].begin() + place - 1);
        last.push_back(drafts[r][static_cast<std::size_t>(place) - 1]);
        verified = verified && lengths[r] >= place;
      }
      by_prefix[prefixes].add(last, verified, probability);
    }
    for (auto const& [prefixes, chances] : by_prefix) {
      auto const one = chances.interaction();
      if (!one) continue;
      found = Interaction{.requests = {}, .texts = prefixes, .others = one->others, .difference = one->difference};
      for (std::size_t i = 0; i < slots.size(); ++i) {
        found->requests.push_back(static_cast<int>(slots[i].first));
        found->texts[i].push_back(one->tokens[i]);
      }
      return true;
    }
    return false;
  };
  for (std::size_t count = 1; count <= requests.size(); ++count) {
    Slots slots;
    if (any_slots(requests, count, slots, look)) break;
  }
  return found;
}

}  // namespace draftgauge
