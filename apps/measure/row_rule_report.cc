#include "apps/measure/row_rule_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/recordings/row_rules.h"
#include "apps/measure/measure_report.h"
#include "apps/options/number_options.h"
#include "apps/output/rule_rows.h"
#include "sim/base/error.h"
#include "sim/task/rule_law.h"
#include "sim/task/task.h"

namespace draftgauge {
namespace {

std::optional<Ratio> lenience_from(Invocation const& args) {
  if (!args.has("--lenience")) return {};
  // The rule's own reading of its parameter, with its messages.
  return rule_call("lenient:lenience=" + args.text("--lenience")).values.value[0];
}

std::vector<int> branchings_from(Invocation const& args) {
  std::vector<int> all;
  for (std::int64_t const k : args.counts("--candidates"))
    all.push_back(static_cast<int>(at_most("--candidates", k, max_children)));
  return all;
}

using Asked = std::vector<RowRule>;

Asked rules_of(Invocation const& args, MeasuredRecording const& one, std::vector<int> const& branching,
               std::optional<Ratio> const& lenience) {
  if (!one.recorded.rows)
    throw InputError(fmt::format("{}: --rules asks what other rules would accept (two numbers a token do not tell)",
                                 one.estimates.name()),
                     "it needs full rows");
  RowPairs pairs = one.recorded.rows();
  auto progress = args.progress("rules of " + one.estimates.name(), pairs.target->layout().rows, "rows");
  return rules_at_rows(pairs, *one.recorded.target, *one.recorded.draft, branching, lenience, args.threads(),
                       [&](std::uint64_t done) { progress.at(done); });
}

// What tells columns apart: where all recordings are one file at several temperatures, the temperature alone.
struct Headers {
  std::string common;  ///< the file; empty: they are of several
  std::vector<std::string> each;

