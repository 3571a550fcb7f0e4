#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "analysis/stats/checks.h"
#include "analysis/stats/tally_ratio.h"
#include "analysis/stats/trials.h"
#include "python/bind/bind.h"
#include "sim/play/task_text.h"
#include "sim/sources/source.h"
#include "sim/task/suits.h"

namespace draftgauge::python {
namespace {

nb::dict rounding(Rounding const& of) {
  nb::dict fields;
  fields["exact"] = of.exact();
  fields["max_tv"] = of.max_tv;
  fields["mean_tv"] = of.mean_tv;
  fields["vanished"] = of.vanished;
  return fields;
}

/// Plays simulations one after another, without the GIL, and tells of their rounds as of one: who stops one stops
/// those behind it.
class Stage {
 public:
  Stage(int threads, nb::object const& progress) : threads_(threads), listener_(progress) {}

  Played play(Simulation const& simulation, Range range) {
    std::uint64_t const per_trial = longest_trial(simulation);
    if (stopped_) range.end = range.begin + 1;  // the least that there is, and its checks are inconclusive
    nb::gil_scoped_release const released;
    Played played = simulate(simulation, range, cpu_backend(), threads_, [&](std::uint64_t trials) {
      stopped_ = stopped_ || !listener_(before_ + trials * per_trial);
      return !stopped_;
    });
    before_ += (played.range.end - played.range.begin) * per_trial;
    return played;
  }

