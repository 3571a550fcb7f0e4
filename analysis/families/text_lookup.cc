#include "analysis/families/text_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

using Tokens = std::span<std::int64_t const>;

void require(std::string_view what, auto value, decltype(value) least) {
  if (value < least) throw UsageError(fmt::format("{} is {} ({} or more)", what, value, least));
}

/// offered(t) → drafts and how many are accepted where the text stands at token t.
std::vector<LookupRound> replayed(std::size_t length, auto const& offered) {
  std::vector<LookupRound> rounds;
  for (std::size_t t = 0; t < length; t += rounds.back().accepted + 1) {
    auto const [drafts, accepted] = offered(t);
    rounds.push_back({t, static_cast<std::uint32_t>(drafts), static_cast<std::uint32_t>(accepted)});
  }
  return rounds;
}

/// Of runs of 1 … longest tokens, where each began first: [n − 1][i], of that which begins at i.
std::vector<std::vector<std::size_t>> first_places(Tokens text, int longest) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t n = 1; n <= static_cast<std::size_t>(longest) && n <= text.size(); ++n) {
    // A run is the run of a token less, known by its first place, and its last token.
    std::map<std::pair<std::size_t, std::int64_t>, std::size_t> first;
    auto& places = all.emplace_back();
    for (std::size_t i = 0; i + n <= text.size(); ++i)
      places.push_back(first.try_emplace({n == 1 ? 0 : all[n - 2][i], text[i + n - 1]}, i).first->second);
  }
  return all;
}

std::size_t common_prefix(Tokens a, Tokens b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// The prefixes of what follows the matches, as a tree.
struct Trie {
  struct Node {
    std::uint32_t depth;
    std::size_t count = 0;
  };
  std::vector<Node> nodes{{0}};
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> children;

  void add(Tokens path) {
    std::size_t at = 0;
    for (std::int64_t const x : path) {
      auto const [place, is_new] = children.try_emplace({at, x}, nodes.size());
      if (is_new) nodes.push_back({nodes[at].depth + 1});
      ++nodes[at = place->second].count;
    }
  }
  /// Which are among the most frequent: with each its parent, which is no rarer, and shorter.
  std::vector<bool> kept(std::size_t most) const {
    std::vector<std::size_t> order(nodes.size() - 1);
    std::iota(order.begin(), order.end(), 1);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return nodes[a].count != nodes[b].count ? nodes[a].count > nodes[b].count : nodes[a].depth < nodes[b].depth;
    });
    std::vector<bool> keep(nodes.size());
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) keep[order[i]] = true;
    return keep;
  }
};

}  // namespace

std::vector<LookupRound> prompt_lookup(std::span<std::int64_t const> text, PromptLookup const& options) {
  require("the longest suffix", options.longest, 1);
  require("the number of drafts", options.drafts, 1);
  auto const first = first_places(text, options.longest);
  auto const drafts = static_cast<std::size_t>(options.drafts);
  return replayed(text.size(), [&](std::size_t t) {
    for (std::size_t n = std::min(first.size(), t); n > 0; --n) {
      std::size_t const after = first[n - 1][t - n] + n;
      // Where the first occurrence is too near, so are later ones. At t the suffix itself ends.
      if (options.whole ? after + drafts > t || after >= t - n : after == t) continue;
      std::size_t const there = std::min(drafts, t - after);
      return std::pair(there, common_prefix(text.subspan(after, there), text.subspan(t)));
    }
    return std::pair<std::size_t, std::size_t>(0, 0);
  });
}

std::vector<LookupRound> pooled_lookup(std::span<std::int64_t const> text, TokenPool const& options) {
  require("the number of drafts", options.drafts, 1);
  require("the number of guesses", options.guesses, 1);
  auto const drafts = static_cast<std::size_t>(options.drafts), guesses = static_cast<std::size_t>(options.guesses);
  std::map<std::int64_t, std::vector<std::size_t>> pool;  // by key: where its runs begin, those met last behind
  std::size_t known = 0;                                  // keys up to here are in it
  return replayed(text.size(), [&](std::size_t t) {
    for (; known + 1 + drafts <= t; ++known) {
      auto& runs = pool[text[known]];
      Tokens const run = text.subspan(known + 1, drafts);
      std::erase_if(runs, [&](std::size_t i) { return std::ranges::equal(text.subspan(i, drafts), run); });
      runs.push_back(known + 1);
      if (runs.size() > guesses) runs.erase(runs.begin());
    }
    auto const found = t > 0 ? pool.find(text[t - 1]) : pool.end();
    std::size_t offered = 0, accepted = 0;
    if (found != pool.end()) {
      offered = found->second.size() * drafts;
      for (std::size_t const run : found->second)
        accepted = std::max(accepted, common_prefix(text.subspan(run, drafts), text.subspan(t)));
    }
    return std::pair(offered, accepted);
  });
}

