#include "apps/measure/lookup_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <type_traits>

#include "analysis/choose/alarms.h"
#include "analysis/families/text_lookup.h"
#include "analysis/report/measured.h"
#include "analysis/texts/text_limits.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/gamma_report.h"
#include "apps/measure/measure_report.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/inputs.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/recording/measured_recording.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace {

constexpr std::int64_t longest_suffix = 64, most_drafts = 256, most_guesses = 256, most_prefixes = 4096;

struct LookupAsked {
  explicit LookupAsked(Invocation const& args) : drafter(args.text("--drafter")) {
    // of: the drafters that it is for, where not for all
    auto const number = [&](char const* name, std::int64_t most, auto& into,
                            std::initializer_list<char const*> of = {}) {
      if (!args.has(name)) return;
      if (of.size() > 0 && std::ranges::count(of, drafter) == 0)
        throw UsageError(
            fmt::format("{} has no meaning with --drafter {} (it is for {})", name, drafter, fmt::join(of, ", ")),
            "leave it out");
      into = static_cast<std::decay_t<decltype(into)>>(at_most(name, args.count(name), most));
    };
    number("--suffix", longest_suffix, suffix, {"pld", "ngram", "rest"});
    number("--draft-tokens", most_drafts, drafts);
    number("--guesses", most_guesses, pool.guesses, {"pool"});
    number("--prefixes", most_prefixes, retrieval.prefixes, {"rest"});
    if (args.has("--datastore") && !rest())
      throw UsageError(
          fmt::format("--datastore has no meaning with --drafter {} (it looks in the text itself)", drafter),
          "leave it out");
    retrieval.longest = suffix.value_or(retrieval.longest);
    prompt.longest = suffix.value_or(prompt.longest);
    prompt.whole = drafter == "pld";
    retrieval.drafts = prompt.drafts = drafts.value_or(prompt.drafts);
    pool.drafts = drafts.value_or(pool.drafts);
    if (rest() && retrieval.longest < retrieval.shortest)
      throw UsageError(fmt::format("--suffix {} is too short for rest (suffixes down to {} are tried)",
                                   retrieval.longest, retrieval.shortest));
  }
  bool rest() const { return drafter == "rest"; }
  int most_accepted() const { return drafter == "pool" ? pool.drafts : prompt.drafts; }
  /// The suffixes that are looked up.
  std::pair<int, int> suffixes() const {
    if (drafter == "pool") return {1, 1};
    return rest() ? std::pair(retrieval.longest, retrieval.shortest) : std::pair(prompt.longest, 1);
  }

  std::string drafter;
  PromptLookup prompt;
  TokenPool pool;
  Retrieval retrieval;

 private:
  std::optional<int> suffix, drafts;
};

std::vector<std::vector<std::int64_t>> tokens_of(TokenTrace const& trace) {
  std::vector<std::vector<std::int64_t>> all;
  for (TextTrace const& text : trace.texts) {
    if (text.tokens.empty())
      throw InputError(fmt::format("{}: it holds no token ids (drafts are looked up by them)", trace.name),
                       "record them: a column token");
    all.push_back(text.tokens);
  }
  return all;
}

std::vector<std::vector<LookupRound>> replayed(Invocation const& args, LookupAsked const& asked,
                                               TokenTrace const& trace) {
  auto const texts = tokens_of(trace);
  std::vector<std::vector<LookupRound>> rounds;
  if (!asked.rest()) {
    for (auto const& text : texts)
      rounds.push_back(asked.drafter == "pool" ? pooled_lookup(text, asked.pool) : prompt_lookup(text, asked.prompt));
    return rounds;
  }
  bool const other = args.has("--datastore");
  if (!other && texts.size() < 2)
    throw InputError(fmt::format("{}: it holds one text (others are the datastore of rest)", trace.name),
                     "give --datastore FILE, another recording of the same tokens");
  Datastore const store(other ? tokens_of(read_recording({args.text("--datastore")}).trace) : texts,
                        asked.retrieval.longest);
  for (std::size_t i = 0; i < texts.size(); ++i)
    rounds.push_back(store.rounds(texts[i], asked.retrieval, other ? std::nullopt : std::optional(i)));
  return rounds;
}

