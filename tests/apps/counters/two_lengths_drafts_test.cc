#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "analysis/sequence/adaptive_lengths.h"
#include "analysis/sequence/fillings.h"
#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

// Runs over the same requests: of one draft at two draft lengths, and of two drafts at one. Synthetic texts, seeds fixed.
namespace draftgauge {
namespace {

/// Texts whose difficulty changes slowly; `shift` makes all contexts easier for a draft.
std::vector<AcceptanceSequence> texts(double shift) {
  std::vector<AcceptanceSequence> all;
  for (unsigned request = 0; request < 40; ++request) {
    std::mt19937_64 random(request);
    std::uniform_real_distribution<double> unit(0, 1);
    double difficulty = 0;
    AcceptanceSequence& text = all.emplace_back();
    for (int t = 0; t < 600; ++t) {
      difficulty = .9 * difficulty + 1.5 * (unit(random) - .5);
      bool const accepted = unit(random) < 1 / (1 + std::exp(difficulty - 1.2 - shift));
      text.push_back(accepted ? Outcome::accepted : Outcome::rejected);
    }
  }
  return all;
}

/// The log of rounds; requests are named from the last one on where `backwards`.
std::string log_of(std::vector<AcceptanceSequence> const& texts, std::int64_t gamma, std::string const& prefix = "q",
                   bool backwards = false) {
  std::string log;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::size_t const request = backwards ? texts.size() - 1 - i : i;
    std::int64_t start = 0;
    for (OrderedRound const& round : play(texts[request], FixedLength{gamma}, Outcome::rejected)) {
      log += fmt::format("{{\"prompt\": \"{}{}\", \"start\": {}, \"gamma\": {}, \"emitted\": {}}}\n", prefix, request,
                         start, gamma, round.accepted + 1);
      start += round.accepted + 1;
    }
  }
  return log;
}

/// What `gamma` is asked of two runs, at c = .05 each.
std::string asked_of(TemporaryFile const& one, TemporaryFile const& other, std::string const& costs = "_one=.05,_other=.05") {
  return "gamma " + one.path() + " " + other.path() + " --cost " + costs;
}

/// Tokens and rounds of each text at a draft length.
std::vector<std::pair<double, double>> counts(std::vector<AcceptanceSequence> const& texts, std::int64_t gamma) {
  std::vector<std::pair<double, double>> all;
  for (AcceptanceSequence const& text : texts) {
    auto& [tokens, rounds] = all.emplace_back();
    for (OrderedRound const& round : play(text, FixedLength{gamma}, Outcome::rejected))
      tokens += static_cast<double>(round.accepted) + 1, ++rounds;
  }
  return all;
}

}  // namespace

TEST_CASE("counted drafts: one draft at two lengths is replayed to one depth, and the first line says what it is") {
  TemporaryFile const longer("_one.jsonl", log_of(texts(0), 5)), shorter("_other.jsonl", log_of(texts(0), 1));
  std::string const line = asked_of(longer, shorter);
  Run const done = run_line(line);
  CHECK(done.out.starts_with("_one and _other count what one draft would at γ=5 and γ=1: neither is shown to be the "
                             "better draft\n"));
  Json const found = document(line)["counted_drafts"];
  CHECK(found["two_lengths"]["verdict"] == "explained");
  // The shorter one is replayed to 10, as the longer one is, and not to 2.
  Json const& standings = found["standings"];
  CHECK((standings[0]["gamma"] >= 5 && standings[1]["gamma"] >= 5));
  CHECK(number(standings[0]["speedup"]["value"]) == Approx(number(standings[1]["speedup"]["value"])).epsilon(.03));
  CHECK(done.out.find("Nothing is known beyond") == std::string::npos);
  // A shorter replay says how to go on, in the words of a single file.
  CHECK(unwrapped(run_line(line + " --most 2").out).find("_other: The speedup still rises at γ = 2: try --most 4.") !=
        std::string::npos);
  // Of two costs one draft leads; of two drafts, too.
  CHECK(run_line(asked_of(longer, shorter, "_one=.05,_other=.1")).out.starts_with("_one at γ="));
  TemporaryFile const better("_other.jsonl", log_of(texts(1.5), 1));
  CHECK(run_line(asked_of(longer, better)).out.starts_with("_other at γ="));
}

