#include "analysis/why/lost_drafts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

#include "analysis/counters/kept.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/text_limits.h"
#include "analysis/texts/text_ratio.h"
#include "analysis/theory/closed_form.h"
#include "sim/base/letters.h"

namespace draftgauge {
namespace {

/// What a group's draft tokens did in one text.
struct Sums {
  std::size_t text;
  double tested = 0, kept = 0, lost = 0;
};

/// One draft token: number `draft` of its round, at token `at` of a text, both from 0.
struct Place {
  std::size_t text, at, draft;
};

/// Calls take(place, tested, lost) for each draft token that a round along the text may test, and returns the expected
/// number of rounds. `kept[t]`: P(a draft there is kept).
double for_each_test(std::size_t text, std::span<double const> kept, RoundShape const& shape, auto const& take) {
  auto const gamma = static_cast<std::size_t>(shape.gamma);
  auto const longest = static_cast<std::size_t>(theory::longest_round(shape.gamma, shape.bonus));
  std::vector<double> starts(kept.size());  // P(a round starts at this token)
  double rounds = 0;
  if (!starts.empty()) starts[0] = 1;
  for (std::size_t t = 0; t < kept.size(); ++t) {
    rounds += starts[t];
    double reached = starts[t];
    auto const next = [&](std::size_t emitted, double chance) {
      if (t + emitted < starts.size()) starts[t + emitted] += chance;
    };
    for (std::size_t i = 0; i < gamma && t + i < kept.size(); ++i) {
      double const rejected = reached * (1 - kept[t + i]);
      take(Place{text, t + i, i}, reached, rejected * static_cast<double>(longest - i - 1));
      next(i + 1, rejected);
      reached *= kept[t + i];
    }
    if (t + gamma <= kept.size()) next(longest, reached);
  }
  return rounds;
}

/// A way to tell draft tokens apart; a group's number says where it stands among the others. None: not of this kind.
struct Kind {
  std::string_view name, words;
  std::function<std::optional<std::size_t>(Place const&)> group;
  std::function<std::string(std::size_t)> name_of;
};

constexpr std::array token_kinds = {
    std::string_view("start of a word"), std::string_view("rest of a word"),      std::string_view("digits"),
    std::string_view("punctuation"),     std::string_view("line break or blank"), std::string_view("other")};

constexpr std::array certainties = {.9, .5, .1, 0.};

std::size_t certainty(double p) {
  return static_cast<std::size_t>(std::ranges::find_if(certainties, [&](double least) { return p >= least; }) -
                                  certainties.begin());
}

std::string certainty_text(std::size_t group) {
  if (group == 0) return fmt::format("{:g} or more", certainties[0]);
  return fmt::format("{:g} to {:g}", certainties[group], certainties[group - 1]);
}

/// Tokens 1 to 16, 17 to 64, and so on, four times as far each.
constexpr std::size_t first_part = 16, times_as_far = 4;

std::size_t part_of_text(std::size_t at) {
  std::size_t part = 0;
  for (std::size_t end = first_part; at >= end; end *= times_as_far) ++part;
  return part;
}

std::string part_text(std::size_t part) {
  std::size_t from = 0, end = first_part;
  for (std::size_t i = 0; i < part; ++i) {
    from = end;
    end *= times_as_far;
  }
  return fmt::format("{} to {}", from + 1, end);
}

std::string domain(TextTrace const& text) { return text.name.substr(0, text.name.find('/')); }

/// Names in the order in which they first stand, and which of them each text has; none where a text has none.
struct Domains {
  std::vector<std::string> names;
  std::vector<std::size_t> of_text;

