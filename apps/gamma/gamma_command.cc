#include "apps/cli/commands.h"

#include <fmt/format.h>

#include "analysis/counters/measured_rounds.h"
#include "analysis/open/opened.h"
#include "apps/cli/settings_words.h"
#include "apps/cli/written_values.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/accepted_lists.h"
#include "apps/gamma/counted_drafts.h"
#include "apps/gamma/gamma_alpha.h"
#include "apps/gamma/gamma_counters.h"
#include "apps/gamma/gamma_load.h"
#include "apps/gamma/gamma_load_words.h"
#include "apps/gamma/gamma_recording.h"
#include "apps/gamma/gamma_report.h"
#include "apps/gamma/gamma_schedules.h"
#include "apps/gamma/gamma_survival.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/estimator_option.h"
#include "apps/options/inputs.h"
#include "apps/options/load_options.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

/// Times by batch size that a FILE or --load names; none where nothing does.
std::optional<std::string> load_path(Invocation const& args) {
  std::vector<std::string> const files = args.texts("FILE");
  bool stands = false;
  for (std::string const& file : files) {
    TimeFormat const* const format = load_format_at(file);
    stands = format && format->says_acceptance() && files.size() == 1;
    if (format && !format->says_acceptance() && !holds_counters(file))
      throw UsageError(fmt::format("{} says how long steps take (as FILE stands what is accepted)", file),
                       fmt::format("write --load {}, alone where it says tokens per round, else beside a recording, "
                                   "an engine's counters, --alpha or --survival",
                                   shell_file(file)));
  }
  if (!args.has("--load")) return stands ? std::optional(files.front()) : std::nullopt;
  if (stands)
    throw UsageError(
        fmt::format("{} and --load both have times by batch size (which of the two counts would be a guess)",
                    files.front()),
        "keep one");
  return args.text("--load");
}

constexpr char const* questions[] = {"FILE",          "--alpha",          "--survival",   "--conditional-rates",
                                     accepted_either, accepted_histogram, accepted_rounds};

/// Which one of them was asked; --load where the times by batch size say themselves what is accepted.
std::string_view question(Invocation const& args, std::optional<std::string> const& load) {
  // FILE may be the times.
  std::span<char const* const> const ways(questions);
  std::string_view const asked = one_way(args, load && !args.has("--load") ? ways.subspan(1) : ways);
  if (asked.empty() && load) return "--load";
  if (asked.empty())
    throw UsageError(fmt::format("nothing says what is accepted (one of {} does)", joined(questions)),
                     "try draftgauge gamma --alpha .8 --cost .05");
  return asked;
}

/// Refuses options that another one gives their meaning, without which they would be passed over.
void require_use(Invocation const& args, std::string_view asked, bool load) {
  require_load_use(args, load);
  bool const recording = asked == "FILE", sampled = recording || asked.starts_with("--accepted");
  if (asked == accepted_histogram)
    args.refuse({"--draft-length"},
                fmt::format("has no meaning with {} (the number of counts says how long drafts were)", asked));
  if (!recording) {
    refuse_recorded(args, asked == accepted_rounds);
    args.refuse({"--estimator"}, without_recording);
  }
  if (!sampled) refuse_sampled(args, asked);
  if (asked == "--load")
    args.refuse({"--near", "--ops-cost"},
                "has no meaning where times by batch size say what is accepted (the answer is the best γ of each)");
  bool const priced =
      load || asked == "--alpha" || args.has("--cost") || args.has("--verify-cost") || args.has("--overhead");
  if (!priced) args.refuse({"--near"}, "has no meaning without costs (no γ is best then)", "add --cost");
}

/// What is accepted, where no recording says it.
OptionGroup accepted_otherwise() {
  OptionGroup group{"What is accepted otherwise",
                    {{.name = "--alpha",
                      .kind = Kind::text,
                      .value = "LIST|A..B",
                      .summary = "acceptance rates: .8 or .5,.6,.7; or an interval: .7..0.85"},
                     survival_option(),
                     {.name = "--conditional-rates",
                      .kind = Kind::probabilities,
                      .summary = "P(draft i is kept, if those before it were) for i = 1, 2, …: .8,.81,.77"}}};
  for (Option& option : accepted_count_options()) group.options.push_back(std::move(option));
  return group;
}