/// Rounds by how many drafts they accepted, and the drafts they had.
struct LookupTally {
  std::vector<std::int64_t> accepted;
  std::int64_t rounds = 0, with_drafts = 0, drafts = 0;

  explicit LookupTally(std::vector<std::vector<LookupRound>> const& texts, int most)
      : accepted(static_cast<std::size_t>(most) + 1) {
    for (auto const& text : texts)
      for (LookupRound const& round : text) {
        ++accepted[round.accepted];
        ++rounds;
        with_drafts += round.drafts > 0;
        drafts += round.drafts;
      }
  }
  double share(std::int64_t of) const { return static_cast<double>(of) / static_cast<double>(rounds); }
};

Section tally_section(LookupTally const& tally) {
  Section section{.heading = "Rounds by accepted drafts",
                  .table = Table{{"accepted", "accepted"}, {"rounds", "rounds"}, {"share", "share"}}};
  for (std::size_t i = 0; i < tally.accepted.size(); ++i)
    if (tally.accepted[i] > 0)
      section.table.add({static_cast<std::int64_t>(i), tally.accepted[i], Number{tally.share(tally.accepted[i]), 4}});
  section.note(fmt::format(
      "{:.1f} % of {} rounds find a match; these have {:.1f} drafts in the mean.",
      100 * tally.share(tally.with_drafts), tally.rounds,
      tally.with_drafts > 0 ? static_cast<double>(tally.drafts) / static_cast<double>(tally.with_drafts) : 0.));
  return section;
}

/// What is found along a text by looking drafts up.
struct LookedUp {
  LookedUp(Invocation const& args, LookupAsked const& asked, MeasuredRecording const& of, double at_confidence)
      : confidence(at_confidence),
        among_others(asked.rest() && !args.has("--datastore")),
        where(!asked.rest()  ? "the text itself"
              : among_others ? "the other texts"
                             : args.text("--datastore")),
        rounds(replayed(args, asked, of.recorded.trace)),
        tally(rounds, asked.most_accepted()),
        tokens(lookup_tokens(rounds, of.estimates.sample())),
        speedup(lookup_speedup(rounds, of.estimates.sample(), of.costs)),
        limits(tokens_in_round(asked.most_accepted(), true)) {}

  double confidence;
  bool among_others;
  std::string where;
  std::vector<std::vector<LookupRound>> rounds;
  LookupTally tally;
  TextEstimate tokens, speedup;
  Limits limits;  ///< of tokens
};

LookupReport report_of(LookupAsked const& asked, MeasuredRecording const& of, LookedUp const& found, bool priced) {
  auto const [longest, shortest] = asked.suffixes();
  return {.name = of.estimates.name(),
          .drafter = asked.drafter,
          .looked_in = found.where,
          .suffix = {longest, shortest},
          .draft_tokens = asked.most_accepted(),
          .texts = of.estimates.texts(),
          .tokens = of.estimates.tokens(),
          .rounds = found.tally.rounds,
          .tokens_per_round = uncertain(found.tokens, found.confidence, found.limits),
          .speedup = given(priced, uncertain(found.speedup, found.confidence, positive)),
          .found = found.tally.share(found.tally.with_drafts),
          .mean_drafts = found.tally.share(found.tally.drafts),
          .accepted_histogram = found.tally.accepted};
}

