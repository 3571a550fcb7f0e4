#include "analysis/verifier/game.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/chance/layout.h"
#include "sim/model/quantise.h"
#include "sim/sources/random.h"

namespace draftgauge {
namespace {

/// Exponential variables, which divided by their sum are uniform on the simplex; 0 for one token.
std::vector<double> exponentials(std::uint32_t vocab, LawRandom random, std::uint32_t excluded) {
  std::vector<double> all(vocab);
  for (std::uint32_t x = 0; x < vocab; ++x) {
    double const uniform = (static_cast<double>(random() >> 11) + .5) * 0x1p-53;
    all[x] = x == excluded ? 0 : -std::log(uniform);
  }
  return all;
}

/// In integers with that total, none of which vanishes.
std::vector<std::uint64_t> shares(std::vector<double> const& weights, std::uint64_t total) {
  auto const positive = static_cast<std::uint64_t>(std::ranges::count_if(weights, [](double w) { return w > 0; }));
  std::vector<std::uint64_t> all = apportion(weights, total - positive);
  for (std::size_t x = 0; x < all.size(); ++x) all[x] += weights[x] > 0;
  return all;
}

std::vector<double> running_sums(PairTables const& tables, auto const& law) {
  std::vector<double> sums;
  for (std::uint32_t row = 0; row < tables.rows(); ++row) {
    std::uint64_t sum = 0;
    for (std::uint64_t const weight : law(row))
      sums.push_back(static_cast<double>(sum += weight) / static_cast<double>(tables.total(row)));
  }
  return sums;
}

/// How many of the tokens are drafts, each below the one before; equal siblings are one.
std::size_t leading_drafts(VerifierCells const& cells, std::span<std::int64_t const> drafts,
                           std::span<std::int64_t const> tokens) {
  std::size_t kept = 0;
  if (!cells.is_tree()) {
    while (kept < tokens.size() && tokens[kept] == drafts[kept]) ++kept;
    return kept;
  }
  std::vector<std::uint32_t> nodes{0}, below;
  for (; kept < tokens.size(); ++kept) {
    below.clear();
    for (std::uint32_t const node : nodes) {
      TreeNode const children = cells.tree.children(node);
      for (std::uint32_t child = children.first; child < children.first + children.count; ++child)
        if (drafts[child - 1] == tokens[kept]) below.push_back(child);
    }
    if (below.empty()) break;
    nodes.swap(below);
  }
  return kept;
}

VerifierCells checked(PairTables const& tables, int gamma, int rounds, std::optional<int> wanted, TreeShape tree = {},
                      bool without = false) {
  if (tables.contexts().follow != Follow::token)
    throw UsageError("the distributions are no Markov pair (a row of a wrong context would not be seen)",
                     "give as many rows as tokens, the row of each being for what follows it");
  if (gamma < 1) throw UsageError(fmt::format("`gamma` {} is out of range (a round has 1 draft or more)", gamma));
  if (rounds < 1)
    throw UsageError(fmt::format("`rounds-per-text` {} is out of range (a text has 1 round or more)", rounds));
  int const length = wanted.value_or(gamma + 1);
  if (length <= gamma)
    throw UsageError(fmt::format("`tokens-per-text` {} is out of range (a round emits up to {})", length, gamma + 1));
  if (without && tree.widest() > static_cast<int>(tables.vocab()))
    throw UsageError(
        fmt::format("a node has {} children, all different, of {} tokens", tree.widest(), tables.vocab()),
        "take fewer");
  constexpr double most = 0x1p22;
  if (std::pow(tables.vocab(), length + 1) > most)
    throw UsageError(fmt::format("`gamma` {} with `vocab` {} has more than 2^22 outcomes to count (each start with "
                                 "each text of {} tokens)",
                                 gamma, tables.vocab(), length),
                     "take fewer drafts or tokens");
  return {tables.vocab(), gamma, rounds, length, std::move(tree), without};
}

}  // namespace

Source verifier_pair(std::uint32_t vocab, std::uint64_t seed) {
  if (vocab < 2 || vocab > 1024) throw UsageError(fmt::format("`vocab` {} is out of range (2 to 1024)", vocab));
  std::uint64_t const total = std::max<std::uint64_t>(256, std::bit_ceil(std::uint64_t{8} * vocab));
  RowList rows;
  for (std::uint32_t row = 0; row < vocab; ++row) {
    bool const excludes = vocab >= 4;
    std::uint32_t const not_p = excludes ? (row + 1) % vocab : vocab, not_q = excludes ? (row + 2) % vocab : vocab;
    std::vector<double> const p = exponentials(vocab, LawRandom(seed, row, 0), not_p);
    std::vector<double> const other = exponentials(vocab, LawRandom(seed, row, 1), not_q);
    double const sum_p = std::accumulate(p.begin(), p.end(), 0.0);
    double const sum_other = std::accumulate(other.begin(), other.end(), 0.0);
    std::vector<double> q(vocab);  // two thirds p: rounds then reach their bonus token
    for (std::uint32_t x = 0; x < vocab; ++x) q[x] = x == not_q ? 0 : 2 * p[x] / sum_p + other[x] / sum_other;
    rows.add_exact({shares(p, total), shares(q, total), total});
  }
  return {.description = fmt::format("verifier pair: vocab={}, seed={}", vocab, seed),
          .tables = PairTables(rows.take(), Follow::token),
          .rounding = {}};
}

std::size_t VerifierCells::texts() const {
  std::size_t cells = vocab;
  for (int i = 0; i < length; ++i) cells *= vocab;
  return cells;
}

std::size_t VerifierCells::text(std::uint32_t start, std::span<std::int64_t const> tokens) const {
  std::size_t cell = start;
  for (std::int64_t const x : tokens) cell = cell * vocab + static_cast<std::size_t>(x);
  return cell;
}

std::pair<std::uint32_t, std::vector<std::uint32_t>> VerifierCells::beginning(std::size_t text, int tokens) const {
  std::vector<std::uint32_t> digits(static_cast<std::size_t>(tokens));
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, text /= vocab)
    *digit = static_cast<std::uint32_t>(text % vocab);
  return {static_cast<std::uint32_t>(text), std::move(digits)};
}