/// Several drafts by their counters: of each one curve, of one sequence.
Result of_counted_drafts(Invocation const& args) {
  require_no_text(args, {recording_options(), fold_options(), {"", {{.name = "--estimator"}}}});
  args.refuse({"--load", "--load-draft", "--concurrency", "--request-rate", "--tokens-per-request", "--request-lengths", "--batch",
               "--near", "--ops-cost", "--trimmed", "--schedule", "--estimates", "--write-table"},
              "has no meaning where drafts are compared by their counters (the answer is which one, at its best γ "
              "for one sequence)",
              "leave it out, or ask of one draft");
  static_cast<void>(question(args, std::nullopt));  // FILEs, and nothing beside them
  GammaAsked const how(args);
  Result result = compare_counted(args, counted_drafts(args), how.counted());
  add_inputs(result, args, args.texts("FILE"));
  return result;
}

Result run(Invocation const& args) {
  use_format_cards(args);
  if (compares_counters(args)) return of_counted_drafts(args);
  std::optional<std::string> const load = load_path(args);
  std::string_view const asked = question(args, load);
  require_use(args, asked, load.has_value());
  GammaAsked const how(args);
  bool const rounds = asked == accepted_rounds;
  auto const counters = asked == "FILE" ? counters_given(args) : rounds ? std::optional(rounds_given(args)) : std::nullopt;
  if (counters) require_no_text(args, {recording_options(), fold_options(), {"", {{.name = "--estimator"}}}});
  auto const answer = [&](GammaAsked const& of) {
    return counters             ? gamma_of_counters(args, *counters, of)
           : asked == "FILE"    ? gamma_of_recordings(args, of)
           : asked == "--alpha" ? gamma_of_alpha(args, of)
                                : gamma_of_survival(args, of);
  };
  auto const in_batch = [&](std::int64_t batch) {
    GammaAsked of = how;
    of.batch = batch;
    return answer(of);
  };
  EngineRun const* const engine = counters ? engine_to_price(*counters, how.to_set) : nullptr;
  auto const of_load = [&] {
    return gamma_of_load(args, load_at(args, *load, engine ? engine->extra_draft_passes : 0), how,
                         asked == "--load" ? GammaOfBatch() : in_batch, counters ? &*counters : nullptr);
  };
  auto const with_settings = [&] {
    GammaAnswer found = answer(how);
    std::string const to_set = engine_to_set(args, counters ? &*counters : nullptr);
    if (to_set.empty()) return std::move(found).printed();
    auto const ran = counters ? ran_length(*counters) : std::nullopt;
    if (!args.has("--for") && !found.best && !ran) return std::move(found).printed();
    add_settings(found, to_set, ran);
    return std::move(found).printed();
  };
  auto const of_schedules = [&] {
    if (!load)
      throw UsageError("--schedule has no meaning without --load (a schedule spends time that must be known)", "add --load");
    args.refuse({"--for", "--near", "--ops-cost", "--estimator", "--resamples"},
                "has no meaning with --schedule (the answer is what each schedule gains)");
    return gamma_of_schedules(args, asked, load_at(args, *load), how, counters ? &*counters : nullptr);
  };
  if (!args.has("--schedule")) args.refuse({"--estimates", "--write-table"}, "has no meaning without --schedule (nothing is scheduled)", "add --schedule all");
  Result result = args.has("--schedule") ? of_schedules() : load ? of_load() : with_settings();
  if (rounds) add_assumed_length(result, args, *counters);
  if (args.has("--for") && args.format() == Format::csv)
    args.warn("CSV has tables alone, and not the lines of --for: text, md and json have them");
  std::vector<std::string> files = args.texts("FILE");
  for (char const* option : accepted_options)
    for (std::string const& word : args.texts(option))
      if (is_there(word)) files.push_back(word);
  add_inputs(result, args, files);
  return result;
}

}  // namespace

