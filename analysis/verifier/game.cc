#include "analysis/verifier/game.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "sim/base/error.h"
#include "sim/chance/quantise.h"
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

std::vector<double> running_sums(Laws const& laws, auto const& law) {
  std::vector<double> sums;
  for (std::uint32_t row = 0; row < laws.rows(); ++row) {
    std::uint64_t sum = 0;
    for (std::uint64_t const weight : law(row))
      sums.push_back(static_cast<double>(sum += weight) / static_cast<double>(laws.total(row)));
  }
  return sums;
}

VerifierCells checked(Laws const& laws, int gamma) {
  if (laws.contexts().follow != Follow::token)
    throw UsageError("the distributions are no Markov pair (a row of a wrong context would not be seen)",
                     "give as many rows as tokens, the row of each being for what follows it");
  if (gamma < 1) throw UsageError(fmt::format("--gamma {} is out of range (a round has 1 draft or more)", gamma));
  constexpr double most = 0x1p22;
  if (std::pow(laws.vocab(), gamma + 2) > most)
    throw UsageError(
        fmt::format("--gamma {} with --vocab {} has more than 2^22 outcomes to count (each start with each "
                    "text of {} tokens)",
                    gamma, laws.vocab(), gamma + 1),
        "take fewer drafts or tokens");
  return {laws.vocab(), gamma};
}

}  // namespace

Source verifier_pair(std::uint32_t vocab, std::uint64_t seed) {
  if (vocab < 2 || vocab > 1024) throw UsageError(fmt::format("--vocab {} is out of range (2 to 1024)", vocab));
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
          .laws = Laws(rows.take(), Follow::token),
          .rounding = {}};
}

std::size_t VerifierCells::texts_from_start() const {
  std::size_t cells = 1;
  for (int i = 0; i <= gamma; ++i) cells *= vocab;
  return cells;
}

std::size_t VerifierCells::text(std::uint32_t start, std::span<std::int64_t const> tokens) const {
  std::size_t cell = start;
  for (std::int64_t const x : tokens) cell = cell * vocab + static_cast<std::size_t>(x);
  return cell;
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
                         std::span<std::int64_t const> tokens) {
  auto const emitted = static_cast<std::size_t>(std::ranges::find(tokens, -1) - tokens.begin());
  auto const refuse = [&](std::size_t place, std::string const& why) {
    throw InputError(
        fmt::format("round {}, place {}: the verifier returned token {} ({})", number, place, tokens[place], why),
        "return the round's tokens, then -1");
  };
  if (emitted == 0) refuse(0, "a round emits one token or more");
  for (std::size_t place = 0; place < tokens.size(); ++place) {
    bool const known = tokens[place] >= 0 && tokens[place] < std::int64_t{cells.vocab};
    if (place < emitted && !known) refuse(place, fmt::format("tokens are 0 to {}", cells.vocab - 1));
    if (place > emitted && tokens[place] != -1) refuse(place, "it stands after -1, which ends a round");
  }
  std::size_t kept = 0;
  while (kept + 1 < emitted && tokens[kept] == drafts[kept]) ++kept;
  return {emitted, kept, kept + 1 < emitted};
}

VerifierGame::VerifierGame(Laws const& laws, int gamma, std::uint64_t seed)
    : cells_(checked(laws, gamma)),
      seed_(seed),
      sums_p_(running_sums(laws, [&](std::uint32_t row) { return laws.p(row); })),
      sums_q_(running_sums(laws, [&](std::uint32_t row) { return laws.q(row); })),
      texts_{std::vector<std::uint64_t>(cells_.texts()), std::vector<std::uint64_t>(cells_.texts())},
      emitted_(cells_.emitted()),
      accepted_(static_cast<std::size_t>(gamma) + 1) {}

double VerifierGame::uniform(std::uint64_t round, std::uint32_t place) const {
  constexpr std::uint32_t purpose = 254;  // that sim/chance/layout.h leaves free
  Philox::Words const bits =
      Philox::bits({{static_cast<std::uint32_t>(round), static_cast<std::uint32_t>(round >> 32), place, purpose}},
                   {{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)}});
  return static_cast<double>((std::uint64_t{bits.word[0]} << 32 | bits.word[1]) >> 11) * 0x1p-53;
}

std::int64_t VerifierGame::pick(std::vector<double> const& sums, std::uint32_t row, double uniform) const {
  auto const begin = sums.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * cells_.vocab);
  return std::upper_bound(begin, begin + cells_.vocab, uniform) - begin;
}

std::vector<std::int64_t> VerifierGame::starts(Range rounds) const {
  std::vector<std::int64_t> all;
  all.reserve(rounds.size());
  for (std::uint64_t i = rounds.begin; i < rounds.end; ++i)
    all.push_back(static_cast<std::int64_t>(uniform(i, 0) * cells_.vocab));
  return all;
}

std::vector<std::int64_t> VerifierGame::drafts(Range rounds) const {
  std::vector<std::int64_t> all;
  all.reserve(rounds.size() * static_cast<std::size_t>(cells_.gamma));
  for (std::uint64_t i = rounds.begin; i < rounds.end; ++i) {
    auto row = static_cast<std::int64_t>(uniform(i, 0) * cells_.vocab);
    for (int place = 1; place <= cells_.gamma; ++place)
      all.push_back(
          row = pick(sums_q_, static_cast<std::uint32_t>(row), uniform(i, static_cast<std::uint32_t>(place))));
  }
  return all;
}

void VerifierGame::add(Range rounds, std::span<std::int64_t const> starts, std::span<std::int64_t const> drafts,
                       std::span<std::int64_t const> tokens) {
  auto const length = static_cast<std::size_t>(cells_.length());
  std::vector<std::int64_t> text(length);
  for (std::uint64_t i = 0; i < rounds.size(); ++i) {
    std::span<std::int64_t const> const row = tokens.subspan(i * length, length);
    auto const gamma = static_cast<std::size_t>(cells_.gamma);
    auto const [emitted, kept, strayed] = read_round(cells_, rounds.begin + i, drafts.subspan(i * gamma, gamma), row);
    strayed_ += strayed;
    ++accepted_[kept];
    auto const start = static_cast<std::uint32_t>(starts[i]);
    ++emitted_[cells_.emitted(start, row.first(emitted))];
    std::ranges::copy(row.first(emitted), text.begin());
    for (std::size_t place = emitted; place < length; ++place)
      text[place] = pick(sums_p_, static_cast<std::uint32_t>(text[place - 1]),
                         uniform(rounds.begin + i, static_cast<std::uint32_t>(length + place)));
    ++texts_[(rounds.begin + i) % 2][cells_.text(start, text)];
  }
}

}  // namespace draftgauge
