#include "apps/why/why_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/report/why.h"
#include "apps/counters/count_document.h"

namespace draftgauge {
namespace {

/// Times as a reader is shown them: milliseconds, or plain steps where a step's time is not known.
struct Shown {
  double scale;
  std::string_view unit;
  int decimals;

  std::string words(double time) const { return fmt::format("{:.{}f} {}", time * scale, decimals, unit); }
};

Shown shown_in(std::optional<double> plain_ms, double least) {
  if (!plain_ms) return {1, "plain steps", 4};
  // Three digits of the smallest time that matters.
  double const ms = *plain_ms * least;
  return {*plain_ms, "ms", ms >= 10 ? 1 : ms >= 1 ? 2 : 3};
}

Cell share_cell(std::optional<double> share) {
  return share ? Cell(Number{*share, 0, NumberKind::share}) : Cell();
}
Cell share_cell(CountEstimate const& share) {
  return share.interval ? Cell(Estimate{*share.interval, 0, true}) : share_cell(share.value);
}

Cell time_cell(double time, std::optional<Interval> const& interval, Shown const& shown) {
  if (!interval) return Number{time * shown.scale, shown.decimals};
  return Estimate{scaled(*interval, shown.scale), shown.decimals};
}

CauseCard const& card(Cause cause) { return cause_cards()[static_cast<std::size_t>(cause)]; }

std::string with_share(Waterfall const& of, double time, Shown const& shown) {
  auto const share = share_of(of, time);
  return shown.words(time) + (share ? fmt::format(" ({})", share_text(*share)) : "");
}

/// What has a price that nobody says, and counts as nothing in a prediction: "draft time and verification"; empty
/// where drafts have one, beside which verification is a plain step for all commands if nothing else is said.
std::string free_text(Waterfall const& of) {
  std::string words;
  if (of.knows(Cause::drafts)) return words;
  for (Cause const cause : {Cause::drafts, Cause::verification})
    if (!of.knows(cause)) words += (words.empty() ? "" : " and ") + std::string(card(cause).words);
  return words;
}

/// "1.68× the speed of plain decoding (19.05 ms)"; of a prediction as far as it holds.
std::string against_plain(double time, std::string const& plain, std::string const& free) {
  bool const slower = time > 1;
  std::string words = slower ? fmt::format("{:.3g} times slower than plain decoding{}", time, plain)
                             : fmt::format("{:.3g}× the speed of plain decoding{}", 1 / time, plain);
  if (free.empty()) return words;
  return fmt::format("{} {} if {} cost nothing", slower ? "at least" : "at most", words, free);
}

/// "1.16 drafts per round" where they end early; else empty.
std::string short_drafts(Waterfall const& of) {
  std::string const mean = fmt::format("{:.3g}", of.mean_drafts);
  return mean == fmt::format("{}", of.gamma) ? std::string() : mean + " drafts per round";
}

/// Whether it can make decoding slower than without drafts: rounds give a token at least, so only their time can.
bool takes_time(Cause cause) { return cause >= Cause::drafts; }

}  // namespace

std::string why_title(Waterfall const& of, std::optional<double> plain_ms) {
  Shown const shown = shown_in(plain_ms, of.ideal);
  double const time = of.measured.value_or(of.predicted);  // in steps of plain decoding, which takes 1 a token
  std::string const plain = plain_ms ? fmt::format(" ({})", shown.words(1)) : "";
  std::string const free = of.measured ? "" : free_text(of);
  std::string const drafts = short_drafts(of);
  std::string title =
      fmt::format("{}{} per token{}, {}, where {} are ideal ({})", free.empty() ? "" : "at least ", shown.words(time),
                  of.measured ? "" : " predicted", against_plain(time, plain, free), shown.words(of.ideal),
                  drafts.empty() ? fmt::format("γ={}", of.gamma) : drafts);
  auto const left = of.unexplained();
  if (of.below_ideal())
    return title +
           ": faster than the ideal, where every draft is accepted at no cost. γ or one of the two speeds is "
           "not what ran";
  bool const slower = of.measured && time > 1;
  auto const most = std::ranges::max_element(of.steps, {}, [&](WaterfallStep const& step) {
    return slower && !takes_time(step.cause) ? -HUGE_VAL : step.time.value_or(-HUGE_VAL);
  });
  bool const leads = most->time && *most->time > 0 && (!left || *left < *most->time);
  bool const less = left && *left < 0;  // shares of a distance that is shorter than its parts say nothing
  if (leads)
    title +=
        fmt::format(": {} is {}, {}", slower ? "the largest part of a round's added time" : "the largest part",
                    card(most->cause).words, less ? shown.words(*most->time) : with_share(of, *most->time, shown));
  // No engine is so far off: a unit or a file is. Verification takes a plain step for each of its tokens at most.
  constexpr double unlikely = 3;
  double const unknown = of.knows(Cause::verification) ? 1 : 1 + of.mean_drafts;
  bool const suspicious =
      of.measured && (*of.measured > unlikely * unknown * of.predicted || *of.measured * unlikely < of.predicted);
  if (suspicious)
    title += fmt::format(
        "; measured is {:.3g} times what all parts predict: are both speeds in their units, of one model?",
        *of.measured / of.predicted);
  else if (less)
    title += fmt::format("; {} less than all parts predict", shown.words(-*left));
  else if (left)
    title += leads ? fmt::format("; {} is unexplained", with_share(of, *left, shown))
                   : fmt::format(": the largest part, {}, is unexplained", with_share(of, *left, shown));
  return title;
}

Section why_section(Waterfall const& of, std::optional<double> plain_ms) {
  Shown const shown = shown_in(plain_ms, of.ideal);
  Section section{.table = Table{{"step", "step", Align::left},
                                 {"time", plain_ms ? "ms per token" : "plain steps per token"},
                                 {"total", "then"},
                                 {"share", "share"},
                                 {"from", "from", Align::left}}};
  auto const number = [&](double time) { return Number{time * shown.scale, shown.decimals}; };
  double total = of.ideal;
  std::string const drafts = short_drafts(of);
  section.table.add(
      {"ideal: every draft accepted", std::monostate{}, number(total), std::monostate{},
       drafts.empty() ? fmt::format("γ = {}", of.gamma) : fmt::format("{}, {} at most", drafts, of.gamma)});
  for (WaterfallStep const& step : of.steps) {
    std::string const words(card(step.cause).words);
    if (!step.time) {
      section.table.add({words, "unknown", std::monostate{}, std::monostate{}, step.from});
      continue;
    }
    total += *step.time;
    section.table.add({words, time_cell(*step.time, step.interval, shown), number(total),
                       share_cell(share_of(of, *step.time)), step.from});
  }
  if (auto const left = of.unexplained())
    section.table.add({"unexplained", time_cell(*left, of.unexplained_interval(), shown), number(*of.measured),
                       share_cell(share_of(of, *left)), of.measured_from});
  if (of.below_ideal())
    section.note(
        "Measured is faster than the ideal. Shares are of what the parts predict beyond the ideal. The unexplained part "
        "takes that back.");
  if (of.measured)
    section.note(fmt::format("By {:.4g} tokens per round a round took {:.4g} plain steps.", of.tokens,
                             of.tokens * *of.measured));
  if (!of.measured) section.note(fmt::format("Nothing measured is compared with it ({}).", of.measured_from));
  if (std::string const unknown = unknown_text(of); !unknown.empty())
    section.note(fmt::format("Not known, and so {}: {}.",
                             of.measured ? "a part of what is unexplained or of the step behind it"
                                         : "a part of the step behind it, or counted as nothing",
                             unknown));
  return section;
}

Section lost_section(LostDrafts const& of) {
  constexpr std::size_t most_texts = 5;
  Section section{.heading = "Where drafts are lost",
                  .table = Table{{"by", "by", Align::left},
                                 {"group", "group", Align::left},
                                 {"tested", "share of tests"},
                                 {"acceptance", "accepted"},
                                 {"share", "share of loss"}}};
  for (LostBy const& by : of.by) {
    std::vector<LostGroup> groups = by.groups;
    bool const cut = by.name == "text" && groups.size() > most_texts;
    if (cut) {
      std::ranges::stable_sort(groups, std::greater(), [](LostGroup const& group) { return group.share.value; });
      groups.resize(most_texts);
    }
    for (LostGroup const& group : groups)
      section.table.add({&group == groups.data() ? std::string(by.words) : "", group.name,
                         share_cell(group.tested / of.tested), count_cell(group.acceptance, 3),
                         share_cell(group.share)});
    if (cut)
      section.note(fmt::format("Of {} texts the {} that lose most; all are in JSON.", by.groups.size(), most_texts));
  }
  section.note(
      "A rejection costs its round the tokens that would have followed: of draft 1 most. Each way to tell draft "
      "tokens apart splits the same loss.");
  return section;
}

}  // namespace draftgauge
