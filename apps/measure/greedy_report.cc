#include "apps/measure/greedy_report.h"

#include <fmt/format.h>

#include "analysis/greedy/greedy_text.h"
#include "analysis/open/open_text.h"
#include "analysis/stats/counted.h"
#include "apps/counters/count_document.h"
#include "apps/measure/floor_report.h"
#include "apps/options/recording_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// "text 0, token 6 (.82 nats)".
std::string place_text(MeasuredRecording const& one, GreedyMismatch const& each) {
  return fmt::format("text {}, token {}: {:.4g} nats below argmax p", one.recorded.trace.texts[each.text].name,
                     each.token + 1, each.margin);
}

/// Whether the floor tells near ties from what is none.
bool judges(GreedyText const& found) { return found.floor && found.floor->plausible(); }

/// Of the text's tokens that are not argmax p.
std::string mismatch_text(MeasuredRecording const& one, GreedyText const& found) {
  std::size_t const count = found.mismatches.size();
  std::string const all = fmt::format("All {} tokens of the text are argmax p", found.tokens);
  if (count == 0 && !found.floor) return all + ".";
  if (count == 0)
    return fmt::format("{}; two recordings of the target differ by up to {:.4g} nats, and in argmax p at {}.", all,
                       found.floor->largest, counted(found.floor->flips, "token"));
  std::string const begin =
      fmt::format("{} of {} tokens of the text {} not argmax p", count, found.tokens, count == 1 ? "is" : "are");
  if (!found.floor)
    return fmt::format(
        "{}; the first is {}. Whether that is a near tie, --floor says: another recording of the target over the "
        "same text, with passes of the size that the engine used.",
        begin, place_text(one, found.mismatches.front()));
  if (!judges(found))
    return fmt::format(
        "{}; the first is {}. Self-divergence is too wide to tell near ties: two recordings of the target differ by "
        "up to {:.4g} nats, and by up to {:.3g} times the median difference (rounding: below ln 2, and up to 20 "
        "times). Is it the same model over the same text?",
        begin, place_text(one, found.mismatches.front()), found.floor->largest, found.floor->outlier);
  std::string const floor =
      fmt::format("{:.4g} nats, {} by which two recordings of the target differ in {}", found.floor->largest,
                  found.floor->by_token ? "twice the most" : "the most",
                  found.floor->by_token ? fmt::format("log p of {}", counted(found.floor->tokens, "token"))
                                        : counted(found.floor->tokens, "token"));
  GreedyMismatch const* const beyond = found.first_beyond();
  if (!beyond)
    return fmt::format("{}, and {} a near tie: within {}.", begin, count == 1 ? "it is" : "each is", floor);
  return fmt::format(
      "{}: {} within {}. The first that is not: {}. In as many tokens again one may differ by a little more than "
      "that by chance; more of them, or a margin far above, are no ties.",
      begin, counted(found.ties(), "near tie"), floor, place_text(one, *beyond));
}

bool is_greedy_text(Recorded const& recorded) {
  return recorded.trace.temperature == 0. && !recorded.trace.texts.front().log_p.empty();
}

GreedyText by_rows(Invocation const& args, Recorded const& recorded, double confidence) {
  RowPairs rows = recorded.rows();
  auto const watch = watch_rows(args);
  GreedyText found = greedy_text(rows, is_greedy_text(recorded), confidence, args.threads(),
                                 watch("margins", rows.target->layout().rows));
  if (args.has("--floor")) {
    RowPairs twice = rows_with_floor(args, recorded);
    judge_mismatches(
        found, greedy_self_divergence(twice, args.threads(), watch("self-divergence", twice.target->layout().rows)));
  }
  return found;
}

/// The columns again, with the numbers that temperature 0 has no use for.
TokenTrace as_written(std::string const& path) {
  return open_text_trace(path, {}, {.prompt_tokens = {}, .temperature = 0, .as_written = true});
}

std::optional<GreedyText> by_columns(Invocation const& args, Recorded const& recorded, double confidence) {
  TokenTrace const once = as_written(recorded.trace.files.front());
  auto found = greedy_columns(once, confidence);
  if (!found && args.has("--floor"))
    throw InputError(fmt::format("{}: it is greedy text without max_p or logarithms before temperature (how near its "
                                 "tokens are to a tie, nothing else says)",
                                 recorded.trace.name),
                     "record max_p and logp at temperature 1 beside it, or full rows");
  if (found && args.has("--floor"))
    judge_mismatches(*found, greedy_self_divergence(once, as_written(args.text("--floor"))));
  return found;
}

bool has_greedy_rows(Recorded const& recorded) {
  return recorded.rows && recorded.target && recorded.target->temperature == 0 && recorded.draft->temperature == 0;
}

}  // namespace

bool is_greedy_columns(Recorded const& recorded) {
  TokenTrace const& trace = recorded.trace;
  return !recorded.rows && trace.temperature == 0. && trace.files.size() == 1;  // one text file of both models
}

std::optional<GreedyText> greedy_answer(Invocation const& args, Recorded& recorded, double confidence) {
  std::optional<GreedyText> found;
  if (has_greedy_rows(recorded)) found = by_rows(args, recorded, confidence);
  if (is_greedy_columns(recorded)) found = by_columns(args, recorded, confidence);
  if (found && is_greedy_text(recorded)) resolve_ties(recorded.trace, *found);
  return found;
}

std::string add_greedy(Result& result, MeasureReport& report, MeasuredRecording const& one, GreedyText const& found) {
  bool const greedy = is_greedy_text(one.recorded);
  report.greedy = {found, greedy, {}};
  for (TextTrace const& text : one.recorded.trace.texts) report.greedy->texts.push_back(text.name);
  Section section{.heading = "At temperature 0",
                  .table = Table{{"quantity", "quantity", Align::left}, {"share", "share of positions"}}};
  if (greedy) section.paragraphs.push_back(mismatch_text(one, found));
  section.table.add({"accepted: argmax p = argmax q", count_cell(found.accepted)});
  if (found.certified) {
    section.table.add({"certified by KL(p ‖ q) there", count_cell(*found.certified)});
    for (double const kl : shown_kl())
      section.table.add(
          {fmt::format("no draft model within KL {:g} could be rejected", kl), Number{found.certified_within(kl)}});
    section.note(
        fmt::format("KL(p ‖ q) in nats, before temperature; its mean is {:.4g}. A position is certified where no q "
                    "so near to p has another argmax.",
                    *found.mean_kl));
  } else {
    section.note("Full rows would say which acceptances are certain.");
  }
  section.detail = !found.certified && found.mismatches.empty() && !found.floor;
  result.sections.push_back(std::move(section));
  bool const all_ties = !found.mismatches.empty() && judges(found) && !found.first_beyond();
  return all_ties ? fmt::format("Near ties, nothing beyond the target's own passes: {} not argmax p. ",
                                counted(found.mismatches.size(), "token"))
                  : std::string();
}

}  // namespace draftgauge
