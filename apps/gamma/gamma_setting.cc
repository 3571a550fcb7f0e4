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

Json setting_document(PricedRound const& round, GammaAsked const& asked) {
  Json document = {{"costs", round_costs_document(round.costs)},
                   {"bonus", asked.bonus},
                   {"batch", {{"sequences", asked.batch}}},
                   {"notes", round.notes}};
  return document;
}

}  // namespace draftgauge
