#include "analysis/proof/for_all.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <future>
#include <numeric>
#include <set>
#include <stdexcept>

#include "analysis/proof/identities.h"
#include "analysis/stats/interval.h"
#include "sim/chance/decide.h"
#include "sim/chance/philox.h"
#include "sim/draft/drafting.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

constexpr int finding_bits = 64;   // of an entry: a tie that is not the face's has a chance of about degree/2^64
constexpr int proving_bits = 256;  // of an entry where identities are decided: degrees are nothing beside 2^256
constexpr std::uint64_t points_at_once = 64;
constexpr std::uint64_t visits_of_a_face = 4;
constexpr std::uint64_t prefix_tables = 1000;

/// Random integers: word i of point `index` is a function of (seed, stream, index, i).
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint32_t stream, std::uint64_t index)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), 0, stream}} {}

  std::uint64_t word() {
    Philox::Words const words = Philox::bits(counter_, key_);
    ++counter_.word[2];
    return words.pair(0);
  }
  /// Uniform on 1…2^bits.
  Rational entry(int bits) {
    Integer value = 0;
    for (int done = 0; done < bits; done += 64) value = (value << 64) + word();
    return Rational(value + 1);
  }
  /// On 0…n−1: as uniform as 64 bits are.
  std::uint64_t below(std::uint64_t n) { return static_cast<std::uint64_t>(Uint128{word()} * n >> 64); }

 private:
  Philox::Key key_;
  Philox::Words counter_;
};

bool holds(std::uint32_t mask, Token x) { return (mask >> x & 1) != 0; }

/// Independent entries on the tokens of the mask, divided by their sum and multiplied by `mass`.
void fill(std::vector<Traced>& law, std::uint32_t mask, Traced const& mass, Draws& draws, int bits,
          ComparisonLog& log) {
  Traced sum(0);
  for (Token x = 0; x < law.size(); ++x)
    if (holds(mask, x)) sum += law[x] = Traced::variable(draws.entry(bits), log);
  for (Token x = 0; x < law.size(); ++x)
    if (holds(mask, x)) law[x] = law[x] * mass / sum;
}

TableModel<Traced>::Row row_on(Face const& face, std::uint32_t vocab, Draws& draws, int bits, ComparisonLog& log) {
  TableModel<Traced>::Row row{std::vector<Traced>(vocab), std::vector<Traced>(vocab)};
  fill(row.p, face.p, Traced(1), draws, bits, log);
  Traced rest(face.tied == 0 ? 1 : 0);
  for (Token x = 0; x < vocab; ++x) {
    if (holds(face.tied, x))
      row.q[x] = row.p[x];
    else if (face.tied != 0)
      rest += row.p[x];
  }
  fill(row.q, face.q & ~face.tied, rest, draws, bits, log);
  return row;
}

struct Region {
  std::size_t face;
  std::vector<bool> outcomes;
  friend auto operator<=>(Region const&, Region const&) = default;
};

/// What one point shows.
struct Sighting {
  Region region;
  std::uint64_t degree;
  bool held;
};

/// Surveys one identity on some faces.
class Surveyor {
 public:
  Surveyor(Identity const& identity, std::vector<Face> const& faces, ForAllSearch const& search, std::uint32_t stream,
           double doubt, Survey& survey, std::atomic<std::uint64_t>& points)
      : identity_(identity),
        faces_(faces),
        search_(search),
        stream_(3 * stream),
        doubt_(doubt),
        survey_(survey),
        points_(points) {}

  /// False where the identity failed.
  bool run() {
    std::uint64_t const first = std::max(search_.points, visits_of_a_face * faces_.size());
    auto const in_turn = [&](std::uint64_t i) { return look(i % faces_.size(), Draws(search_.seed, stream_, i)); };
    if (!batch(0, first, in_turn)) return false;
    auto const anywhere = [&](std::uint64_t i) {
      Draws draws(search_.seed, stream_ + 1, i);
      std::size_t const face = draws.below(faces_.size());
      return look(face, draws);
    };
    std::uint64_t fresh = 0;
    for (int number = 1; number <= search_.batches && survey_.unseen_share > ForAllResult::most_unseen; ++number) {
      std::uint64_t const size =
          search_.points * static_cast<std::uint64_t>(number);  // more, where regions keep coming
      before_ = regions_;
      outside_ = 0;
      if (!batch(fresh, size, anywhere)) return false;
      fresh += size;
      // Each batch is looked at, so their doubts must add up to the whole: a half of it, a quarter, …
      doubt_ /= 2;
      survey_.unseen_share = binomial_interval(outside_, size, 1 - 2 * doubt_)->high;
    }
    return true;
  }

