#include "apps/why/why_settings.h"

#include <fmt/format.h>

#include "analysis/counters/rates.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/counted_report.h"
#include "apps/gamma/gamma_counters.h"
#include "apps/output/settings_words.h"
#include "sim/base/add_once.h"

namespace draftgauge {
namespace {

/// Of how many sequences what is to be set is, where it is said how many there were.
std::string batch_words(WhyAsked const& asked) {
  if (asked.priced_batch > 1) return fmt::format(" of {} sequences at once", asked.priced_batch);
  auto const& at_once = asked.counted->at_once;
  return at_once && at_once->mean() >= 1.5 ? " of one sequence at a time" : "";
}

}  // namespace

void add_why_settings(Result& result, Invocation const& args, WhyAsked const& asked, double confidence) {
  EngineCounters const& counters = *asked.counted;
  std::string const engine = engine_to_set(args, &counters);
  if (engine.empty()) return;
  GammaAsked of;
  of.bonus = asked.input.bonus;
  of.confidence = confidence;
  of.seed = args.seed();
  of.batch = asked.priced_batch;
  if (args.has("--for")) of.to_set = engine;
  auto found = asked.priced.given ? gamma_where_known(counters, asked.priced, of) : std::nullopt;
  Result choice;
  if (found) {
    GammaRow const& best = *found->row(*found->best);
    auto const& rounds = counters.sums.rounds;
    std::string const caveat =
        counts_caveat(rounds ? std::optional(static_cast<std::uint64_t>(*rounds)) : std::nullopt, best.gamma,
                      best.interval, !found->set.empty());
    auto& notes = result.sections.front().notes;
    std::size_t const first = notes.size();
    notes.push_back(fmt::format(
        "{}{}By these counts and costs{} the best γ is {}, S={:.4f}{}: what to set for it stands at the end.", caveat,
        caveat.empty() ? "" : " ", batch_words(asked), best.gamma, best.speedup, bounds_text(best.interval)));
    // What `gamma` says of that choice: how sure it is, and what it takes for granted.
    for (std::string const& note : found->result.sections.front().notes) add_once(notes, note);
    for (std::size_t i = first; i < notes.size(); ++i) result.document["notes"].push_back(notes[i]);
    add_settings(*found, engine);
    choice = std::move(found->result);
  } else if (counters.draft_length && !set_length(counters)) {
    // Lines for one length would set p-min to 0, and so change what ran.
    std::string note = fmt::format(
        "Drafts ended early, so that nothing is set: these counts do not say what rounds of one length would give. "
        "Keep what ended them, such as {}.",
        engine == "llama.cpp" ? "--draft-p-min" : "a threshold on q");
    result.document["notes"].push_back(note);
    result.sections.front().note(std::move(note));
    return;
  } else {
    CounterRates const rates = counter_rates(counters);
    add_settings(choice, engine,
                 {.gamma = asked.input.gamma,
                  .survival = rates.cumulative,
                  .tokens_per_round = rates.tokens_per_round,
                  .draft_kinds = counters.draft_kinds});
    choice.sections.back().notes.push_back(std::string("That is the γ that ran: ") +
                                           (asked.priced.given
                                                ? "these counts do not say what another one would give."
                                                : "without costs none is best."));
  }
  result.document["settings"] = choice.document["settings"];
  result.sections.push_back(std::move(choice.sections.back()));
}

}  // namespace draftgauge