  explicit Domains(TokenTrace const& trace) {
    std::map<std::string, std::size_t> numbers;
    for (TextTrace const& text : trace.texts) {
      if (text.name.find('/') == text.name.npos) {
        names.clear();
        return;
      }
      auto const [found, is_new] = numbers.emplace(domain(text), names.size());
      if (is_new) names.push_back(found->first);
      of_text.push_back(found->second);
    }
  }
};

std::vector<Kind> kinds_of(TokenTrace const& trace) {
  std::vector<Kind> kinds;
  kinds.push_back({"draft_position", "position in the draft", [](Place const& at) { return at.draft; },
                   [](std::size_t group) { return std::to_string(group + 1); }});
  kinds.push_back(
      {"text_position", "token of the text", [](Place const& at) { return part_of_text(at.at); }, part_text});
  if (all_have(trace, &TextTrace::pieces))
    kinds.push_back({"token_kind", "kind of token",
                     [&](Place const& at) -> std::size_t {
                       std::string_view const kind = token_kind(trace.texts[at.text].pieces[at.at]);
                       return static_cast<std::size_t>(std::ranges::find(token_kinds, kind) - token_kinds.begin());
                     },
                     [](std::size_t group) { return std::string(token_kinds[group]); }});
  if (all_have(trace, &TextTrace::max_p))
    kinds.push_back({"target_certainty", "largest p before the token",
                     [&](Place const& at) { return certainty(trace.texts[at.text].max_p[at.at]); }, certainty_text});
  else if (all_have(trace, &TextTrace::log_p) && trace.temperature != 0.)
    kinds.push_back({"token_probability", "p of the text's token",
                     [&](Place const& at) { return certainty(std::exp(trace.texts[at.text].log_p[at.at])); },
                     certainty_text});
  constexpr std::size_t most_domains = 1000;  // more are names of texts, each with numbers of all texts
  if (Domains const domains(trace); !domains.names.empty() && domains.names.size() <= most_domains)
    kinds.push_back({"domain", "domain, by the text's name",
                     [of_text = domains.of_text](Place const& at) { return of_text[at.text]; },
                     [names = domains.names](std::size_t group) { return names[group]; }});
  kinds.push_back({"text", "text", [](Place const& at) { return at.text; },
                   [&](std::size_t group) { return trace.texts[group].name; }});
  return kinds;
}

CountEstimate ratio(std::vector<double> const& above, std::vector<double> const& below, std::size_t texts,
                    std::shared_ptr<TextSample const> const& sample, double confidence) {
  TextEstimate of = mean_over_texts(above, sample) / mean_over_texts(below, sample);
  of.most_degrees = static_cast<double>(std::max<std::size_t>(texts, 2) - 1);
  CountEstimate estimate{.value = of.value};
  if (texts > 1) estimate.interval = interval_within(of, confidence, share);
  return estimate;
}

/// texts: those that have draft tokens of the group.
LostGroup group_of(std::string name, std::vector<Sums> const& texts, std::vector<double> const& all_lost,
                   double sum_lost, std::shared_ptr<TextSample const> const& sample, double confidence) {
  auto const there =
      static_cast<std::size_t>(std::ranges::count_if(texts, [](Sums const& of) { return of.tested > 0; }));
  Sums all{0};
  for (Sums const& of : texts) {
    all.tested += of.tested;
    all.kept += of.kept;
    all.lost += of.lost;
  }
  if (there < 2)  // without an interval, where n texts may be n groups: n numbers for each would be n²
    return {std::move(name), all.tested, {.value = all.kept / all.tested}, {.value = all.lost / sum_lost}};
  std::vector<double> tested(all_lost.size()), kept = tested, lost = tested;
  for (Sums const& of : texts) {
    tested[of.text] = of.tested;
    kept[of.text] = of.kept;
    lost[of.text] = of.lost;
  }
  return {std::move(name), all.tested, ratio(kept, tested, there, sample, confidence),
          ratio(lost, all_lost, there, sample, confidence)};
}

}  // namespace

std::string_view token_kind(std::string_view piece) {
  bool blank_before = false;
  for (std::string_view const blank : {" ", "\u0120", "\u2581"})
    while (piece.starts_with(blank)) {
      piece.remove_prefix(blank.size());
      blank_before = true;
    }
  auto const all = [&](auto const& of) { return std::ranges::all_of(piece, of); };
  if (piece.starts_with("\u010A") || all([](char c) { return c == '\n' || c == '\r' || c == '\t' || c == ' '; }))
    return token_kinds[4];
  if (all(is_digit)) return token_kinds[2];
  auto const letter = [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; };
  if (std::ranges::none_of(piece, [&](char c) { return letter(c) || is_digit(c); })) return token_kinds[3];
  if (letter(piece.front()) || piece.front() == '\'') return token_kinds[blank_before ? 0 : 1];
  return token_kinds[5];
}

LostDrafts lost_drafts(TokenTrace const& trace, std::span<std::vector<double> const> keep, RoundShape const& shape,
                       double confidence) {
  std::size_t const n = keep.size();
  std::vector<Kind> const kinds = kinds_of(trace);
  std::vector<std::map<std::size_t, std::vector<Sums>>> found(kinds.size());
  LostDrafts result{};
  std::vector<double> lost(n), lengths;
  for (std::size_t text = 0; text < n; ++text) {
    lengths.push_back(static_cast<double>(keep[text].size()));
    result.rounds += for_each_test(text, keep[text], shape, [&](Place const& at, double tested, double cost) {
      double const kept = tested * keep[text][at.at];
      result.tested += tested;
      result.rejected += tested - kept;
      lost[text] += cost;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        auto const group = kinds[k].group(at);
        if (!group) continue;
        std::vector<Sums>& texts = found[k][*group];
        if (texts.empty() || texts.back().text != text) texts.push_back({text});
        Sums& sums = texts.back();
        sums.tested += tested;
        sums.kept += kept;
        sums.lost += cost;
      }
    });
    result.lost += lost[text];
  }
  auto const sample = std::make_shared<TextSample const>(std::move(lengths), 0, 0);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (found[k].size() < 2 || result.lost == 0) continue;
    LostBy by{kinds[k].name, kinds[k].words, {}};
    for (auto const& [group, texts] : found[k])
      if (std::ranges::any_of(texts, [](Sums const& text) { return text.tested > 0; }))
        by.groups.push_back(group_of(kinds[k].name_of(group), texts, lost, result.lost, sample, confidence));
    result.by.push_back(std::move(by));
  }
  return result;
}

