#include <fmt/format.h>

#include <algorithm>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/replay/replay.h"
#include "analysis/texts/text_width.h"
#include "sim/base/printable.h"

namespace draftgauge {
namespace {

constexpr char const* leviathan_1_spec = R"json({
  "encoding": {
    "x": {"field": "column", "type": "quantitative", "axis": null, "scale": {"domain": [-1, 46], "nice": false}},
    "y": {
      "field": "line", "type": "ordinal", "title": "round",
      "axis": {
        "ticks": false, "domain": false, "grid": false,
        "labelExpr": "floor(datum.value) == datum.value ? datum.label : ''"
      }
    },
    "text": {"field": "shown"},
    "color": {
      "field": "kind", "type": "nominal", "legend": {"title": null, "columns": 2},
      "scale": {"domain": ["accepted draft", "× after a rejection", "+ after γ acceptances"]}
    }
  },
  "layer": [{"mark": {"type": "text", "style": "token"}}]
})json";

constexpr std::size_t most_lines = 14, width = 47;  // which a column of a paper has room for: x goes to 46

/// Where tokens of a round stand: below each other where a line is full.
class Page {
 public:
  /// Whether there is another line.
  bool next_round() {
    ++round_;
    wrapped_ = column_ = 0;
    return ++lines_ <= most_lines;
  }
  /// The column of the next text, of so many, behind so many blanks.
  std::size_t place(std::size_t blanks, std::size_t columns) {
    if (column_ > 0 && column_ + blanks + columns > width) {
      column_ = 0;
      ++wrapped_;
      ++lines_;
    }
    std::size_t const at = std::min(column_ + blanks, width - 1);
    column_ = at + columns;
    return at;
  }
  /// The round, and of the lines that follow its first a hundredth more each.
  double line() const { return static_cast<double>(round_) + static_cast<double>(wrapped_) / 100; }

 private:
  std::size_t round_ = 0, wrapped_ = 0, column_ = 0, lines_ = 0;
};

/// The token's text, printable, a line's end as a sign; its number where the text is not recorded.
std::string words_at(TextTrace const& text, std::size_t token) {
  if (text.pieces.empty())
    return fmt::format(" {}", text.tokens.empty() ? static_cast<std::int64_t>(token) : text.tokens[token]);
  std::string words;
  for (char const c : text.pieces[token]) words += c == '\n' ? "¶" : std::string(1, c);
  return printable(words);
}

/// One with the tokens' text, else any.
FigureRecording const& readable(FigureInput const& input, std::string_view figure) {
  for (FigureRecording const& each : input.recordings)
    if (!each.trace.texts.front().pieces.empty() && each.estimates.why_not(Estimator::replay).empty()) return each;
  return replayable(input, figure);
}

Figure draw_leviathan_1(FigureInput const& input, std::string_view name) {
  require_one_recording(input, name, "it is one run along a text");
  FigureRecording const& of = readable(input, name);
  int const gamma = or_else(input.gammas, {5}).front();
  CoinRun const run(of.estimates.acceptance().front().a, input.seed, 0);
  std::vector<std::size_t> starts = run.starts({.gamma = gamma, .bonus = of.estimates.options().bonus});
  starts.push_back(run.accepted().size());
  Table table{{"round", "round"},
              {"token", "token"},
              {"column", "column"},
              {"shown", "text", Align::left},
              {"kind", "kind", Align::left},
              {"line", "line"}};
  Page page;
  for (std::size_t r = 0; r + 1 < starts.size() && page.next_round(); ++r) {
    for (std::size_t t = starts[r]; t < starts[r + 1]; ++t) {
      bool const drafted = t < starts[r] + static_cast<std::size_t>(gamma);
      bool const kept = drafted && run.accepted()[t] != 0;
      // Blanks at the beginning become room: drawn text may lose them.
      std::string text = words_at(of.trace.texts.front(), t);
      std::size_t const blanks = std::min(text.find_first_not_of(' '), text.size());
      text = (kept ? "" : drafted ? "×" : "+") + text.substr(blanks);
      std::size_t const column = page.place(blanks, display_width(text));
      table.add({static_cast<std::int64_t>(r + 1), static_cast<std::int64_t>(t), static_cast<std::int64_t>(column),
                 text,
                 kept      ? "accepted draft"
                 : drafted ? "× after a rejection"
                           : "+ after γ acceptances",
                 Number{page.line(), 2}});
    }
  }
  std::string caption = fmt::format(
      "A text of {} as rounds of γ = {} drafts emit it, one line each, as Figure 1 of Leviathan et al. 2023 (arXiv "
      "2211.17192): drafts that are accepted, tokens of the target in the place of a draft that is not, and tokens "
      "of the target behind γ accepted ones. One run of the token rule along the text, acceptance by a coin for each "
      "token (seed {}).",
      name_of(of), gamma, input.seed);
  return {std::string(name), "Accepted and rejected drafts in a recorded text", std::move(caption),
          spec_of(leviathan_1_spec, table), std::move(table)};
}

}  // namespace

FigureCard figures::leviathan_1() {
  return {"leviathan-1",
          "accepted and rejected drafts marked in a recorded text",
          "Leviathan et al. 2023, Figure 1",
          true,
          {.gammas = true, .bonus = true},
          draw_leviathan_1};
}

}  // namespace draftgauge
