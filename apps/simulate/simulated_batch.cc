#include "apps/simulate/simulated_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/batch/joint_tokens.h"
#include "analysis/report/field.h"
#include "analysis/stats/certificate.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/goodness.h"
#include "analysis/stats/interval.h"
#include "apps/options/confidence.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/options/task_words.h"
#include "apps/output/interruption.h"
#include "apps/simulate/play.h"
#include "apps/task/rule_options.h"
#include "apps/task/schedule_options.h"
#include "gpu/batch_backends.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t rounds_in_a_row = 16;  // of a batch, where nobody says how many
constexpr std::size_t most_pieces = 32;  // of a run, of which the interval is made
constexpr double false_alarm = 1e-6;     // of the test of the joint distribution

BatchTask batch_task_from(Invocation const& args, Source const& source) {
  auto const [rule, gamma] = one_rule_from(args, "simulate", "its result is one tally");
  BatchTask batch{.task = sampled_task_from(args, rule, gamma),
                  .requests = count_at_most(args, "--requests", max_requests),
                  .schedule = args.text("--schedule"),
                  .estimates = args.text("--estimates")};
  if (batch.task.rounds_per_trial == 0) batch.task.rounds_per_trial = rounds_in_a_row;
  int const slots = batch.requests * batch.task.shape.gamma;
  if (slots <= max_batch_slots)
    for (Rational const& time : pass_times_from(args, slots)) batch.times.push_back(static_cast<double>(time));
  Range const range = batches_from(args, batch);
  batch.joint = joint_tokens(source.tables.vocab(), batch.requests, batch.task.shape.gamma, range.size());
  return batch;
}

/// What the counts of the requests' first tokens say of their joint distribution.
struct JointTest {
  int tokens;
  Goodness test;
  std::optional<Certificate> certificate;
  bool fails() const { return test.p_value < false_alarm; }
  std::string_view verdict() const { return fails() ? "fails" : test.cells > 1 ? "holds" : "inconclusive"; }
};

std::optional<JointTest> joint_test(BatchSimulation const& simulation, BatchTally const& tally, double confidence) {
  if (!claims_lossless(simulation.each().rule_called())) return std::nullopt;
  auto const law = joint_law(simulation, tally.layout().requests);
  if (!law) return std::nullopt;
  return JointTest{tally.layout().joint, g_test(tally.joint(), *law), certify(tally.joint(), *law, confidence)};
}

/// What a tally of batches says, each number of a request's round but the time, which is the batch's.
struct BatchFigures {
  double tokens, verified, accepted, time, over_plain;
  std::optional<Interval> tokens_within;
  std::optional<JointTest> joint;

  /// pieces: tokens of a request's round in parts of the run, of as many batches each.
  BatchFigures(BatchSimulation const& simulation, BatchTally const& tally, std::vector<double> const& pieces,
               double confidence)
      : joint(joint_test(simulation, tally, confidence)) {
    Tally const each = tally.each();
    auto const rounds = static_cast<double>(each[TallyLayout::rounds]);
    tokens = static_cast<double>(each[TallyLayout::tokens]) / rounds;
    accepted = static_cast<double>(each[TallyLayout::drafts_accepted]) / rounds;
    double slots = 0, times = 0;
    for (std::size_t n = 0; n < tally.slots().size(); ++n) {
      auto const count = static_cast<double>(tally.slots()[n]);
      slots += count * static_cast<double>(n);
      times += count * simulation.times()[n];
    }
    // A schedule couples the requests of a batch, so that whole batches are what varies.
    if (pieces.size() > 1)
      tokens_within = student_interval(tokens, spread_of(pieces) / std::sqrt(static_cast<double>(pieces.size())),
                                       static_cast<double>(pieces.size()) - 1, confidence);
    verified = slots / rounds;
    time = times * simulation.task().requests / rounds;
    over_plain = tokens * simulation.times().front() / time;
  }
  std::optional<double> wasted() const {
    return verified > 0 ? std::optional(1 - accepted / verified) : std::nullopt;
  }
  bool lossy() const { return joint && joint->fails(); }
};

