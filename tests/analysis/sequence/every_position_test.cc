#include "analysis/sequence/every_position.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "analysis/sequence/replay.h"

using namespace draftgauge;

namespace {

/// Drafts that are accepted less often the deeper they are in a round, whatever stands there.
AcceptedFrom fading(std::mt19937_64& random, std::size_t tokens, std::int64_t longest) {
  std::uniform_real_distribution<double> unit(0, 1);
  AcceptedFrom accepted(tokens);
  for (std::int64_t& run : accepted)
    for (double chance = .9; run < longest && unit(random) < chance; chance *= .9) ++run;
  return accepted;
}

/// Of drafts that depend on the text alone.
AcceptedFrom by_text(AcceptanceSequence const& text) {
  AcceptedFrom accepted(text.size());
  for (std::size_t t = text.size(); t-- > 0;)
    if (text[t] == Outcome::accepted) accepted[t] = 1 + (t + 1 < text.size() ? accepted[t + 1] : 0);
  return accepted;
}

}  // namespace

TEST_CASE("rounds are played from what is accepted at each token, and fit into the text") {
  AcceptedFrom const accepted = {3, 0, 2, 5, 1, 0, 4};
  // From tokens 0, 3 and 6, of which the second has room for three drafts and the last for none.
  CHECK(play_from(accepted, 2) == OrderedRounds{{2, 2}, {2, 2}, {0, 0}});
  CHECK(play_from(accepted, 3) == OrderedRounds{{3, 3}, {1, 3}, {0, 0}});
  CHECK(play_from(accepted, 1) == OrderedRounds{{1, 1}, {1, 1}, {1, 1}, {0, 0}});
  CHECK(rounds_to_cover(accepted, 1) == 4);
  CHECK(rounds_to_cover(accepted, 2) == 3);
  CHECK(rounds_to_cover(accepted, 2, false) == 4);  // at 0, 2, 4, 6: none emits a token behind a full round
  CHECK((play_from({}, 3).empty() && rounds_to_cover({}, 3) == 0));
  CHECK(play_from({7, 7, 7}, 7) == OrderedRounds{{2, 2}});
}

TEST_CASE("rounds that are played cover each token once, at every draft length") {
  std::mt19937_64 random(3);
  for (int run = 0; run < 50; ++run) {
    AcceptedFrom const accepted = fading(random, 40, 6);
    for (std::int64_t gamma = 1; gamma <= 8; ++gamma) {
      OrderedRounds const rounds = play_from(accepted, gamma);
      std::int64_t tokens = 0;
      for (auto const& [kept, drafted] : rounds) {
        CHECK((kept <= drafted && drafted <= gamma));
        tokens += kept + 1;
      }
      CHECK(tokens == 40);
      CHECK(std::ssize(rounds) == rounds_to_cover(accepted, gamma));
    }
  }
}

TEST_CASE("where drafts depend on the text alone the depth test holds everywhere, and the replay is the same") {
  std::mt19937_64 random(4);
  std::bernoulli_distribution right(.7);
  AcceptanceSequence text;
  for (int t = 0; t < 300; ++t) text.push_back(right(random) ? Outcome::accepted : Outcome::rejected);
  AcceptedFrom const accepted = by_text(text);
  DepthTest const found = depth_test(accepted, std::ranges::max(accepted) + 1);
  CHECK((found.held == found.places && found.places > 150));
  CHECK(sequence_of_runs(accepted) == text);
  for (std::int64_t gamma = 1; gamma <= 9; ++gamma)
    for (bool const bonus : {true, false})
      CHECK(rounds_to_cover(accepted, gamma, bonus) == rounds_to_cover(text, gamma, Outcome::rejected, bonus));
}

TEST_CASE("the depth test leaves out where nothing is accepted, what accepts all, and a text's last token") {
  // Places 0 (3 then 2: held), 1 (2 then 0: not), 3 (1 then 0: held); 5 accepted all that was looked at.
  DepthTest const found = depth_test({3, 2, 0, 1, 0, 4, 4, 2}, 4);
  CHECK((found.held == 2 && found.places == 3));
  std::mt19937_64 random(5);
  CHECK(depth_test(fading(random, 5000, 8), 8).share() < .3);
}
