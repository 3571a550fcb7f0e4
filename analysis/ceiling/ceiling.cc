#include "analysis/ceiling/ceiling.h"

#include <algorithm>
#include <optional>
#include <string>

#include "analysis/ceiling/equations.h"
#include "analysis/ceiling/linear_program.h"

namespace draftgauge {
namespace {

/// What a stop at a prefix adds to R(Z) − p(z|X)·R(X) of each prefix Z = Xz.
struct Effect {
  std::uint32_t prefix;
  Rational amount;
};

std::vector<std::vector<std::uint32_t>> children_of(DraftedSets const& drafted) {
  std::vector<std::vector<std::uint32_t>> children(drafted.prefixes.size());
  for (std::uint32_t z = 1; z < drafted.prefixes.size(); ++z) children[drafted.prefixes[z].parent].push_back(z);
  return children;
}

/// Of each prefix that a round may stop at. What the root's R, which is 1, adds is the right side's.
std::vector<std::vector<Effect>> effects_of(DraftedSets const& drafted) {
  auto const children = children_of(drafted);
  std::vector<std::vector<Effect>> effects(drafted.prefixes.size());
  for (std::uint32_t x = 1; x < drafted.prefixes.size(); ++x) {
    effects[x] = effects[drafted.prefixes[x].parent];
    auto const own = std::ranges::find(effects[x], x, &Effect::prefix);
    if (own == effects[x].end())
      effects[x].push_back({x, 1});
    else
      own->amount += 1;
    for (std::uint32_t const z : children[x]) effects[x].push_back({z, -drafted.prefixes[z].chance});
  }
  return effects;
}

/// A round's draft and a prefix in it.
struct DraftStop {
  std::uint32_t set, prefix;
};

/// A corner of the program: the stops in its basis, and the prefixes whose bound is met.
struct Corner {
  std::vector<DraftStop> first, more;  ///< one of each set, and those beside it
  std::vector<std::uint32_t> tight;
};

Corner corner_of(DraftedSets const& drafted, std::vector<std::vector<Effect>> const& effects,
                 std::uint64_t most_entries) {
  auto const sets = static_cast<int>(drafted.sets.size());
  std::vector<double> limits;
  for (auto const& [set, probability] : drafted.sets) limits.push_back(static_cast<double>(probability));
  for (std::uint32_t z = 1; z < drafted.prefixes.size(); ++z)
    limits.push_back(drafted.prefixes[z].parent == 0 ? static_cast<double>(drafted.prefixes[z].chance) : 0);
  LinearProgram program(std::move(limits));
  std::vector<DraftStop> stops;
  std::vector<LinearProgram::Entry> entries;
  std::uint64_t entered = 0;
  std::uint32_t number = 0;
  for (auto const& [set, probability] : drafted.sets) {
    for (std::uint32_t const x : set) {
      if (x == 0) continue;  // what is left of a set stops at the root: its row's slack
      entries.assign(1, {static_cast<int>(number), 1});
      for (Effect const& effect : effects[x])
        if (effect.amount != 0)
          entries.push_back({sets + static_cast<int>(effect.prefix) - 1, static_cast<double>(effect.amount)});
      if ((entered += entries.size()) > most_entries)
        throw NotEnumerable("the ceiling's linear program has more than " + std::to_string(most_entries) +
                                " entries (every draft is in it with each of its prefixes)",
                            "use a smaller tree or vocabulary");
      program.add(drafted.prefixes[x].depth, entries);
      stops.push_back({number, x});
    }
    ++number;
  }
  LinearProgram::Solution const solution = program.solve();
  Corner corner;
  std::vector<std::optional<DraftStop>> first(drafted.sets.size());
  for (std::uint32_t set = 0; set < drafted.sets.size(); ++set)
    if (solution.slack[set]) first[set] = {set, 0};
  for (std::size_t i = 0; i < stops.size(); ++i) {
    if (!solution.basic[i]) continue;
    if (first[stops[i].set])
      corner.more.push_back(stops[i]);
    else
      first[stops[i].set] = stops[i];
  }
  for (auto const& stop : first) corner.first.push_back(stop.value());  // a basis has one of every row
  for (std::uint32_t z = 1; z < drafted.prefixes.size(); ++z)
    if (!solution.slack[static_cast<std::size_t>(sets) + z - 1]) corner.tight.push_back(z);
  return corner;
}

/// In the corner the stops of a draft are equally good, and tight bounds are met: as many equations for the prices of
/// tight prefixes, and by the transposed matrix for how often the stops beside the first are made.
struct CornerEquations {
  Equations prices, stops;
};

CornerEquations equations_of(DraftedSets const& drafted, std::vector<std::vector<Effect>> const& effects,
                             Corner const& corner) {
  std::size_t const size = corner.tight.size();
  std::vector<std::optional<std::size_t>> number(drafted.prefixes.size());
  CornerEquations of{Equations(size), Equations(size)};
  for (std::size_t i = 0; i < size; ++i) {
    DraftedPrefix const& tight = drafted.prefixes[corner.tight[i]];
    number[corner.tight[i]] = i;
    if (tight.parent == 0) of.stops.right[i] = tight.chance;
  }
  auto const each_tight = [&](DraftStop const& stop, auto const& with) {
    for (Effect const& effect : effects[stop.prefix])
      if (number[effect.prefix]) with(*number[effect.prefix], effect.amount);
  };
  for (std::size_t i = 0; i < size; ++i) {
    DraftStop const more = corner.more.at(i), first = corner.first[more.set];
    auto const put = [&](Rational const& times) {
      return [&, times](std::size_t tight, Rational const& amount) {
        of.prices.add(i, tight, times * amount);
        of.stops.add(tight, i, times * amount);
      };
    };
    each_tight(more, put(1));
    each_tight(first, put(-1));
    of.prices.right[i] = drafted.prefixes[more.prefix].depth - drafted.prefixes[first.prefix].depth;
  }
  auto probability = drafted.sets.begin();
  for (DraftStop const& first : corner.first) {
    each_tight(first, [&](std::size_t tight, Rational const& amount) {
      of.stops.right[tight] -= probability->second * amount;
    });
    ++probability;
  }
  return of;
}

/// c(X) less |X|: the prices that are paid and earned on the way to X.
std::vector<Rational> scores(DraftedSets const& drafted, std::vector<Rational> const& prices) {
  std::vector<Rational> earned(drafted.prefixes.size()), score(drafted.prefixes.size());
  for (std::uint32_t z = 1; z < drafted.prefixes.size(); ++z)
    earned[drafted.prefixes[z].parent] += drafted.prefixes[z].chance * prices[z];
  score[0] = earned[0];
  for (std::uint32_t x = 1; x < drafted.prefixes.size(); ++x)
    score[x] = score[drafted.prefixes[x].parent] + 1 - prices[x] + earned[x];
  return score;
}

/// Whether stops of these frequencies are a lossless rule's that keeps `value` drafts.
bool attains(DraftedSets const& drafted, std::vector<std::vector<Effect>> const& effects, Corner const& corner,
             std::vector<Rational> const& more, Rational const& value) {
  std::vector<Rational> of_first;
  for (auto const& [set, probability] : drafted.sets) of_first.push_back(probability);
  std::vector<Rational> over(drafted.prefixes.size());  // R(Z) − p(z|X)·R(X), which may not be above 0
  for (std::uint32_t z = 1; z < drafted.prefixes.size(); ++z)
    if (drafted.prefixes[z].parent == 0) over[z] = -drafted.prefixes[z].chance;
  Rational kept = 0;
  auto const stop = [&](DraftStop const& at, Rational const& often) {
    kept += often * drafted.prefixes[at.prefix].depth;
    for (Effect const& effect : effects[at.prefix]) over[effect.prefix] += often * effect.amount;
    return often >= 0;
  };
  for (std::size_t i = 0; i < corner.more.size(); ++i) {
    Rational const& often = more[i];
    of_first[corner.more[i].set] -= often;
    if (!stop(corner.more[i], often)) return false;
  }
  for (std::size_t i = 0; i < corner.first.size(); ++i)
    if (!stop(corner.first[i], of_first[i])) return false;
  return kept == value && std::ranges::all_of(over, [](Rational const& each) { return each <= 0; });
}

}  // namespace

Rational bound_by_prices(DraftedSets const& drafted, std::vector<Rational> const& prices) {
  std::vector<Rational> const score = scores(drafted, prices);
  Rational bound = 0;
  for (auto const& [set, probability] : drafted.sets) {
    std::uint32_t const best = *std::ranges::max_element(set, {}, [&](std::uint32_t x) { return score[x]; });
    bound += probability * score[best];
  }
  return bound;
}

Ceiling ceiling_of(DraftedSets const& drafted, std::uint64_t most_entries) {
  std::vector<std::vector<Effect>> const effects = effects_of(drafted);
  Corner const corner = corner_of(drafted, effects, most_entries);
  CornerEquations const equations = equations_of(drafted, effects, corner);
  auto const prices = equations.prices.solution(), often = equations.stops.solution();
  Ceiling ceiling{.value = 0, .prices = std::vector<Rational>(drafted.prefixes.size()), .attained = false};
  for (std::size_t i = 0; prices && i < corner.tight.size(); ++i)
    ceiling.prices[corner.tight[i]] = std::max((*prices)[i], Rational(0));
  ceiling.value = bound_by_prices(drafted, ceiling.prices);
  ceiling.attained = often && attains(drafted, effects, corner, *often, ceiling.value);
  return ceiling;
}

}  // namespace draftgauge