Datastore::Datastore(std::vector<std::vector<std::int64_t>> texts, int longest)
    : texts_(std::move(texts)), longest_(longest) {
  require("the longest suffix", longest, 1);
  for (std::uint32_t text = 0; text < texts_.size(); ++text)
    for (std::uint32_t token = 0; token < texts_[text].size(); ++token) order_.push_back({text, token});
  // So far beyond the suffix that what follows is in order, too.
  auto const compared = 2 * static_cast<std::size_t>(longest);
  std::ranges::stable_sort(order_, [&](Place const& a, Place const& b) {
    Tokens const left = from(a), right = from(b);
    return std::ranges::lexicographical_compare(left.first(std::min(compared, left.size())),
                                                right.first(std::min(compared, right.size())));
  });
}

std::span<std::int64_t const> Datastore::from(Place place) const {
  return Tokens(texts_[place.text]).subspan(place.token);
}

std::vector<Tokens> Datastore::continuations(Tokens suffix, Retrieval const& options,
                                             std::optional<std::size_t> without) const {
  auto const begins = [&](Place const& place) {
    Tokens const rest = from(place);
    return rest.first(std::min(suffix.size(), rest.size()));
  };
  auto const low = std::ranges::lower_bound(order_, suffix, std::ranges::lexicographical_compare, begins);
  auto const high = std::ranges::upper_bound(low, order_.end(), suffix, std::ranges::lexicographical_compare, begins);
  std::vector<Tokens> all;
  for (Place const& place : std::ranges::subrange(low, high)) {
    Tokens const rest = from(place).subspan(suffix.size());
    if (place.text == without || rest.empty()) continue;
    all.push_back(rest.first(std::min(rest.size(), static_cast<std::size_t>(options.drafts))));
  }
  if (all.size() <= options.matches) return all;
  std::vector<Tokens> some;
  for (std::size_t i = 0; i < options.matches; ++i) some.push_back(all[i * all.size() / options.matches]);
  return some;
}

std::vector<LookupRound> Datastore::rounds(Tokens text, Retrieval const& options,
                                           std::optional<std::size_t> without) const {
  require("the shortest suffix", options.shortest, 1);
  require("the longest suffix", options.longest, options.shortest);
  require("the longest suffix of the store", longest_, options.longest);
  require("the number of drafts", options.drafts, 1);
  require("the number of matches", options.matches, std::size_t{1});
  require("the number of prefixes", options.prefixes, std::size_t{1});
  return replayed(text.size(), [&](std::size_t t) {
    for (std::size_t n = std::min(static_cast<std::size_t>(options.longest), t);
         n >= static_cast<std::size_t>(options.shortest); --n) {
      auto const found = continuations(text.subspan(t - n, n), options, without);
      if (found.empty()) continue;
      Trie trie;
      for (Tokens const& each : found) trie.add(each);
      std::vector<bool> const kept = trie.kept(options.prefixes);
      std::size_t at = 0, accepted = 0;
      for (; t + accepted < text.size(); ++accepted) {
        auto const child = trie.children.find({at, text[t + accepted]});
        if (child == trie.children.end() || !kept[child->second]) break;
        at = child->second;
      }
      return std::pair(static_cast<std::size_t>(std::ranges::count(kept, true)), accepted);
    }
    return std::pair<std::size_t, std::size_t>(0, 0);
  });
}

TextEstimate lookup_tokens(std::span<std::vector<LookupRound> const> rounds,
                           std::shared_ptr<TextSample const> const& sample) {
  std::vector<double> counts;
  for (auto const& text : rounds) counts.push_back(static_cast<double>(text.size()));
  return mean_over_texts(sample->lengths(), sample) / mean_over_texts(counts, sample);
}

TextEstimate lookup_speedup(std::span<std::vector<LookupRound> const> rounds,
                            std::shared_ptr<TextSample const> const& sample, Costs const& costs) {
  std::vector<double> times;
  for (auto const& text : rounds) {
    double& time = times.emplace_back();
    for (LookupRound const& round : text) time += costs.of_tree(0, std::int64_t{round.drafts} + 1);
  }
  return mean_over_texts(sample->lengths(), sample) / mean_over_texts(times, sample);
}

}  // namespace draftgauge
