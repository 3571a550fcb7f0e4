#include "apps/measure/measured_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/choose/alarms.h"
#include "analysis/families/text_lookup.h"
#include "analysis/trees/breadth_first.h"
#include "analysis/trees/tree_rounds.h"
#include "apps/gamma/gamma_report.h"
#include "apps/measure/measure_report.h"
#include "apps/options/recording_options.h"
#include "apps/options/task_words.h"
#include "apps/recording/sample_words.h"
#include "apps/task/rule_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/draft/parsed_shape.h"

namespace draftgauge {
namespace {

constexpr std::size_t places_shown = 24;

/// The rule that is asked for, or the one that is made for the drafter.
ReplayTask task_from(Invocation const& args) {
  ReplayTask task{.tree = shape_of(parse_tree(args.text("--tree"))),
                  .rule = std::string(rule_name(RankDrafts::without)),
                  .seed = args.seed()};
  if (args.has("--drafter")) {
    task.drafter = args.text("--drafter");
    for (RankDrafts const drafts : rank_drafts)
      if (task.drafter == drafter_name(drafts)) task.rule = rule_name(drafts);
  }
  if (args.has("--rule")) task.rule = args.text("--rule");
  return checked_replay(std::move(task));
}

/// A tree, or a chain, with what its rounds give.
struct ReplayedTree {
  int depth;
  TextEstimate tokens, speedup;
  Limits tokens_limits, speedup_limits;