Json document_of(BatchSimulation const& simulation, PlayedBatches const& played, BatchFigures const& of,
                 double confidence) {
  BatchTask const& task = simulation.task();
  Tally const each = played.tally.each();
  Json document = {{"estimator", "ratio over trials"},
                   {"rule", task.task.rule},
                   {"gamma", task.task.shape.gamma},
                   {"schedule", task.schedule},
                   {"sight", word(schedule_card(simulation.schedule_called()).sight)},
                   {"requests", task.requests},
                   {"estimates", task.estimates},
                   {"range", {played.range.begin, played.range.end}},
                   {"rounds", each[TallyLayout::rounds]},
                   {"tokens", each[TallyLayout::tokens]},
                   {"mean_tokens", interval_document(of.tokens_within, of.tokens, confidence)},
                   {"verified", of.verified},
                   {"wasted", or_null(of.wasted())},
                   {"mean_time", of.time},
                   {"over_plain", of.over_plain}};
  document["slots_histogram"] = std::vector<std::uint64_t>(played.tally.slots().begin(), played.tally.slots().end());
  document["joint"] = nullptr;
  if (auto const& joint = of.joint)
    document["joint"] = {{"tokens", joint->tokens},
                         {"p_value", joint->test.p_value},
                         {"false_alarm", false_alarm},
                         {"tv_at_most", joint->certificate ? Json(joint->certificate->tv_at_most) : Json()},
                         {"verdict", joint->verdict()}};
  return document;
}

std::string joint_text(JointTest const& joint, double confidence) {
  std::string const tokens = counted(static_cast<std::uint64_t>(joint.tokens), "token");
  if (joint.fails())
    return fmt::format("The first {} of all requests, jointly, differ from the target's (p {}{}).", tokens,
                       joint.test.p_value < 1e-10 ? "" : "= ", p_value_text(joint.test.p_value));
  if (!joint.certificate) return {};
  return fmt::format(
      "The first {} of all requests, jointly, are within TV {:.3g} of the target's with {:g} % confidence.", tokens,
      joint.certificate->tv_at_most, 100 * confidence);
}

Section summary_of(BatchSimulation const& simulation, BatchFigures const& of, double confidence) {
  Section summary{.table = Table{{"quantity", "quantity", Align::left}, {"value", "value"}}};
  summary.table.add({"tokens of a request's round",
                     of.tokens_within ? Cell(Estimate{*of.tokens_within, 4}) : Cell(Number{of.tokens, 4})});
  summary.table.add({"drafts verified of a request's round", Number{of.verified, 4}});
  if (auto const wasted = of.wasted())
    summary.table.add({"of them not accepted", Number{*wasted, 1, NumberKind::share}});
  summary.table.add({"time of a batch's round", Number{of.time, 4}});
  summary.table.add({"tokens per time, over no drafts verified", Number{of.over_plain, 4}});
  if (of.joint) summary.note(joint_text(*of.joint, confidence));
  ScheduleCall const& schedule = simulation.schedule_called();
  summary.note(
      fmt::format("Schedule {} is {}.", schedule_card(schedule).name, meaning(schedule_card(schedule).sight)));
  return summary;
}

Section accepted_by_length(BatchTally const& tally) {
  int const gamma = tally.layout().each.gamma;
  Section section{
      .heading = "Rounds of requests by the drafts that were verified",
      .table = Table{
          {"verified", "verified"}, {"rounds", "rounds"}, {"share", "share"}, {"accepted", "accepted on average"}}};
  std::uint64_t all = 0;
  for (int length = 0; length <= gamma; ++length)
    for (int accepted = 0; accepted <= length; ++accepted) all += tally.verified(length, accepted);
  for (int length = 0; length <= gamma; ++length) {
    std::uint64_t rounds = 0;
    double accepted = 0;
    for (int k = 0; k <= length; ++k) {
      rounds += tally.verified(length, k);
      accepted += static_cast<double>(k) * static_cast<double>(tally.verified(length, k));
    }
    if (rounds == 0) continue;
    section.table.add({static_cast<std::int64_t>(length), static_cast<std::int64_t>(rounds),
                       Number{static_cast<double>(rounds) / static_cast<double>(all), 1, NumberKind::share},
                       Number{accepted / static_cast<double>(rounds), 3}});
  }
  return section;
}

}  // namespace