 private:
  int threads_;
  Listener listener_;
  std::uint64_t before_ = 0;
  bool stopped_ = false;
};

struct Prices {
  double cost, ops_cost, confidence;
};

nb::dict tallied(Simulation const& simulation, Source const& source, Played const& played, Prices const& prices) {
  Tally const& tally = played.tally;
  Task const& task = simulation.task();
  TrialShape const shape = trial_shape(task, source.tables.contexts());
  auto const ratio = [&](TallyLayout::Field field) { return tally_ratio(shape, tally, field, prices.confidence); };
  auto const tokens = ratio(TallyLayout::tokens);
  std::optional<Priced<Interval>> priced_tokens;
  if (tokens) priced_tokens = priced(tally, *tokens, prices.cost, prices.ops_cost);
  auto const price = [&](Interval Priced<Interval>::* what) {
    return to_python(priced_tokens ? std::optional((*priced_tokens).*what) : std::nullopt);
  };
  std::string const canonical = canonical_text(simulation, source);
  nb::dict out;
  out["estimator"] = shape.independent_rounds ? "ratio over rounds" : "ratio over trials";
  out["source"] = source.description;
  out["task"] = canonical;
  out["id"] = task_id(canonical);
  out["seed"] = simulation.seed();
  out["rounding"] = rounding(source.rounding);
  out["range"] = nb::make_tuple(played.range.begin, played.range.end);
  out["trials"] = tally[TallyLayout::trials];
  out["rounds"] = tally[TallyLayout::rounds];
  out["tokens"] = tally[TallyLayout::tokens];
  out["accepted_histogram"] = count_array(tally.accepted());
  out["acceptance"] = to_python(ratio(TallyLayout::started));
  out["mean_accepted"] = to_python(ratio(TallyLayout::drafts_accepted));
  out["mean_tokens"] = to_python(tokens);
  out["speedup"] = price(&Priced<Interval>::speedup);
  out["operations"] = price(&Priced<Interval>::operations);
  out["memory_reads"] = price(&Priced<Interval>::memory_reads);
  nb::list positions;
  for (int i = 0; i < task.positions; ++i) positions.append(count_array(tally.token_histogram(i)));
  out["token_histogram"] = positions;
  out["gram_histogram"] = task.gram > 0 ? count_array(tally.grams()) : nb::none();
  return out;
}

nb::dict to_dict(Check const& check, std::uint64_t rounds) {
  nb::dict out;
  out["name"] = check.name;
  out["source"] = check.statement;
  out["rule"] = check.rule;
  out["gamma"] = check.gamma;
  out["closed_form"] = to_python(check.closed_form);
  out["exact"] = to_python(check.exact);
  out["simulated"] = to_python(check.simulated);
  out["detectable"] = to_python(check.detectable);
  out["false_alarm"] = check.false_alarm;
  out["p_value"] = to_python(check.p_value);
  out["certificate"] = check.certificate
                           ? nb::object(nb::make_tuple(check.certificate->tv_at_most, check.certificate->confidence,
                                                       check.certificate->draws))
                           : nb::none();
  out["verdict"] = check.verdict == Verdict::holds   ? "holds"
                   : check.verdict == Verdict::fails ? "fails"
                                                     : "inconclusive";
  out["rounds"] = rounds;
  return out;
}

/// Every claim of the theory on a task: those on a round by independent trials of one round where contexts are
/// i.i.d., those on texts by trials of several.
nb::list verified(Source const& source, Task const& task, std::uint64_t seed, std::uint64_t rounds, int threads,
                  CheckOptions const& options, nb::object const& progress) {
  nb::list all;
  Stage stage(threads, progress);
  auto const check = [&](Task const& counted, Claims claims) {
    Simulation const simulation(counted, source.tables, seed);
    Played const played = stage.play(simulation, trials_of_rounds(simulation, rounds));
    for (Check const& one : check_simulation(simulation, played.tally, options, claims))
      all.append(to_dict(one, played.tally[TallyLayout::rounds]));
  };
  auto const single = counted_for_single_rounds(task, source.tables);
  if (single) check(*single, Claims::of_rounds);
  Task const texts = counted_for_checks(task, source.tables);
  check(texts, single ? Claims::of_texts : Claims::all);
  for (Check const& one : check_exact_law(Simulation(texts, source.tables, seed))) all.append(to_dict(one, 0));
  return all;
}

}  // namespace

void bind_simulation(nb::module_& module) {
  nb::class_<Task>(module, "Task", "What is drafted and how it is verified.")
      .def(
          "__init__",
          [](Task* self, std::string rule, std::string drafter, std::string policy, int gamma, int branching,
             bool bonus, std::optional<std::string> const& tree, std::optional<std::uint32_t> start,
             std::uint32_t rounds_per_trial, int positions, int gram, std::uint32_t gram_from) {
            Task task{.rule = std::move(rule), .drafter = std::move(drafter), .policy = std::move(policy)};
            task.shape = {gamma, branching, bonus};
            if (tree) draft_tree(task, parse_tree(*tree));
            task.start = start;
            task.rounds_per_trial = rounds_per_trial;
            task.positions = positions;
            task.gram = gram;
            task.gram_from = gram_from;
            new (self) Task(std::move(task));
          },
          nb::kw_only(), nb::arg("rule"), nb::arg("drafter"), nb::arg("policy"), nb::arg("gamma"),
          nb::arg("candidates"), nb::arg("bonus"), nb::arg("tree").none(), nb::arg("start").none(),
          nb::arg("rounds_per_trial"), nb::arg("positions"), nb::arg("gram"), nb::arg("gram_from"));
  module.def(
      "simulate",
      [](Source const& source, Task const& task, std::uint64_t seed, std::uint64_t rounds,
         std::optional<std::pair<std::uint64_t, std::uint64_t>> const& range, int threads, double confidence,
         double cost, double ops_cost, nb::object const& progress) {
        Simulation const simulation(task, source.tables, seed);
        Range const trials = range ? Range{range->first, range->second} : trials_of_rounds(simulation, rounds);
        return tallied(simulation, source, Stage(threads, progress).play(simulation, trials),
                       {cost, ops_cost, confidence});
      },
      nb::arg("laws"), nb::arg("task"), nb::kw_only(), nb::arg("seed"), nb::arg("rounds"), nb::arg("range").none(),
      nb::arg("threads"), nb::arg("confidence"), nb::arg("cost"), nb::arg("ops_cost"), nb::arg("progress").none());
  module.def(
      "verify",
      [](Source const& source, Task const& task, std::uint64_t seed, std::uint64_t rounds, int threads,
         double resolve, double cost, double ops_cost, double confidence, nb::object const& progress) {
        CheckOptions const options{.false_alarm = false_alarm_share(checks_per_simulation),
                                   .resolve = resolve,
                                   .cost = cost,
                                   .ops_cost = ops_cost,
                                   .confidence = confidence};
        return verified(source, task, seed, rounds, threads, options, progress);
      },
      nb::arg("laws"), nb::arg("task"), nb::kw_only(), nb::arg("seed"), nb::arg("rounds"), nb::arg("threads"),
      nb::arg("resolve"), nb::arg("cost"), nb::arg("ops_cost"), nb::arg("confidence"), nb::arg("progress").none());
  module.def("rules", [] {
    nb::list all;
    for (RuleCard const& card : rule_cards()) {
      nb::dict out;
      out["name"] = std::string(card.name);
      out["summary"] = std::string(card.summary);
      out["source"] = std::string(card.source);
      out["drafter"] = std::string(card.drafter);
      out["lossless"] = card.lossless;
      out["many_candidates"] = suits({.rule = std::string(card.name), .shape = {.gamma = 1, .branching = 2}});
      out["faulty"] = card.counterexample.has_value();
      all.append(out);
    }
    return all;
  });
}

}  // namespace draftgauge::python