std::size_t VerifierCells::emitted_from_start() const {
  std::size_t cells = 0, longer = 1;
  for (int i = 0; i <= gamma; ++i) cells += longer *= vocab;
  return cells;
}

std::size_t VerifierCells::emitted(std::uint32_t start, std::span<std::int64_t const> tokens) const {
  std::size_t cell = 0, shorter = 0, power = 1;
  for (std::int64_t const x : tokens) {
    cell = cell * vocab + static_cast<std::size_t>(x);
    shorter += power *= vocab;
  }
  return start * emitted_from_start() + shorter - power + cell;
}

VerifierRound read_round(VerifierCells const& cells, std::uint64_t number, std::span<std::int64_t const> drafts,
                         std::span<std::int64_t const> tokens, bool continued) {
  auto const emitted = static_cast<std::size_t>(std::ranges::find(tokens, -1) - tokens.begin());
  auto const refuse = [&](std::size_t place, std::string const& why) {
    throw InputError(fmt::format("round {}{}, place {}: the verifier returned token {} ({})", number,
                                 continued ? " continued" : "", place, tokens[place], why),
                     "return the round's tokens, then -1");
  };
  if (emitted == 0) refuse(0, "a round emits one token or more");
  for (std::size_t place = 0; place < tokens.size(); ++place) {
    bool const known = tokens[place] >= 0 && tokens[place] < std::int64_t{cells.vocab};
    if (place < emitted && !known) refuse(place, fmt::format("tokens are 0 to {}", cells.vocab - 1));
    if (place > emitted && tokens[place] != -1) refuse(place, "it stands after -1, which ends a round");
  }
  std::size_t const kept = leading_drafts(cells, drafts, tokens.first(emitted - 1));
  return {emitted, kept, kept + 1 < emitted};
}

VerifierGame::VerifierGame(PairTables const& tables, int gamma, std::uint64_t seed, int rounds,
                           std::optional<int> length)
    : VerifierGame(tables, checked(tables, gamma, rounds, length), seed) {}

VerifierGame::VerifierGame(PairTables const& tables, TreeShape tree, bool without, std::uint64_t seed, int rounds,
                           std::optional<int> length)
    : VerifierGame(tables, checked(tables, tree.depth(), rounds, length, tree, without), seed) {}

VerifierGame::VerifierGame(PairTables const& tables, VerifierCells cells, std::uint64_t seed)
    : tables_(tables),
      cells_(std::move(cells)),
      seed_(seed),
      sums_p_(running_sums(tables, [&](std::uint32_t row) { return tables.p(row); })),
      sums_q_(running_sums(tables, [&](std::uint32_t row) { return tables.q(row); })),
      texts_{std::vector<std::uint64_t>(cells_.texts()), std::vector<std::uint64_t>(cells_.texts())},
      first_(cells_.rounds > 1 ? cells_.single().texts() : 0),
      emitted_(cells_.emitted()),
      accepted_(static_cast<std::size_t>(cells_.gamma) + 1) {}

double VerifierGame::uniform(std::uint64_t text, std::uint32_t place) const {
  return unit_number(layout::Address::of(seed_, text, place).words(layout::verifier_text, 0).pair(0));
}

std::int64_t VerifierGame::pick(std::vector<double> const& sums, std::uint32_t row, double uniform) const {
  auto const begin = sums.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * cells_.vocab);
  return std::upper_bound(begin, begin + cells_.vocab, uniform) - begin;
}

std::vector<std::uint64_t> VerifierGame::texts() const {
  std::vector<std::uint64_t> both = texts_[0];
  for (std::size_t i = 0; i < both.size(); ++i) both[i] += texts_[1][i];
  return both;
}