 private:
  static std::uint64_t degree_of(std::vector<Traced> const& differences) {
    std::uint64_t most = 0;
    for (Traced const& difference : differences) most = std::max(most, difference.numerator_degree());
    return most;
  }
  static bool vanish(std::vector<Traced> const& differences) {
    return std::ranges::all_of(differences, [](Traced const& difference) { return difference.value().is_zero(); });
  }

  std::vector<Traced> at(std::size_t face, Draws& draws, int bits, ComparisonLog& log) const {
    std::vector<TableModel<Traced>::Row> rows;
    for (std::uint32_t i = 0; i < identity_.rows; ++i)
      rows.push_back(row_on(faces_[face], search_.vocab, draws, bits, log));
    Rational const share = draws.entry(bits) / Rational(Integer(1) << bits);
    return identity_.differences(std::move(rows), Traced::variable(share, log));
  }

  Sighting look(std::size_t face, Draws draws) const {
    ComparisonLog log;
    auto const differences = at(face, draws, finding_bits, log);
    search_.progress(++points_);
    return {{face, log.outcomes()}, degree_of(differences), vanish(differences)};
  }

  /// Points are looked at by several threads and taken in their order, so that the result does not depend on them.
  template <class Look>
  bool batch(std::uint64_t first, std::uint64_t count, Look const& look_at) {
    for (std::uint64_t done = 0; done < count; done += points_at_once) {
      std::vector<Sighting> sightings(std::min(points_at_once, count - done));
      std::atomic<std::size_t> next = 0;
      auto const work = [&] {
        for (std::size_t i; (i = next++) < sightings.size();) sightings[i] = look_at(first + done + i);
      };
      std::vector<std::future<void>> others;
      for (int i = 1; i < search_.threads; ++i) others.push_back(std::async(std::launch::async, work));
      work();
      for (auto& other : others) other.get();
      for (Sighting const& sighting : sightings)
        if (!take(sighting)) return false;
    }
    return true;
  }

  bool take(Sighting const& sighting) {
    survey_.degree = std::max(survey_.degree, sighting.degree);
    outside_ += !before_.contains(sighting.region);
    bool const is_new = regions_.insert(sighting.region).second;
    survey_.regions = regions_.size();
    if (!sighting.held || (is_new && !is_identity_in(sighting.region))) return false;
    ++survey_.points;
    return true;
  }

  bool is_identity_in(Region const& region) {
    ComparisonLog log(region.outcomes);
    Draws draws(search_.seed, stream_ + 2, regions_.size());
    auto const differences = at(region.face, draws, proving_bits, log);
    if (!log.finished()) throw std::logic_error("a program asked for fewer comparisons than its region has");
    survey_.error += std::ldexp(static_cast<double>(degree_of(differences)), -proving_bits);
    return vanish(differences);
  }

  Identity const& identity_;
  std::vector<Face> const& faces_;
  ForAllSearch const& search_;
  std::uint32_t stream_;  // the first of three: regions, fresh points, identities
  double doubt_;
  Survey& survey_;
  std::atomic<std::uint64_t>& points_;
  std::set<Region> regions_, before_;
  std::uint64_t outside_ = 0;  // points of the present batch in regions that are not in before_
};

std::vector<Rational> law_of(std::vector<int> const& weights, int sum) {
  std::vector<Rational> law;
  for (int w : weights) law.emplace_back(w, sum);
  return law;
}

/// A row for every prefix of up to `gamma` tokens, weights 0…9.
ExactModel prefix_model(std::uint32_t vocab, int gamma, Draws draws) {
  auto const law = [&] {
    std::vector<int> weights(vocab);
    int sum = 0;
    while (sum == 0)
      for (int& weight : weights) sum += weight = static_cast<int>(draws.below(10));
    return law_of(weights, sum);
  };
  std::vector<ExactModel::Row> rows;
  std::size_t level = 1;
  for (int depth = 0; depth <= gamma; ++depth, level *= vocab)
    for (std::size_t i = 0; i < level; ++i) {
      auto p = law();
      rows.push_back({std::move(p), law()});
    }
  return {Follow::prefix, std::move(rows)};
}

/// Every way of writing `sum` as `parts` ordered parts ≥ 0.
std::vector<std::vector<int>> compositions(std::uint32_t parts, int sum) {
  if (parts == 1) return {{sum}};
  std::vector<std::vector<int>> all;
  for (int first = sum; first >= 0; --first)
    for (std::vector<int>& weights : compositions(parts - 1, sum - first)) {
      weights.insert(weights.begin(), first);
      all.push_back(std::move(weights));
    }
  return all;
}

int common_divisor(int with, std::vector<int> const& weights) {
  return std::accumulate(weights.begin(), weights.end(), with, [](int a, int b) { return std::gcd(a, b); });
}

}  // namespace