std::optional<LostDrafts> lost_drafts(EngineCounters const& counters, double confidence) {
  auto const rows = kept_by_length(counters.sums);
  if (rows.empty()) return std::nullopt;
  KaplanMeier const each = kaplan_meier(rows);
  auto const conditional = counter_estimates(counters, confidence).conditional;
  LostDrafts result{};
  result.rounds = static_cast<double>(each.rounds);
  LostBy by{"draft_position", "position in the draft", {}};
  std::vector<double> lost;
  // Positions that no round reached lose nothing, and have no estimate.
  for (std::size_t i = 0; i < conditional.size(); ++i) {
    double const tested = static_cast<double>(each.reached[i]), rejected = static_cast<double>(each.rejected[i]);
    result.tested += tested;
    result.rejected += rejected;
    lost.push_back(0);
    // What would have followed goes by the length of the draft.
    for (std::vector<std::int64_t> const& row : rows)
      if (i + 1 < row.size()) lost[i] += static_cast<double>(row[i]) * static_cast<double>(row.size() - 1 - i);
    result.lost += lost[i];
    by.groups.push_back({std::to_string(i + 1), tested, conditional[i], {}});
  }
  if (result.lost == 0 || by.groups.size() < 2) return std::nullopt;
  for (std::size_t i = 0; i < lost.size(); ++i) by.groups[i].share.value = lost[i] / result.lost;
  result.by.push_back(std::move(by));
  return result;
}

}  // namespace draftgauge