std::vector<std::int64_t> VerifierGame::starts(Range texts) const {
  std::vector<std::int64_t> all;
  all.reserve(texts.size());
  for (std::uint64_t i = texts.begin; i < texts.end; ++i)
    all.push_back(static_cast<std::int64_t>(uniform(i, 0) * cells_.vocab));
  return all;
}

OpenTexts VerifierGame::open(Range texts, std::vector<std::int64_t> starts) const {
  std::size_t const count = starts.size();
  return {.range = texts,
          .starts = starts,
          .last = std::move(starts),
          .emitted = std::vector<std::int64_t>(count),
          .tokens = std::vector<std::int64_t>(count * static_cast<std::size_t>(cells_.length))};
}

std::int64_t VerifierGame::pick_another(std::uint32_t row, std::span<std::int64_t const> drawn,
                                        double uniform) const {
  std::vector<double> left(cells_.vocab);
  double sum = 0;
  for (bool const any : {false, true}) {
    for (std::uint32_t x = 0; x < cells_.vocab; ++x) {
      bool const taken = contains(drawn, std::int64_t{x});
      left[x] = sum += taken ? 0 : any ? 1 : static_cast<double>(tables_.q(row)[x]);
    }
    if (sum > 0) break;
  }
  return std::ranges::upper_bound(left, uniform * sum) - left.begin();
}

std::vector<std::int64_t> VerifierGame::drafts(OpenTexts const& texts) const {
  std::size_t const drafted = cells_.drafted();
  std::vector<std::int64_t> all(texts.last.size() * drafted);
  // Places of a text's randomness: 0 its start, from 1 on the first drafts, from `length` on what is completed. Trees
  // have more drafts.
  std::uint32_t const before = static_cast<std::uint32_t>(texts.rounds) << 16 | (cells_.is_tree() ? 0x4000 : 0);
  static_assert(max_tree_nodes < 0x4000);
  for (std::size_t i = 0; i < texts.last.size(); ++i) {
    std::span<std::int64_t> const row(all.data() + i * drafted, drafted);
    for (std::uint32_t node = 1; node <= drafted; ++node) {
      std::uint32_t const above =
          cells_.is_tree() ? static_cast<std::uint32_t>(cells_.tree.parents()[node]) : node - 1;
      auto const context = static_cast<std::uint32_t>(above == 0 ? texts.last[i] : row[above - 1]);
      double const chance = uniform(texts.range.begin + i, before | node);
      std::uint32_t const first = cells_.without ? cells_.tree.children(above).first : node;
      row[node - 1] = first == node ? pick(sums_q_, context, chance)
                                    : pick_another(context, row.subspan(first - 1, node - first), chance);
    }
  }
  return all;
}

void VerifierGame::complete(std::uint64_t text, std::int64_t start, std::span<std::int64_t> tokens,
                            std::size_t there) const {
  for (std::size_t place = there; place < tokens.size(); ++place)
    tokens[place] = pick(sums_p_, static_cast<std::uint32_t>(place == 0 ? start : tokens[place - 1]),
                         uniform(text, static_cast<std::uint32_t>(tokens.size() + place)));
}

void VerifierGame::add(OpenTexts& texts, std::span<std::int64_t const> drafts, std::span<std::int64_t const> tokens) {
  auto const row = static_cast<std::size_t>(cells_.row()), length = static_cast<std::size_t>(cells_.length);
  std::size_t const drafted = cells_.drafted();
  bool const first = texts.rounds == 0, last = ++texts.rounds == cells_.rounds;
  std::vector<std::int64_t> alone(row);
  for (std::size_t i = 0; i < texts.last.size(); ++i) {
    std::uint64_t const number = texts.range.begin + i;
    std::span<std::int64_t const> const returned = tokens.subspan(i * row, row);
    auto const [emitted, kept, strayed] =
        read_round(cells_, number, drafts.subspan(i * drafted, drafted), returned, !first);
    strayed_ += strayed;
    auto const start = static_cast<std::uint32_t>(texts.starts[i]);
    if (first) {
      ++accepted_[kept];
      ++emitted_[cells_.emitted(start, returned.first(emitted))];
    }
    if (first && !last) {
      std::ranges::copy(returned.first(emitted), alone.begin());
      complete(number, texts.starts[i], alone, emitted);
      ++first_[cells_.single().text(start, alone)];
    }
    std::span<std::int64_t> const text(texts.tokens.data() + i * length, length);
    std::size_t const there = std::min(static_cast<std::size_t>(texts.emitted[i]), length);
    std::ranges::copy(returned.first(std::min(emitted, length - there)),
                      text.begin() + static_cast<std::ptrdiff_t>(there));
    texts.emitted[i] += static_cast<std::int64_t>(emitted);
    texts.last[i] = returned[emitted - 1];
    if (!last) continue;
    complete(number, texts.starts[i], text, std::min(static_cast<std::size_t>(texts.emitted[i]), length));
    ++texts_[number % 2][cells_.text(start, text)];
  }
}

}  // namespace draftgauge
