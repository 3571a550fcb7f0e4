#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "analysis/audit/audit.h"
#include "analysis/counters/read_engine_log.h"
#include "analysis/open/read_recording.h"
#include "analysis/replay/rule_replay.h"
#include "python/bind/bind.h"

namespace draftgauge::python {
namespace {

nb::object rounds_of(std::optional<RoundsCheck> const& check) {
  if (!check) return nb::none();
  nb::dict out;
  out["texts"] = check->texts;
  out["tokens"] = check->tokens;
  out["observed"] = check->observed;
  out["expected"] = check->expected;
  out["sd"] = check->sd;
  out["z"] = check->z;
  out["p_value"] = check->p_value;
  out["resolution"] = check->resolution;
  out["rejected"] = check->rejected;
  return out;
}

nb::dict audited(Recorded const& recorded, std::string const& file, std::string const& log, std::string const& rule,
                 bool bonus, std::optional<std::int64_t> until, double false_alarm,
                 std::optional<double> temperature) {
  AuditOptions options;
  options.rule = rule;
  options.bonus = bonus;
  options.until = until;
  options.false_alarm = false_alarm;
  options.temperature = temperature;
  Audit const found = [&] {
    nb::gil_scoped_release const released;
    return audit(recorded.trace, read_engine_log(file, log), options);
  }();
  nb::dict out;
  out["rule"] = found.rule;
  out["verdict"] = found.words();
  out["consistent"] = found.verdict == Verdict::inconclusive ? nb::none() : nb::cast(found.verdict == Verdict::holds);
  out["rounds"] = rounds_of(found.rounds);
  out["most_for"] = found.evidence && found.evidence->rejected && !found.evidence->most_for.empty()
                        ? nb::cast(std::string(found.evidence->most_for))
                        : nb::none();
  nb::list faults, unseen;
  if (found.evidence)
    for (FaultOdds const& fault : found.evidence->faults) {
      nb::dict row;
      row["name"] = std::string(fault.fault);
      row["log_odds"] = fault.log_odds;
      row["visible"] = fault.visible;
      faults.append(row);
    }
  for (Unseen const& one : found.not_looked_for()) unseen.append(std::string(one.in_words));
  out["faults"] = faults;
  out["not_looked_for"] = unseen;
  out["impossible"] = found.impossible;
  out["false_alarm"] = found.false_alarm;
  return out;
}

}  // namespace

void bind_audit_log(nb::module_& module) {
  nb::list known;
  for (RuleReplay const& replay : rule_replays()) known.append(std::string(replay.name));
  module.attr("audited_rules") = nb::tuple(known);
  module.def("audit_log", audited, nb::arg("recorded"), nb::arg("file"), nb::arg("log"), nb::arg("rule"),
             nb::arg("bonus"), nb::arg("until").none(), nb::arg("false_alarm"), nb::arg("temperature").none());
}

}  // namespace draftgauge::python