ForAllClaim for_all_claim(Task const& task) {
  ForAllClaim claim;
  with_rule(rule_call(task.rule),
            [&](auto const& rule) { claim = for_all_claim(rule, drafting_of(task), task.shape); });
  claim.tree = task.tree;
  if (drafter_card(with_own_drafting(task).drafter).distinct)
    claim.least_vocab = static_cast<std::uint32_t>(task.shape.branching);
  return claim;
}

std::vector<Face> faces_of(std::uint32_t vocab) {
  std::uint32_t const all = (1u << vocab) - 1;
  std::vector<Face> faces{{all, all, vocab == 1 ? 1u : 0u}};
  for (std::uint32_t p = 1; p <= all; ++p)
    for (std::uint32_t q = 1; q <= all; ++q)
      for (std::uint32_t tied = 0; tied <= (p & q); ++tied) {
        if ((tied & ~(p & q)) != 0) continue;
        std::uint32_t const free_p = p & ~tied, free_q = q & ~tied;
        if ((free_p == 0) != (free_q == 0)) continue;                  // one law would sum to more than the other
        if (free_p == free_q && std::popcount(free_p) == 1) continue;  // what is left is tied too
        if (Face const face{p, q, tied}; face != faces.front()) faces.push_back(face);
      }
  return faces;
}

std::size_t ForAllResult::regions() const {
  std::size_t sum = 0;
  for (Survey const& survey : surveys) sum += survey.regions;
  return sum;
}

std::uint64_t ForAllResult::degree() const {
  std::uint64_t most = 0;
  for (Survey const& survey : surveys) most = std::max(most, survey.degree);
  return most;
}

double ForAllResult::error_bound() const {
  double sum = 0;
  for (Survey const& survey : surveys) sum += survey.error;
  return sum;
}

double ForAllResult::unseen_share() const {
  double most = 0;
  for (Survey const& survey : surveys) most = std::max(most, survey.unseen_share);
  return most;
}

ForAllResult try_for_all(ForAllClaim const& claim, ForAllSearch const& search) {
  if (search.vocab < claim.least_vocab || search.vocab > ForAllSearch::most_vocab)
    throw std::invalid_argument("a vocabulary outside of what the claim and the faces allow");
  ForAllResult result;
  std::vector<Face> const faces = faces_of(search.vocab);
  std::vector<Face> const interior{faces.front()}, boundary(faces.begin() + 1, faces.end());
  double const doubt = (1 - ForAllResult::confidence) / static_cast<double>(2 * claim.identities.size());
  std::uint32_t stream = 0;
  std::atomic<std::uint64_t> points = 0;
  auto const refuted = [&] {
    result.verdict = ForAllVerdict::refuted;
    result.counterexample = smallest_counterexample(claim, search.vocab);
    return result;
  };
  for (Identity const& identity : claim.identities)
    for (std::vector<Face> const* where : {&interior, &boundary}) {
      if (where->empty()) continue;  // one token has one law
      Survey& survey = result.surveys.emplace_back(Survey{identity.name, where == &boundary, where->size()});
      if (!Surveyor(identity, *where, search, stream++, doubt, survey, points).run()) return refuted();
      if (survey.unseen_share > ForAllResult::most_unseen) result.verdict = ForAllVerdict::open;
    }
  result.tables_gamma = std::min(claim.gamma, 2);
  std::uint32_t const vocab = std::max(std::min(search.vocab, 3u), claim.least_vocab);
  for (; result.tables < prefix_tables; ++result.tables) {
    ExactModel const model = prefix_model(vocab, result.tables_gamma, Draws(search.seed, 3 * stream, result.tables));
    if (!claim.distance(model, result.tables_gamma).is_zero()) return refuted();
    search.progress(++points);
  }
  return result;
}

std::optional<RefutingTable> smallest_counterexample(ForAllClaim const& claim, std::uint32_t most_vocab) {
  for (std::uint32_t vocab = claim.least_vocab; vocab <= most_vocab; ++vocab)
    for (int sum = 1; sum <= (vocab > 3 ? 6 : 10); ++sum) {
      auto const all = compositions(vocab, sum);
      for (std::vector<int> const& p : all)
        for (std::vector<int> const& q : all) {
          if (common_divisor(common_divisor(sum, p), q) != 1) continue;  // seen with a smaller denominator
          ExactModel::Row row{law_of(p, sum), law_of(q, sum)};
          Rational distance = claim.distance({Follow::independent, {row}}, claim.gamma);
          if (!distance.is_zero()) return RefutingTable{std::move(row), std::move(distance)};
        }
    }
  return std::nullopt;
}

}  // namespace draftgauge
