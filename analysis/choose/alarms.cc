#include "analysis/choose/alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/texts/text_lead.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

bool loses(DraftSpeed const& of) { return of.speedup < 1 - speedup_tie; }

/// "0.56×", with as many digits as tell it from 1.
std::string times_text(double speedup) {
  constexpr int most = 12;  // digits of speedup_tie
  int decimals = 2;
  while (decimals < most && std::lround(speedup * std::pow(10, decimals)) == std::lround(std::pow(10, decimals)))
    ++decimals;
  return fmt::format("{:.{}f}×", speedup, decimals);
}

/// A loss that chance may have made is said to be probable.
std::string slower_text(DraftSpeed const& of, std::string_view where) {
  bool const sure = of.within ? of.within->high < 1 : !of.sampled;
  std::string const bounds = of.within ? fmt::format(" [{:.2f}, {:.2f}]", of.within->low, of.within->high) : "";
  return fmt::format("{} than decoding without drafts: {}{}{}.", sure ? "SLOWER" : "Probably SLOWER",
                     times_text(of.speedup), bounds, where);
}

}  // namespace

std::string_view to_string(Alarm::Kind kind) {
  constexpr std::string_view in_order[] = {"broken", "slower", "trimmed"};
  return in_order[static_cast<std::size_t>(kind)];
}

bool forbidden(std::span<Alarm const> alarms, std::int64_t gamma) {
  return std::ranges::any_of(alarms, [&](Alarm const& each) { return each.forbids(gamma); });
}

std::optional<NeverAccepted> never_accepted(KaplanMeier const& counted) {
  for (std::size_t i = 0; i < counted.reached.size(); ++i)
    if (often_tested(i + 1, counted.reached[i]) && counted.rejected[i] == counted.reached[i])
      return NeverAccepted{i + 1, counted.reached[i]};
  return std::nullopt;
}

std::string to_string(NeverAccepted const& of) {
  std::string const tests = of.draft == 1 ? fmt::format("in {} rounds", of.tests)
                                          : fmt::format("though {} rounds accepted all drafts before it", of.tests);
  return fmt::format("draft {} was never accepted, {}", of.draft, tests);
}

Alarm broken_alarm(NeverAccepted const& of) {
  return {Alarm::Kind::broken,
          fmt::format("BROKEN: {}. The drafts or their verification are wrong from there on: check positions and caches.",
                      to_string(of))};
}

DraftSpeed speed_at(std::int64_t gamma, double speedup, std::optional<Interval> const& within, bool sampled) {
  return {speedup, within, fmt::format("at γ = {}", gamma), gamma, sampled};
}

std::optional<Alarm> slower_alarm(DraftSpeed const& ran, std::optional<DraftSpeed> const& instead, bool broken) {
  if (!loses(ran)) return std::nullopt;
  Alarm alarm{Alarm::Kind::slower, slower_text(ran, " " + ran.how)};
  if (broken) return alarm;  // whose repair comes before any advice
  if (instead && instead->speedup > 1 + speedup_tie) {
    alarm.of_gamma = ran.gamma;
    auto const& within = instead->within;
    alarm.words +=
        within && within->low <= 1
            ? fmt::format(" No draft length is shown to gain: at best {} [{:.2f}, {:.2f}] {}.",
                          times_text(instead->speedup), within->low, within->high, instead->how)
            : fmt::format(" Faster by the same counts: {} {}.", times_text(instead->speedup), instead->how);
  } else {
    alarm.words += fmt::format(" {}", switch_off);
  }
  return alarm;
}

std::optional<Alarm> slower_at_best(std::optional<DraftSpeed> const& best, std::string_view advice) {
  if (!best || !loses(*best)) return std::nullopt;
  return Alarm{Alarm::Kind::slower, fmt::format("{} {}", slower_text(*best, " at best, " + best->how), advice)};
}

std::optional<DraftSpeed> speed_of(std::span<GammaRow const> rows, std::optional<std::int64_t> gamma, bool sampled) {
  auto const row = gamma ? std::ranges::find(rows, *gamma, &GammaRow::gamma) : rows.end();
  if (row == rows.end() || !std::isfinite(row->speedup)) return std::nullopt;
  return speed_at(row->gamma, row->speedup, row->interval, sampled);
}

std::optional<DraftSpeed> fastest_draft(std::span<GammaRow const> rows, bool sampled) {
  GammaRow const* most = nullptr;
  for (GammaRow const& row : rows)
    if (row.gamma > 0 && std::isfinite(row.speedup) && (!most || row.speedup > most->speedup)) most = &row;
  return most ? speed_of(rows, most->gamma, sampled) : std::nullopt;
}

std::vector<Alarm> alarms_of(std::optional<NeverAccepted> const& broken, std::span<GammaRow const> rows,
                             std::optional<DraftSpeed> const& ran, bool sampled) {
  std::vector<Alarm> alarms;
  if (broken) alarms.push_back(broken_alarm(*broken));
  auto const best = broken ? std::nullopt : fastest_draft(rows, sampled);
  auto slower = ran ? slower_alarm(*ran, best, broken.has_value()) : slower_at_best(best);
  if (slower) alarms.push_back(std::move(*slower));
  return alarms;
}

std::vector<Alarm> alarms_of(Study const& study, double confidence) {
  TextBestGamma const* const best = study.best_at_costs();
  if (!best || best->gamma > 0 || study.estimates.tokens() < fewest_tokens) return {};
  std::optional<DraftSpeed> fastest;
  std::vector<int> const gammas = study.gammas();
  for (int const gamma : gammas)
    if (auto const there = study.speedup_at(gamma); there && (!fastest || there->speedup.value > fastest->speedup))
      fastest =
          speed_at(gamma, there->speedup.value, interval_within(there->speedup, confidence, there->speedup_limits));
  auto alarm = slower_at_best(fastest, gammas.front() == 1 ? switch_off : compare_shorter);
  return alarm ? std::vector{std::move(*alarm)} : std::vector<Alarm>();
}

std::vector<Alarm> alarms_of(std::span<Study const* const> studies, double confidence) {
  std::vector<Alarm> all;
  for (Study const* const study : studies) {
    auto const alarms = named(alarms_of(*study, confidence), study->estimates.name());
    if (alarms.empty()) return {};
    all.insert(all.end(), alarms.begin(), alarms.end());
  }
  return all;
}

std::vector<Alarm> named(std::vector<Alarm> alarms, std::string_view name) {
  for (Alarm& alarm : alarms) alarm.words = fmt::format("{}: {}", name, alarm.words);
  return alarms;
}

}  // namespace draftgauge
