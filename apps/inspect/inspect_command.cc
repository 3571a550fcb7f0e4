#include "apps/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/open/opened.h"
#include "analysis/report/field.h"
#include "apps/cli/invocation.h"
#include "apps/counters/counters_input.h"
#include "apps/inspect/inspect_rows.h"
#include "apps/inspect/inspect_text.h"
#include "apps/options/source_options.h"
#include "sim/base/error.h"
#include "sim/base/piped_input.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {
namespace {

/// Tables of more entries than this are not made into integers for a look.
constexpr std::uint64_t most_entries = std::uint64_t{1} << 26;

// Rows whose two laws are those of an earlier row.
std::int64_t duplicate_rows(PairTables const& tables) {
  auto const before = [&](std::uint32_t a, std::uint32_t b) {
    if (tables.total(a) != tables.total(b)) return tables.total(a) < tables.total(b);
    if (!std::ranges::equal(tables.p(a), tables.p(b)))
      return std::ranges::lexicographical_compare(tables.p(a), tables.p(b));
    return std::ranges::lexicographical_compare(tables.q(a), tables.q(b));
  };
  std::set<std::uint32_t, decltype(before)> seen(before);
  std::int64_t duplicates = 0;
  for (std::uint32_t row = 0; row < tables.rows(); ++row) duplicates += !seen.insert(row).second;
  return duplicates;
}

/// What the distributions of a source are.
struct InspectedTables {
  Source const& source;
  double mean = 0, least = 1, most = 0;  ///< Σ min(p, q) over the rows
  std::int64_t zeros_p = 0, zeros_q = 0, duplicates;

  explicit InspectedTables(Source const& of) : source(of), duplicates(duplicate_rows(of.tables)) {
    for (std::uint32_t row = 0; row < of.tables.rows(); ++row) {
      double const beta = of.tables.beta(row);
      mean += beta;
      least = std::min(least, beta);
      most = std::max(most, beta);
      zeros_p += std::ranges::count(of.tables.p(row), 0u);
      zeros_q += std::ranges::count(of.tables.q(row), 0u);
    }
    mean /= of.tables.rows();
  }
};

Fields<InspectedTables> tables_fields() {
  using Row = InspectedTables const&;
  auto const tables = [](auto member) {
    return inner([](Row row) -> PairTables const& { return row.source.tables; }, member);
  };
  auto const size = [](Row row) {
    return fmt::format("{} × {}", row.source.tables.rows(), row.source.tables.vocab());
  };
  auto const beta = [](Row row) {
    return fmt::format("mean {:.6f}, from {:.6f} to {:.6f}", row.mean, row.least, row.most);
  };
  auto const rounded = [](Row row) {
    Rounding const& of = row.source.rounding;
    return of.exact() ? "exact"
                      : fmt::format("TV to what was meant: mean {:.2g}, at most {:.2g}; {} probabilities became 0",
                                    of.mean_tv, of.max_tv, of.vanished);
  };
  return {{"source", "source", [](Row row) { return row.source.description; }},
          {"contexts", "contexts", [](Row row) { return contexts_text(row.source.tables.contexts()); }},
          {"rows", tables(&PairTables::rows)},
          {"vocab", tables(&PairTables::vocab)},
          {"size", "rows × vocabulary", size, for_people},
          {"beta.mean", &InspectedTables::mean},
          {"beta.least", &InspectedTables::least},
          {"beta.most", &InspectedTables::most},
          {"beta", "β = Σ min(p, q)", beta, for_people},
          {"duplicate_rows", "rows met before", &InspectedTables::duplicates},
          {"zero_probabilities.p", &InspectedTables::zeros_p},
          {"zero_probabilities.q", &InspectedTables::zeros_q},
          {"zeros", "zero probabilities",
           [](Row row) { return fmt::format("{} in p, {} in q", row.zeros_p, row.zeros_q); }, for_people},
          {"rounding", [](Row row) { return rounding_of(row.source.rounding); }},
          {"integers", "as integers", rounded, for_people}};
}

void add_tables(Result& result, Source const& source) {
  InspectedTables const tables(source);
  result.inputs = inputs_of(source);
  result.sections.push_back(
      {.table = row_of(tables_fields(), tables).lines({{"what", "laws", Align::left}, {"value", "", Align::left}})});
  result.document["laws"] = row_of(tables_fields(), tables).object();
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
    return add_tables(result, source_named(args, files[0]));
  for (std::string const& file : files) result.inputs.push_back(input_from(file));
}

enum class Holds { rows, text, tables };

// What SOURCE names: files of rows, a text of numbers, or laws. Of a file that is none of these the text's reader says
// what it found.
Holds held(std::vector<std::string> const& texts) {
  for (std::string const& text : texts) {
    if (!is_input_file(text)) return Holds::tables;
    if (!row_file_kind(text)) return is_tables_by_hand(text) ? Holds::tables : Holds::text;
  }
  return texts.empty() ? Holds::tables : Holds::rows;
}

Result run(Invocation const& args) {
  use_format_cards(args);
  Result result;
  Json faults = Json::array();
  std::vector<std::string> const files = args.texts("SOURCE");
  Holds const holds = held(files);
  if (!files.empty() && holds != Holds::tables)
    args.refuse({"--p", "--q"}, fmt::format("has no meaning beside {} (it says what it holds)", files.front()));
  if (holds == Holds::text)
    args.refuse({"--contexts", "--temperature", "--normalise", "--memory"},
                fmt::format("has no meaning for {} (it holds no distributions)", files.front()));
  switch (holds) {
    case Holds::rows: add_recorded_rows(result, faults, args, files); break;
    case Holds::text:
      if (files.size() == 2 && std::ranges::all_of(files, holds_counters))
        inspect_difference(result, faults, files[0], files[1]);
      else
        for (std::string const& file : files) inspect_text(result, faults, file);
      for (std::string const& file : files) result.inputs.push_back(input_from(file));
      break;
    case Holds::tables: add_tables(result, source_from(args)); break;
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
  OptionGroup group = without(source_options(), {"--start"});  // what is looked at has no first round
  group.options.front().many = true;
  return group;
}

}  // namespace

Command inspect_command() {
  return {
      .name = "inspect",
      .summary = "what a file holds, and whether it is sound",
      .description =
          {"Reads any file that draftgauge takes, whole, and says what is in it: of full rows (" + row_file_names() +
               ") the arrays with their extremes and numbers that are none, and for each model "
               "whether rows are logits or log-probabilities that sum to 1, which repeat, and at which temperature "
               "the text fits them; of columns and log-probabilities what is known of each token; of costs and of "
               "times by batch size the numbers that were found; of what engines print, in one form, what was "
               "counted, each number that is "
               "called acceptance rate by its own name, and which identities do not hold; of distributions their "
               "number and size, β, repeated rows, zeros, and what keeping them as integers costs.",
           "What cannot be used ends with exit status 3 and says why; a recording's arrays are shown even then."},
      .groups = {several_sources(), {"What an engine prints", {format_card_option()}}},
      .examples =
          {{"draftgauge inspect data/smollm2_prune2_24.safetensors", "a recording of two real models"},
           {"draftgauge inspect markov:vocab=8 --format json", "the distributions that a source draws"},
           {"draftgauge inspect tests/data/counters/vllm_cpu_before.txt tests/data/counters/vllm_cpu_after.txt",
            "what a server counted between two scrapes"},
           {"draftgauge inspect --p 1/3,2/3 --q .5,.5", "distributions by hand"}},
      .run = run};
}

}  // namespace draftgauge
