#include "apps/inspect/inspect_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "apps/cli/invocation.h"
#include "apps/counters/counters_input.h"
#include "apps/inspect/inspect_rows.h"
#include "apps/inspect/inspect_text.h"
#include "apps/options/source_options.h"
#include "sim/base/error.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {
namespace {

/// Laws of more entries than this are not made into integers for a look.
constexpr std::uint64_t most_entries = std::uint64_t{1} << 26;

// Rows whose two laws are those of an earlier row.
std::int64_t duplicate_rows(Laws const& laws) {
  auto const before = [&](std::uint32_t a, std::uint32_t b) {
    if (laws.total(a) != laws.total(b)) return laws.total(a) < laws.total(b);
    if (!std::ranges::equal(laws.p(a), laws.p(b))) return std::ranges::lexicographical_compare(laws.p(a), laws.p(b));
    return std::ranges::lexicographical_compare(laws.q(a), laws.q(b));
  };
  std::set<std::uint32_t, decltype(before)> seen(before);
  std::int64_t duplicates = 0;
  for (std::uint32_t row = 0; row < laws.rows(); ++row) duplicates += !seen.insert(row).second;
  return duplicates;
}

Json laws_of(Source const& source) {
  Laws const& laws = source.laws;
  double sum = 0, least = 1, most = 0;
  std::int64_t zeros_p = 0, zeros_q = 0;
  for (std::uint32_t row = 0; row < laws.rows(); ++row) {
    double const beta = laws.beta(row);
    sum += beta;
    least = std::min(least, beta);
    most = std::max(most, beta);
    zeros_p += std::ranges::count(laws.p(row), 0u);
    zeros_q += std::ranges::count(laws.q(row), 0u);
  }
  return {{"source", source.description},
          {"contexts", contexts_text(laws.contexts())},
          {"rows", laws.rows()},
          {"vocab", laws.vocab()},
          {"beta", {{"mean", sum / laws.rows()}, {"least", least}, {"most", most}}},
          {"duplicate_rows", duplicate_rows(laws)},
          {"zero_probabilities", {{"p", zeros_p}, {"q", zeros_q}}},
          {"rounding", rounding_of(source.rounding)}};
}

Section laws_section(Json const& laws) {
  Table table{{"what", "laws", Align::left}, {"value", "", Align::left}};
  Json const& beta = laws["beta"];
  Json const& rounding = laws["rounding"];
  auto const integer = [](Json const& value) { return fmt::format("{}", value.get<std::int64_t>()); };
  table.add({"source", laws["source"].get<std::string>()});
  table.add({"contexts", laws["contexts"].get<std::string>()});
  table.add({"rows × vocabulary", integer(laws["rows"]) + " × " + integer(laws["vocab"])});
  table.add({"β = Σ min(p, q)", fmt::format("mean {:.6f}, from {:.6f} to {:.6f}", beta["mean"].get<double>(),
                                            beta["least"].get<double>(), beta["most"].get<double>())});
  table.add({"rows met before", integer(laws["duplicate_rows"])});
  table.add({"zero probabilities", fmt::format("{} in p, {} in q", integer(laws["zero_probabilities"]["p"]),
                                               integer(laws["zero_probabilities"]["q"]))});
  table.add({"as integers",
             rounding["exact"].get<bool>()
                 ? std::string("exact")
                 : fmt::format("TV to what was meant: mean {:.2g}, at most {:.2g}; {} probabilities became 0",
                               rounding["mean_tv"].get<double>(), rounding["max_tv"].get<double>(),
                               integer(rounding["vanished"]))});
  return {.table = std::move(table)};
}

void add_laws(Result& result, Source const& source) {
  result.inputs = inputs_of(source);
  Json laws = laws_of(source);
  result.sections.push_back(laws_section(laws));
  result.document["laws"] = std::move(laws);
}

// A recording of rows, and the laws of simulation where they are few.
void add_recorded_rows(Result& result, Json& faults, Invocation const& args, std::vector<std::string> const& files) {
  if (files.size() > 2)
    throw UsageError(fmt::format("{} files of rows are given (a recording is one file, or a target's and a draft's)",
                                 files.size()),
                     "look at them one after the other");
  inspect_rows(result, faults, args, files);
  std::uint64_t entries = 0;
  for (Json const& model : result.document["models"])
    entries += model["rows"].get<std::uint64_t>() * model["vocab"].get<std::uint64_t>();
  if (files.size() == 1 && faults.empty() && result.document["models"].size() == 2 && entries <= most_entries)
    return add_laws(result, source_named(args, files[0]));
  for (std::string const& file : files) result.inputs.push_back(input_from(file));
}

enum class Holds { rows, text, laws };

// What SOURCE names: files of rows, a text of numbers, or laws. Of a file that is none of these the text's reader says
// what it found.
Holds held(std::vector<std::string> const& texts) {
  for (std::string const& text : texts) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(text, error)) return Holds::laws;
    if (!row_file_kind(text)) return is_laws_by_hand(text) ? Holds::laws : Holds::text;
  }
  return texts.empty() ? Holds::laws : Holds::rows;
}

Result run(Invocation const& args) {
  Result result;
  Json faults = Json::array();
  std::vector<std::string> const files = args.texts("SOURCE");
  switch (held(files)) {
    case Holds::rows: add_recorded_rows(result, faults, args, files); break;
    case Holds::text:
      if (files.size() == 2 && std::ranges::all_of(files, holds_counters))
        inspect_difference(result, faults, files[0], files[1]);
      else
        for (std::string const& file : files) inspect_text(result, faults, file);
      for (std::string const& file : files) result.inputs.push_back(input_from(file));
      break;
    case Holds::laws: add_laws(result, source_from(args)); break;
  }
  if (!faults.empty()) result.status = Status::input;
  result.document["sound"] = faults.empty();
  result.document["faults"] = faults;
  if (!faults.empty() || result.title.empty())
    result.title = faults.empty() ? "Sound" : "Not sound: " + faults[0].get<std::string>();
  return result;
}

// Two files of one model each make a recording.
OptionGroup several_sources() {
  OptionGroup group = source_options();
  group.options.front().many = true;
  return group;
}

}  // namespace

Command inspect_command() {
  return {.name = "inspect",
          .summary = "what a file holds, and whether it is sound",
          .description =
              {"Reads any file that draftgauge takes, whole, and says what is in it: of full rows (.safetensors, "
               ".npz, .npy, .kld) the arrays with their extremes and numbers that are none, and for each "
               "model whether rows are logits or log-probabilities that sum to 1, which repeat, and at which "
               "temperature the text fits them; of columns and log-probabilities what is known of each "
               "token; of costs the numbers that were found; of what "
               "engines print, in one form, what was counted, each number that is called acceptance rate by its own "
               "name, "
               "and which identities do not hold; of distributions their number and size, "
               "β, repeated rows, zeros, and what keeping them as integers costs.",
               "What cannot be used ends with exit status 3 and says why; a recording's arrays are shown "
               "even then."},
          .groups = {several_sources()},
          .examples = {{"draftgauge inspect data/smollm2_prune2_24.safetensors", "a recording of two real models"},
                       {"draftgauge inspect markov:vocab=8 --format json", "the distributions that a source draws"},
                       {"draftgauge inspect tests/data/counters/vllm_cpu_before.txt "
                        "tests/data/counters/vllm_cpu_after.txt",
                        "what a server counted between two scrapes"},
                       {"draftgauge inspect --p 1/3,2/3 --q .5,.5", "distributions by hand"}},
          .run = run};
}

}  // namespace draftgauge
