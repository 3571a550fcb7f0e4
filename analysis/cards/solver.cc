#include "analysis/cards/solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/stats/kaplan_meier.h"

namespace draftgauge {
namespace {

using enum PrintedQuantity;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_passes = 64;  // identities are few, and each narrows at once what it can

/// "2.92", "3112 to 3128"
std::string shown(ValueRange const& interval) {
  double const width = interval.most - interval.least;
  if (width <= 1e-9 * std::max(1., interval.most)) return fmt::format("{:.10g}", interval.least);
  if (std::isinf(interval.most)) return fmt::format("{:.6g} or more", interval.least);
  return fmt::format("{:.6g} to {:.6g}", interval.least, interval.most);
}

class Narrowing {
 public:
  explicit Narrowing(Solution& solution) : all_(solution) {}

  ValueRange& at(PrintedQuantity quantity) {
    return all_.ranges.try_emplace(quantity, ValueRange{0, infinity}).first->second;
  }

  /// whole = one + other
  void sum(char const* identity, ValueRange& whole, ValueRange& one, ValueRange& other) {
    narrow(identity, whole, {one.least + other.least, one.most + other.most});
    narrow(identity, one, {whole.least - other.most, whole.most - other.least});
    narrow(identity, other, {whole.least - one.most, whole.most - one.least});
  }

  /// whole = one·other
  void product(char const* identity, ValueRange& whole, ValueRange& one, ValueRange& other) {
    narrow(identity, whole, {one.least * other.least, one.most == 0 || other.most == 0 ? 0 : one.most * other.most});
    narrow(identity, one, quotient(whole, other));
    narrow(identity, other, quotient(whole, one));
  }

  /// whole = rate·count, which says nothing of the rate where the count is 0, nor of a whole that others add to.
  void rate(char const* identity, ValueRange& whole, ValueRange& of, ValueRange& count) {
    if (count.most > 0) product(identity, whole, of, count);
  }

  void keep_whole(PrintedQuantity quantity) {
    constexpr double slack = 1e-9;
    ValueRange& interval = at(quantity);
    ValueRange const whole{std::ceil(interval.least - slack * std::max(1., interval.least)),
                         std::floor(interval.most + slack * std::max(1., interval.most))};
    narrow("counts are whole numbers", interval, whole);
    if (!stopped()) interval = whole;
  }

  bool stopped() const { return all_.broken.has_value(); }
  bool take_changed() { return std::exchange(changed_, false); }

 private:
  static ValueRange quotient(ValueRange const& whole, ValueRange const& by) {
    return {by.most > 0 ? whole.least / by.most : 0, by.least > 0 ? whole.most / by.least : infinity};
  }

  void narrow(char const* identity, ValueRange& interval, ValueRange const& to) {
    if (stopped()) return;
    constexpr double slack = 1e-9;  // of arithmetic
    double const room = slack * std::max(1., std::min(interval.most, to.most));
    if (to.least > interval.most + room || to.most < interval.least - room) {
      all_.broken = {identity, fmt::format("{} and {}", shown(interval), shown(to))};
      return;
    }
    ValueRange const narrower{std::min(std::max(interval.least, to.least), interval.most),
                            std::max(std::min(interval.most, to.most), interval.least)};
    changed_ = changed_ || narrower.least > interval.least + room || narrower.most < interval.most - room;
    interval = narrower;
  }

