#include "analysis/texts/request_counts.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/chance/layout.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t permuted_draw = 3;  ///< of layout::resampled; those before it are bootstraps'
constexpr std::uint64_t most_permuted = 500'000;
constexpr double fewest_events = 50;
constexpr char const* expected = "expected counts of rounds that kept 0, 1, … γ drafts, such as 30,20,10,40";

[[noreturn]] void refuse(std::string_view name, std::size_t line, std::string const& found) {
  throw InputError(fmt::format("{}: line {}: {} (a row holds the counts of one request)", name, line, found),
                   expected);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  bool const blanks = line.find_first_of(",;\t") == line.npos;
  for (;;) {
    std::size_t const end = line.find_first_of(blanks ? " " : ",;\t");
    std::string_view const cell = trimmed(line.substr(0, end));
    if (!blanks || !cell.empty()) cells.push_back(cell);
    if (end == line.npos) return cells;
    line.remove_prefix(end + 1);
  }
}

[[noreturn]] void refuse_count(std::string_view name, std::size_t line, std::string_view count) {
  refuse(name, line, fmt::format("has the count {}, and {} is the most", count, most_rounds));
}

/// What stands there. What is nested may be so deep that it cannot be written out.
std::string written(nlohmann::json const& found) {
  return found.is_structured() ? std::string(found.type_name()) : found.dump();
}

std::vector<std::int64_t> counts_of_json(std::string_view name, std::size_t line, std::string_view text) {
  auto const parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_discarded()) refuse(name, line, "is no JSON");
  auto const field = parsed.is_object() ? parsed.find("accepted") : parsed.end();
  if (parsed.is_object() && field == parsed.end()) refuse(name, line, "has no field \"accepted\"");
  nlohmann::json const& list = parsed.is_object() ? *field : parsed;
  std::vector<std::int64_t> counts;
  if (!list.is_array()) refuse(name, line, fmt::format("has {} for a list", written(list)));
  for (nlohmann::json const& each : list) {
    if (!each.is_number_unsigned()) refuse(name, line, fmt::format("has the count {}", written(each)));
    if (each.get<std::uint64_t>() > std::uint64_t{most_rounds}) refuse_count(name, line, each.dump());
    counts.push_back(each.get<std::int64_t>());
  }
  return counts;
}

/// Words: in the first cell, or behind the numbers of kept drafts, as "0,1,2 or more". Bare 0, 1, 2, … are not: a
/// request may have them, too.
bool is_heading(std::vector<std::string_view> const& cells) {
  constexpr std::string_view digits = "0123456789";
  std::string_view const first = cells.front();
  if (!first.empty() && first.find_first_of("0123456789.-+") != 0) return true;
  bool words = false;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    std::size_t const end = std::min(cells[k].find_first_not_of(digits), cells[k].size());
    if (cells[k].substr(0, end) != std::to_string(k)) return false;
    words = words || end < cells[k].size();
  }
  return words;
}

/// 0, 1, 2, … and nothing else.
bool numbers_drafts(std::vector<std::string_view> const& cells) {
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (cells[k] != std::to_string(k)) return false;
  return true;
}

/// The first column is no count: it has a known name, or the counts' own heading, 0, begins behind it.
bool names_requests(std::vector<std::string_view> const& heading) {
  for (std::string_view const known : {"request", "prompt", "name", "id"})
    if (heading.front() == known) return true;
  return heading.size() > 1 && heading[1].starts_with('0');
}

/// Rounds of one request, or of several that are looked at together.
struct Group {
  double rounds = 0, kept = 0;
};

/// Requests of one γ.
struct Stratum {
  std::vector<std::vector<std::int64_t> const*> requests;  ///< that have a round
  double rounds = 0, mean = 0, variance = 0;               ///< of drafts kept a round
  double kurtosis = 0;                                     ///< its fourth moment over its variance squared
};

