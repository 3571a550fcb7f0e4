#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/replay/replay.h"
#include "analysis/texts/study.h"
#include "analysis/texts/whole_rounds.h"
#include "analysis/theory/closed_form.h"
#include "analysis/why/counted_tokens.h"
#include "analysis/why/recording_tokens.h"
#include "tests/random.h"

/// An engine that is simulated, whose every cost is known: `why` must find each, and leave nothing.
namespace draftgauge {
namespace {

constexpr int gamma = 4;
constexpr double plain_ms = 20;
Costs const costs{.draft = .15, .verify = {{1, 1}, {2, 1.3}, {5, 1.6}}, .overhead = .2};

/// Texts whose acceptance goes with a state that stays: drafts are kept with .95 or .35. argmax q is the token with a
/// chance of its own.
TokenTrace texts(testing::Random& random, std::size_t count, std::size_t length) {
  TokenTrace trace;
  trace.temperature = 1;
  for (std::size_t i = 0; i < count; ++i) {
    TextTrace text{.name = std::to_string(i)};
    bool easy = random.uniform() < .5;
    for (std::size_t t = 0; t < length; ++t) {
      if (random.uniform() < .15) easy = !easy;
      double const kept = easy ? .95 : .35;
      text.log_p.push_back(std::log(.5));
      text.log_q.push_back(std::log(.5 * kept));
      text.argmax_match.push_back(random.uniform() < kept * kept ? 1 : 0);
    }
    trace.texts.push_back(std::move(text));
  }
  return trace;
}

/// Rounds as they happen, by the number of tokens that each drafts and keeps, and the time that they take.
struct Run {
  EngineCounters counters;
  double ms = 0;

