#include "apps/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "analysis/choose/alarms.h"
#include "analysis/counters/measured_rounds.h"
#include "analysis/texts/compare.h"
#include "apps/cli/invocation.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/counted_drafts.h"
#include "apps/gamma/gamma_report.h"
#include "apps/measure/compared_recordings.h"
#include "apps/measure/engine_report.h"
#include "apps/measure/engine_rule.h"
#include "apps/measure/floor_report.h"
#include "apps/measure/greedy_report.h"
#include "apps/measure/logprobs_report.h"
#include "apps/measure/lookup_report.h"
#include "apps/measure/measure_counters.h"
#include "apps/measure/measure_report.h"
#include "apps/measure/measured_tree.h"
#include "apps/measure/row_rule_report.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/estimator_option.h"
#include "apps/options/inputs.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

StudyOptions measure_options(Invocation const& args) {
  StudyOptions options{.confidence = confidence_from(args)};
  std::optional<Estimator> const given = estimator_from(args);
  options.main_given = given.has_value();
  options.main = given ? *given : engine_estimator(args);
  options.estimates.gammas.clear();
  for (std::int64_t const gamma : args.counts("--gamma")) {
    options.estimates.gammas.push_back(static_cast<int>(at_most("--gamma", gamma, longest_gamma)));
  }
  std::ranges::sort(options.estimates.gammas);
  auto const repeated = std::ranges::unique(options.estimates.gammas);
  options.estimates.gammas.erase(repeated.begin(), repeated.end());
  options.estimates.bonus = !args.has("--no-bonus");
  options.estimates.resamples = resamples_from(args, "intervals");
  options.estimates.coin_runs = count_at_most(args, "--coin-runs", 10'000);
  options.estimates.seed = args.seed();
  return options;
}

// An option that another one gives its meaning, without which it would be passed over.
void require_use(Invocation const& args) {
  constexpr std::pair<char const*, char const*> needs[] = {
      {"--until", "--log"}, {"--stop", "--log"}, {"--candidates", "--rules"}, {"--lenience", "--rules"}};
  auto const need = [&](std::string_view option, std::string const& other, bool there) {
    if (args.has(option) && !there)
      throw UsageError(fmt::format("{} has no meaning without {} (nothing would come of it)", option, other),
                       fmt::format("add {}", other));
  };
  for (auto const& [option, other] : needs) need(option, other, args.has(other));
  bool const lookup = asks_lookup(args);
  for (Option const& option : lookup_options().options) need(option.name, "--drafter", lookup);
  need("--drafter", "--tree", lookup || args.has("--tree"));
  constexpr std::pair<char const*, char const*> apart[] = {{"--log", "an engine's log is of chains"},
                                                           {"--no-bonus", "rounds on trees have it"}};
  for (auto const& [option, why] : apart)
    if (args.has("--tree") && args.has(option))
      throw UsageError(fmt::format("{} has no meaning beside --tree ({})", option, why), "leave one of them out");
}

// A recording has no distance from itself, and nothing of it would be a tie.
void require_another_pass(Invocation const& args) {
  if (!args.has("--floor")) return;
  std::error_code error;
  for (std::string const& file : args.texts("FILE"))
    if (std::filesystem::equivalent(file, args.text("--floor"), error))
      throw UsageError(
          fmt::format("--floor is {} itself (it would say that the target repeats itself exactly)", file),
          "record the target once more over the same text, with passes of another size");
}

// All texts as one recording: of one law, and no text twice.
Recorded pooled_recording(std::vector<Recorded> const& all) {
  std::vector<TokenTrace> trace;
  for (Recorded const& one : all) {
    Recorded const& first = all.front();
    bool const alike = one.policy == first.policy && one.trace.temperature == first.trace.temperature &&
                       one.trace.top_k == first.trace.top_k && one.trace.top_p == first.trace.top_p &&
                       one.target == first.target && one.draft == first.draft;
    if (!alike)
      throw UsageError(fmt::format("--pool cannot put {} and {} together (temperatures or truncations differ)",
                                   first.trace.name, one.trace.name),
                       "pool recordings of one pair at one setting");
    for (TokenTrace const& before : trace) {
      std::size_t const shared = shared_texts(before, one.trace);
      if (same_texts(before, one.trace) || shared > 0)
        throw UsageError(
            fmt::format(
                "--pool cannot put {} and {} together (they are over the same texts{}, which would count twice)",
                before.name, one.trace.name,
                same_texts(before, one.trace) ? "" : fmt::format(", {} of them", shared)),
            "pool recordings of other texts");
    }
    trace.push_back(one.trace);
  }
  TokenTrace all_texts = pooled(trace, "pooled");
  all_texts.estimated_as = "pooled";
  Recorded pool{std::move(all_texts), all.front().policy, all.front().target, all.front().draft, {}};
  // Of off-policy rows each part was checked as it was written: one that is rejected spoils the pool.
  auto const rejected =
      std::ranges::find_if(all, [](Recorded const& one) { return one.as_written && one.as_written->rejected(); });
  pool.as_written = (rejected == all.end() ? all.front() : *rejected).as_written;
  return pool;
}

std::vector<Recorded> recorded_in(Invocation const& args, RoundCosts const& round_costs) {
  std::vector<Recorded> recorded = recordings_from(args);
  if (args.has("--pool") && recorded.size() < 2)
    throw UsageError("--pool has no meaning for one recording (there is nothing to put together)",
                     "name several FILEs");
  round_costs.require_named(recorded);
  if (args.has("--pool")) recorded.push_back(pooled_recording(recorded));
  return recorded;
}

std::vector<MeasuredRecording> measured(Invocation const& args, std::vector<Recorded> recorded,
                                        RoundCosts const& round_costs, StudyOptions const& options) {
  std::vector<MeasuredRecording> all;
  for (Recorded& one : recorded) {
    PricedRound priced = round_costs.of(one.trace);
    if (args.has("--engine")) priced.costs.extra_draft_passes = engine_run(args.text("--engine")).extra_draft_passes;
    for (std::string& note : engine_notes(args)) priced.notes.push_back(std::move(note));
    all.emplace_back(std::move(one), std::move(priced), options);
  }
  return all;
}

// Which of several are rejected, and why, which are off-policy, and which have too little text; empty where none is.
std::string doubts(std::span<MeasuredRecording const> all) {
  std::string words;
  for (MeasuredRecording const& one : all)
    if (one.rejected()) words += one.rejection() + " ";
  for (MeasuredRecording const& one : all)
    if (std::string const why = one.off_policy_text(); !why.empty())
      words += fmt::format("{}: {}. ", one.estimates.name(), why);
  auto const little =
      std::ranges::count_if(all, [](MeasuredRecording const& one) { return one.estimates.tokens() < fewest_tokens; });
  if (little > 0)
    words += fmt::format("Too little text to say in {} (fewer than {} tokens). ",
                         std::cmp_equal(little, all.size()) ? "each" : fmt::format("{} of {}", little, all.size()),
                         fewest_tokens);
  return words;
}

// An engine's own log leads, by itself: α is the token rule's, and not always the engine's. The verdict on the engine
// that wrote the text leads what was found of the text; where it names the engine's fault nobody else is asked for.
std::string with_engine(std::string const& of_text, EngineFinding const& engine, MeasuredRecording const& one) {
  if (engine.of_the_text) {
    std::string const found = engine.accuses && one.rejected() ? fmt::format("{}: rejected. {}", one.estimates.name(),
                                                                             finding_text(one.text_check))
                                                               : of_text;
    return engine.words + (engine.words.ends_with('?') ? " " : ". ") + found;
  }
  return one.rejected() ? of_text + (of_text.ends_with('?') ? " Beside it: " : "; ") + engine.words : engine.words;
}

// What is left to ask of counters: costs, and the intervals' confidence.
void require_counters_alone(Invocation const& args) {
  require_no_text(args, {recording_options(),
                         fold_options(),
                         measured_tree_options(),
                         row_rule_options(),
                         lookup_options(),
                         engine_options(),
                         logprobs_options(),
                         floor_options(),
                         {"",
                          {{.name = "--gamma"},
                           {.name = "--estimator"},
                           {.name = "--resamples"},
                           {.name = "--coin-runs"},
                           {.name = "--per-position"},
                           {.name = "--pool"},
                           {.name = "--no-bonus"}}}});
}

Result measure_recordings(Invocation const& args) {
  refuse_settings(args);
  if (args.has("--per-position") && args.format() != Format::json)
    args.warn("--per-position is for --format json alone, which has what is known of every token");
  StudyOptions const options = measure_options(args);
  RoundCosts const round_costs(args);
  std::vector<Recorded> recorded = recorded_in(args, round_costs);
  auto const greedy =
      recorded.size() == 1 ? greedy_answer(args, recorded.front(), options.confidence) : std::optional<GreedyText>();
  std::vector<MeasuredRecording> const all = measured(args, std::move(recorded), round_costs, options);
  MeasureOfSeveral several;
  std::vector<MeasureReport>& reports = several.recordings;
  for (MeasuredRecording const& one : all) {
    reports.push_back(measure_report(one, options));
    if (args.has("--per-position")) reports.back().tokens_known = token_reports(one);
  }
  Result result;
  if (all.size() == 1) {
    MeasuredRecording const& one = all.front();
    MeasureReport& report = reports.front();
    result.sections = measured_sections(one, report, options);
    if (args.has("--floor") && !is_greedy_columns(one.recorded)) add_floor(result, report, args, one, options);
    std::string const ties = greedy ? add_greedy(result, report, one, *greedy) : "";
    if (args.has("--rules")) add_row_rules(result, reports, args, all, options.confidence);
    auto const engine =
        args.has("--log") ? std::optional(add_engine_log(result, report, args, one, options)) : std::nullopt;
    result.alarms = alarms_of(one, options.confidence);
    result.title = measured_title(one, options, engine ? engine->gamma : std::nullopt);
    if (engine) result.title = with_engine(result.title, *engine, one);
    result.title = ties + result.title;
    if (args.has("--logprobs")) result.title = add_logprobs(result, report, args, one) + result.title;
    if (args.has("--tree")) lead_with_tree(result, report, args, one, options);
    result.document = document_of(report);
  } else {
    args.refuse({"--log", "--logprobs", "--floor", "--tree"},
                fmt::format("belongs to one recording, not to {} (it is laid beside one)", all.size()),
                "run measure once for each");
    std::size_t const compared = all.size() - (args.has("--pool") ? 1 : 0);  // the pool is made of the others
    add_compared(result, several, all, compared, options);
    result.title = doubts(all) + result.title;
    if (args.has("--rules")) add_row_rules(result, reports, args, std::span(all).first(compared), options.confidence);
    result.document = document_of(several);
  }
  if (std::ranges::any_of(all, &MeasuredRecording::unusable)) result.status = both(result.status, Status::failed);
  if (std::ranges::none_of(all, [](MeasuredRecording const& one) { return one.knows(one.main); }))
    result.status = both(result.status, Status::inconclusive);
  return result;
}

Result run(Invocation const& args) {
  use_format_cards(args);
  require_use(args);
  require_another_pass(args);
  if (asks_lookup(args)) return measure_lookup(args);
  bool const compared = compares_counters(args);
  auto const counters = compared ? std::nullopt : counters_given(args);
  if (compared || counters) require_counters_alone(args);
  Result result = compared   ? compare_counted(args, counted_drafts(args),
                                               {.confidence = confidence_from(args), .seed = args.seed()})
                  : counters ? measure_counters(args, *counters)
                             : measure_recordings(args);
  std::vector<std::string> files;
  for (char const* name : {"FILE", "--log", "--logprobs", "--floor"})
    for (std::string const& path : args.texts(name)) files.push_back(path);
  add_inputs(result, args, files);
  return result;
}

}  // namespace

