#include "apps/options/recording_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ranges>

#include "analysis/open/text_cards.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {
namespace {

std::optional<double> number_given(Invocation const& args, std::string const& name) {
  return args.has(name) ? std::optional(number_of(args, name)) : std::nullopt;
}

constexpr SamplingParameters::Order orders[] = {SamplingParameters::Order::hf, SamplingParameters::Order::vllm,
                                                SamplingParameters::Order::llama_cpp};
constexpr std::string_view order_names[] = {"hf", "vllm", "llama.cpp"};

auto const log_base_names = log_bases | std::views::transform(&LogBase::name);

constexpr char const* fold_names[] = {"--temperature", "--top-k", "--top-p", "--min-p"};

// What "--draft-NAME" says, else what "--NAME" does.
std::string of_draft(Invocation const& args, std::string const& name) {
  std::string const own = "--draft-" + name.substr(2);
  return args.has(own) ? own : name;
}

// What the options say of the target's rows, or of the draft's.
TruncationAsked truncation_from(Invocation const& args, bool draft) {
  auto const option = [&](char const* name) { return draft ? of_draft(args, name) : std::string(name); };
  TruncationAsked asked;
  if (std::string const top_k = option("--top-k"); args.has(top_k))
    asked.top_k = static_cast<std::uint32_t>(std::min<std::int64_t>(args.count(top_k), 1 << 30));
  asked.top_p = number_given(args, option("--top-p"));
  asked.min_p = number_given(args, option("--min-p")).value_or(0);
  return asked;
}

ReadingOptions reading_options(Invocation const& args) {
  ReadingOptions options{.text = text_options(args), .rows = row_options(args)};
  if (args.has("--temperature")) options.temperatures = numbers_of(args, "--temperature");
  options.draft_temperature = number_given(args, "--draft-temperature");
  options.target = truncation_from(args, false);
  options.draft = truncation_from(args, true);
  options.order =
      orders[static_cast<std::size_t>(std::ranges::find(order_names, args.text("--order")) - order_names)];
  return options;
}

// A law needs a token. Engines take a top-p of 0 for all tokens, for the most likely, or refuse it.
void require_a_token(Invocation const& args) {
  for (char const* name : {"--top-p", "--draft-top-p"})
    if (args.has(name) && number_of(args, name) == 0)
      throw UsageError(
          fmt::format(
              "{} {} keeps no token (a distribution is of one at least, and engines differ in what they make of 0)",
              name, args.text(name)),
          "give a share above 0, or --temperature 0 for the most likely token alone");
}

void refuse_log_base(Invocation const& args, RecordingFiles const& files) {
  args.refuse({"--log-base"},
              fmt::format("is asked of {} (it holds rows, whose natural logarithms are read)", files.target));
}

void refuse_prompt_tokens(Invocation const& args, RecordingFiles const& files) {
  args.refuse({"--prompt-tokens"},
              fmt::format("is asked of {} (only log-probabilities of a server begin with a prompt)", files.target));
}

Recorded recorded_text(Invocation const& args, RecordingFiles const& files) {
  args.refuse({"--rows", "--target-key", "--draft-key", "--shift", "--order"},
              fmt::format("is asked of {} (it holds no rows)", files.target));
  Recorded recorded = read_text(files, text_options(args));
  if (files.draft.empty()) refuse_prompt_tokens(args, files);  // columns of both models
  TokenTrace const& trace = recorded.trace;
  for (char const* name : fold_names) {
    std::string const draft = "--draft-" + std::string(name).substr(2);
    for (std::string const& asked : {std::string(name), draft}) {
      if (!args.has(asked)) continue;
      bool const same = (asked == "--temperature" && trace.temperature &&
                         numbers_of(args, asked) == std::vector{*trace.temperature}) ||
                        (asked == "--top-k" && args.count(asked) == trace.top_k) ||
                        (asked == "--top-p" && number_of(args, asked) == trace.top_p);
      if (!same)
        throw InputError(
            fmt::format(
                "{}: {} {} is asked of {}{} (two numbers a token do not tell what other distributions would be)",
                files.target, asked, args.text(asked), trace.estimated_as,
                trace.temperature ? fmt::format(" recorded at {}", law_of_text(trace))
                                  : std::string(" recorded at a temperature that they do not say")),
            "it needs full rows");
    }
  }
  return recorded;
}

}  // namespace

