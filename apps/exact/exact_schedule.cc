#include "apps/exact/exact_schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/batch/exact_batch.h"
#include "analysis/stats/counted.h"
#include "apps/exact/for_all_command.h"
#include "apps/options/exact_numbers.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/options/task_words.h"
#include "apps/task/rule_options.h"
#include "apps/task/schedule_options.h"
#include "sim/base/error.h"
#include "sim/schedules/estimates.h"

namespace draftgauge {
namespace {

constexpr std::size_t lengths_shown = 12;
constexpr std::size_t most_starts = 64;

/// What is asked of a batch, and its round from every combination of first contexts, each equally likely.
struct ScheduledBatch {
  ScheduleCall schedule;
  std::vector<Rational> times;
  int length = 1;  ///< tokens of each request that are compared
  ExactBatch mean = {};
  std::vector<std::vector<Rational>> first_tokens = {};  ///< [request][token]
  std::optional<Interaction> interaction = {};           ///< the first, from any of these contexts

  void add(ExactBatch const& from, Rational const& share, std::uint32_t vocab) {
    for (auto const& [lengths, chance] : from.lengths) mean.lengths[lengths] += share * chance;
    std::size_t const requests = from.tokens.size();
    mean.tokens.resize(requests);
    mean.distance_each.resize(requests);
    first_tokens.resize(requests, std::vector<Rational>(vocab));
    for (std::size_t r = 0; r < requests; ++r) {
      mean.tokens[r] += share * from.tokens[r];
      mean.distance_each[r] += share * from.distance_each[r];
      auto const first = marginal(from.each[r], 0, vocab);
      for (std::uint32_t x = 0; x < vocab; ++x) first_tokens[r][x] += share * first[x];
    }
    mean.distance += share * from.distance;
    mean.paths += from.paths;
  }
  Rational mean_time() const {
    Rational time = 0;
    for (auto const& [lengths, chance] : mean.lengths) {
      std::size_t slots = 0;
      for (int const one : lengths) slots += static_cast<std::size_t>(one);
      time += chance * times.at(slots);
    }
    return time;
  }
};

ScheduledBatch enumerated(Invocation const& args, Simulation const& simulation, ExactModel const& model) {
  int const gamma = simulation.task().shape.gamma;
  int const count = count_at_most(args, "--requests", max_requests);
  std::vector<std::uint32_t> starts = simulation.starts();
  if (starts.empty()) starts = {0};
  double combinations = 1;
  for (int r = 0; r < count; ++r) combinations *= static_cast<double>(starts.size());
  if (combinations > static_cast<double>(most_starts))
    throw UsageError(
        fmt::format("{} from {} contexts each may start in {:.0f} ways (at most {} are enumerated)",
                    counted(static_cast<std::uint64_t>(count), "request"), starts.size(), combinations, most_starts),
        "add --start, or give fewer --requests");
  ScheduledBatch batch{.schedule = schedule_call(args.text("--schedule")),
                       .times = pass_times_from(args, count * gamma),
                       .length = gamma + 1};
  EstimateText const estimates = parse_estimates(args.text("--estimates"));
  auto bar = args.progress(fmt::format("{}, every draft of the batch", schedule_text(batch.schedule)),
                           static_cast<std::uint64_t>(combinations), "starts");
  for (std::uint64_t which = 0; which < static_cast<std::uint64_t>(combinations); ++which) {
    std::vector<BatchRequest> requests;
    for (std::uint64_t r = 0, rest = which; r < static_cast<std::uint64_t>(count); ++r, rest /= starts.size())
      requests.push_back({&model, starts[rest % starts.size()], gamma});
    ExactSchedule const schedule =
        exact_schedule(batch.schedule, requests, slot_estimates(estimates, requests), batch.times);
    batch.add(exact_batch(simulation.task().rule, requests, schedule, batch.length),
              Rational(1, static_cast<std::uint64_t>(combinations)), model.contexts().vocab);
    if (!batch.interaction) batch.interaction = first_interaction(requests, schedule);
    bar.at(which + 1);
  }
  return batch;
}

std::string text_of_tokens(std::vector<Token> const& tokens) { return fmt::format("{}", fmt::join(tokens, ",")); }

std::string interaction_text(Interaction const& interaction) {
  std::vector<std::string> texts, others, requests;
  for (std::size_t i = 0; i < interaction.requests.size(); ++i) {
    texts.push_back(text_of_tokens(interaction.texts[i]));
    std::vector<Token> other = interaction.texts[i];
    other.back() = interaction.others[i];
    others.push_back(text_of_tokens(other));
    requests.push_back(std::to_string(interaction.requests[i] + 1));
  }
  if (texts.size() == 1)
    return fmt::format(
        "Request {} looks at a draft before it is verified: after drafts {} that has another chance than "
        "after {} (difference {}).",
        requests.front(), texts.front(), others.front(), interaction.difference.str());
  return fmt::format(
      "Requests {} look at each other: drafts {} and {} decide together which are verified (mixed difference {}).",
      fmt::join(requests, " and "), fmt::join(texts, " | "), fmt::join(others, " | "), interaction.difference.str());
}

Json batch_document(Invocation const& args, ScheduledBatch const& batch, Simulation const& simulation) {
  Json document = {{"estimator", "enumeration"},
                   {"rule", simulation.task().rule},
                   {"drafter", simulation.task().drafter},
                   {"policy", simulation.task().policy},
                   {"gamma", simulation.task().shape.gamma},
                   {"candidates", 1},
                   {"bonus", true},
                   {"schedule", schedule_text(batch.schedule)},
                   {"sight", word(schedule_card(batch.schedule).sight)},
                   {"requests", batch.mean.tokens.size()},
                   {"estimates", args.text("--estimates")},
                   {"paths", batch.mean.paths},
                   {"lossless", batch.mean.distance == 0}};
  put_fraction(document, "tv_to_target", batch.mean.distance);
  put_fractions(document, "tv_each", batch.mean.distance_each);
  put_fractions(document, "mean_tokens", batch.mean.tokens);
  put_fraction(document, "mean_time", batch.mean_time());
  document["lengths"] = Json::array();
  for (auto const& [lengths, chance] : batch.mean.lengths) {
    document["lengths"].push_back({{"lengths", lengths}});
    put_fraction(document["lengths"].back(), "probability", chance);
  }
  document["first_tokens"] = Json::array();
  for (auto const& law : batch.first_tokens) {
    document["first_tokens"].push_back(Json::object());
    put_fractions(document["first_tokens"].back(), "law", law);
  }
  document["interaction"] = nullptr;
  if (auto const& found = batch.interaction) {
    document["interaction"] = {{"requests", found->requests}, {"texts", found->texts}, {"others", found->others}};
    put_fraction(document["interaction"], "difference", found->difference);
  }
  return document;
}

Section summary_section(ScheduledBatch const& batch) {
  Section section{.table = Table{{"request", "request", Align::left},
                                 {"mean_tokens", "tokens per round"},
                                 {"mean_tokens_float", "≈"},
                                 {"tv", "TV from the target, alone"}}};
  for (std::size_t r = 0; r < batch.mean.tokens.size(); ++r)
    section.table.add({std::to_string(r + 1), Exact{batch.mean.tokens[r].str()},
                       Number{number(batch.mean.tokens[r]), 4}, Exact{batch.mean.distance_each[r].str()}});
  if (batch.interaction) section.note(interaction_text(*batch.interaction));
  section.note(fmt::format("Schedule {} is {}.", schedule_card(batch.schedule).name,
                           meaning(schedule_card(batch.schedule).sight)));
  return section;
}

Section lengths_section(ScheduledBatch const& batch) {
  Section section{
      .heading = "Drafts verified of each request",
      .table = Table{{"lengths", "lengths", Align::left}, {"probability", "probability"}, {"number", "≈"}}};
  std::vector<std::pair<std::vector<int>, Rational>> rows(batch.mean.lengths.begin(), batch.mean.lengths.end());
  std::ranges::stable_sort(rows, std::greater<>(), &std::pair<std::vector<int>, Rational>::second);
  for (std::size_t i = 0; i < rows.size() && i < lengths_shown; ++i)
    section.table.add({fmt::format("{}", fmt::join(rows[i].first, ", ")), Exact{rows[i].second.str()},
                       Number{number(rows[i].second), 4}});
  if (rows.size() > lengths_shown)
    section.note(fmt::format("{} more in --format json.", rows.size() - lengths_shown));
  return section;
}

}  // namespace

Result exact_of_schedule(Invocation const& args) {
  args.refuse({"--candidates", "--tree", "--policy", "--drafter", "--no-bonus", "--continue", "--ceiling",
               "--for-all", "--cost"},
              "has no meaning with --schedule (it decides how much of a chain is verified)");
  refuse_without_for_all(args);
  auto const [rule, gamma] = one_rule_from(args, "exact", "its result is one distribution");
  Source const source = source_from(args);
  Simulation const simulation(task_from(args, rule, gamma), source.tables, args.seed());
  ExactModel const model = exact_model(source);
  ScheduledBatch const batch = enumerated(args, simulation, model);

  Result result{.document = batch_document(args, batch, simulation), .inputs = inputs_of(source)};
  result.document["source"] = source.description;
  result.document["rounding"] = rounding_of(source.rounding_of_written());
  bool const lossless = batch.mean.distance == 0;
  std::string const tokens = counted(static_cast<std::uint64_t>(batch.length), "token");
  std::string const who = batch.mean.tokens.size() == 1 ? "the request"
                          : batch.mean.tokens.size() == 2
                              ? "both requests, jointly,"
                              : fmt::format("all {} requests, jointly,", batch.mean.tokens.size());
  result.title =
      lossless ? fmt::format("Lossless here: the first {} of {} have the target's distribution", tokens, who)
               : fmt::format("Lossy: the first {} of {} are off by TV = {}", tokens, who, batch.mean.distance.str());
  if (!lossless && claims_lossless(simulation.rule_called())) result.status = Status::failed;
  Section summary = summary_section(batch);
  summary.note(rounding_note(source.rounding_of_written()));
  summary.note(fmt::format("{} on {}, schedule {}; a pass takes {:.4g} on average.", to_string(simulation.task()),
                           source.description, schedule_text(batch.schedule), number(batch.mean_time())));
  result.sections = {std::move(summary), lengths_section(batch)};
  return result;
}

}  // namespace draftgauge
