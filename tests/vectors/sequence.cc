#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analysis/sequence/adaptive_lengths.h"
#include "analysis/sequence/difficulty.h"
#include "analysis/sequence/fillings.h"
#include "analysis/sequence/replay.h"
#include "analysis/stats/kaplan_meier.h"
#include "tests/vectors/subjects.h"

namespace draftgauge::vectors {
namespace {

OrderedRounds rounds_in(Json const& accepted, Json const& drafted) {
  OrderedRounds rounds;
  for (std::size_t i = 0; i < accepted.size(); ++i)
    rounds.push_back({accepted[i].get<std::int64_t>(),
                      drafted.is_array() ? drafted[i].get<std::int64_t>() : drafted.get<std::int64_t>()});
  return rounds;
}

Json shown(AcceptanceSequence const& sequence) {
  Json list = Json::array();
  for (Outcome const outcome : sequence)
    list.push_back(outcome == Outcome::hole ? Json() : Json(outcome == Outcome::accepted ? 1 : 0));
  return list;
}

Json of_counts(Json const& inputs) {
  std::int64_t const ask = inputs.at("ask").get<std::int64_t>();
  std::vector<OrderedRounds> texts;
  if (inputs.contains("texts"))
    for (Json const& counts : inputs["texts"]) texts.push_back(rounds_in(counts, inputs.at("gamma")));
  else
    texts.push_back(rounds_in(inputs.at("counts"), inputs.at("drafted")));
  std::int64_t tokens = 0, kept = 0, rejected = 0;
  HoleRate holes;
  std::vector<AcceptanceSequence> sequences;
  for (OrderedRounds const& rounds : texts) {
    AcceptanceSequence const& sequence = sequences.emplace_back(sequence_of(rounds));
    tokens += static_cast<std::int64_t>(sequence.size());
    kept += rounds_to_cover(sequence, ask, Outcome::accepted);
    rejected += rounds_to_cover(sequence, ask, Outcome::rejected);
    holes += hole_rate(rounds);
  }
  Rational const rate = holes.rate<Rational>();
  Rational expected = 0;
  Json shown_all = Json::array();
  for (AcceptanceSequence const& sequence : sequences) {
    expected += expected_rounds(sequence, ask, rate);
    shown_all.push_back(shown(sequence));
  }
  Json found = {{"tokens", tokens},
                {"rounds_if_holes_kept", kept},
                {"rounds_if_holes_rejected", rejected},
                {"mean_tokens_low", text(Rational(tokens, rejected))},
                {"mean_tokens_high", text(Rational(tokens, kept))},
                {"hole_rate", text(rate)},
                {"expected_rounds", text(expected)},
                {"mean_tokens_point", text(tokens / expected)},
                {"truncated_survival", nullptr},
                {"sequence", inputs.contains("texts") ? shown_all : shown_all.front()}};
  if (!inputs.contains("gamma") || ask > inputs["gamma"].get<std::int64_t>()) return found;
  std::vector<std::int64_t> histogram(inputs["gamma"].get<std::size_t>() + 1);
  for (OrderedRounds const& rounds : texts)
    for (OrderedRound const& round : rounds) ++histogram[static_cast<std::size_t>(round.accepted)];
  double truncated = 1;
  std::vector<double> const survival = kaplan_meier(std::span(&histogram, 1)).survival;
  for (std::size_t i = 0; i < survival.size() && std::cmp_less(i, ask); ++i) truncated += survival[i];
  found["truncated_survival"] = truncated;
  return found;
}

Json played(OrderedRounds const& rounds) {
  Json counts = Json::array(), gammas = Json::array();
  for (auto const& [accepted, drafted] : rounds) {
    counts.push_back(accepted);
    gammas.push_back(drafted);
  }
  return {{"counts", counts}, {"gammas", gammas}};
}

Json of_policy(Json const& inputs) {
  AcceptanceSequence const sequence = sequence_of(rounds_in(inputs.at("counts"), inputs.at("gamma")));
  Json const& said = inputs.at("policy");
  auto const whole = [&](char const* key) { return said.at(key).get<std::int64_t>(); };
  auto const answer = [&](auto const& policy) {
    auto const found = rounds_of_fillings(sequence, policy, number(inputs.at("hole")));
    OrderedRounds const none = play(sequence, policy, Outcome::rejected),
                        all = play(sequence, policy, Outcome::accepted);
    return Json{{"fewest", found.fewest},      {"most", found.most},     {"mean", text(found.mean)},
                {"holes_0", played(none)},     {"holes_1", played(all)}, {"rounds_holes_0", none.size()},
                {"rounds_holes_1", all.size()}};
  };
  auto const name = said.at("policy").get<std::string>();
  if (name == "heuristic") return answer(HeuristicLength{whole("first")});
  if (name == "ema")
    return answer(AverageLength<Rational>{whole("first"), number(said.at("weight")), number(said.at("mean")),
                                          whole("add"), whole("most")});
  if (name == "threshold") return answer(ThresholdLength{whole("first"), whole("at"), whole("low"), whole("high")});
  std::vector<std::int64_t> const table = said.at("table");
  return answer(ScheduledLength{table});
}

Json of_difficulty(Json const& inputs) {
  Difficulty<Rational> of;
  for (Json const& row : inputs.at("transition")) {
    of.move.emplace_back();
    for (Json const& chance : row) of.move.back().push_back(number(chance));
  }
  for (Json const& chance : inputs.at("kept")) of.accepted.push_back(number(chance));
  auto const list = [](std::vector<Rational> const& values) {
    Json all = Json::array();
    for (Rational const& value : values) all.push_back(text(value));
    return all;
  };
  std::int64_t const gamma = inputs.at("gamma").get<std::int64_t>();
  auto const ran = rounds_of(of, gamma);
  if (!inputs.contains("ask"))
    return {{"start", list(ran.start)},
            {"first_kept", text(ran.survival.front())},
            {"survival", list(ran.survival)},
            {"mean_tokens", text(ran.tokens)}};
  std::int64_t const ask = inputs["ask"].get<std::int64_t>();
  auto const holes = hole_rates(of, gamma);
  auto const replayed = [&](Rational const& rate) { return text(replayed_tokens(of, gamma, ask, rate)); };
  Json found = {{"truth", text(rounds_of(of, ask).tokens)},
                {"low", replayed(0)},
                {"high", replayed(1)},
                {"point", replayed(holes.seen)},
                {"hole_rate", text(holes.seen)},
                {"true_hole_rate", text(holes.hole)},
                {"truncated_survival", nullptr}};
  if (ask > gamma) return found;
  Rational truncated = 1;
  for (std::int64_t i = 0; i < ask; ++i) truncated += ran.survival[static_cast<std::size_t>(i)];
  found["truncated_survival"] = text(truncated);
  return found;
}

/// A Markov pair's texts, each with its chance, and what a draft of each token is accepted with given the text.
void for_texts(Json const& inputs, std::function<void(Rational const&, std::vector<Rational> const&)> const& f) {
  auto const row = [](Json const& model, int before) {
    std::vector<Rational> chances;
    for (Json const& chance : before < 0 ? model.at("start") : model.at("rows")[static_cast<std::size_t>(before)])
      chances.push_back(number(chance));
    return chances;
  };
  std::size_t const tokens = inputs.at("tokens").get<std::size_t>();
  std::vector<Rational> accepted;
  std::function<void(int, Rational const&)> const step = [&](int before, Rational const& chance) {
    if (accepted.size() == tokens) return f(chance, accepted);
    std::vector<Rational> const p = row(inputs.at("p"), before), q = row(inputs.at("q"), before);
    for (std::size_t x = 0; x < p.size(); ++x) {
      if (p[x] == 0) continue;
      accepted.push_back(q[x] < p[x] ? Rational(q[x] / p[x]) : Rational(1));
      step(static_cast<int>(x), chance * p[x]);
      accepted.pop_back();
    }
  };
  step(-1, 1);
}

Json of_pair(Json const& inputs) {
  std::int64_t const gamma = inputs.at("gamma").get<std::int64_t>(), ask = inputs.at("ask").get<std::int64_t>();
  Rational expected = 0, kept = 0, rejected = 0;
  for_texts(inputs, [&](Rational const& chance, std::vector<Rational> const& accepted) {
    std::size_t const n = accepted.size();
    expected += chance * expected_rounds<Rational>(
                             n, [&](std::size_t t) { return accepted[t]; }, ask);
    for (std::size_t bits = 0; bits < std::size_t{1} << n; ++bits) {
      Rational weight = chance;
      AcceptanceSequence truth;
      for (std::size_t t = 0; t < n; ++t) {
        bool const yes = bits >> t & 1;
        truth.push_back(yes ? Outcome::accepted : Outcome::rejected);
        weight *= yes ? accepted[t] : Rational(1 - accepted[t]);
      }
      // What rounds of `gamma` show of it: a round that the text's end cut accepted what it has.
      AcceptanceSequence seen = sequence_of(play(truth, FixedLength{gamma}, Outcome::rejected));
      seen.resize(n);
      kept += weight * rounds_to_cover(seen, ask, Outcome::accepted);
      rejected += weight * rounds_to_cover(seen, ask, Outcome::rejected);
    }
  });
  return {{"expected_rounds", text(expected)}, {"holes_kept", text(kept)}, {"holes_rejected", text(rejected)}};
}

}  // namespace

Json sequence(Json const& inputs) {
  if (inputs.contains("policy")) return of_policy(inputs);
  if (inputs.contains("transition")) return of_difficulty(inputs);
  if (inputs.contains("p")) return of_pair(inputs);
  return of_counts(inputs);
}

}  // namespace draftgauge::vectors
