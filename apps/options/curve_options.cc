#include "apps/options/curve_options.h"

#include <fmt/format.h>

#include <iterator>
#include <set>

#include "analysis/load/load_table.h"
#include "analysis/recordings/text_file.h"
#include "apps/cli/written_values.h"
#include "apps/options/load_options.h"
#include "apps/options/named_costs.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

CostTable table_at(std::string const& path) {
  TextFile const file(path);
  try {
    return read_costs(path, file.text());
  } catch (InputError const&) {
    TimeFormat const* const load = load_format_at(path);
    // Of Markdown the reader says how it is written in full, and of costs what is wrong with them.
    if (!load || load->markdown || (load->cost && !holds_load(path, file.text()))) throw;
    throw UsageError(path + " has times by batch size (a cost is of one sequence)", "give it as --load");
  }
}

// The draft's file: the last of a recording's.
std::string const& draft_file(TokenTrace const& recording) {
  return recording.files.empty() ? recording.name : recording.files.back();
}

// The longest name of a model, the target's apart, that is part of the draft's file name.
std::string draft_in(CostTable const& table, std::string const& target, TokenTrace const& recording) {
  std::string const part = file_name(draft_file(recording));
  std::string found;
  for (auto const& [name, model] : table.models)
    if (name != target && name != "target" && name.size() > found.size() && part.find(name) != std::string::npos)
      found = name;
  return found;
}

// A c that no draft model has, as of milliseconds, percents or a quotient upside down; empty of others. At c > 1 no
// round of drafts gains, whatever is kept; the fastest drafts that are used, of one layer or of n-grams, take some
// thousandths.
std::string slip_note(double c) {
  constexpr double least = .001, most = 1;
  if (c > most)
    return fmt::format(
        "c = {:g} says that a draft step takes {:g} target steps, where no draft pays. If it is the target "
        "that is so much slower, give --cost {:.3g}.",
        c, c, 1 / c);
  if (c > 0 && c < least)
    return fmt::format(
        "c = {:g} says that {:.0f} draft steps take as long as one of the target; draft models take a hundredth or "
        "more. c is a quotient of two times, not seconds.",
        c, 1 / c);
  return {};
}

// Measured times need not grow with n; a slip of the hand falls just so.
std::string fall_note(Costs const& costs, std::int64_t n) {
  auto const at = costs.verify.find(n), before = std::prev(at);
  return fmt::format(
      "v(n) falls from {:g} at n = {} to {:g} at n = {}: taken as it is, and never extrapolated downwards.",
      before->second, before->first, at->second, n);
}

void add_verify_costs(PricedRound& round, std::optional<std::map<std::int64_t, double>> const& verify) {
  if (verify) round.costs.verify = *verify;
  for (std::int64_t const n : falls(round.costs.verify)) round.notes.push_back(fall_note(round.costs, n));
}

}  // namespace

OptionGroup curve_options() {
  return {"What time costs",
          {{.name = "--cost",
            .kind = Kind::text,
            .value = "C|FILE",
            .summary = "c: time of a draft step in target steps; or measured times of both models (" +
                       cost_format_names() +
                       "), which give c and v(n); of several drafts, recorded "
                       "or counted, NAME=C|FILE,… for each draft, NAME being a part of its file's name; " +
                       std::string(free_drafts_words)},
           {.name = "--verify-cost",
            .kind = Kind::text,
            .value = "N:T,…|FILE",
            .summary = "v(n): time of a target pass over n tokens in steps of one, as 1:1,2:1.8,5:3.35 or a file; v "
                       "= 1 if not given"},
           {.name = "--overhead",
            .kind = Kind::number,
            .summary = "o: what else a round costs, in target steps",
            .standard = "0"},
           {.name = "--cost-target",
            .kind = Kind::text,
            .value = "NAME",
            .summary = "the target's name in the file of costs"},
           {.name = "--cost-draft", .kind = Kind::text, .value = "NAME", .summary = "the draft's name there"},
           no_bonus_option()}};
}

std::vector<std::string> cost_files(Invocation const& args) {
  std::vector<std::string> files;
  for (char const* name : {"--cost", "--verify-cost"})
    if (names_file(args, name)) files.push_back(args.text(name));
  if (args.has("--cost"))
    for (auto const& [name, cost] : named_costs(args.text("--cost")))
      if (value_shape(cost) == ValueShape::file) files.push_back(cost);
  return files;
}

std::string cost_given(Invocation const& args) { return args.has("--cost") ? args.text("--cost") : "0"; }

std::string again_text(Costs const& costs) {
  return fmt::format(
      "In each round the draft model runs over all that is verified once more, as the engine does: {}.",
      costs.draft_curve.size() > 1 ? "w(γ+1)·c, by its times of passes in the file of costs"
                                   : "taken as c, as no file of costs has its times of longer passes");
}

RoundCosts::RoundCosts(Invocation const& args) : RoundCosts(args, cost_given(args)) {}

