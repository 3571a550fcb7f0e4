#include "apps/tree/tree_grown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "analysis/exact/written_rational.h"
#include "analysis/trees/drafted_tree.h"
#include "apps/cli/written_values.h"
#include "apps/options/exact_numbers.h"
#include "apps/options/source_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/draft/parsed_shape.h"
#include "sim/task/task.h"

namespace draftgauge {
namespace {

struct Grower {
  std::string_view name, numbers;
  std::array<std::string_view, 3> keys;  ///< of the numbers, the second of which is levels
  bool most_likely;                      ///< it drafts the most likely tokens of q after the text
  DraftedTree (*grow)(NextToken const& draft, std::uint32_t vocab, std::vector<int> const& numbers,
                      Rational const& last);
};

/// The last number of opt-tree is a threshold; the others are counts.
constexpr std::array growers{
    Grower{"best-first",
           "DRAFTS,LEVELS",
           {"n", "depth"},
           true,
           [](NextToken const& draft, std::uint32_t, std::vector<int> const& n, Rational const&) {
             return best_first(draft, n[0], n[1]);
           }},
    Grower{"marginals",
           "DRAFTS,LEVELS",
           {"n", "depth"},
           false,
           [](NextToken const& draft, std::uint32_t vocab, std::vector<int> const& n, Rational const&) {
             return best_first(marginals_of(draft, vocab, n[1]), n[0], n[1]);
           }},
    Grower{"eagle2",
           "CHILDREN,LEVELS,DRAFTS",
           {"k", "depth", "n"},
           true,
           [](NextToken const& draft, std::uint32_t, std::vector<int> const& n, Rational const&) {
             return eagle2_tree(draft, n[0], n[1], n[2]);
           }},
    Grower{"opt-tree",
           "DRAFTS,LEVELS,THRESHOLD",
           {"n", "depth", "delta"},
           true,
           [](NextToken const& draft, std::uint32_t, std::vector<int> const& n, Rational const& delta) {
             return opt_tree(draft, n[0], n[1], delta);
           }},
};

/// The work of a tree is bounded by these: tokens are sorted at each node that is expanded.
constexpr int most_drafts = 256, most_levels = 32;

struct Asked {
  Grower const* grower;
  std::vector<int> counts;
  Rational last;