  double steps_per_token() const { return ms / plain_ms / static_cast<double>(*counters.sums.emitted); }
};
/// Each token's draft is kept or not, once; a round may stop after the first `shortest` drafts, with probability
/// `stops`.
Run engine_run(std::vector<std::vector<std::uint8_t>> const& kept, testing::Random& random, double stops = 0) {
  Run run;
  run.counters.file = "run.log";
  std::int64_t tokens = 0;
  for (auto const& text : kept)
    for (std::size_t t = 0; t < text.size();) {
      std::int64_t const drafts = random.uniform() < stops ? 2 : gamma;
      std::int64_t accepted = 0;
      while (accepted < drafts && t + static_cast<std::size_t>(accepted) < text.size() &&
             text[t + static_cast<std::size_t>(accepted)])
        ++accepted;
      auto& histogram = run.counters.sums.histograms[drafts];
      histogram.resize(static_cast<std::size_t>(drafts) + 1);
      ++histogram[static_cast<std::size_t>(accepted)];
      run.ms +=
          plain_ms * (static_cast<double>(drafts) * costs.draft + costs.verify_pass(drafts + 1) + costs.overhead);
      t += static_cast<std::size_t>(accepted) + 1;
      tokens += accepted + 1;
    }
  complete(run.counters.sums);
  run.counters.sums.emitted = tokens;
  return run;
}

std::vector<std::vector<std::uint8_t>> coins(TokenTrace const& trace) {
  std::vector<std::vector<std::uint8_t>> kept;
  for (std::size_t i = 0; i < trace.texts.size(); ++i) {
    std::vector<double> accept;
    for (std::size_t t = 0; t < trace.texts[i].size(); ++t)
      accept.push_back(std::exp(trace.texts[i].log_q[t] - trace.texts[i].log_p[t]));
    CoinRun const run(accept, 7, i);
    kept.emplace_back(run.accepted().begin(), run.accepted().end());
  }
  return kept;
}

void add_costs(WaterfallInput& input, DraftLengths const& lengths) {
  input.drafts = {draft_time(costs, lengths), "costs"};
  input.verification = {verification_time(costs, lengths), "costs"};
  input.overhead = {costs.overhead, "costs"};
  input.batch = {0, "one sequence"};
}

Study study_of(TokenTrace const& trace) {
  StudyOptions options;
  options.estimates = {.gammas = {gamma}, .resamples = 0, .coin_runs = 0};
  return Study(Recorded{trace, Policy::on, {}, {}, {}}, options);
}

double time_of(Waterfall const& found, Cause cause) {
  return found.steps[static_cast<std::size_t>(cause)].time.value();
}

}  // namespace

TEST_CASE("why, a simulated engine: counters explain their own run to the last digit") {
  testing::Random random(3);
  TokenTrace const trace = texts(random, 20, 2000);
  for (double const stops : {0., .3}) {
    Run const run = engine_run(coins(trace), random, stops);
    WaterfallInput input = counted_tokens(run.counters, gamma, .95);
    add_costs(input, counted_lengths(run.counters));
    input.measured = {run.steps_per_token(), "clock"};
    Waterfall const found = waterfall(input, .95);
    CAPTURE(stops);
    CHECK(*found.unexplained() == Approx(0).margin(1e-12));
    double const per_round =
        static_cast<double>(*run.counters.sums.emitted) / static_cast<double>(*run.counters.sums.rounds);
    CHECK(time_of(found, Cause::overhead) == Approx(.2 / per_round));
    // Drafts that end early are no loss of their own: the ideal is of as many as ran.
    double const drafted =
        static_cast<double>(*run.counters.sums.drafted) / static_cast<double>(*run.counters.sums.rounds);
    CHECK(found.mean_drafts == Approx(drafted));
    CHECK(found.ideal == Approx(1 / (1 + drafted)));
    CHECK((drafted < gamma) == (stops > 0));
    CHECK_FALSE(found.knows(Cause::engine));
  }
}

TEST_CASE("why, a simulated engine: by request, the steps of counters have intervals over requests") {
  testing::Random random(6);
  Run all;
  all.counters.file = "run.log";
  for (int request = 0; request < 30; ++request)
    all.counters.requests.push_back(
        {std::to_string(request), engine_run(coins(texts(random, 1, 400)), random).counters.sums});
  all.counters.sums = total(all.counters.requests);
  WaterfallInput const input = counted_tokens(all.counters, gamma, .95);
  Waterfall const found = waterfall(input, .95);
  WaterfallStep const& dependence = found.steps[static_cast<std::size_t>(Cause::dependence)];
  REQUIRE(dependence.interval);
  CHECK((dependence.interval->low < *dependence.time && *dependence.time < dependence.interval->high));
  CHECK(found.steps[0].interval);
  // Sums alone have none: how the errors of α and of tokens per round hang together, they do not tell.
  all.counters.requests.clear();
  CHECK_FALSE(waterfall(counted_tokens(all.counters, gamma, .95), .95)
                  .steps[static_cast<std::size_t>(Cause::dependence)]
                  .interval);
}

// Of 160 000 tokens; five standard errors.
TEST_CASE("why, a simulated engine: a recording predicts each step of the run on its texts") {
  testing::Random random(4);
  TokenTrace const trace = texts(random, 80, 2000);
  Study const study = study_of(trace);
  Run const run = engine_run(coins(trace), random);
  WaterfallInput input = recording_tokens(study, gamma, {Estimator::replay});
  add_costs(input, {{gamma, 1}});
  input.measured = {run.steps_per_token(), "clock"};
  Waterfall const found = waterfall(input, .95);

  double const alpha = study.alpha()->value, eq1 = theory::expected_tokens(alpha, gamma);
  CHECK(alpha == Approx(.65).margin(.02));
  CHECK(time_of(found, Cause::acceptance) == Approx(1 / eq1 - .2));
  // The dependence is what the rounds of a second run are short of Eq. (1), which the recording has not seen.
  Run const second = engine_run(coins(texts(random, 80, 2000)), random);
  double const rounds_per_token =
      static_cast<double>(*second.counters.sums.rounds) / static_cast<double>(*second.counters.sums.emitted);
  CHECK(time_of(found, Cause::dependence) + time_of(found, Cause::ends) ==
        Approx(rounds_per_token - 1 / eq1).margin(.01));
  CHECK(std::abs(time_of(found, Cause::dependence)) > .01);  // so that the margin would have shown it
  CHECK(time_of(found, Cause::engine) == 0);
  CHECK(std::abs(*found.unexplained()) < .005 * *found.measured);
}

TEST_CASE("why, a simulated engine: rounds that run past short texts are no difference of its rule") {
  testing::Random random(6);
  Study const study = study_of(texts(random, 400, 24));
  WaterfallInput input = recording_tokens(study, gamma, {});
  auto const rounds = whole_rounds(study.estimates, Estimator::replay, gamma);
  REQUIRE(rounds);
  auto const engine_step = [&](double tokens_per_round) {
    EngineCounters counters;
    counters.file = "run.log";
    counters.sums = {.rounds = 1'000'000, .accepted = std::llround((tokens_per_round - 1) * 1e6)};
    WaterfallInput of_engine = input;
    add_counted(of_engine, counters, rounds->past, 24, .95);
    Waterfall const found = waterfall(of_engine, .95);
    return std::pair(time_of(found, Cause::ends), time_of(found, Cause::engine));
  };
  double const whole = input.dependent.value->value,
               cut = WholeRounds{*input.dependent.value->over_texts, rounds->past}.cut_at(24).value;
  REQUIRE(whole - cut > .05);  // what was charged to the engine's rule
  auto const [no_ends, whole_step] = engine_step(whole);
  CHECK(no_ends == Approx(0).margin(1e-6));
  CHECK(whole_step == Approx(0).margin(1e-6));
  auto const [ends, cut_step] = engine_step(cut);
  CHECK(ends == Approx(1 / cut - 1 / whole).margin(1e-6));
  CHECK(cut_step == Approx(0).margin(1e-6));
  auto const [other_ends, other_step] = engine_step(whole + .2);
  CHECK((other_ends == Approx(0).margin(1e-6) && other_step < -.01));
}

TEST_CASE("why, a simulated engine: greedy drafts are the engine's step, predicted and counted") {
  testing::Random random(5);
  TokenTrace const trace = texts(random, 40, 2000);
  Study const study = study_of(trace);
  std::vector<std::vector<std::uint8_t>> argmax_matches;
  for (TextTrace const& text : trace.texts) argmax_matches.push_back(text.argmax_match);
  Run const run = engine_run(argmax_matches, random);
  WaterfallInput input = recording_tokens(study, gamma, {Estimator::replay_argmax});
  add_costs(input, {{gamma, 1}});
  input.measured = {run.steps_per_token(), "clock"};
  Waterfall const predicted = waterfall(input, .95);
  // Given the text, rounds of greedy drafts are certain: only a last round that runs past its text's end is counted
  // otherwise.
  CHECK(std::abs(*predicted.unexplained()) < .001 * *predicted.measured);
  CHECK(time_of(predicted, Cause::engine) > .05);

  auto const rounds = whole_rounds(study.estimates, Estimator::replay, gamma);
  add_counted(input, run.counters, rounds->past, 2000, .95);
  Waterfall const counted = waterfall(input, .95);
  CHECK(*counted.unexplained() == Approx(0).margin(1e-12));
  CHECK(time_of(counted, Cause::engine) == Approx(time_of(predicted, Cause::engine)).epsilon(.01));
  CHECK(counted.steps[static_cast<std::size_t>(Cause::engine)].interval);
}

}  // namespace draftgauge