std::vector<Stratum> strata_of(RequestCounts const& counts) {
  std::map<std::size_t, Stratum> by_gamma;
  for (auto const& request : counts)
    if (std::ranges::any_of(request, [](std::int64_t count) { return count > 0; }))
      by_gamma[request.size()].requests.push_back(&request);
  std::vector<Stratum> strata;
  for (auto& [size, stratum] : by_gamma) {
    std::vector<double> all(size);
    for (auto const* request : stratum.requests)
      for (std::size_t i = 0; i < size; ++i) all[i] += static_cast<double>((*request)[i]);
    stratum.rounds = std::accumulate(all.begin(), all.end(), 0.);
    for (std::size_t i = 0; i < size; ++i) stratum.mean += all[i] * static_cast<double>(i) / stratum.rounds;
    double squares = 0, fourths = 0;
    for (std::size_t i = 0; i < size; ++i) {
      double const off = std::pow(static_cast<double>(i) - stratum.mean, 2);
      squares += all[i] * off;
      fourths += all[i] * off * off;
    }
    if (stratum.requests.size() < 2 || !(squares > 0)) continue;
    stratum.variance = squares / (stratum.rounds - 1);
    stratum.kurtosis = fourths * stratum.rounds / (squares * squares);
    strata.push_back(std::move(stratum));
  }
  return strata;
}

Group group_of(std::vector<std::int64_t> const& request) {
  Group group;
  for (std::size_t i = 0; i < request.size(); ++i) {
    group.rounds += static_cast<double>(request[i]);
    group.kept += static_cast<double>(request[i]) * static_cast<double>(i);
  }
  return group;
}

/// (K_r − n_r k̄)²/n_r over the variance of a round; all orders of one stratum have one k̄.
double spread(Stratum const& of, Group const& group) {
  return std::pow(group.kept - group.rounds * of.mean, 2) / group.rounds / of.variance;
}

/// Requests together until each group's sum is near normal. In a term of n rounds the square has variance 2 + (κ − 3)/n
/// for a normal limit's 2, κ the kurtosis of a round; where few rounds reject κ is 1 over their share, and n/κ the
/// rounds that a group expects of them. Which requests are together depends on their rounds alone, not on what these
/// kept.
std::vector<Group> near_normal(Stratum const& of) {
  double const enough = fewest_events * of.kurtosis;
  std::vector<Group> groups;
  Group open;
  for (auto const* request : of.requests) {
    Group const next = group_of(*request);
    open.rounds += next.rounds;
    open.kept += next.kept;
    if (open.rounds < enough) continue;
    groups.push_back(std::exchange(open, {}));
  }
  if (groups.empty()) return {};
  groups.back().rounds += open.rounds;
  groups.back().kept += open.kept;
  return groups;
}

std::optional<double> chi_square(std::vector<Stratum> const& strata) {
  double sum = 0, degrees = 0;
  for (Stratum const& stratum : strata) {
    auto const groups = near_normal(stratum);
    if (groups.size() < 2) continue;
    for (Group const& group : groups) sum += spread(stratum, group);
    degrees += static_cast<double>(groups.size() - 1);
  }
  if (degrees == 0) return std::nullopt;
  return cdf(complement(boost::math::chi_squared(degrees), sum));
}

/// The rounds of a stratum one by one, to be dealt to its requests.
struct Dealt {
  Stratum const* stratum;
  std::vector<std::int32_t> kept;
  std::vector<std::size_t> ends;  ///< where each request's rounds end

  explicit Dealt(Stratum const& of) : stratum(&of) {
    for (auto const* request : of.requests) {
      for (std::size_t i = 0; i < request->size(); ++i)
        kept.insert(kept.end(), static_cast<std::size_t>((*request)[i]), static_cast<std::int32_t>(i));
      ends.push_back(kept.size());
    }
  }

  double spread() const {
    double sum = 0;
    std::size_t at = 0;
    for (std::size_t const end : ends) {
      Group group{static_cast<double>(end - at), 0};
      for (; at < end; ++at) group.kept += kept[at];
      sum += draftgauge::spread(*stratum, group);
    }
    return sum;
  }
};

/// Fisher and Yates, by ⌊U·n⌋ of digits of 32 bits.
void shuffle(std::vector<std::int32_t>& kept, std::uint64_t seed, std::uint64_t order, std::uint32_t& used) {
  Philox::Words words{};
  for (std::size_t left = kept.size(); left > 1; --left, ++used) {
    if (used % 4 == 0 || left == kept.size())
      words = layout::Address::of(seed, order, used / 4).words(layout::resampled, permuted_draw);
    std::swap(kept[left - 1], kept[static_cast<std::size_t>(std::uint64_t{words.word[used % 4]} * left >> 32)]);
  }
}

