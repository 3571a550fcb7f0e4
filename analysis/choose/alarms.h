#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/choose/alarm.h"
#include "analysis/choose/gamma_choice.h"
#include "analysis/stats/interval.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/study.h"

namespace draftgauge {

/// A draft that was tested often and never accepted.
struct NeverAccepted {
  std::size_t draft;    ///< 1, 2, …
  std::uint64_t tests;  ///< rounds that drafted it and accepted those before it
};
/// "draft 2 was never accepted, though 56 rounds accepted all drafts before it"
std::string to_string(NeverAccepted const& of);
/// Whether so many tests of a draft without a pass are hardly chance: of 30 one run in 800 has none where a fifth pass. A
/// first draft may be bad and no more: of 300 one run in 2000 has none where one in 40 passes.
inline bool often_tested(std::size_t draft, std::uint64_t tests) { return tests >= (draft == 1 ? 300 : 30); }
/// The first such draft.
std::optional<NeverAccepted> never_accepted(KaplanMeier const& counted);
Alarm broken_alarm(NeverAccepted const& of);

/// A way of drafting, and how fast it is.
struct DraftSpeed {
  double speedup;
  std::optional<Interval> within = {};
  std::string how = {};                    ///< "at γ = 4"
  std::optional<std::int64_t> gamma = {};  ///< of a chain
  bool sampled = true;                     ///< of a sample: without an interval nothing is sure
};
/// "at γ = 4"
DraftSpeed speed_at(std::int64_t gamma, double speedup, std::optional<Interval> const& within = {},
                    bool sampled = true);

/// Of drafts that ran. instead: the best way of drafting that is known. broken: they are to be repaired first, so that
/// nothing else is advised.
std::optional<Alarm> slower_alarm(DraftSpeed const& ran, std::optional<DraftSpeed> const& instead,
                                  bool broken = false);
inline constexpr char switch_off[] = "Switch drafting off.", compare_shorter[] = "Compare shorter drafts.";
/// Where even the best way of drafting is slower, of those that were compared. advice: what to do.
std::optional<Alarm> slower_at_best(std::optional<DraftSpeed> const& best, std::string_view advice = switch_off);

/// By rows of γ: the one of so many drafts, and that of greatest S with a draft; none where no S is known.
std::optional<DraftSpeed> speed_of(std::span<GammaRow const> rows, std::optional<std::int64_t> gamma,
                                   bool sampled = true);
std::optional<DraftSpeed> fastest_draft(std::span<GammaRow const> rows, bool sampled = true);

/// What must be said, broken drafts first. ran: how fast drafts were that ran; none: none did, or at which γ is not
/// known. Of broken drafts no other γ is recommended.
std::vector<Alarm> alarms_of(std::optional<NeverAccepted> const& broken, std::span<GammaRow const> rows,
                             std::optional<DraftSpeed> const& ran, bool sampled = true);
/// By a recording at its costs, of the γ that were asked of it. Of fewer tokens than fewest_tokens nothing is said.
std::vector<Alarm> alarms_of(Study const& study, double confidence);
/// Of several recordings where each of them loses: each with its name before it.
std::vector<Alarm> alarms_of(std::span<Study const* const> studies, double confidence);
/// "NAME: SLOWER than …"
std::vector<Alarm> named(std::vector<Alarm> alarms, std::string_view name);

}  // namespace draftgauge
