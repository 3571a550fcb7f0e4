#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <variant>

#include "analysis/verifier/early_bets.h"
#include "analysis/verifier/emitted_law.h"
#include "analysis/verifier/verdict.h"
#include "python/bind/bind.h"
#include "sim/draft/parsed_shape.h"

namespace draftgauge::python {
namespace {

using Tokens = nb::ndarray<std::int64_t const, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Probabilities = nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Starts = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// An audit from its plan to its verdict. Whoever holds it calls the verifier.
struct VerifierAudit {
  Source source;
  VerifierGame game;
  std::vector<double> target;
  std::vector<KnownRule> known;
  VerifierAsked asked;
  std::optional<EarlyBets> bets;

  VerifierAudit(Source of, std::variant<int, TreeShape> const& drafts, bool without, std::uint64_t seed, int rounds,
                std::optional<int> length, bool drafts_from_q, VerifierAsked const& wanted)
      : source(std::move(of)),
        game(drafts.index() == 0
                 ? VerifierGame(source.tables, std::get<int>(drafts), seed, rounds, length)
                 : VerifierGame(source.tables, std::get<TreeShape>(drafts), without, seed, rounds, length)),
        target(target_texts(source.tables, game.cells())),
        known(known_rules(source, game.cells(), drafts_from_q)),
        asked(wanted) {
    if (drafts_from_q) asked.ceiling = lossless_ceiling(source, game.cells());
  }

  /// ln of EarlyBets' capital after all that was played; of faults: each rule of ours whose text is not p's.
  double bet() {
    if (!bets) {
      std::vector<std::vector<double>> faults;
      for (KnownRule const& rule : known)
        if (!rule.lossless()) faults.push_back(rule.texts);
      bets.emplace(target, std::move(faults));
    }
    return bets->look(game.texts());
  }