OptionGroup recording_options() {
  auto const is_recording = [](TextCard const& card) { return card.refusal.empty(); };
  return {"What was recorded",
          {{.name = "FILE",
            .kind = Kind::path,
            .summary = "recordings: full rows (" + row_file_names() + ") or text (" +
                       joined(text_cards() | std::views::filter(is_recording), &TextCard::name) +
                       "); of files that hold one model the first is the target's and each other one a draft's; - is "
                       "standard input",
            .required = true,
            .many = true},
           {.name = "--recorded-temperature",
            .kind = Kind::number,
            .value = "T",
            .summary = "the temperature at which the target wrote the text, where the recording does not say"},
           {.name = "--target-key", .kind = Kind::text, .value = "NAME", .summary = "array with the target's rows"},
           {.name = "--draft-key",
            .kind = Kind::text,
            .value = "NAME",
            .summary = "array with the draft's rows; of acceptance lengths the draft: eagle, ngram"},
           {.name = "--rows",
            .kind = Kind::text,
            .value = "A..B",
            .summary = "take the rows A to B − 1; all if not given"},
           {.name = "--shift",
            .kind = Kind::count,
            .summary = "row i predicts token i + N; 0 of `tokens` if not given, and 1 of `input_ids`, `labels`, or "
                       "where there is one token more than rows"},
           {.name = "--prompt-tokens",
            .kind = Kind::count,
            .summary = "tokens of each prompt, where log-probabilities of a server begin with them and do not say "
                       "how many there are"},
           {.name = "--log-base",
            .kind = Kind::choice,
            .summary = "base of the logarithms in columns and log-probabilities",
            .standard = "e",
            .choices = {log_base_names.begin(), log_base_names.end()}}}};
}

OptionGroup optional_recording_options() {
  OptionGroup group = recording_options();
  for (Option& option : group.options) option.required = false;
  return group;
}

OptionGroup fold_options() {
  std::vector<Option> options{
      {.name = "--temperature",
       .kind = Kind::numbers,
       .value = "LIST",
       .summary = "T of both distributions, 0 included; several: one result each. What the text was recorded at if "
                  "not given"},
      {.name = "--top-k",
       .kind = Kind::count,
       .summary = "keep the K most likely tokens; 0: all. What the text was drawn with if not given, as --top-p"},
      {.name = "--top-p", .kind = Kind::probability, .summary = "keep the most likely tokens that reach P together"},
      {.name = "--min-p", .kind = Kind::probability, .summary = "drop tokens below P times the most likely"},
      {.name = "--order",
       .kind = Kind::choice,
       .summary = "in which order an engine does these",
       .standard = "hf",
       .choices = {std::begin(order_names), std::end(order_names)}}};
  std::vector<Option> const both = options;
  for (Option const& option : both) {
    if (option.kind == Kind::choice) continue;
    Option own = option;
    own.name = "--draft-" + option.name.substr(2);
    own.summary = "the same for the draft alone";
    if (own.kind == Kind::numbers) own.kind = Kind::number, own.value = "T";
    options.push_back(own);
  }
  return {"How logits become distributions (full rows)", std::move(options)};
}

RowOptions row_options(Invocation const& args) {
  return {.target_key = args.text_given("--target-key"),
          .draft_key = args.text_given("--draft-key"),
          .rows = args.text_given("--rows"),
          .shift = args.wants("--shift") ? std::optional(static_cast<std::uint64_t>(args.count("--shift")))
                                         : std::nullopt};
}

TextOptions text_options(Invocation const& args) {
  TextOptions options;
  options.temperature = number_given(args, "--recorded-temperature");
  if (args.has("--prompt-tokens")) options.prompt_tokens = args.count("--prompt-tokens");
  options.base = *std::ranges::find(log_bases, args.text("--log-base"), &LogBase::name);
  return options;
}

std::vector<RecordingFiles> recording_files(Invocation const& args) { return recording_files(args.texts("FILE")); }

Recorded one_recording_from(Invocation const& args, std::vector<std::string> const& paths, std::string_view who,
                            std::string_view why) {
  std::vector<Recorded> all = recordings_from(args, paths);
  if (all.size() != 1)
    throw UsageError(fmt::format("{} takes one recording at one setting, not {} ({})", who, all.size(), why),
                     "run it once for each");
  return std::move(all.front());
}

WatchRows watch_rows(Invocation const& args) {
  return [&args](std::string const& doing, std::uint64_t rows) {
    std::shared_ptr<Progress> const progress(new Progress(args.progress(doing, rows, "rows")));
    return [progress](std::uint64_t done) { progress->at(done); };
  };
}

std::vector<Recorded> recordings_from(Invocation const& args) { return recordings_from(args, args.texts("FILE")); }

std::vector<Recorded> recordings_from(Invocation const& args, std::vector<std::string> const& paths) {
  require_a_token(args);
  std::vector<Recorded> all;
  for (RecordingFiles const& files : recording_files(paths)) {
    if (files.rows) {
      refuse_prompt_tokens(args, files);
      refuse_log_base(args, files);
      std::ranges::move(read_rows(files, reading_options(args), args.threads(), watch_rows(args)),
                        std::back_inserter(all));
    } else {
      all.push_back(recorded_text(args, files));
    }
  }
  return all;
}

}  // namespace draftgauge
