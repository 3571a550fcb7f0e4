#include "apps/gamma/gamma_counters.h"

#include <fmt/format.h>

#include "analysis/counters/counted_curve.h"
#include "analysis/counters/counter_alarms.h"
#include "analysis/counters/documents.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/kept.h"
#include "analysis/counters/ordered.h"
#include "analysis/stats/counted.h"
#include "apps/counters/count_document.h"
#include "apps/counters/counters_document.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/choice_caveats.h"
#include "apps/gamma/counted_report.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/gamma/replay_report.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

[[noreturn]] void refuse(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  if (!sums.rounds && !sums.drafted)
    throw means_alone(counters, "what another γ would give does not follow",
                      fmt::format("{}; `draftgauge measure` takes means alone", rounds_advice(counters)));
  if (!sums.rounds)
    throw InputError(
        fmt::format(
            "{}: {} has no count of rounds (how many tokens does a round draft, and how many rounds were there?)",
            counters.file, counters.format),
        fmt::format("say the first with --draft-length; where drafts end early, {}", rounds_advice(counters)));
  std::string const most =
      counters.draft_length ? fmt::format(" and may draft {}", *counters.draft_length) : std::string();
  std::string const drafted =
      sums.drafted ? fmt::format("{} tokens", *sums.drafted) : "tokens that it does not count";
  // A length that nearly all rounds drafted would say it; of other totals it says nothing.
  EngineCounters of_one_length = counters;
  if (sums.drafted && *sums.rounds > 0) of_one_length.draft_length = (*sums.drafted - 1) / *sums.rounds + 1;
  bool const one_length = !counters.draft_length && kept_counts(of_one_length).alpha;
  std::string_view const ends = what_ends_drafts(counters.engine);
  throw InputError(
      fmt::format("{}: its {} drafted {}{} (how many rounds drafted how far? {} does not say it)", counters.file,
                  counted(static_cast<std::uint64_t>(*sums.rounds), "round"), drafted, most, counters.format),
      one_length ? "give counters by position, or the length that the engine was set to with --draft-length"
                 : fmt::format("give counters by position, or of a run with a fixed draft length{}",
                               ends.empty() ? "" : fmt::format(" ({} 0)", ends)));
}

/// None where none of it is.
std::optional<GammaAnswer> by_what_is_known(EngineCounters const& counters, PricedRound const& round,
                                            GammaAsked const& asked, std::vector<std::string>& notes) {
  KeptCounts const kept = kept_counts(counters);
  notes = choice_caveats(counters);
  if (OrderedCounts const ordered = ordered_counts(counters); !ordered.requests.empty()) {
    if (kept.at_least) notes.erase(notes.begin());  // which speaks of rounds whose length is not known
    return gamma_of_replay(ordered, round, asked);
  } else if (!ordered.why_not.empty()) {
    notes.push_back(ordered.why_not);
  }
  GammaAsked of = asked;
  of.along_text = along_text(counters, kept);
  if (!kept.requests.empty()) return gamma_of_requests(kept.requests, round, of);
  if (!kept.rows.empty()) return gamma_of_histograms(kept.rows, round, of);
  if (!kept.survival.empty()) return gamma_of_curve(kept.survival, round, asked, kept.survival.size());
  if (!kept.alpha) return std::nullopt;
  CounterEstimates const found = counter_estimates(counters, asked.confidence, asked.seed);
  notes.push_back(over_text(found, asked.confidence));
  return gamma_of_independent(*kept.alpha, found.alpha->interval, static_cast<std::uint64_t>(*counters.sums.rounds),
                              static_cast<std::size_t>(*set_length(counters)), asked.most.value_or(longest_assumed),
                              round, asked);
}

}  // namespace

std::optional<GammaAnswer> gamma_where_known(EngineCounters const& counters, PricedRound const& priced,
                                             GammaAsked const& asked) {
  PricedRound const round = as_run_by(priced, engine_to_price(counters, asked.to_set));
  std::vector<std::string> notes;
  auto found = by_what_is_known(counters, round, asked, notes);
  if (!found) return found;
  found->draft_kinds = counters.draft_kinds;
  Result& result = found->result;
  result.alarms = counter_alarms(counters, found->rows);
  GammaRow const* const best = found->best ? found->row(*found->best) : nullptr;
  auto undrafted = undrafted_caveat(counters, best ? best->gamma : 0, best ? best->speedup : 1);
  if (!found->replayed && !undrafted) add_order_free(*found, counters, asked);
  if (undrafted) {
    if (undrafted->speedup) result.title += fmt::format("; S={:.4f} over all tokens", *undrafted->speedup);
    notes.push_back(std::move(undrafted->words));
  }
  if (!counters.file.empty()) result.title += fmt::format(" ({})", counters_text(counters));
  // In place of the settings, which are no detail.
  std::vector<std::string> details;
  for (std::string const& note : counters.notes) (says_no_settings(note) ? notes : details).push_back(note);
  found->report->engine = {given(!counters.engine.empty(), counters.engine), counters.format, counts_document(counters),
                           rates_document(counters)};
  result.sections.front().note(notes);
  found->report->note(notes);
  std::size_t const shown = found->replayed ? result.sections.size() : 1;
  result.sections.push_back(counts_section(counters));
  result.sections.back().note(details);
  result.sections.push_back(rates_section(counters));
  for (std::size_t i = shown; i < result.sections.size(); ++i) result.sections[i].detail = true;
  return found;
}

GammaAnswer gamma_of_counters(Invocation const& args, EngineCounters const& counters, GammaAsked const& asked) {
  if (!counters.trimmed.empty())
    throw InputError(fmt::format("{}: the engine verified a budget over the batch ({}), and drafts that it did not verify count as "
                                 "rejected (what a fixed draft length would give does not follow)",
                                 counters.file, counters.trimmed),
                     "run it with the schedule off, or see tokens per round with `draftgauge measure`; `--schedule` takes a "
                     "recording or --alpha");
  PricedRound const round = priced_round(args, cost_given(args), asked);
  if (!kept_counts(counters).requests.empty()) refuse_draws_of_requests(args, round);
  auto found = gamma_where_known(counters, round, asked);
  if (!found) refuse(counters);
  return std::move(*found);
}

}  // namespace draftgauge