  Solution& all_;
  bool changed_ = false;
};

/// The shares of all rounds that kept each draft, as far as they are printed as shares.
std::vector<ValueRange> cumulative_of(PrintedRecord const& record) {
  std::vector<ValueRange> shares;
  auto const as_share = [](PrintedNumber const& printed) {
    return ValueRange{std::clamp(printed.least(), 0., 1.), std::clamp(printed.most(), 0., 1.)};
  };
  if (auto const positions = record.list(by_position); positions && record.positions_are_shares)
    for (PrintedNumber const& printed : *positions) shares.push_back(as_share(printed));
  if (auto const kept = record.list(histogram); kept && record.positions_are_shares && shares.empty()) {
    ValueRange so_far{0, 0};
    for (std::size_t j = kept->size(); j-- > 1;) {
      ValueRange const share = as_share((*kept)[j]);
      so_far = {std::min(1., so_far.least + share.least), std::min(1., so_far.most + share.most)};
      shares.insert(shares.begin(), so_far);
    }
  }
  if (auto const conditionals = record.list(conditional); conditionals && shares.empty()) {
    ValueRange so_far{1, 1};
    for (PrintedNumber const& printed : *conditionals) {
      ValueRange const share = as_share(printed);
      so_far = {so_far.least * share.least, so_far.most * share.most};
      shares.push_back(so_far);
    }
  }
  return shares;
}

}  // namespace

std::optional<std::int64_t> Solution::exact(PrintedQuantity quantity) const {
  auto const found = ranges.find(quantity);
  if (found == ranges.end() || found->second.most - found->second.least > .5) return std::nullopt;
  return std::llround(found->second.least);
}

std::optional<double> Solution::about(PrintedQuantity quantity) const {
  auto const found = ranges.find(quantity);
  if (found == ranges.end()) return std::nullopt;
  auto const& [least, most] = found->second;
  if (std::isinf(most) || most - least > .1 * most) return std::nullopt;
  return (least + most) / 2;
}

std::optional<std::int64_t> Solution::least_rounds(PrintedRecord const& record) const {
  constexpr std::int64_t most = 100'000;
  constexpr std::size_t most_shares = 64;  // more say nothing new
  constexpr double of_double = 1e-13, by_chance = 1e-3;
  std::vector<double> shares;
  for (PrintedQuantity const quantity : {by_position, histogram}) {
    auto const found = record.lists.find(quantity);
    if (found == record.lists.end() || !record.positions_are_shares) continue;
    for (PrintedNumber const& printed : found->second) {
      if (printed.within > 1.1e-6 * printed.value) return std::nullopt;
      if (printed.value > 0 && printed.value < 1) shares.push_back(printed.value);
    }
  }
  if (shares.empty()) return std::nullopt;
  std::ranges::sort(shares);  // the rarest first, which fit fewest
  shares.erase(std::ranges::unique(shares).begin(), shares.end());
  shares.resize(std::min(shares.size(), most_shares));
  double others = 0;  // numbers that any digits would fit
  for (std::int64_t rounds = 2; rounds <= most && others < by_chance; ++rounds) {
    auto const n = static_cast<double>(rounds);
    if (std::ranges::all_of(shares, [&](double s) { return std::abs(s * n - std::round(s * n)) < of_double * n; }))
      return rounds;
    others += std::pow(2 * of_double * n, static_cast<double>(shares.size()));
  }
  return std::nullopt;
}

std::vector<std::int64_t> Solution::positions(std::int64_t rounds, std::optional<std::int64_t> accepted) const {
  std::vector<std::int64_t> counts;
  auto const scaled = [&](double share) { return share * static_cast<double>(rounds); };
  for (auto const& [least, most] : cumulative) {
    std::int64_t const before = counts.empty() ? rounds : counts.back();
    std::int64_t const middle = std::llround(scaled((least + most) / 2));
    counts.push_back(middle > before && scaled(least) <= static_cast<double>(before) ? before : middle);
  }
  if (!accepted) return counts;
  std::int64_t missing = *accepted - std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  for (bool moved = true; moved && missing != 0;) {
    moved = false;
    std::int64_t const step = std::max<std::int64_t>(1, std::abs(missing) / std::ssize(counts));
    for (std::size_t i = 0; i < counts.size() && missing != 0; ++i) {
      std::int64_t const before = i == 0 ? rounds : counts[i - 1], behind = i + 1 < counts.size() ? counts[i + 1] : 0;
      auto const highest = std::min(before, static_cast<std::int64_t>(std::floor(scaled(cumulative[i].most))));
      auto const lowest = std::max(behind, static_cast<std::int64_t>(std::ceil(scaled(cumulative[i].least))));
      std::int64_t const room = missing > 0 ? highest - counts[i] : counts[i] - lowest;
      std::int64_t const by = std::min({step, room, std::abs(missing)});
      if (by <= 0) continue;
      counts[i] += missing > 0 ? by : -by;
      missing -= missing > 0 ? by : -by;
      moved = true;
    }
  }
  return counts;
}

Solution solve(PrintedRecord const& record, PrintMeaning const& meaning) {
  Solution solution;
  Narrowing narrowing(solution);
  for (QuantityCard const& card : quantity_cards())
    if (!card.is_list && !card.is_text) narrowing.at(card.quantity);
  for (QuantityCard const& card : quantity_cards())
    if (is_count(card.quantity)) narrowing.at(card.quantity).most = static_cast<double>(most_rounds);
  for (auto const& [quantity, printed] : record.numbers)
    narrowing.at(quantity) = {std::max(0., printed.least()), std::max(0., printed.most())};
  solution.cumulative = cumulative_of(record);

  auto const at = [&](PrintedQuantity quantity) -> ValueRange& { return narrowing.at(quantity); };
  ValueRange one{1, 1}, two{2, 2}, prompts{0, infinity}, without_draft{0, infinity}, all_shares{0, infinity};
  if (meaning.first_token == FirstToken::round) prompts = {0, 0};
  if (!record.numbers.contains(plain_steps)) at(plain_steps) = {0, 0};
  if (!solution.cumulative.empty()) {
    all_shares = {0, 0};
    for (ValueRange const& share : solution.cumulative) {
      all_shares.least += share.least;
      all_shares.most += share.most;
    }
  }
  // A fixed length is that of the list of positions, where it is not printed by itself.
  if (meaning.fixed_length && !solution.cumulative.empty() && !record.numbers.contains(draft_length))
    at(draft_length) = {static_cast<double>(solution.cumulative.size()),
                        static_cast<double>(solution.cumulative.size())};
  // Tokens that rounds gave. Where rounds, what they accepted and tokens are all printed, the last round of a text may have
  // been cut: it gave fewer.
  ValueRange given{0, infinity}, uncut{0, infinity}, cut{0, 0};
  bool const all_printed =
      record.numbers.contains(rounds) && record.numbers.contains(accepted) && record.numbers.contains(emitted);
  if (all_printed) {
    double const texts = at(requests).most, longest = std::min(at(draft_length).most, at(accepted).most);
    cut.most = std::isinf(texts) || std::isinf(longest) ? infinity : texts * longest;
  }
  // Where the three stand beside each other, a prompt may have been read again, and a round played ahead: identities.h.
  bool const tokens_explain =
      meaning.first_token != FirstToken::unknown && (!all_printed || meaning.emitted_by == EmittedBy::unknown);
  int passes_left = most_passes;
  do {
    narrowing.sum("drafted = accepted + rejected", at(drafted), at(accepted), at(rejected));
    narrowing.sum("verified = drafted + rounds", at(verified), at(drafted), at(rounds));
    narrowing.sum("tokens per round = 1 + accepted per round", at(tokens_per_round), one, at(accepted_per_round));
    narrowing.product("drafted = drafted per round·rounds", at(drafted), at(drafted_per_round), at(rounds));
    narrowing.sum("slots of drafts = accepted + others", at(draft_slots), at(accepted), at(slots_not_kept));
    narrowing.product("accepted = accepted per round·rounds", at(accepted), at(accepted_per_round), at(rounds));
    narrowing.product("accepted = rate·drafted", at(accepted), at(acceptance_rate), at(drafted));
    narrowing.product("accepted = share·emitted", at(accepted), at(accepted_per_emitted), at(emitted));
    narrowing.rate("tokens = tokens per round, with those of prompts·rounds", at(emitted), at(emitted_per_round),
                   at(rounds));
    narrowing.product("tokens = tokens per pass·passes", at(emitted), at(emitted_per_pass), at(passes));
    narrowing.product("tokens = tokens per second·seconds", at(emitted), at(tokens_per_second), at(seconds));
    narrowing.product("slots of drafts = draft length·passes", at(draft_slots), at(draft_length), at(passes));
    if (record.numbers.contains(conversations))  // else requests may be odd
      narrowing.product("requests = 2·conversations", at(requests), two, at(conversations));
    narrowing.sum("tokens of rounds = accepted + rounds", given, at(accepted), at(rounds));
    if (tokens_explain) {
      narrowing.sum("tokens without a draft = those of prompts + plain steps", without_draft, prompts, at(plain_steps));
      narrowing.sum("tokens = those of rounds + those without a draft", uncut, given, without_draft);
      narrowing.sum("tokens = those of rounds + those without a draft", uncut, at(emitted), cut);
      narrowing.sum("passes = rounds + those without a draft", at(passes), at(rounds), without_draft);
      if (meaning.first_token == FirstToken::prompt)
        narrowing.product("one token of each prompt", prompts, one, at(requests));
    }
    if (!solution.cumulative.empty() && meaning.over_passes)
      narrowing.product("accepted = Σ shares by position·passes", at(accepted), all_shares, at(passes));
    else if (!solution.cumulative.empty())
      narrowing.product("Σ shares by position = accepted per round", at(accepted_per_round), all_shares, one);
    if (meaning.fixed_length)
      narrowing.product("drafted = draft length·rounds", at(drafted), at(draft_length), at(rounds));
    narrowing.product("time of drafts = calls·time of one", at(draft_seconds), at(draft_calls),
                      at(draft_call_seconds));
    narrowing.product("time of passes = rounds·time of one", at(target_seconds), at(rounds), at(round_seconds));
    narrowing.product("time of a step = tokens per round·time of a token", at(step_seconds), at(tokens_per_round),
                      at(token_seconds));
    for (QuantityCard const& card : quantity_cards())
      if (is_count(card.quantity)) narrowing.keep_whole(card.quantity);
  } while (!narrowing.stopped() && narrowing.take_changed() && --passes_left > 0);
  return solution;
}

}  // namespace draftgauge