Command gamma_command() {
  OptionGroup costs = curve_options();
  costs.heading = "What time and operations cost";
  costs.options.push_back(ops_cost_option());
  return {
      .name = "gamma",
      .summary = "the best γ, for (α, c), a cost curve, or a recording",
      .description =
          {"How many tokens to draft: the γ of greatest speed-up S = E[N] / (γc + v(γ+1) + o), how flat the optimum "
           "is, from which α and up to which c drafting pays, and what choosing γ anew for each round could win at "
           "most.",
           "What is accepted comes from an acceptance rate (--alpha, independent drafts), from a survival curve, "
           "per-position rates or counts of rounds by accepted drafts, from what an engine prints of its rounds (its "
           "/metrics, logs, responses; of two scrapes what happened between them), or from a recording of real "
           "models, where each γ is replayed along the text with an interval over texts. The γ that the data do not "
           "show to be worse than the best are the confidence set. γ = 0 is plain decoding.",
           "Without any costs no γ is best for a recording or a survival curve, as a draft that costs nothing never "
           "loses: then each γ is printed with the tokens that its rounds yield and the c up to which it pays.",
           "With times of steps by batch size (--load) the best γ of each batch size is said, from where on plain "
           "decoding is faster, milliseconds per token and tokens per second; at --concurrency or --request-rate the "
           "γ there.",
           "Lists of α and c give a map. An interval of α, .7..0.85, gives the γ whose worst loss over it is least."},
      .groups =
          {optional_recording_options(),
           accepted_otherwise(),
           {"What is asked",
            {{.name = "--most",
              .kind = Kind::count,
              .summary = "the longest draft allowed; with --alpha none if not given, with FILE 32",
              .least = 1},
             near_option("γ"),
             {.name = "--batch",
              .kind = Kind::count,
              .summary = "sequences decoded together; --cost and --overhead are then in the batch's plain steps",
              .standard = "1",
              .least = 1},
             estimator_option("how a recording is read", false),
             confidence_option(),
             resamples_option("of the texts; with --accepted draws from the rates' Jeffreys posterior")}},
           std::move(costs),
           load_options(),
           gamma_schedule_options(),
           counter_options(),
           settings_options(),
           fold_options()},
      .examples =
          {{"draftgauge gamma --alpha .8 --cost .05", "Leviathan et al. 2023: γ = 8, S = 3.0921"},
           {"draftgauge gamma --alpha .5,.6,.7,.8,.9,.95 --cost .01,.02,.05,.1,.2", "a map to look γ up in"},
           {"draftgauge gamma --alpha .7..0.85 --cost .05", "α is only roughly known: the least worst regret"},
           {"draftgauge gamma --alpha .8 --cost .05 --verify-cost 1:1,2:1.1,8:1.6 --overhead .1 --ops-cost .1",
            "verification that is not free"},
           {"draftgauge gamma --accepted 120,75,48,31,126 30,17,53 --cost .1",
            "an engine's own counts, at γ = 4 and 2"},
           {"draftgauge gamma data/smollm2/prune2_T1.tsv --cost .1", "a recording of real models"},
           {"draftgauge gamma data/smollm2/prune2_T1.tsv data/smollm2/q2k_T1.tsv --cost prune2=.1,q2k=.05",
            "which of two drafts, each at its own cost and best γ"},
           {"draftgauge gamma data/smollm2/prune2_T1.tsv --most 8", "no costs known: up to which c each γ pays"},
           {"draftgauge gamma data/smollm2/prune2_T1.tsv --cost data/smollm2/costs_2threads.jsonl",
            "at measured costs of both models: plain decoding"},
           {"draftgauge gamma tests/data/counters/vllm_cpu_before.txt tests/data/counters/vllm_cpu_after.txt --cost "
            ".05",
            "what a vLLM server counted between two scrapes, and the flag to set"},
           {"draftgauge gamma --alpha .8 --cost .05 --for sglang", "an acceptance rate, and SGLang's flags for it"},
           {"draftgauge gamma data/smollm2/prune2_T1.tsv --load tests/data/load/batch_table.csv --estimator replay "
            "--for vllm",
            "times by batch size: the best γ of each, and vLLM's schedule of them"},
           {"draftgauge gamma --alpha .8 --load tests/data/load/batch_table.csv --request-rate 6 "
            "--tokens-per-request 256",
            "the γ at a rate of requests"},
           {"draftgauge gamma data/smollm2/prune2_T1.tsv --load tests/data/load/batch_table.csv --schedule all "
            "--concurrency 16",
            "verification as a budget over a batch of 16: what schedules gain over the best fixed length"},
           {"draftgauge gamma tests/data/load/vllm_dynamic_speculative_config.json",
            "what vLLM measured for its dynamic speculation, acceptance and all"}},
      .run = run};
}

}  // namespace draftgauge
