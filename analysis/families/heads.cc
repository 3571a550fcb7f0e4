#include "analysis/families/heads.h"

#include <algorithm>

#include "analysis/stats/token_coin.h"
#include "sim/base/error.h"
#include "sim/rows/most_likely.h"

namespace draftgauge {
namespace {

/// A text that the target writes, token by token.
class Writer {
 public:
  Writer(PairTables const& tables, std::uint64_t seed, std::uint64_t number)
      : tables_(tables), contexts_(tables.contexts()), coins_(seed, number) {
    row_ = tables.beginning() ? *tables.beginning() : below(tables.rows());
  }

  std::uint32_t row() const { return row_; }
  Token next() {
    auto const p = tables_.p(row_);
    std::uint64_t left = below(tables_.total(row_));
    Token x = 0;
    while (left >= p[x]) left -= p[x++];
    row_ = contexts_.after(row_, x);
    return x;
  }

 private:
  template <class Integer>
  Integer below(Integer count) {
    return static_cast<Integer>(coins_.next() * static_cast<double>(count));
  }

  PairTables const& tables_;
  Contexts contexts_;
  TokenCoins coins_;
  std::uint32_t row_;
};

/// Where heads stand that guess for a text: after it, or a token before its end.
struct Place {
  std::uint32_t before, here;

  std::span<Token const> guesses(HeadGuesses& of, HeadsSee see, int distance) const {
    return see == HeadsSee::all ? of.at(here, distance) : of.at(before, distance + 1);
  }
};

}  // namespace

HeadGuesses::HeadGuesses(PairTables const& tables, int distances, int ranks)
    : tables_(&tables), distances_(distances), ranks_(ranks) {
  if (tables.rows() > 1 && !is_chain(tables.contexts().follow))
    throw UsageError(
        "heads guess from contexts that follow from the tokens (here they do not, and no token is likelier for those "
        "before it)",
        "give one context, a Markov pair or n-grams");
}

std::span<Token const> HeadGuesses::at(std::uint32_t row, int distance) {
  auto const [found, is_new] = known_.try_emplace(row);
  if (is_new) found->second = guesses(row);
  return found->second[static_cast<std::size_t>(distance) - 1];
}

std::vector<std::vector<Token>> HeadGuesses::guesses(std::uint32_t row) const {
  Contexts const contexts = tables_->contexts();
  std::vector<double> here(tables_->rows());  // of contexts, so many tokens on
  here[row] = 1;
  std::vector<std::vector<Token>> all;
  for (int distance = 1; distance <= distances_; ++distance) {
    std::vector<double> tokens(tables_->vocab()), next(tables_->rows());
    for (std::uint32_t each = 0; each < tables_->rows(); ++each) {
      if (here[each] == 0) continue;
      auto const p = tables_->p(each);
      double const scale = here[each] / static_cast<double>(tables_->total(each));
      for (Token x = 0; x < tables_->vocab(); ++x) {
        if (p[x] == 0) continue;
        double const both = scale * static_cast<double>(p[x]);
        tokens[x] += both;
        next[contexts.after(each, x)] += both;
      }
    }
    all.push_back(most_likely(tokens, static_cast<std::size_t>(ranks_)));
    here = std::move(next);
  }
  return all;
}

std::vector<std::vector<double>> head_accuracies(HeadGuesses& guesses, int heads, int ranks, HeadsSee see,
                                                 HeadTexts const& texts) {
  auto const count = static_cast<std::size_t>(heads);
  std::vector<std::vector<double>> right(count, std::vector<double>(static_cast<std::size_t>(ranks)));
  for (std::uint64_t number = 0; number < texts.texts; ++number) {
    Writer writer(guesses.tables(), texts.seed, number);
    std::vector<Place> places;  // where the text so far may be guessed on from, the last one last
    for (std::uint64_t i = 0; i < texts.length + count; ++i) {
      std::uint32_t const before = writer.row();
      Token const x = writer.next();
      for (std::size_t k = 0; k < std::min(count, places.size()); ++k) {
        std::size_t const place = places.size() - 1 - k;
        if (place >= texts.length) continue;
        auto const guess = places[place].guesses(guesses, see, static_cast<int>(k) + 1).first(right[k].size());
        auto const rank = static_cast<std::size_t>(std::ranges::find(guess, x) - guess.begin());
        if (rank < guess.size()) ++right[k][rank];
      }
      places.push_back({before, writer.row()});
    }
  }
  for (std::vector<double>& ranks_of_head : right)
    for (double& each : ranks_of_head) each /= static_cast<double>(texts.texts * texts.length);
  return right;
}

PlayedHeads play_heads(HeadGuesses& guesses, TreeShape const& tree, HeadsSee see, HeadTexts const& texts) {
  PlayedHeads played{{}, std::vector<std::uint64_t>(tree.size())};
  for (std::uint64_t number = 0; number < texts.texts; ++number) {
    Writer writer(guesses.tables(), texts.seed, number);
    std::uint64_t accepted = 0;
    std::uint32_t before = writer.row();
    writer.next();
    for (std::uint64_t round = 0; round < texts.length; ++round) {
      Place const place{before, writer.row()};
      for (std::uint32_t node = 0;;) {
        ++played.passed[node];
        before = writer.row();
        Token const x = writer.next();
        TreeNode const children = tree.children(node);
        if (children.count == 0) break;
        auto const guess = place.guesses(guesses, see, tree.depth(node) + 1).first(children.count);
        auto const rank = static_cast<std::size_t>(std::ranges::find(guess, x) - guess.begin());
        if (rank == guess.size()) break;
        node = children.first + static_cast<std::uint32_t>(rank);
        ++accepted;
      }
    }
    played.rounds.add(accepted, texts.length);
  }
  return played;
}

}  // namespace draftgauge
