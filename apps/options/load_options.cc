#include "apps/options/load_options.h"

#include <fmt/format.h>

#include "analysis/recordings/format_names.h"
#include "analysis/recordings/text_file.h"
#include "apps/cli/written_values.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"
#include "sim/base/piped_input.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {
namespace {

LoadTable table_at(std::string const& option, std::string const& path) {
  require_file(option, path, "a table of times", "it has the time of a step by batch size", "load.csv");
  TextFile const file(path);
  return read_load(path, file.text());
}

double draft_cost(Invocation const& args) {
  if (!args.has("--cost")) return 0;
  std::string const& cost = args.text("--cost");
  if (value_shape(cost) != ValueShape::numbers)
    throw UsageError("--cost FILE and --load both say what passes cost (which of the two counts would be a guess)",
                     "keep one; --load-draft has the draft's own times");
  return one_cost(cost, "give one");
}

}  // namespace

std::vector<Option> load_files() {
  return {
      {.name = "--load",
       .kind = Kind::path,
       .summary = fmt::format("times of steps by batch size, for the best γ of each ({}; a batch table has the "
                              "columns batch,tokens,ms: each of `batch` sequences with `tokens` tokens); those of {} "
                              "say what is accepted, too, and may stand as FILE",
                              load_format_names(), load_formats_with_acceptance())},
      {.name = "--load-draft",
       .kind = Kind::path,
       .summary = "the same of the draft model, where --load has it not"}};
}

OptionGroup load_options() {
  OptionGroup group{"Batch and load", load_files()};
  group.options.insert(
      group.options.end(),
      {{.name = "--concurrency",
        .kind = Kind::number,
        .value = "B",
        .summary = fmt::format("sequences decoded at once, as measured: the γ there; if not given, what an engine's "
                               "counters say of it ({})",
                               counter_words_at_once())},
       {.name = "--request-rate",
        .kind = Kind::number,
        .value = "R",
        .summary = "requests a second, which arrive at random (Poisson): the γ of least time per token"},
       {.name = "--tokens-per-request",
        .kind = Kind::count,
        .summary = "tokens that a request is answered with; without a rate: of texts that begin together and wait "
                   "for the longest",
        .least = 1},
       {.name = "--request-lengths",
        .kind = Kind::choice,
        .value = "WORD",
        .summary =
            "with --request-rate: whether all requests have that many tokens, or geometric lengths of that mean",
        .standard = "equal",
        .choices = {"equal", "geometric"}}});
  return group;
}

Load load_at(Invocation const& args, std::string const& path, int extra_draft_passes) {
  if (args.has("--verify-cost"))
    throw UsageError("--verify-cost and --load both say what passes cost (which of the two counts would be a guess)",
                     "keep one");
  Costs const given{
      .draft = draft_cost(args), .overhead = number_of(args, "--overhead"), .extra_draft_passes = extra_draft_passes};
  if (args.has("--load-draft") && given.draft > 0)
    throw UsageError("--cost and --load-draft both say what a draft costs (which of the two counts would be a guess)",
                     "keep one");
  LoadTable table = table_at("--load", path);
  std::optional<LoadTable> draft;
  if (args.has("--load-draft")) draft = table_at("--load-draft", args.text("--load-draft"));
  if (!table.whole_rounds && table.models.size() > 1 && given.draft > 0)
    throw UsageError(
        fmt::format("--cost and {} both say what a draft costs (which of the two counts would be a guess)", path),
        "leave --cost out");
  BatchCosts costs(table, draft, given, args.text_given("--cost-target"), args.text_given("--cost-draft"));
  return {std::move(table), std::move(costs)};
}

TimeFormat const* load_format_at(std::string const& path) {
  if (!is_input_file(path) || row_file_kind(path)) return nullptr;
  try {
    return load_format(path, TextFile(path).text());
  } catch (InputError const&) {
    return nullptr;  // what is wrong with it, the reader of recordings says
  }
}

void refuse_without_load(Invocation const& args, std::initializer_list<std::string_view> names) {
  args.refuse(names, "has no meaning without --load (nothing says what a batch costs)", "add --load FILE");
}

void require_load_use(Invocation const& args, bool load) {
  if (!load)
    return refuse_without_load(
        args, {"--load-draft", "--concurrency", "--request-rate", "--tokens-per-request", "--request-lengths"});
  args.refuse({"--batch"}, "has no meaning with --load (which has times of its own for each batch size)",
              "write --concurrency");
  if (args.has("--concurrency") && args.has("--request-rate"))
    throw UsageError(
        "--concurrency and --request-rate both say how many sequences are decoded at once (which of the two counts "
        "would be a guess)",
        "keep one");
  if (args.has("--request-rate") && !args.has("--tokens-per-request"))
    throw UsageError("--request-rate takes --tokens-per-request (a request is as much work as it has tokens)",
                     "add --tokens-per-request 256");
  if (!args.has("--request-rate"))
    args.refuse({"--request-lengths"}, "has no meaning without --request-rate (nothing else depends on it)",
                "add --request-rate 6");
  for (char const* each : {"--concurrency", "--request-rate"})
    if (args.has(each) && !(number_of(args, each) > 0))
      throw UsageError(fmt::format("{} is 0 (nothing is decoded)", each), "give a number above 0");
}

}  // namespace draftgauge
