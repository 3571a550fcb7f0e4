#include "apps/gamma/schedule_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/counters/ordered.h"
#include "analysis/recordings/text_file.h"
#include "analysis/scheduling/calibration.h"
#include "apps/cli/written_values.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/recording/measured_recording.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr std::size_t text_of_alpha = 4096;  ///< tokens, which are all alike
constexpr char const* kinds_of_estimates[] = {"right", "calibrated", "max-q", "mean"};

/// Where nothing tells one draft from another: every one is estimated at the mean acceptance.
EstimatedTexts at_mean(std::vector<ScheduledText> texts) {
  double sum = 0;
  std::size_t count = 0;
  for (ScheduledText const& text : texts) {
    for (double const one : text.accepted) sum += one;
    count += text.accepted.size();
  }
  for (ScheduledText& text : texts)
    text.estimate.assign(text.accepted.size(), count > 0 ? sum / static_cast<double>(count) : 0);
  return {"mean", std::move(texts)};
}

KnownTexts texts_of_alpha(Invocation const& args) {
  auto const alphas = numbers_of(args, "--alpha");
  if (alphas.size() != 1) throw UsageError("several α are given with --schedule (its answer is of one)", "give one");
  ScheduledText const text{std::vector<double>(text_of_alpha, alphas.front()),
                           std::vector<double>(text_of_alpha, alphas.front())};
  return {.kinds = {{"mean", {text}}},
          .name = fmt::format("α = {}", args.text("--alpha")),
          .from = "an acceptance rate",
          .notes = {"With one α every draft is as likely: no estimate can tell them apart, and a schedule has little "
                    "to gain."}};
}

/// The words of --estimates; a file's name is one.
std::vector<std::string> estimates_asked(Invocation const& args) {
  std::vector<std::string> words;
  std::string const& said = args.text("--estimates");
  if (is_there(said)) return {said};
  for (std::size_t at = 0; at <= said.size();) {
    std::size_t const end = std::min(said.find(',', at), said.size());
    std::string const word = said.substr(at, end - at);
    if (!contains(kinds_of_estimates, word) && !is_there(word))
      throw UsageError(fmt::format("--estimates {} is unknown (known: {}; or a file of temperatures)", word,
                                   joined(kinds_of_estimates)),
                       "write for example --estimates right,max-q,mean");
    add_once(words, word);
    at = end + 1;
  }
  return words;
}

KnownTexts texts_of_recording(Invocation const& args, GammaAsked const& how) {
  std::vector<Recorded> const recordings = recordings_from(args);
  if (recordings.size() != 1)
    throw UsageError("several recordings are given with --schedule (its answer is of one)", "give one");
  TokenTrace const& trace = recordings.front().trace;
  TextEstimates const estimates(trace, EstimateOptions::of_these({1}, how.bonus, how.seed));
  std::vector<TextAcceptance> const& acceptance = estimates.acceptance();
  if (acceptance.front().a.empty())
    throw InputError(fmt::format("{}: {} (a schedule is played along its tokens)", trace.name, estimates.why_no_a()),
                     "give a recording with log p and log q of each token");
  KnownTexts known{.kinds = {}, .name = trace.name, .from = "a recording"};
  bool const beta = all_have(trace, &TextTrace::beta), largest = all_have(trace, &TextTrace::max_q);
  std::vector<ScheduledText> plain, right;
  for (std::size_t i = 0; i < acceptance.size(); ++i) {
    plain.push_back({acceptance[i].a, {}});
    if (beta) right.push_back({acceptance[i].a, acceptance[i].beta});
    if (largest) known.confidences.push_back({acceptance[i].a, trace.texts[i].max_q});
  }
  for (std::string const& word : estimates_asked(args)) {
    if (word == "mean") {
      known.kinds.push_back(at_mean(plain));
    } else if (word == "right" && beta) {
      known.kinds.push_back({word, right});
    } else if (word == "right") {
      known.kinds.push_back(at_mean(plain));
      known.notes.push_back(
          "The recording has no Σ min(p, q) of its places: every draft is estimated at the mean acceptance.");
    } else if (!largest) {
      throw InputError(fmt::format("{} does not have the largest q of each place", trace.name),
                       "leave --estimates out, or record full rows");
    } else if (word == "max-q") {
      known.kinds.push_back({word, known.confidences});
    } else if (word == "calibrated") {
      known.kinds.push_back({word, calibrated(known.confidences)});
      if (known.size() == 1) known.notes.push_back("One text alone: its estimates are calibrated on itself.");
    } else {
      known.kinds.push_back(
          {file_name(word), with_temperatures(known.confidences, read_temperatures(word, TextFile(word).text()))});
    }
  }
  return known;
}

KnownTexts texts_of_rounds(EngineCounters const& counters) {
  OrderedCounts const ordered = ordered_counts(counters);
  if (ordered.requests.empty())
    throw UsageError(ordered.why_not.empty()
                         ? std::string("the counters do not list the rounds of each request in their order "
                                       "(a schedule is played along them)")
                         : ordered.why_not,
                     "give a recording, --alpha, or responses that list each round");
  HoleRate holes;
  for (auto const& request : ordered.requests)
    for (OrderedRounds const& rounds : request) holes += hole_rate(rounds);
  auto const hole = holes.rate<double>();
  std::vector<ScheduledText> texts;
  for (auto const& request : ordered.requests) {
    std::vector<double>& accepted = texts.emplace_back().accepted;
    for (OrderedRounds const& rounds : request)
      for (Outcome const outcome : sequence_of(rounds))
        accepted.push_back(outcome == Outcome::hole ? hole : outcome == Outcome::accepted ? 1 : 0);
  }
  return {.kinds = {at_mean(std::move(texts))},
          .name = "rounds",
          .from = "rounds in their order",
          .notes = {"Counts of rounds say nothing of a draft before it is verified: every draft is estimated at the "
                    "mean acceptance."}};
}

}  // namespace

std::string estimate_kinds() { return joined(kinds_of_estimates); }

KnownTexts known_texts(Invocation const& args, std::string_view asked, GammaAsked const& how,
                       EngineCounters const* counters) {
  if (counters || asked != "FILE")
    args.refuse({"--estimates"}, "has no meaning without a recording (nothing else tells one draft from another)");
  if (!counters && asked != "--alpha" && asked != "FILE")
    throw UsageError(fmt::format("{} says what is accepted on the whole (a schedule is played along texts)", asked),
                     "give --alpha, a recording, or rounds in their order");
  if (counters) return texts_of_rounds(*counters);
  return asked == "--alpha" ? texts_of_alpha(args) : texts_of_recording(args, how);
}

}  // namespace draftgauge
