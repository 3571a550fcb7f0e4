#include "apps/gamma/gamma_setting.h"

#include <fmt/format.h>

namespace draftgauge {

PricedRound priced_round(Invocation const& args, std::string const& cost, GammaAsked const& asked) {
  return RoundCosts(args, cost).of(TokenTrace{}, asked.batch);
}

void refuse_draws_of_requests(Invocation const& args, PricedRound const& round) {
  if (!round.given)
    args.refuse({"--resamples"},
                "has no meaning for counts by request without costs (they are drawn from to compare speed-ups)",
                "leave it out, or add --cost");
}

std::string batch_text(GammaAsked const& asked) {
  if (asked.batch == 1) return {};
  return fmt::format(", {} sequences independent of each other", asked.batch);
}

void add_setting_notes(Section& section, GammaAsked const& asked, PricedRound const& round) {
  if (asked.batch > 1)
    section.note(std::string("Times are in plain steps of the whole batch") +
                 (round.by_tokens ? "; a pass costs by its tokens, of whichever sequence." : "."));
  section.note(round.notes);
}

GammaSetting setting_of(PricedRound const& round, GammaAsked const& asked, std::string_view estimator) {
  return {asked.bonus, {asked.batch}, round.notes, std::string(estimator)};
}

GammaReport report_of(GammaReport::Of of, PricedRound const& round, GammaAsked const& asked,
                      std::string_view estimator) {
  GammaReport report{setting_of(round, asked, estimator), of};
  if (of == GammaReport::Of::alpha || round.given) report.costs = round.costs;
  report.ops_cost = asked.ops_cost;
  return report;
}

}  // namespace draftgauge