TEST_CASE("counted drafts: a difference over the same requests is taken request by request, whatever their order") {
  auto const of_one = texts(0), of_other = texts(.3);
  TemporaryFile const one("_one.jsonl", log_of(of_one, 2)), other("_other.jsonl", log_of(of_other, 2)),
      turned("_other.jsonl", log_of(of_other, 2, "q", true)), elsewhere("_other.jsonl", log_of(of_other, 2, "x"));
  auto const behind = [&](TemporaryFile const& beside) {
    return document(asked_of(one, beside, "_one=0,_other=0") + " --most 2")["counted_drafts"]["standings"][0];
  };
  Json const paired = behind(other);
  CHECK(paired["paired"] == true);
  CHECK(behind(turned)["behind"] == paired["behind"]);
  // By hand: a ratio of sums over 40 requests, whose differences have Student's t at 39 degrees of freedom.
  auto const first = counts(of_one, 2), second = counts(of_other, 2);
  auto const sums = [](auto const& of) {
    double tokens = 0, rounds = 0;
    for (auto const& [t, r] : of) tokens += t, rounds += r;
    return std::pair(tokens / rounds, rounds);
  };
  auto const [mean, rounds] = sums(first);
  auto const [other_mean, other_rounds] = sums(second);
  double squares = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    double const off = (second[i].first - other_mean * second[i].second) / other_rounds -
                       (first[i].first - mean * first[i].second) / rounds;
    squares += off * off;
  }
  double const error = std::sqrt(squares * 40 / 39), t39 = 2.0226909;
  CHECK(number(paired["behind"]["value"]) == Approx(other_mean - mean));
  CHECK(number(paired["behind"]["low"]) == Approx(other_mean - mean - t39 * error).epsilon(1e-5));
  CHECK(number(paired["behind"]["high"]) == Approx(other_mean - mean + t39 * error).epsilon(1e-5));
  std::string const words = unwrapped(run_line(asked_of(one, other)).out);
  CHECK(words.find("_one has the same requests as the best: the difference is taken request by request.") !=
        std::string::npos);
  CHECK(words.find("Zou") == std::string::npos);
  // Other requests say less.
  Json const apart = behind(elsewhere);
  CHECK(apart["paired"] == false);
  auto const width = [](Json const& of) { return number(of["behind"]["high"]) - number(of["behind"]["low"]); };
  CHECK(width(apart) > 1.5 * width(paired));
}

TEST_CASE("gamma: without a cost the answer leads with the draft length that ran") {
  TemporaryFile const rounds("_one.jsonl", log_of(texts(0), 5));
  Json const found = document("gamma " + rounds.path());
  CHECK(found["curve"].size() == 10);
  CHECK(run_line("gamma " + rounds.path())
            .out.starts_with(fmt::format("{:.3f} [", number(found["curve"][4]["mean_tokens"]))));
  CHECK(unwrapped(run_line("gamma " + rounds.path()).out)
            .find(" tokens per round at γ = 5, and --cost tells the best γ (") != std::string::npos);
  CHECK(run_line("gamma " + rounds.path() + " --most 3").out.find("tokens per round at γ = 3, and") !=
        std::string::npos);
}

TEST_CASE("gamma: drafts of thousands of tokens are replayed to 256, and few bytes take no minutes") {
  auto const rounds = [](std::string const& name) {
    std::string log;
    for (int round = 0; round < 20; ++round)
      log += fmt::format("{{\"prompt\": \"{}\", \"start\": {}, \"gamma\": 4096, \"emitted\": {}}}\n", name,
                         4097 * round, round < 19 ? 4097 : 1);
    return log;
  };
  TemporaryFile const file("_long.jsonl", rounds("a") + rounds("b"));
  Json const found = document("gamma " + file.path() + " --cost .05");
  CHECK((found["replay"]["gamma_ran"] == 4096 && found["replay"]["curve"].size() == 256));
  CHECK(found["best_gamma"] == 256);
  CHECK(found["notes"].dump().find("Drafts of up to 4096 tokens ran. The replay ends at γ = 256.") !=
        std::string::npos);
  CHECK(unwrapped(run_line("gamma " + file.path() + " --cost .05").out).find("try --most") == std::string::npos);
  CHECK(complaint("gamma " + file.path() + " --cost .05 --resamples 5000")
            .starts_with("error: 5000 resamples of drafts of up to 256 tokens are too many"));
}

}  // namespace draftgauge