  ReplayedTree(TreeReplay const& replay, Costs const& costs)
      : depth(replay.tree().depth()),
        tokens(replay.tokens(std::make_shared<TextSample const>(replay.lengths(), 0, 1))),
        speedup(tokens * (1 / costs.of_tree(depth, replay.tree().size()))),
        tokens_limits(tokens_in_round(depth, true)),
        speedup_limits(tokens_limits / costs.of_tree(depth, replay.tree().size())) {}
};

std::string replayed_text(ReplayedTree const& of, bool priced, double confidence) {
  std::string const tokens = estimate_text(of.tokens, confidence, 4, of.tokens_limits) + " tokens per round";
  return priced ? fmt::format("S = {} with {}", estimate_text(of.speedup, confidence, 4, of.speedup_limits), tokens)
                : tokens;
}

Uncertain tokens_of(ReplayedTree const& of, double confidence) {
  return uncertain(of.tokens, confidence, of.tokens_limits);
}
std::optional<Uncertain> speedup_of(ReplayedTree const& of, bool priced, double confidence) {
  return given(priced, uncertain(of.speedup, confidence, of.speedup_limits));
}

/// The chain beside the tree, by the same rule and drafter: the one of the greatest S of the γ asked for and the
/// tree's depth, or where no costs were given the one that is as deep.
ReplayedTree chain_beside(ReplayTask task, MeasuredRecording const& of, int depth, int threads) {
  std::vector<int> gammas{depth};
  if (of.costs_given)
    for (int const gamma : of.gammas())
      if (of.estimates.has_room(gamma)) gammas.push_back(gamma);
  std::optional<ReplayedTree> best;
  for (int const gamma : gammas) {
    task.tree = chain_tree(gamma);
    ReplayedTree given(replay_tree(of.recorded, task, threads), of.costs);
    if (!best || given.speedup.value > best->speedup.value) best = std::move(given);
  }
  return *best;
}

std::optional<TextEstimate> share_of(std::vector<double> const& part, std::vector<double> const& whole,
                                     std::shared_ptr<TextSample const> const& sample) {
  if (std::ranges::none_of(whole, [](double each) { return each > 0; })) return {};
  return mean_over_texts(part, sample) / mean_over_texts(whole, sample);
}

std::vector<RankReport> ranks_of(TreeReplay const& replay, double confidence) {
  auto const sample = std::make_shared<TextSample const>(replay.lengths(), 0, 1);
  auto const total = [](std::vector<double> const& each) { return std::accumulate(each.begin(), each.end(), 0.); };
  auto const in_share = [&](std::optional<TextEstimate> const& estimate) {
    return estimate ? std::optional(uncertain(*estimate, confidence, share)) : std::nullopt;
  };
  std::vector<RankReport> all;
  for (TreeReplay::Place const& place : replay.places()) {
    RankReport at{.depth = place.at.depth,
                  .offered = total(place.offered),
                  .accepted = total(place.accepted),
                  .of_offered = in_share(share_of(place.accepted, place.offered, sample))};
    if (place.at.rank > 0) {
      at.rank = place.at.rank;
      at.tested = total(place.tested);
      at.of_tested = in_share(share_of(place.accepted, place.tested, sample));
    }
    all.push_back(at);
  }
  return all;
}

Section place_section(std::vector<RankReport> const& places) {
  auto const shown = std::min(places.size(), places_shown);
  Section section{.heading = "Accepted by depth, and by rank among siblings",
                  .table = described_rows(std::vector(places.begin(), places.begin() + static_cast<long>(shown))).table()};
  section.note("Expected rounds given the texts; tested: offered, and no earlier sibling accepted.");
  if (places.size() > shown)
    section.note(fmt::format("The first {} of {}; all in --format json.", shown, places.size()));
  return section;
}

/// How the answer's drafts were made and judged.
std::string how(ReplayTask const& task, MeasuredRecording const& of) {
  return fmt::format("({}, {} verified by {}{})", of.estimates.name(), task.drafter, task.rule,
                     of.costs_given ? ", " + cost_text(of.costs) : "");
}

}  // namespace

OptionGroup measured_tree_options() {
  std::vector<std::string> drafters = rank_drafter_names();
  for (LookupCard const& card : lookup_cards) drafters.emplace_back(card.name);
  auto const meaning = [](LookupCard const& card) { return fmt::format("{} ({})", card.name, card.summary); };
  std::string const lookups = joined(lookup_cards, meaning);
  return {"A draft tree",
          {{.name = "--tree",
            .kind = Kind::text,
            .value = "TREE",
            .summary = fmt::format("what rounds that draft this tree give along the text, first: {}; --rule: {}",
                                   tree_syntax, fmt::join(replayed_rules(), ", "))},
           {.name = "--drafter",
            .kind = Kind::choice,
            .value = "NAME",
            .summary = fmt::format(
                "how its drafts are drawn; the rule's own if not given, and {} without a rule. Or, without a tree, "
                "looked up in text: {}. Token ids say exactly what is accepted, at any temperature",
                drafter_name(RankDrafts::without), lookups),
            .choices = std::move(drafters)}}};
}

void lead_with_tree(Result& result, MeasureReport& measured, Invocation const& args, MeasuredRecording const& of,
                    StudyOptions const& options) {
  ReplayTask const task = task_from(args);
  measured.of_tree = true;
  if (of.rejected()) return;
  of.require_on_policy();
  int const depth = task.tree.depth();
  if (!of.estimates.has_room(depth))
    throw InputError(fmt::format("{}: texts are too short for rounds of {} drafts (most would end with their text)",
                                 of.estimates.name(), depth),
                     "measure a shallower tree");
  double const confidence = options.confidence, time = of.costs.of_tree(depth, task.tree.size());
  ReplayedTree const chain = chain_beside(task, of, depth, args.threads());
  TreeReplayReport& report = measured.tree.emplace(TreeReplayReport{
      .tree = tree_text(task.tree),
      .parents = task.tree.parents(),
      .nodes = static_cast<std::size_t>(task.tree.size()),
      .depth = depth,
      .rule = task.rule,
      .drafter = task.drafter,
      .estimator = "replay",
      .sampled = replay_is_sampled(task),
      .round_cost = time,
      .chain = {chain.depth, tokens_of(chain, confidence), speedup_of(chain, of.costs_given, confidence)}});
  std::string answer;
  Section section;
  if (can_replay(of.recorded, task)) {
    TreeReplay const replay = replay_tree(of.recorded, task, args.threads(), watch_rows(args));
    ReplayedTree const given(replay, of.costs);
    report.mean_tokens = tokens_of(given, confidence);
    report.speedup = speedup_of(given, of.costs_given, confidence);
    if (replay.places().front().at.rank > 0) report.reach = replay.reach();
    report.accepted_by_rank = ranks_of(replay, confidence);
    section = place_section(*report.accepted_by_rank);
    answer = replayed_text(given, of.costs_given, confidence);
    result.alarms.clear();  // those of chains
    if (of.costs_given && of.estimates.tokens() >= fewest_tokens) {
      auto const within = interval_within(given.speedup, confidence, given.speedup_limits);
      if (auto slower = slower_alarm({given.speedup.value, within, "with this tree"},
                                     DraftSpeed{chain.speedup.value, {}, fmt::format("at γ = {}", chain.depth)}))
        result.alarms.push_back(std::move(*slower));
    }
    if (replay.lengths().size() > of.estimates.texts())
      section.note(one_text_text(replay.lengths().size()));
    else if (of.estimates.texts() < 2)
      section.note(one_text_text(1));
  } else if (auto const bounds = replay_bounds(of.recorded, task, of.estimates.sample())) {
    Limits const limits = tokens_in_round(depth, true);
    auto const low = interval_within(bounds->low, confidence, limits),
               high = interval_within(bounds->high, confidence, limits);
    double const least = low ? low->low : bounds->low.value, most = high ? high->high : bounds->high.value;
    report.estimator = "replay_bounds";
    report.mean_tokens_bounds = {least, most};
    answer = fmt::format("{:.4f} to {:.4f} tokens per round", least, most);
    if (of.costs_given) answer = fmt::format("S = {:.4f} to {:.4f} with {}", least / time, most / time, answer);
    section.note(fmt::format(
        "Two numbers a token leave open how many drafts a position tests: from 1 to all. Exactly it takes {}.",
        missing_text(replay_needs(task))));
  } else {
    static_cast<void>(replay_tree(of.recorded, task));  // says what it lacks
  }
  TextLead const lead = of.lead(confidence);
  result.title = led(of.caveat(lead == TextLead::no_gain ? TextLead::firm : lead),
                     fmt::format("{}: {}; {}γ = {}: {} {}", tree_name(task.tree), answer,
                                 of.costs_given ? "the best chain, " : "the chain of ", chain.depth,
                                 replayed_text(chain, of.costs_given, confidence), how(task, of)));
  section.note(of.replay_text());
  if (replay_is_sampled(task))
    section.note("Which earlier siblings were rejected is sampled, without bias (--seed).");
  if (of.writer_unknown()) section.note(unknown_writer);
  section.note(of.cost_notes);
  for (Section& each : result.sections) each.detail = true;
  result.sections.insert(result.sections.begin(), std::move(section));
}

}  // namespace draftgauge