void add_notes(Section& section, LookupAsked const& asked, MeasuredRecording const& of, LookedUp const& found,
               bool priced) {
  section.note(asked.rest() ? "A suffix does not reach into the prompt, which is not recorded."
                            : "The prompt is not recorded and not looked in: where texts repeat it, more is found.");
  if (asked.drafter == "pool")
    section.note(
        "Lookahead decoding fills its pool with guesses beside the text, too, and pays for them with tokens of each "
        "pass.");
  if (found.among_others)
    section.note("Each text is looked up in all others: the interval takes what they offer as given.");
  if (of.estimates.texts() < 2) section.note("One text gives no interval.");
  auto const all = std::views::join(found.rounds);
  if (priced && std::ranges::any_of(all, [&](LookupRound const& round) {
        return of.costs.extrapolates(std::int64_t{round.drafts} + 1);
      }))
    section.note(fmt::format("Some passes have more tokens than {}, the most that v(n) was measured at: a guess.",
                             of.costs.last_measured()));
  if (of.writer_unknown()) section.note(unknown_writer);
  section.note(of.cost_notes);
}

}  // namespace

bool asks_lookup(Invocation const& args) {
  return args.has("--drafter") && contains(names_in(lookup_cards), args.text("--drafter"));
}

OptionGroup lookup_options() {
  return {
      "Drafts that are looked up in text, without a draft model",
      {{.name = "--suffix",
        .kind = Kind::count,
        .summary = "the longest suffix that is looked up, down to 1 (pld, ngram; 3 if not given) or 2 (rest; 16)",
        .least = 1},
       {.name = "--draft-tokens",
        .kind = Kind::count,
        .summary =
            "drafts after a match: pld takes so many or none, ngram and rest at most so many (10 if not given), pool "
            "so many in each of its n-grams (4)",
        .least = 1},
       {.name = "--guesses",
        .kind = Kind::count,
        .summary =
            "pool: n-grams that are verified at once, those met last after the text's last token (7 if not given)",
        .least = 1},
       {.name = "--prefixes",
        .kind = Kind::count,
        .summary = "rest: nodes of the tree of drafts, the most frequent of up to 5 000 matches (64 if not given)",
        .least = 1},
       {.name = "--datastore",
        .kind = Kind::path,
        .summary = "rest: another recording of the same tokens to look in; if not given, the other texts"}}};
}

Result measure_lookup(Invocation const& args) {
  refuse_settings(args);
  refuse_draft_length(args);
  args.refuse({"--gamma", "--estimator", "--coin-runs", "--resamples", "--per-position", "--pool", "--rules", "--log",
               "--logprobs", "--floor", "--engine", "--rule", "--no-bonus", "--tree"},
              fmt::format("has no meaning with --drafter {} (no model drafts)", args.text("--drafter")));
  LookupAsked const asked(args);
  double const confidence = confidence_from(args);
  PricedRound priced = RoundCosts(args).without_draft();
  bool const given = priced.given;
  MeasuredRecording const of(
      one_recording_from(args, args.texts("FILE"), "--drafter", "its result is one figure"), std::move(priced),
      {.confidence = confidence, .estimates = EstimateOptions::of_these({1}, true, args.seed())});
  if (of.unusable()) throw InputError(of.rejection());
  LookedUp const found(args, asked, of, confidence);

  Result result;
  result.document = document_of(MeasureOfLookup{report_of(asked, of, found, given), of.costs, of.cost_notes});
  result.title = fmt::format(
      "{}: {}{} tokens per round ({}, {}, looking in {})", asked.drafter,
      given ? fmt::format("S = {} with ", estimate_text(found.speedup, confidence, 4, positive)) : std::string(),
      estimate_text(found.tokens, confidence, 4, found.limits), of.estimates.name(), of.size_text(), found.where);
  bool const little = of.estimates.tokens() < fewest_tokens;
  if (given && !little)
    if (auto slower = slower_alarm({found.speedup.value, interval_within(found.speedup, confidence, positive),
                                    fmt::format("with {}", asked.drafter)},
                                   {}))
      result.alarms.push_back(std::move(*slower));
  if (little) result.title = "Too little text to say. As measured: " + result.title;
  Section section = tally_section(found.tally);
  add_notes(section, asked, of, found, given);
  result.sections = {std::move(section)};
  std::vector<std::string> paths = args.texts("FILE");
  if (args.has("--datastore")) paths.push_back(args.text("--datastore"));
  add_inputs(result, args, paths);
  return result;
}

}  // namespace draftgauge
