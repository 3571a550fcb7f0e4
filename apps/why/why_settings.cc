#include "apps/why/why_settings.h"

#include <fmt/format.h>

#include "analysis/counters/counter_alarms.h"
#include "analysis/counters/rates.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/gamma_counters.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// Of how many sequences what is to be set is, where it is said how many there were.
std::string batch_words(WhyAsked const& asked) {
  if (asked.priced_batch > 1) return fmt::format(" of {} sequences at once", asked.priced_batch);
  auto const& at_once = asked.counted->at_once;
  return at_once && at_once->mean() >= 1.5 ? " of one sequence at a time" : "";
}

}  // namespace

std::vector<Alarm> why_alarms(Waterfall const& of, WhyAsked const& asked, std::span<GammaRow const> rows) {
  auto const& counters = asked.counted;
  if (asked.batched) return counters ? counter_alarms(*counters, rows) : std::vector<Alarm>();
  DraftSpeed const ran = speed_at(of.gamma, 1 / of.measured.value_or(of.predicted), {}, !of.measured);
  // Costs that do not explain a measured loss do not say which draft length would be faster.
  if (of.measured && of.predicted <= 1) rows = {};
  if (counters) return counter_alarms(*counters, rows, ran);
  return alarms_of({}, rows, ran);
}

std::optional<GammaAnswer> why_gamma(Invocation const& args, WhyAsked const& asked, double confidence) {
  if (!asked.counted || !asked.priced.given) return std::nullopt;
  GammaAsked of;
  of.bonus = asked.input.bonus;
  of.confidence = confidence;
  of.seed = args.seed();
  of.batch = asked.priced_batch;
  of.to_set = args.text_given("--for");
  return gamma_where_known(*asked.counted, asked.priced, of);
}

void add_why_settings(Result& result, Invocation const& args, WhyAsked const& asked,
                      std::optional<GammaAnswer> found) {
  EngineCounters const& counters = *asked.counted;
  std::string const engine = engine_to_set(args, &counters);
  if (engine.empty()) return;
  Result choice;
  if (found && *found->best > 0 && forbidden(result.alarms, *found->best)) {
    choice.alarms = result.alarms;
    add_settings(choice, engine, {.gamma = *found->best, .draft_kinds = counters.draft_kinds});
  } else if (found) {
    GammaRow const& best = *found->row(*found->best);
    std::string const& caveat = found->caveat;
    auto& notes = result.sections.front().notes;
    std::size_t const first = notes.size();
    notes.push_back(fmt::format("{}{}By these counts and costs{} the best γ is {}, S={:.4f}{}.", caveat,
                                caveat.empty() ? "" : " ", batch_words(asked), best.gamma, best.speedup,
                                bounds_text(best.interval)));
    // What `gamma` says of that choice: how sure it is, and what it takes for granted.
    for (std::string const& note : found->result.sections.front().notes) add_once(notes, note);
    for (std::size_t i = first; i < notes.size(); ++i) result.document["notes"].push_back(notes[i]);
    found->result.alarms = result.alarms;
    add_settings(*found, engine);
    choice = std::move(found->result);
  } else if (result.alarms.empty() && counters.draft_length && !set_length(counters)) {
    // Lines for one length would set p-min to 0, and so change what ran.
    std::string_view const ends = what_ends_drafts(engine);
    std::string note = fmt::format(
        "Drafts ended early, so that nothing is set: these counts do not say what rounds of one length would give. "
        "Keep what ended them, such as {}.",
        ends.empty() ? "a threshold on q" : ends);
    result.document["notes"].push_back(note);
    result.sections.front().note(std::move(note));
    return;
  } else {
    CounterRates const rates = counter_rates(counters);
    choice.alarms = result.alarms;
    EngineSettings const set = add_settings(choice, engine,
                                            {.gamma = asked.input.gamma,
                                             .survival = rates.cumulative,
                                             .tokens_per_round = rates.tokens_per_round,
                                             .draft_kinds = counters.draft_kinds});
    if (!set.flags.empty())
      choice.sections.back().notes.push_back(std::string("That is the γ that ran: ") +
                                             (asked.priced.given
                                                  ? "these counts do not say what another one would give."
                                                  : "without costs none is best."));
  }
  result.document["settings"] = choice.document["settings"];
  result.sections.push_back(std::move(choice.sections.back()));
}

}  // namespace draftgauge
