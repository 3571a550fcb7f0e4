#include "apps/cli/commands.h"

#include <fmt/format.h>

#include "analysis/exact/exact.h"
#include "analysis/exact/written_rational.h"
#include "analysis/stats/exact_bounds.h"
#include "analysis/stats/tally_ratio.h"
#include "analysis/stats/tree_counts.h"
#include "apps/cli/invocation.h"
#include "apps/exact/exact_ceiling.h"
#include "apps/exact/exact_schedule.h"
#include "apps/exact/for_all_command.h"
#include "apps/exact/lossy_report.h"
#include "apps/options/exact_numbers.h"
#include "apps/options/source_options.h"
#include "apps/options/task_words.h"
#include "apps/task/rule_options.h"
#include "apps/task/schedule_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr std::size_t rows_shown = 24;  // of a law, in text for people

void note_rest(Section& section, std::size_t rows) {
  if (rows > rows_shown) section.note(fmt::format("{} more in --format json", rows - rows_shown));
}

Section law_section(std::string heading, std::string const& index, std::vector<Rational> const& law,
                    std::vector<Rational> const* beside, std::size_t first) {
  Section section{.heading = std::move(heading)};
  std::vector<Column> columns{{index, index}, {"exact", "exact"}, {"number", "≈"}};
  if (beside) columns.push_back({"target", "target"});
  section.table = Table(columns);
  for (std::size_t i = first; i < law.size() && i < rows_shown + first; ++i) {
    std::vector<Cell> row{static_cast<std::int64_t>(i), readable_cell(law[i]), Number{number(law[i]), 6}};
    if (beside) row.push_back(readable_cell((*beside)[i]));
    section.table.add(std::move(row));
  }
  note_rest(section, law.size() - first);
  return section;
}

/// How often each draft of a tree is accepted.
Section tree_section(RoundShape const& shape, std::vector<Rational> const& passed) {
  Section section{.heading = "Accepted drafts of the tree",
                  .table = Table{{"node", "node"}, {"parent", "parent"}, {"exact", "accepted"}, {"number", "≈"}}};
  std::vector<int> const parents = tree_parents(shape);
  for (std::size_t node = 1; node < passed.size() && node <= rows_shown; ++node)
    section.table.add({static_cast<std::int64_t>(node), std::int64_t{parents[node]}, Exact{passed[node].str()},
                       Number{number(passed[node]), 6}});
  note_rest(section, passed.size() - 1);
  return section;
}

/// Whose distribution the first `length` tokens have, and whether that is what the rule claims.
std::string lossless_text(Simulation const& simulation, ExactText const& exact, int length) {
  bool const of_argmax = simulation.rule().reference == Reference::argmax;
  std::string const target = of_argmax ? "that of argmax p (the target at temperature 0)" : "the target's";
  std::string const tokens = length == 1 ? "first token" : fmt::format("first {} tokens", length);
  if (exact.distance == 0)
    return fmt::format("Lossless here: the distribution of the {} is {}, as fractions.", tokens, target);
  return fmt::format("{}: the distribution of the {} is not {}, TV = {}.",
                     claims_lossless(simulation.rule_called()) ? "Not lossless here, though the rule claims to be"
                                                               : "Lossy, by design",
                     tokens, target, readable_text(exact.distance));
}

/// What is shown of a round, and the bounds beside it. Without words: in the document alone.
std::vector<Quantity> quantities_of(Invocation const& args, Simulation const& simulation, ExactModel const& model,
                                    ExactText const& exact) {
  Rational const cost = parse_rational(args.text("--cost"));
  std::vector<Quantity> quantities{
      {"acceptance", "P(τ ≥ 1), a first draft is accepted", exact.round.acceptance()},
      {"mean_accepted", "E[τ], drafts accepted in a round", exact.round.mean_accepted()}};
  auto const [bound, transport] =
      exact_bounds(simulation.task(), simulation.rule().reference, simulation.starts(), model);
  if (transport)
    quantities.push_back({"acceptance_bound", "P(τ ≥ 1) of the best lossless rule for such drafts", *transport});
  if (bound)
    quantities.push_back(
        {"accepted_bound", args.has("--ceiling") ? "" : "E[τ] of lossless rules for such drafts, at most", *bound});
  quantities.push_back({"mean_tokens", "E[N], tokens emitted in a round", exact.round.mean_tokens()});
  quantities.push_back(
      {"speedup", "", exact.round.mean_tokens() / time_of_passes<Rational>(cost, exact.round.draft_passes, 1)});
  quantities.push_back({"tv_to_target", "TV(output, target)", exact.distance});
  return quantities;
}

