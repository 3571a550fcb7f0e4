#include "apps/cli/command.h"

#include <fmt/format.h>

#include "apps/output/result.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace {

std::string value_word(Option const& option) {
  if (!option.value.empty()) return option.value;
  switch (option.kind) {
    case Kind::flag: return {};
    case Kind::text: return "TEXT";
    case Kind::choice: return fmt::format("{}", fmt::join(option.choices, "|"));
    case Kind::count: return "N";
    case Kind::number: return "X";
    case Kind::probability: return "P";
    case Kind::counts:
    case Kind::numbers:
    case Kind::probabilities: return "LIST";
    case Kind::range: return "A..B";
    case Kind::duration: return "TIME";
    case Kind::bytes: return "SIZE";
    case Kind::path: return "FILE";
  }
  return {};
}

}  // namespace

OptionGroup shared_options() {
  return {
      "Shared by all commands",
      {{.name = "--format",
        .kind = Kind::choice,
        .summary = "how the result is printed",
        .standard = "text",
        .choices = names_in<std::string>(format_cards)},
       {.name = "--table",
        .kind = Kind::text,
        .value = "NAME",
        .summary = "the table of that name alone: its heading with hyphens, the first one's without a heading the "
                   "command's"},
       {.name = "--output",
        .kind = Kind::path,
        .summary = "write the result to FILE, whole or not at all, instead of standard output; CSV to FOLDER/, a "
                   "file a table",
        .letter = 'o'},
       {.name = "--seed",
        .kind = Kind::count,
        .summary = "key of the random bits; a result depends on it and the trials, never on threads or backend",
        .standard = "1"},
       {.name = "--threads", .kind = Kind::count, .summary = "threads to use; all cores if not given", .least = 1},
       {.name = "--backend",
        .kind = Kind::choice,
        .value = "NAME",
        .summary = "what runs the rounds: auto (the fastest that is there), serial, cpu, thrust or cuda",
        .standard = "auto",
        .choices = {"auto", "serial", "cpu", "thrust", "cuda", "thrust-cpp", "thrust-omp", "thrust-cuda"}},
       {.name = "--verbose", .summary = "the details too, in the text format"},
       {.name = "--quiet", .summary = "no progress and no warnings"},
       {.name = "--help", .summary = "print this page", .letter = 'h'}}};
}

OptionGroup sampling_options() {
  return {"How much is simulated",
          {{.name = "--rounds", .kind = Kind::count, .summary = "rounds to run in all", .standard = "1M", .least = 1},
           {.name = "--time",
            .kind = Kind::duration,
            .summary = "stop after this long: 500ms, 30s, 5m; alone or as a limit beside --rounds or --range"},
           {.name = "--range",
            .kind = Kind::range,
            .summary = "run the trials A to B − 1 instead; ranges that do not overlap add up"},
           {.name = "--rounds-per-trial",
            .kind = Kind::count,
            .summary = "rounds in a row that make one trial where contexts depend on each other",
            .standard = "64",
            .least = 1}}};
}

OptionGroup source_options() {
  return {
      "Where the distributions come from",
      {{.name = "SOURCE",
        .kind = Kind::text,
        .value = "SOURCE",
        .summary = "a file of distributions, or name:key=value,… with a name of draftgauge list sources"},
       {.name = "--p", .kind = Kind::numbers, .summary = "the target distribution of one context by hand: .3,.4,.3"},
       {.name = "--q", .kind = Kind::numbers, .summary = "the draft distribution of that context"},
       {.name = "--start",
        .kind = Kind::count,
        .value = "TOKEN",
        .summary =
            "the token before the first round of a Markov pair; drawn from its start distribution if not given"},
       {.name = "--contexts",
        .kind = Kind::choice,
        .summary = "how recorded contexts follow each other: bag takes any at random, path reads along the text",
        .choices = {"bag", "path", "markov"}},
       {.name = "--temperature",
        .kind = Kind::number,
        .value = "T",
        .summary = "divides recorded logits; 1 if not given"},
       {.name = "--normalise",
        .summary = "divide distributions that do not sum to 1 by their sum instead of refusing them"},
       {.name = "--memory",
        .kind = Kind::bytes,
        .summary =
            "most memory that the distributions' tables may take: 512M, 4G; half of the machine's if not given"}}};
}

OptionGroup cost_options() {
  return {"What time and operations cost",
          {{.name = "--cost",
            .kind = Kind::number,
            .value = "C",
            .summary = "c: time of a draft step in target steps; not given, drafts are taken as free",
            .standard = "0"},
           ops_cost_option(),
           no_bonus_option()}};
}

OptionGroup without(OptionGroup group, std::initializer_list<std::string_view> names) {
  std::erase_if(group.options, [&](Option const& option) { return std::ranges::count(names, option.name) > 0; });
  return group;
}

Option no_bonus_option() { return {.name = "--no-bonus", .summary = "no token from the target after γ acceptances"}; }

Option ops_cost_option() {
  return {.name = "--ops-cost",
          .kind = Kind::number,
          .value = "C",
          .summary = "ĉ: operations of the draft per token in those of the target",
          .standard = "0"};
}

std::vector<OptionGroup> all_groups(Command const& command) {
  std::vector<OptionGroup> groups = command.groups;
  groups.push_back(shared_options());
  return groups;
}

bool is_positional(Option const& option) { return !option.name.starts_with('-'); }

std::string usage(Option const& option) {
  std::string const value = value_word(option);
  if (is_positional(option)) return value + (option.many ? "…" : "");
  std::string const name = option.letter ? fmt::format("-{}, {}", option.letter, option.name) : option.name;
  return value.empty() ? name : fmt::format("{} {}{}", name, value, option.many ? "…" : "");
}

}  // namespace draftgauge