  double mean_accepted(std::string const& rule) const {
    if (rule == "token" && !game.cells().is_tree()) return token_rule_accepted(source.tables, game.cells().gamma);
    return known_rule(rule, source, game.cells().single()).mean_accepted;
  }
};

nb::object to_python(std::optional<std::uint64_t> number) { return number ? nb::cast(*number) : nb::none(); }

nb::dict plan(VerifierAudit const& audit) {
  VerifierPlan const plan = plan_audit(audit.target, audit.known, audit.asked);
  nb::list faults;
  for (FaultPlan const& fault : plan.faults) {
    nb::dict row;
    row["rule"] = fault.rule;
    row["summary"] = fault.summary;
    row["tv"] = fault.tv;
    row["rounds"] = to_python(fault.rounds);
    faults.append(row);
  }
  nb::dict out;
  out["rounds"] = to_python(plan.rounds_to_find);
  out["rounds_to_certify"] = to_python(plan.rounds_to_certify);
  out["faults"] = faults;
  return out;
}

/// looks: after which the rounds might have ended, each of which has its share of what bounds of TV may fail by; 1 if
/// they end as planned.
nb::dict verdict(VerifierAudit const& audit, bool shown_lossy, double looks) {
  VerifierAsked asked = audit.asked;
  asked.shown_lossy = shown_lossy;
  if (shown_lossy) asked.false_alarm /= looks, asked.power = 1 - (1 - asked.power) / looks;
  VerifierVerdict const found = judge_verifier(audit.game, audit.target, audit.known, asked);
  nb::dict out;
  out["lossless"] = found.lossless ? nb::cast(*found.lossless) : nb::none();
  out["rounds"] = found.test.draws;
  out["p_value"] = found.test.p_value;
  out["first_p_value"] = found.first_rounds ? nb::cast(found.first_rounds->p_value) : nb::none();
  out["shares_noise"] = found.shares_noise;
  out["tv_at_most"] = found.certificate.tv_at_most;
  out["tv_at_least"] = found.tv_at_least;
  out["detectable"] = python::to_python(found.detectable);
  out["accepted"] = python::to_python(found.accepted);
  out["mean_accepted"] = found.mean_accepted;
  out["above_ceiling"] = found.above_ceiling;
  out["strayed"] = audit.game.strayed();
  out["nearest"] = found.nearest
                       ? nb::object(nb::make_tuple(found.nearest->rule, found.nearest->p_value, found.nearest->same))
                       : nb::none();
  out["counterexample"] = nb::none();
  if (auto const& one = found.counterexample)
    out["counterexample"] = nb::make_tuple(one->start, one->tokens, one->observed, one->expected, one->z);
  return out;
}

/// starts [n], drafts [n, γ], tokens [n, γ + 1] and the probability of each: everything that a verifier emits in a
/// round.
nb::dict verdict_of_law(VerifierAudit const& audit, Starts const& starts, Tokens const& drafts, Tokens const& tokens,
                        Probabilities const& probabilities, double width) {
  EmittedLaw law(audit.game.cells().single());
  law.add({starts.data(), starts.size()}, {drafts.data(), drafts.size()}, {tokens.data(), tokens.size()},
          {probabilities.data(), probabilities.size()});
  LawVerdict const found =
      judge_law(law, audit.source.tables, target_texts(audit.source.tables, law.cells()), audit.known, width);
  nb::dict out;
  out["tv"] = found.tv;
  out["mean_accepted"] = law.mean_accepted();
  out["strayed"] = law.strayed();
  out["nearest"] = found.nearest ? nb::cast(*found.nearest) : nb::none();
  out["same"] = found.same;
  out["counterexample"] = nb::none();
  if (auto const& one = found.deviation)
    out["counterexample"] = nb::make_tuple(one->start, one->tokens, one->probability, one->expected);
  return out;
}

}  // namespace

void bind_audit(nb::module_& module) {
  nb::class_<OpenTexts>(module, "OpenTexts", "Texts of an audit while they are played, round after round.")
      .def_prop_ro("last", [](OpenTexts const& self) { return whole_array(self.last, {self.last.size()}); })
      .def_prop_ro("emitted", [](OpenTexts const& self) { return whole_array(self.emitted, {self.emitted.size()}); });
  nb::class_<VerifierAudit>(module, "VerifierAudit", "An audit of a verifier, which the caller calls.")
      .def(
          "__init__",
          [](VerifierAudit* self, Source const& source, int gamma, std::optional<std::string> const& tree,
             bool without, std::uint64_t seed, int rounds, std::optional<int> length, bool drafts_from_q, double tv,
             double false_alarm, double power) {
            nb::gil_scoped_release const released;
            std::variant<int, TreeShape> drafts = gamma;
            if (tree) drafts = shape_of(parse_tree(*tree));
            new (self)
                VerifierAudit(source, drafts, without, seed, rounds, length, drafts_from_q, {tv, false_alarm, power});
          },
          nb::arg("laws"), nb::arg("gamma"), nb::arg("tree").none(), nb::arg("without"), nb::arg("seed"),
          nb::arg("rounds_per_text"), nb::arg("tokens_per_text").none(), nb::arg("drafts_from_q"), nb::arg("tv"),
          nb::arg("false_alarm"), nb::arg("power"))
      .def("open", [](VerifierAudit const& self, std::uint64_t begin,
                      std::uint64_t end) { return self.game.open({begin, end}); })
      .def("drafts",
           [](VerifierAudit const& self, OpenTexts const& texts) {
             return whole_array(self.game.drafts(texts), {texts.last.size(), self.game.cells().drafted()});
           })
      .def("add",
           [](VerifierAudit& self, OpenTexts& texts, Tokens const& drafts, Tokens const& tokens) {
             self.game.add(texts, {drafts.data(), drafts.size()}, {tokens.data(), tokens.size()});
           })
      .def("plan", plan)
      .def_prop_ro("gamma", [](VerifierAudit const& self) { return self.game.cells().gamma; })
      .def_prop_ro("parents", [](VerifierAudit const& self) { return self.game.cells().tree.parents(); })
      .def("mean_accepted", &VerifierAudit::mean_accepted, nb::arg("rule"))
      .def_prop_ro("ceiling", [](VerifierAudit const& self) { return python::to_python(self.asked.ceiling); })
      .def("check",
           [](VerifierAudit const& self, Tokens const& drafts, Tokens const& tokens) {
             std::size_t const drafted = drafts.shape(1), row = tokens.shape(1);
             for (std::size_t i = 0; i < drafts.shape(0); ++i)
               read_round(self.game.cells(), i, {drafts.data() + i * drafted, drafted},
                          {tokens.data() + i * row, row});
           })
      .def("bet", &VerifierAudit::bet)
      .def("verdict", verdict, nb::arg("shown_lossy") = false, nb::arg("looks") = 1.)
      .def("verdict_of_law", verdict_of_law);
  module.def("verifier_pair", verifier_pair, nb::arg("vocab"), nb::arg("seed"));
}

}  // namespace draftgauge::python