void add_round(Json& document, RoundShape const& shape, ExactRound const& round) {
  put_fractions(document, "accepted_law", round.accepted);
  put_fractions(document, "tokens_law", round.tokens_law());
  Json& ranks = document["accepted_by_rank"] = Json::array();
  for (auto const& [place, accepted] : accepted_by_rank(shape, round)) {
    ranks.push_back({{"depth", place.depth}, {"rank", place.rank}});
    put_fraction(ranks.back(), "accepted", accepted);
  }
  if (!round.passed.empty()) {
    document["tree"] = tree_parents(shape);
    put_fractions(document, "passed", round.passed);
  }
}

Result run(Invocation const& args) {
  if (args.has("--schedule")) return exact_of_schedule(args);
  refuse_without_schedule(args);
  if (args.has("--for-all")) return for_all(args);
  refuse_without_for_all(args);
  auto const [rule, gamma] = one_rule_from(args, "exact", "its result is one distribution");
  Source const source = source_from(args);
  Simulation const simulation(task_from(args, rule, gamma), source.tables, args.seed());
  ExactModel const model = exact_model(source);
  RoundShape const& shape = simulation.task().shape;
  int const length = telling_length(simulation.task(), source.tables.telling_tokens());
  constexpr std::uint64_t most_paths = 1'000'000;
  auto bar = args.progress(fmt::format("{}, every path of answers", simulation.task().rule), 0, "paths");
  ExactText const exact = exact_text(simulation.task(), model, simulation.starts(), length, most_paths,
                                     [&](std::uint64_t paths) { bar.at(paths); });
  ExactRound const& round = exact.round;
  auto const first = marginal(exact.output, 0, source.tables.vocab());
  auto const target_first = marginal(exact.target, 0, source.tables.vocab());
  std::vector<Quantity> const quantities = quantities_of(args, simulation, model, exact);

  Result result{.inputs = inputs_of(source)};
  Json& document = result.document;
  document = {{"estimator", "enumeration"},
              {"source", source.description},
              {"rule", simulation.task().rule},
              {"drafter", simulation.task().drafter},
              {"policy", simulation.task().policy},
              {"gamma", shape.gamma},
              {"candidates", shape.branching},
              {"bonus", shape.bonus},
              {"paths", round.paths},
              {"rounding", rounding_of(source.rounding_of_written())}};
  add_round(document, shape, round);
  put_fractions(document, "output_law", first);
  put_fractions(document, "target_law", target_first);
  document["kl_to_target"] = finite_or_null(exact.divergence);
  document["lossless"] = exact.distance == 0;
  document["claims_lossless"] = claims_lossless(simulation.rule_called());
  if (exact.distance != 0 && claims_lossless(simulation.rule_called())) result.status = Status::failed;

  result.title = to_string(simulation.task()) + " on " + source.description;
  Section summary{.table = Table{{"quantity", "quantity", Align::left}, {"exact", "exact"}, {"number", "≈"}}};
  for (Quantity const& of : quantities) {
    put_fraction(document, of.key, of.value);
    if (!of.words.empty()) summary.table.add({of.words, readable_cell(of.value), Number{number(of.value), 6}});
  }
  if (exact.distance != 0) summary.table.add({"KL(output ‖ target), nats", Cell(), Number{exact.divergence, 6}});
  summary.paragraphs.push_back(lossless_text(simulation, exact, length));
  summary.note(fmt::format("{} paths of answers were followed.", round.paths));
  summary.note(rounding_note(source.rounding_of_written()));
  if (simulation.starts().size() > 1)
    summary.note(fmt::format("Mean over the {} contexts in which a round may start (--start takes one).",
                             simulation.starts().size()));
  result.sections = {summary, law_section("Tokens in a round", "N", round.tokens_law(), nullptr, 1),
                     law_section("First token", "token", first, &target_first, 0)};
  if (!round.passed.empty()) result.sections.push_back(tree_section(shape, round.passed));
  if (exact.distance != 0 && !claims_lossless(simulation.rule_called()))
    add_lossy_report(simulation, model, exact, length, most_paths, result);
  if (args.has("--ceiling")) add_ceiling(args, simulation, model, round.mean_accepted(), most_paths, result);
  return result;
}

}  // namespace