  DraftedTree grown(NextToken const& draft, std::uint32_t vocab) const {
    return grower->grow(draft, vocab, counts, last);
  }
};

Grower const* grower_of(std::string_view text) {
  auto const found = std::ranges::find(growers, text.substr(0, text.find(':')), &Grower::name);
  return found == growers.end() ? nullptr : &*found;
}

/// option: "--grown" or "--tree".
Asked parse(std::string_view option, std::string const& text) {
  Grower const* const grower = grower_of(text);
  std::size_t const colon = text.find(':');
  if (!grower) throw UsageError(unknown_name("tree to grow", text.substr(0, colon), names_in(growers)));
  Asked asked{grower, {}, 0};
  auto const wrong = [&](std::string const& why) {
    return UsageError(fmt::format("{} {} cannot be read ({})", option, text, why),
                      fmt::format("write {}:{}", grower->name, grower->numbers));
  };
  std::vector<std::string_view> parts;
  if (colon != std::string::npos) parts = list_parts(std::string_view(text).substr(colon + 1));
  std::size_t const count =
      static_cast<std::size_t>(std::ranges::count_if(grower->keys, std::not_fn(&std::string_view::empty)));
  if (parts.size() != count) throw wrong(fmt::format("there are {} numbers", parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string_view part = parts[i];
    if (std::size_t const equals = part.find('='); equals != part.npos) {
      if (part.substr(0, equals) != grower->keys[i])
        throw wrong(fmt::format("'{}' stands where {} is expected", part, grower->keys[i]));
      part.remove_prefix(equals + 1);
    }
    std::int64_t number = 0;
    try {
      if (grower->keys[i] == "delta") {
        asked.last = parse_rational(std::string(part));
        continue;
      }
      number = parse_count(part);
    } catch (Error const& error) {
      throw UsageError(option, error);
    }
    int const most = i == 1 ? most_levels : most_drafts;
    if (number < 1 || number > most) throw wrong(fmt::format("{} is none of 1 to {}", number, most));
    asked.counts.push_back(static_cast<int>(number));
  }
  return asked;
}

/// Throws UsageError where what follows a draft is not known.
void check_contexts(std::string_view option, Contexts const& contexts) {
  if (contexts.rows > 1 && !is_chain(contexts.follow))
    throw UsageError(fmt::format("{} needs contexts that follow from the tokens (a tree that grows looks at the "
                                 "distributions after its own drafts)",
                                 option),
                     "give one context, a Markov pair or n-grams");
}

/// The context that --start names, else `otherwise`, which is one.
std::uint32_t start_of(Invocation const& args, std::uint32_t otherwise, Contexts const& contexts) {
  std::uint32_t const start = start_from(args).value_or(otherwise);
  if (start >= contexts.rows)
    throw UsageError(fmt::format("--start {} is not a context (0 to {})", start, contexts.rows - 1),
                     "give one of these");  // as a task says it
  return start;
}

std::string drawn(DraftedTree const& tree) {
  std::string words;
  for (std::size_t node = 1; node < tree.parents.size(); ++node) {
    words += (node == 1 ? "" : " ") + joined(tree.path(node), [](Token x) { return std::to_string(x); }, "·");
  }
  return words;
}

/// What --grown calls a tree, and the drafts of it that are accepted: as the draft model claims, as the target does,
/// and the most of so many drafts in so many levels.
struct GrownTree {
  std::string text;
  DraftedTree tree;
  double claimed, accepted, most;
};

Fields<GrownTree> grown_fields() {
  return {{"tree", "tree", &GrownTree::text},
          {"drafts", "drafts", [](GrownTree const& row) { return row.tree.parents.size() - 1; }, for_people},
          {"parents", inner(&GrownTree::tree, &DraftedTree::parents)},
          {"drafted", inner(&GrownTree::tree, &DraftedTree::tokens)},
          {"claimed", "claimed E[τ]", &GrownTree::claimed},
          {"mean_accepted", "E[τ]", &GrownTree::accepted},
          {"most", "most of so many", &GrownTree::most}};
}

}  // namespace

FieldCards grown_cards() { return cards_of(grown_fields()); }

bool names_grown_tree(std::string const& text) { return text.find(':') != text.npos && grower_of(text); }

ParsedTree grown_tree(Invocation const& args, std::string const& text) {
  Asked const asked = parse("--tree", text);
  if (!asked.grower->most_likely)
    throw UsageError(
        fmt::format(
            "--tree {} is no shape of a draft model's most likely tokens (its guesses do not follow from the text)",
            text),
        "use tree --grown");
  std::string const& rule = args.text("--rule");
  std::string const drafter = args.has("--drafter") ? args.text("--drafter")
                              : rule == "all"       ? std::string("of each rule")
                                                    : std::string(rule_card(rule).drafter);
  if (drafter != "top")
    throw UsageError(
        fmt::format("--tree {} does not suit --drafter {} (it grows over the most likely tokens)", text, drafter),
        "use --drafter top, or a rule that has it such as top-set");
  Source const source = source_from(args);
  Contexts const contexts = source.tables.contexts();
  check_contexts("--tree " + text, contexts);
  bool const one_start = args.has("--start") || source.tables.beginning();
  if (contexts.rows > 1 && (args.command() != "exact" || !one_start))
    throw UsageError(
        fmt::format("--tree {} would be another tree in every context (of which there are {})", text, contexts.rows),
        "one round is what exact --start tells; tree --grown shows its tree");
  std::uint32_t const start = start_of(args, source.tables.beginning().value_or(0), contexts);
  DraftedTree const tree = asked.grown(next_of_draft(exact_model(source), start), contexts.vocab);
  return as_played(TreeShape::of_parents(tree.parents, "--tree " + text));
}

void add_grown(Invocation const& args, Source const& source, Result& result) {
  std::vector<Asked> all;
  for (std::string const& text : args.texts("--grown")) all.push_back(parse("--grown", text));
  Contexts const contexts = source.tables.contexts();
  check_contexts("--grown", contexts);
  ExactModel const model = exact_model(source);
  std::uint32_t const start = start_of(args, 0, contexts);
  NextToken const draft = next_of_draft(model, start), target = next_of_target(model, start);
  std::vector<GrownTree> rows;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Asked const& one = all[i];
    DraftedTree tree = one.grown(draft, contexts.vocab);
    int const drafts = static_cast<int>(tree.parents.size()) - 1, levels = one.counts[1];
    Rational const most = drafts > 0 ? best_first(target, drafts, levels).claim() : Rational(0);
    double const claimed = number(tree.claim()), accepted = number(accepted_drafts(tree, target));
    rows.push_back({args.texts("--grown")[i], std::move(tree), claimed, accepted, number(most)});
    notes.push_back(fmt::format("{}: {}", rows.back().text, drawn(rows.back().tree)));
  }
  Section section{.heading = "Trees that grow with the draft model",
                  .table = rows_of(grown_fields(), rows).table(),
                  .notes = std::move(notes)};
  section.note(
      "Claimed: Σ of Π q over the drafts. E[τ]: Σ of Π p, what any lossless rule accepts of such drafts. The last "
      "column is that of the drafts of greatest Π p.");
  result.document["grown"] = rows_of(grown_fields(), rows).array();
  result.sections.push_back(std::move(section));
}

}  // namespace draftgauge