/// Var(E[N]) at the longest γ if rounds were independent: of each rate r̂ the variance is r(1 − r)/reached, and the
/// rates are uncorrelated (Greenwood's argument). ∂E[N]/∂r_i = Σ_{j ≥ i} survival_j / r_i.
double variance_of_independent(KaplanMeier const& pooled) {
  double total = 0, deeper = 0;
  for (std::size_t i = pooled.survival.size(); i-- > 0;) {
    deeper += pooled.survival[i];
    auto const reached = static_cast<double>(pooled.reached[i]);
    double const rate = 1 - static_cast<double>(pooled.rejected[i]) / reached;
    if (rate > 0) total += deeper * deeper / (rate * rate) * rate * (1 - rate) / reached;
  }
  return total;
}

/// Errors of a rate that only those of `reached` > 0 tell of, in the place of all.
void weigh(TextEstimate& rate, std::vector<double> const& reached) {
  double const all = std::accumulate(reached.begin(), reached.end(), 0.);
  for (std::size_t r = 0; r < reached.size(); ++r)
    rate.influence[r] *= std::sqrt((1 - rate.sample->leverage(r)) / (1 - reached[r] / all));
  std::vector<double> there;
  std::ranges::copy_if(reached, std::back_inserter(there), [](double rounds) { return rounds > 0; });
  rate.most_degrees = TextSample(std::move(there), 0, 0).degrees();
}

}  // namespace