Command exact_command() {
  OptionGroup costs = without(cost_options(), {"--ops-cost"});
  costs.heading = "What time costs";
  return {
      .name = "exact",
      .summary = "a rule's exact distribution on small tables, in fractions",
      .description =
          {"Follows every path of random answers that a round can take and adds up their probabilities as "
           "fractions: the distribution of the tokens emitted, of their number, and whether the text has "
           "the target's distribution. What a round leaves open is completed from the target, so that "
           "rounds of different length can be compared.",
           "The work grows like vocabᵞ; a few tokens and positions is the place for it.",
           "A rule that claims to be lossless and is not ends with exit status 1, with --for-all and "
           "without; faulty rules and rules with drafts that they are not made for are such. A rule that "
           "is lossy by design claims nothing, and ends with 0; what it emits, and the most that any rule could "
           "accept at that distance, is shown (docs/lossy.md).",
           "With --schedule several requests are one batch, and a schedule decides how many drafts of each "
           "are verified: is the output still the target's, for all requests jointly (docs/schedules.md)?",
           "With --for-all the statement is about every p and q: proved by exact evaluation at random "
           "points, or refuted by a table (docs/proofs.md). So is a bound that a lossy rule's source states: a table "
           "that breaks it ends with exit status 1."},
      .groups = {source_options(),
                 rule_options(),
                 {"What bounds it",
                  {{.name = "--ceiling",
                    .kind = Kind::flag,
                    .summary = "the most that any lossless rule keeps of such drafts, with the prices that prove it, "
                               "and what each rule keeps of that"}}},
                 for_all_options(),
                 schedule_options(),
                 std::move(costs)},
      .examples = {{"draftgauge exact --rule block --p 1/3,2/3 --q 2/3,1/3 --gamma 2", "E[τ] = 11/9 and output = p"},
                   {"draftgauge exact --rule token --p 1/3,2/3 --q 2/3,1/3 --gamma 2", "E[τ] = 10/9"},
                   {"draftgauge exact --rule recursive-without --candidates 2 --p .3,.4,.3 --q .6,.3,.1 --gamma 1",
                    "acceptance .875 with two different drafts"},
                   {"draftgauge exact --rule recursive --tree levels:2,1 --p .3,.4,.3 --q .6,.3,.1",
                    "two drafts, and one below each: E[τ] = 1.394"},
                   {"draftgauge exact --rule traversal --tree levels:2,1 --p .3,.4,.3 --q .6,.3,.1 --ceiling",
                    "no lossless rule keeps more than 1.647 of these"},
                   {"draftgauge exact --schedule top:slots=2 --p .3,.4,.3 --q .6,.3,.1 --gamma 2",
                    "the two drafts of two requests most likely to be accepted: lossless, jointly"},
                   {"draftgauge exact --schedule argmax --estimates .7,.5 --pass-times 1,1.8,1.9 --requests 1 --gamma 2 "
                    "--p .3,.4,.3 --q .6,.3,.1",
                    "estimates that go by place alone see no token: the best budget is lossless"},
                   {"draftgauge exact --rule fly:window=1 --p .3,.4,.3 --q .6,.3,.1 --gamma 2",
                    "a lossy rule: what it emits, and what it wastes"},
                   {"draftgauge exact --for-all --rule recursive --candidates 2 --gamma 1 --vocab 2",
                    "lossless whatever p and q are"}},
      .run = run};
}

}  // namespace draftgauge