Command measure_command() {
  return {
      .name = "measure",
      .summary = "what a recording says: α, tokens per round, speed-up, each with an interval",
      .description =
          {"Reads what two models said of a text that the target wrote, as full rows of logits or as two "
           "log-probabilities a token, and says what speculative decoding would give there: the acceptance rate α, "
           "tokens per round for each γ by several estimators, the speed-up at given or measured costs, and the best "
           "γ.",
           fmt::format("{}. Where Eq. (1) and replay differ, acceptances are not independent, and replay is right.",
                       estimators_words()),
           "Intervals are over whole texts: tokens of one text depend on each other. One text gives none.",
           "Whether the target could have written the text at all is tested, with a false alarm of 1e-4: swapped "
           "columns and, by entropies or full rows, wrong temperatures show there. Where a text is rejected, that "
           "leads, no γ and no speed-up follows from it, and the exit status is 1; of full rows it is 0 where nobody "
           "(the recording, --recorded-temperature) says that the target wrote it, as β at each position holds then. "
           "Of full rows what may have gone wrong is tried out. Too little text to tell rejects nothing.",
           "What an engine prints of its rounds (its /metrics, logs, responses; of two scrapes what happened between "
           "them) is taken, too: tokens per round, α and rates by position as counted, with intervals over requests "
           "where these are told apart.",
           "Full rows can be measured at another temperature or truncation than their text was written at. The test "
           "is then made at what the recording says, the answer starts with \"off-policy\", and what leads is Eq. "
           "(1) by β of each position, if --estimator names no other: replay would go by tokens of another "
           "distribution."},
      .groups = {recording_options(),
                 fold_options(),
                 {"What is estimated",
                  {{.name = "--gamma",
                    .kind = Kind::counts,
                    .summary =
                        "draft lengths of the estimates: 5 or 1..16; an audit goes by those of the engine's log",
                    .standard = "1..16",
                    .least = 1},
                   estimator_option("whose speed-up and best γ are given", true),
                   confidence_option(),
                   resamples_option("of the bootstrap over texts"),
                   {.name = "--coin-runs",
                    .kind = Kind::count,
                    .summary = "runs of simulated along each text",
                    .standard = "32",
                    .least = 1},
                   {.name = "--per-position",
                    .summary = "what is known of every token too, β, a, ranks, entropies, KL (JSON)"},
                   {.name = "--pool", .summary = "several recordings of one pair: all texts together, too"}}},
                 curve_options(),
                 counter_options(),
                 settings_options(),
                 measured_tree_options(),
                 row_rule_options(),
                 lookup_options(),
                 engine_options(),
                 logprobs_options(),
                 floor_options()},
      .examples = {{"draftgauge measure data/smollm2/prune2_T1.tsv --cost .1",
                    "a recording of two log-probabilities a token"},
                   {"draftgauge measure data/smollm2_prune2_24.safetensors --temperature 0.6 --top-p 0.9",
                    "full rows, at a temperature and truncation other than recorded"},
                   {"draftgauge measure tests/data/counters/vllm_response.json --cost .1",
                    "what a vLLM server counted of a request"},
                   {"draftgauge measure tests/data/counters/vllm_response.json tests/data/counters/vllm_log.log "
                    "--cost response=.1,log=.05",
                    "two drafts by what was counted of each, at their own costs"},
                   {"draftgauge measure data/smollm2/prune2_T0.tsv --drafter pld --verify-cost 1:1,11:1.2",
                    "what prompt lookup would give on these texts"},
                   {"draftgauge measure data/smollm2_prune2_24_columns.tsv --tree levels:4,2,1 --drafter top",
                    "a draft tree of the most likely tokens, by the column rank_q"}},
      .run = run};
}

}  // namespace draftgauge