Range batches_from(Invocation const& args, BatchTask const& batch) {
  args.refuse_together("--rounds", {"--range"}, "each says which batches are played");
  if (args.has("--range")) return args.range("--range");
  if (args.has("--time") && !args.has("--rounds")) return {0, std::uint64_t{1} << 40};
  std::uint64_t const each = static_cast<std::uint64_t>(batch.requests) * batch.task.rounds_per_trial;
  return {0, std::max<std::uint64_t>(1, (static_cast<std::uint64_t>(args.count("--rounds")) + each - 1) / each)};
}

Result simulate_batch(Invocation const& args) {
  args.refuse({"--candidates", "--tree", "--policy", "--no-bonus", "--continue", "--store", "--precision", "--shard",
               "--mpi", "--merge", "--id", "--positions", "--gram", "--gram-from", "--cost", "--ops-cost"},
              "has no meaning with --schedule (batches are played, and what they verify is decided together)");
  double const confidence = confidence_from(args);
  Source const source = source_from(args);
  BatchSimulation const simulation(batch_task_from(args, source), source.tables, args.seed());
  BatchTask const& task = simulation.task();
  BatchBackend const backend =
      choose_batch_backend(args.text("--backend"), [&](std::string const& note) { args.warn(note); });
  Range const asked = batches_from(args, task);
  Deadline deadline(args.has("--time") ? std::optional(args.duration("--time")) : std::nullopt);
  Interruption const interruption(false);
  auto bar = args.progress(fmt::format("{}, {} requests", task.schedule, task.requests), asked.size(), "batches");
  PlayedBatches played{BatchTally(simulation.plan().tally), {asked.begin, asked.begin}};
  std::vector<double> pieces;
  std::uint64_t const pieces_asked = std::min<std::uint64_t>(asked.size(), most_pieces);
  simulation.check(asked);
  for (std::uint64_t i = 0; i < pieces_asked && !(i > 0 && deadline.reached()); ++i) {
    Range const piece{asked.begin + asked.size() / pieces_asked * i,
                      i + 1 == pieces_asked ? asked.end : asked.begin + asked.size() / pieces_asked * (i + 1)};
    PlayedBatches const part = simulate_batches(simulation, piece, backend, args.threads(), [&](std::uint64_t done) {
      bar.at(piece.begin - asked.begin + done);
      return !deadline.reached();
    });
    Tally const each = part.tally.each();
    pieces.push_back(static_cast<double>(each[TallyLayout::tokens]) / static_cast<double>(each[TallyLayout::rounds]));
    played.tally += part.tally;
    played.range.end = part.range.end;
    if (part.range.end < piece.end) break;
  }
  BatchFigures const found(simulation, played.tally, pieces, confidence);
  Result result{.document = document_of(simulation, played, found, confidence)};
  result.backend = std::string(backend.name);
  result.inputs = inputs_of(source);
  result.document["source"] = source.description;
  result.document["rounding"] = rounding_of(source.rounding);
  if (found.lossy()) result.status = Status::failed;
  if (Interruption::asked()) result.status = Status::interrupted;
  result.title = fmt::format("{}A request's round emits {:.4f}{} tokens and verifies {:.3f} drafts",
                             found.lossy() ? "Lossy: the requests' texts are not jointly the target's. " : "",
                             found.tokens, bounds_text(found.tokens_within, 4), found.verified);
  Section summary = summary_of(simulation, found, confidence);
  summary.note(fmt::format("{} in batches of {}, {} each: {} on {}.",
                           counted(played.tally.each()[TallyLayout::rounds], "round"),
                           counted(static_cast<std::uint64_t>(task.requests), "request"),
                           counted(task.task.rounds_per_trial, "round"), to_string(task.task), source.description));
  summary.note(fmt::format("{:g} % intervals over {} of the run.", 100 * confidence, counted(pieces.size(), "part")));
  if (!found.joint && claims_lossless(simulation.each().rule_called()))
    summary.note(
        "Not tested: too many combinations of first tokens for so few batches. Play more rounds, or fewer requests.");
  summary.note(rounding_note(source.rounding));
  if (played.range.end < asked.end) summary.note(again(played.range) + ".");
  result.sections = {std::move(summary), accepted_by_length(played.tally)};
  return result;
}

}  // namespace draftgauge
