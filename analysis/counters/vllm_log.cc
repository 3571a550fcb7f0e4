#include "analysis/counters/vllm_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/counters/format_files.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/log_fields.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {
namespace {

constexpr std::string_view vllm_log_sign = "SpecDecoding metrics";
constexpr double share_shown_to = .0005;  ///< shares have three digits

/// What one line counted since the line before it. Rounds are not printed: where all drafts are as long as the list of
/// positions they are drafted/γ, and else accepted over the sum of the shares.
struct Window {
  std::int64_t accepted, drafted, rounds;
  std::vector<double> shares;
  bool guessed;  ///< rounds
};

Window window_of(LogPlace const& at, std::string_view line) {
  Window window{.accepted = at.count_in(line, "Accepted"),
                .drafted = at.count_in(line, "Drafted"),
                .rounds = 0,
                .shares = at.shares("Per-position acceptance rate", values_of(line, "Per-position acceptance rate")),
                .guessed = false};
  auto const positions = static_cast<std::int64_t>(window.shares.size());
  if (positions == 0) return window;
  double const sum = std::accumulate(window.shares.begin(), window.shares.end(), 0.);
  auto const accepted = static_cast<double>(window.accepted);
  window.rounds = window.drafted / positions;
  bool const whole = window.drafted % positions == 0;
  if (whole && std::abs(sum * static_cast<double>(window.rounds) - accepted) <=
                   share_shown_to * static_cast<double>(positions * window.rounds) + 1e-6)
    return window;
  window.guessed = true;
  // A round drafts a token at least and a token for each position at most, and keeps no more than its drafts.
  std::int64_t const fewest = (window.drafted + positions - 1) / positions;
  double const by_shares = sum > 0 ? std::round(accepted / sum) : 0.;
  window.rounds = static_cast<std::int64_t>(
      std::clamp(by_shares, static_cast<double>(fewest), static_cast<double>(window.drafted)));
  return window;
}

/// Of the same line; its mean is 1 and the sum of the rates by position, which rounding moves, too. The first builds,
/// which call the other rate so without "Avg", print the mean with and without that 1.
std::vector<EngineNumber> rates_of(std::string_view line, Window const& window) {
  std::vector<EngineNumber> all;
  constexpr std::string_view rate = "Avg Draft acceptance rate", first_word = "Avg ";
  bool const older = line.find(rate) == line.npos;
  if (auto const share =
          printed_rate(line, older ? rate.substr(first_word.size()) : rate, Rate::accepted_per_drafted))
    all.push_back(*share);
  auto mean = printed_rate(line, "Mean acceptance length", Rate::tokens_per_round);
  if (!mean || window.shares.empty()) return all;
  mean->within += share_shown_to * static_cast<double>(window.shares.size());
  auto const kept = share_of_counts(window.accepted, window.rounds);
  if (older && kept && agrees(mean->value, mean->within, *kept)) mean->value += 1;
  all.push_back(*mean);
  return all;
}

CounterSums sums_of(Window const& window) {
  CounterSums sums{.rounds = window.rounds, .drafted = window.drafted, .accepted = window.accepted};
  sums.by_position = counts_of_shares(window.shares, window.rounds);
  if (window.shares.empty()) sums.rounds.reset();
  return sums;
}

}  // namespace

/// LMDeploy's line has its throughput before it on the line or, in its first builds, on the line before, where vLLM
/// counts neither finished nor unfinished requests.
bool has_spec_decoding_lines(std::string_view text, bool of_lmdeploy) {
  Lines lines(text);
  bool after_lmdeploy = false;
  while (lines.next()) {
    std::string_view const line = lines.line();
    auto const has = [&](std::string_view words) { return line.find(words) != line.npos; };
    if (has(vllm_log_sign) && (after_lmdeploy || has("Avg thr (in/out)")) == of_lmdeploy) return true;
    after_lmdeploy = has("Finished: ") && has("Unfinished: ");
  }
  return false;
}

void read_spec_decoding_lines(std::string const& file, std::string_view text, EngineCounters& counters) {
  Lines lines(text);
  LogPlace at{file};
  CounterSums& sums = counters.sums;
  sums.rounds = sums.drafted = sums.accepted = 0;
  CounterSums bare{.drafted = 0, .accepted = 0};  // of lines without rates by position
  counters.rounding = share_shown_to;
  TimedLines timed;
  bool guessed = false, shares = false;
  int without = 0;
  while (lines.next()) {
    std::string_view const line = lines.line();
    if (line.find(vllm_log_sign) == line.npos) continue;
    at.number = lines.number();
    timed.take(at, line, vllm_log_sign);
    Window const window = window_of(at, line);
    CounterSums const here = sums_of(window);
    check_record(counters, at.text(), here, rates_of(line, window));
    auto const positions = static_cast<std::int64_t>(window.shares.size());
    if (positions == 0) {
      ++without;  // its tokens are of rounds that nobody counts
      *bare.accepted += window.accepted;
      *bare.drafted += window.drafted;
      continue;
    }
    *sums.accepted += window.accepted;
    *sums.drafted += window.drafted;
    if (counters.draft_length && *counters.draft_length != positions)
      at.refuse("the number of speculative tokens", "the same one in every line, at least 1");
    counters.draft_length = positions;
    shares = true;
    guessed = guessed || window.guessed;
    *sums.rounds += window.rounds;
    sums.by_position.resize(here.by_position.size());
    for (std::size_t i = 0; i < here.by_position.size(); ++i) sums.by_position[i] += here.by_position[i];
  }
  if (!shares) {
    sums = bare;
    counters.rounding = 0;
    counters.notes.emplace_back("No line has rates by position: rounds are not counted.");
    return;
  }
  if (without > 0) counters.notes.push_back(fmt::format("{} lines without rates by position are left out.", without));
  counters.notes.emplace_back(
      guessed ? "Rounds are accepted tokens over the sum of the rates by position, as drafts differ in length: to "
                "the three digits that are printed."
              : "Rounds are drafted tokens over the draft's length, which fits the rates by position.");
}

namespace formats {

CounterFormat vllm_log() {
  return {.name = "vLLM log",
          .engine = "vllm",
          .summary = "the server's lines \"SpecDecoding metrics: …\", added up",
          .versions = "vLLM 0.8 and later, in both orders of their parts",
          .is_text = [](std::string_view text) { return has_spec_decoding_lines(text, false); },
          .read = read_spec_decoding_lines,
          .words = {{Rate::accepted_per_drafted, "Avg Draft acceptance rate"},
                    {Rate::cumulative, "Per-position acceptance rate"}}};
}

}  // namespace formats
}  // namespace draftgauge