  explicit Headers(std::span<MeasuredRecording const> all) {
    constexpr std::string_view at = " at ";
    auto const split = [&](std::string const& name) { return std::min(name.rfind(at), name.size()); };
    std::string const& first = all.front().estimates.name();
    bool const one_file =
        all.size() > 1 && std::ranges::all_of(all, [&](MeasuredRecording const& one) {
          std::string const& name = one.estimates.name();
          return split(name) < name.size() && name.substr(0, split(name)) == first.substr(0, split(first));
        });
    if (one_file) common = first.substr(0, split(first));
    for (MeasuredRecording const& one : all) {
      std::string const& name = one.estimates.name();
      each.push_back(all.size() == 1 ? "acceptance" : one_file ? name.substr(split(name) + at.size()) : name);
    }
  }
};

// Which rules were not asked, and about how many drafts: "recursive-without (k = 2, 4)".
std::string unasked_note(std::vector<int> const& branching, std::uint64_t vocab) {
  std::vector<std::pair<std::string_view, std::vector<int>>> rules;
  for (UnaskedRule const& unasked : unasked_rules(branching, vocab)) {
    if (rules.empty() || rules.back().first != unasked.rule) rules.push_back({unasked.rule, {}});
    rules.back().second.push_back(unasked.branching);
  }
  if (rules.empty()) return {};
  std::vector<std::string> words;
  for (auto const& [rule, counts] : rules) words.push_back(fmt::format("{} (k = {})", rule, fmt::join(counts, ", ")));
  return fmt::format("Left out: {}. Their sums over the orders of drafts are too long over {} tokens.",
                     fmt::join(words, ", "), vocab);
}

// Whether what the rule emits has the law p as it was made here.
bool lossless_here(RowRule const& rule, MeasuredRecording const& one) {
  SamplingParameters const& sampling = *one.recorded.target;
  return lossless_for(rule.formula.rule, rule.values, sampling.temperature == 0 || sampling.top_k == 1);
}

// Of several recordings: yes or no for all, or for how many.
Cell lossless_cell(RowRule const& rule, std::span<MeasuredRecording const> all) {
  auto const count = static_cast<std::size_t>(
      std::ranges::count_if(all, [&](MeasuredRecording const& one) { return lossless_here(rule, one); }));
  if (count == 0 || count == all.size()) return count > 0;
  return std::string("at T = 0");
}

// The law that the rule is known to have.
std::string law_of(RowRule const& rule) {
  Call call = rule_call(rule.formula.rule);
  call.values = rule.values;
  return law_of_rule(call, rule.branching);
}

// A line a rule and a column a recording, where all were asked about the same rules; they are unless vocabularies
// differ.
Section side_by_side(std::span<MeasuredRecording const> all, std::vector<Asked> const& asked, double confidence,
                     bool join) {
  std::vector<Column> columns{{"rule", "rule", Align::left},
                              {"drafter", "drafts", Align::left},
                              {"candidates", "k"},
                              {"lossless", "lossless"}};
  Headers const headers(all);
  for (std::size_t i = 0; i < all.size(); ++i)
    columns.push_back({fmt::format("acceptance_{}", i + 1), headers.each[i]});
  bool const single = all.size() == 1;  // several have no room
  if (single) std::ranges::copy(std::vector<Column>{{"tv", "TV"}, {"wasted", "wasted"}}, std::back_inserter(columns));
  Section section{.heading = "What each rule accepts at a position" +
                             (headers.common.empty() ? "" : " of " + headers.common)};
  RuleRows rows(Table(std::move(columns)), 0, join);
  for (std::size_t r = 0; r < asked.front().size(); ++r) {
    RowRule const& rule = asked.front()[r];
    std::vector<Cell> row{Cell(), std::string(rule.formula.drafter), static_cast<std::int64_t>(rule.branching),
                          lossless_cell(rule, all)};
    for (std::size_t i = 0; i < all.size(); ++i)
      row.push_back(r < asked[i].size()
                        ? estimate_cell(all[i].estimates.mean_over_tokens(asked[i][r].accepted), confidence, 4, share)
                        : Cell());
    for (auto const member : {&RowLosses::distance, &RowLosses::wasted})
      if (single)
        row.push_back(rule.losses ? Cell(Number{all[0].estimates.mean_over_tokens((*rule.losses).*member).value, 4})
                                  : Cell());
    rows.add(std::string(rule.formula.rule), law_of(rule), std::move(row));
  }
  section.table = rows.table();
  section.note("P(a draft of the position is accepted), in closed form, mean over the recorded positions.");
  if (single && std::ranges::any_of(asked.front(), [](RowRule const& rule) { return rule.losses.has_value(); }))
    section.note(
        "TV: of what a lossy rule emits at a position from p. Wasted: its acceptance below β + TV, the most at that "
        "distance (docs/lossy.md).");
  for (RowRule const& rule : asked.front())
    if (single && rule.stated)
      if (double const broken = all[0].estimates.mean_over_tokens(rule.losses->broken).value; broken > 0)
        section.note(fmt::format("{}: \"{}\" is broken at {:.3g} % of the positions.", rule.formula.rule,
                                 rule.stated->words, 100 * broken));
  if (std::ranges::any_of(all, [](auto const& one) { return one.recorded.target->temperature == 0; }))
    section.note(
        "At T = 0 lenient-greedy compares probabilities of temperature 1: made one-hot first, they forgive nothing "
        "(arXiv 2211.17192, A.5).");
  return section;
}

}  // namespace

OptionGroup row_rule_options() {
  return {"Every rule at the recorded positions (full rows)",
          {{.name = "--rules", .summary = "the acceptance of every rule that has a closed form, with what it drafts"},
           {.name = "--candidates",
            .kind = Kind::counts,
            .summary = "k: drafts of a position, for rules that take several",
            .standard = "1,2,4",
            .least = 1},
           {.name = "--lenience",
            .kind = Kind::number,
            .value = "L",
            .summary = "l of the lenient rules; 1/2 if not given"}}};
}

void add_row_rules(Result& result, std::vector<MeasureReport>& reports, Invocation const& args, std::span<MeasuredRecording const> all,
                   double confidence) {
  std::vector<int> const branching = branchings_from(args);
  std::optional<Ratio> const lenience = lenience_from(args);
  std::vector<Asked> asked;
  for (std::size_t i = 0; i < all.size(); ++i) {
    asked.push_back(rules_of(args, all[i], branching, lenience));
    auto& list = reports[i].rules.emplace();
    auto const mean = [&](auto const& rows) {
      return uncertain(all[i].estimates.mean_over_tokens(rows), confidence, share);
    };
    for (RowRule const& rule : asked.back()) {
      list.push_back({std::string(rule.formula.rule), std::string(rule.formula.drafter), rule.branching,
                      lossless_here(rule, all[i]), mean(rule.accepted)});
      if (!rule.losses) continue;
      list.back().tv = mean(rule.losses->distance);
      list.back().wasted = mean(rule.losses->wasted);
      if (rule.stated)
        list.back().stated_bound = StatedBoundReport{std::string(rule.stated->words), mean(rule.losses->broken)};
    }
  }
  Section section = side_by_side(all, asked, confidence, args.format() == Format::text);
  section.note(unasked_note(branching, all.front().recorded.rows().target->layout().vocab));
  result.sections.push_back(std::move(section));
}

}  // namespace draftgauge