RoundCosts::RoundCosts(Invocation const& args, std::string const& cost)
    : free_drafts_(!args.has("--cost")),
      any_given_(args.has("--cost") || args.has("--verify-cost") || args.has("--overhead")),
      target_(args.text_given("--cost-target")),
      draft_(args.text_given("--cost-draft")) {
  if (args.wants("--load")) {
    Load load = load_at(args, args.text("--load"));
    notes_ = std::move(load.table.notes);
    free_drafts_ = !load.costs.prices_drafts();
    any_given_ = true;
    load_ = std::move(load.costs);
    return;
  }
  if (auto const named = named_costs(cost); !named.empty()) {
    free_drafts_ = false;
    any_given_ = true;
    for (auto const& [name, of_one] : named) each_.emplace(name, std::make_shared<RoundCosts const>(args, of_one));
    return;
  }
  auto const opened = [&](std::string const& path) {
    CostTable table = table_at(path);
    for (std::string const& note : table.notes) notes_.push_back(path + ": " + note);
    return table;
  };
  if (value_shape(cost) == ValueShape::numbers) {
    given_.draft = one_cost(cost, "give one, a file, or NAME=C,… for each recording");
  } else {
    require_file("--cost", cost, "a number", "c is a time in steps of the target", ".05");
    measured_ = opened(cost);
  }
  if (args.has("--verify-cost")) {
    std::string const& curve = args.text("--verify-cost");
    if (value_shape(curve) != ValueShape::file) {
      verify_ = parse_verify_cost(curve);
    } else {
      require_file("--verify-cost", curve, "a list of n:v(n)", "v(n) is the time of a pass over n tokens",
                   "1:1,2:1.8,5:3.35");
      verify_ = verify_costs(opened(curve), target_);
    }
  }
  given_.overhead = number_of(args, "--overhead");
  for (char const* name : {"--cost-target", "--cost-draft"})
    if (args.has(name) && !measured_ && !names_file(args, "--verify-cost"))
      throw UsageError(fmt::format("{} names a model of a file of costs (no such file is given)", name),
                       "add --cost FILE");
}

PricedRound RoundCosts::of(TokenTrace const& recording, std::int64_t batch) const {
  if (!each_.empty()) {
    auto const name = named_in(each_, draft_file(recording));
    if (draft_file(recording).empty())
      throw UsageError(
          fmt::format("--cost names drafts, {} (and one is asked about here)", joined(each_ | std::views::keys)),
          "give its cost alone; draftgauge gamma compares drafts");
    if (!name)
      throw UsageError(fmt::format("--cost names drafts, and {} is none of them (it has {})",
                                   recording.name.empty() ? "what is asked about" : recording.name,
                                   joined(each_ | std::views::keys)),
                       "write NAME=C for each recording, NAME being a part of its file's name");
    return each_.at(*name)->of(recording, batch);
  }
  PricedRound round{given_, notes_, any_given_};
  if (load_) {
    round.costs = load_->at(batch);
    round.by_tokens = load_->by_tokens();
    if (free_drafts_) round.notes.emplace_back(free_load_words);
    return round;
  }
  if (measured_) {
    std::string const draft = draft_.empty() ? draft_in(*measured_, target_, recording) : draft_;
    round.costs = costs_of(*measured_, target_, draft);
    round.costs.overhead = given_.overhead;
    round.plain_seconds = plain_seconds_of(*measured_, target_);
    round.notes.push_back(draft.empty() ? fmt::format("{}: c is the other model's.", measured_->file)
                                        : fmt::format("{}: c is that of {}.", measured_->file, draft));
  } else if (free_drafts_) {
    round.notes.push_back(any_given_ ? "Drafts are taken to cost nothing (c = 0): give --cost."
                                     : "No costs are given: --cost takes c, or a file of measured times, and gives a "
                                       "speed-up and a best γ that hold.");
  }
  if (std::string note = measured_ ? std::string() : slip_note(given_.draft); !note.empty())
    round.notes.push_back(std::move(note));
  add_verify_costs(round, verify_);
  if (batch > 1) round.costs = in_batch(round.costs, batch);
  return round;
}

void RoundCosts::require_named(std::vector<Recorded> const& recordings) const {
  std::set<std::string> met;
  for (Recorded const& one : recordings)
    if (auto const name = named_in(each_, draft_file(one.trace))) met.insert(*name);
  for (auto const& [name, ignored] : each_)
    if (!met.contains(name))
      throw UsageError(fmt::format("--cost names {}, of which there is no recording", name),
                       "write a part of the file's name, such as prune2 for prune2_T1.tsv");
}

PricedRound RoundCosts::without_draft() const {
  if (!each_.empty()) throw UsageError("--cost names drafts (and here no model drafts)", "leave it out");
  if (!free_drafts_ && !measured_)
    throw UsageError("--cost is a number (that is c, of a draft model, and here no model drafts)",
                     "give --verify-cost or a file of costs, and --overhead for what else a round costs");
  PricedRound round{given_, notes_, any_given_};
  if (measured_) round.costs.verify = verify_costs(*measured_, target_);
  if (!any_given_)
    round.notes.emplace_back("No costs are given: --verify-cost takes v(n), and gives a speed-up that holds.");
  add_verify_costs(round, verify_);
  return round;
}

}  // namespace draftgauge