RequestCounts read_request_counts(std::string_view name, std::string_view text) {
  RequestCounts counts;
  std::size_t skipped = 0, ambiguous = 0;
  bool first = true;
  for (Lines lines(text); lines.next();) {
    std::size_t const number = lines.number();
    std::string_view line = lines.line();
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[' || line.front() == '{') {
      counts.push_back(counts_of_json(name, number, line));
    } else {
      auto const cells = cells_of(line);
      if (std::exchange(first, false)) {
        if (is_heading(cells)) {
          skipped = names_requests(cells) ? 1 : 0;
          continue;
        }
        if (numbers_drafts(cells)) ambiguous = number;
      }
      std::vector<std::int64_t> row;
      for (std::size_t k = skipped; k < cells.size(); ++k) {
        auto const count = parse_integer(cells[k]);
        if (!count || *count < 0) refuse(name, number, fmt::format("'{}' is no count", cells[k]));
        if (*count > most_rounds) refuse_count(name, number, cells[k]);
        row.push_back(*count);
      }
      counts.push_back(std::move(row));
    }
    first = false;
    if (counts.back().size() < 2)
      refuse(name, number, fmt::format("has {}", counts.back().empty() ? "no count" : "one count"));
  }
  if (counts.empty())
    throw InputError(fmt::format("{}: holds no request (there is nothing to count)", name), expected);
  if (ambiguous > 0 && counts.size() > 1)
    throw InputError(
        fmt::format("{}: line {} can be read in two ways (0, 1, 2, … may be a heading, or the counts of a request)",
                    name, ambiguous),
        "put # before a heading, or the line 'counts' above counts");
  auto const has_round = [](auto const& row) { return std::ranges::any_of(row, [](auto n) { return n > 0; }); };
  if (std::ranges::none_of(counts, has_round))
    throw InputError(fmt::format("{}: all counts are 0 (there is no round to estimate from)", name), expected);
  return counts;
}

RequestCounts all_rows(LengthCounts const& requests) {
  RequestCounts rows;
  for (RequestCounts const& request : requests) rows.insert(rows.end(), request.begin(), request.end());
  return rows;
}

LengthCounts one_length_each(RequestCounts const& counts) {
  LengthCounts requests;
  for (auto const& row : counts) requests.push_back({row});
  return requests;
}

RequestSurvival survival_over_requests(LengthCounts const& requests, std::size_t resamples, std::uint64_t seed) {
  RequestSurvival result{kaplan_meier(all_rows(requests)), {}};
  std::size_t const depth = result.pooled.survival.size();
  std::size_t shortest = depth;
  std::vector<double> rounds;
  std::vector<std::vector<double>> reached(depth), kept(depth);
  for (RequestCounts const& request : requests) {
    double all = 0;
    std::size_t longest = 0;
    std::vector<double> reached_of(depth), kept_of(depth);
    for (auto const& row : request) {
      auto at = static_cast<double>(std::accumulate(row.begin(), row.end(), std::int64_t{0}));
      if (at == 0) continue;
      all += at;
      longest = std::max(longest, row.size() - 1);
      for (std::size_t i = 0; i < std::min(depth, row.size() - 1);
           ++i) {  // drafted token i + 1, and kept all before it
        reached_of[i] += at;
        kept_of[i] += at -= static_cast<double>(row[i]);
      }
    }
    if (all == 0) continue;
    rounds.push_back(all);
    shortest = std::min(shortest, longest);
    for (std::size_t i = 0; i < depth; ++i) {
      reached[i].push_back(reached_of[i]);
      kept[i].push_back(kept_of[i]);
    }
  }
  auto const sample = std::make_shared<TextSample const>(std::move(rounds), resamples, seed);
  TextEstimate survived = mean_over_texts(sample->lengths(), sample) * 0. + 1.;
  for (std::size_t i = 0; i < depth; ++i) {
    TextEstimate rate = mean_over_texts(kept[i], sample) / mean_over_texts(reached[i], sample);
    if (i >= shortest) {
      auto const there = std::ranges::count_if(reached[i], [](double rounds_there) { return rounds_there > 0; });
      if (there < 2 || rate.texts_agree()) {
        result.unknown = {i + 1, static_cast<std::size_t>(there)};
        break;
      }
      weigh(rate, reached[i]);
    }
    survived = survived * rate;
    result.survival.push_back(survived);
  }
  for (auto* each : {&result.pooled.reached, &result.pooled.rejected}) each->resize(result.survival.size());
  result.pooled.survival.resize(result.survival.size());
  return result;
}

std::vector<TextEstimate> tokens_over_requests(std::span<TextEstimate const> survival, bool bonus) {
  std::vector<TextEstimate> tokens{survival.front() * 0. + 1.};
  TextEstimate sum = tokens.front(), before = sum;
  for (TextEstimate const& reached : survival) {
    before = sum;
    sum = sum + reached;
    tokens.push_back(bonus ? sum : before);
  }
  return tokens;
}

std::optional<RoundDependence> round_dependence(RequestCounts const& counts, RequestSurvival const& survival,
                                                std::uint64_t seed) {
  if (survival.requests() < 2) return std::nullopt;
  TextEstimate const tokens = tokens_over_requests(survival.survival, true).back();
  double const independent = variance_of_independent(survival.pooled);
  if (!(independent > 0)) return std::nullopt;
  RoundDependence found{1, 0, std::pow(tokens.standard_error(), 2) / independent};

  std::vector<Stratum> const strata = strata_of(counts);
  if (strata.empty()) return std::nullopt;
  if (survival.pooled.rounds > most_permuted) {
    auto const p_value = chi_square(strata);
    if (!p_value) return std::nullopt;
    found.p_value = *p_value;
    return found;
  }
  std::vector<Dealt> all(strata.begin(), strata.end());
  auto const total = [&] {
    return std::accumulate(all.begin(), all.end(), 0.,
                           [](double sum, Dealt const& one) { return sum + one.spread(); });
  };
  double const seen = total();
  constexpr double rounding = 1e-9;
  found.permutations = static_cast<int>(std::clamp<std::uint64_t>(20'000'000 / survival.pooled.rounds, 199, 999));
  int as_far = 0;
  for (int order = 0; order < found.permutations; ++order) {
    std::uint32_t used = 0;
    for (Dealt& one : all) shuffle(one.kept, seed, static_cast<std::uint64_t>(order), used);
    as_far += total() >= seen * (1 - rounding);
  }
  found.p_value = (1. + as_far) / (1. + found.permutations);
  return found;
}

}  // namespace draftgauge
