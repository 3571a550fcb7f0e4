#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/counters/format_files.h"
#include "analysis/counters/log_fields.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge::formats {
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

/// Rates of the same line; its mean is 1 and the sum of the rates by position, which rounding moves, too. The first
/// builds, which call the other rate so without "Avg", print the mean with and without that 1.
void require_rates(LogPlace const& at, std::string_view line, Window const& window) {
  std::string const place = at.text();
  constexpr std::string_view rate = "Avg Draft acceptance rate", first_word = "Avg ";
  bool const older = line.find(rate) == line.npos;
  require_printed(place, printed_rate(line, older ? rate.substr(first_word.size()) : rate), kept_of_drafted,
                  {share_of_counts(window.accepted, window.drafted)});
  if (window.shares.empty()) return;
  auto mean = printed_rate(line, "Mean acceptance length");
  if (mean) mean->within += share_shown_to * static_cast<double>(window.shares.size());
  std::optional<double> const kept = window.guessed ? std::accumulate(window.shares.begin(), window.shares.end(), 0.)
                                                    : share_of_counts(window.accepted, window.rounds);
  require_printed(place, mean, kept_and_one,
                  {kept ? std::optional(1 + *kept) : std::nullopt, older ? kept : std::nullopt});
}

void read_vllm_log(std::string const& file, std::string_view text, EngineCounters& counters) {
  Lines lines(text);
  LogPlace at{file};
  CounterSums& sums = counters.sums;
  sums.rounds = sums.drafted = sums.accepted = 0;
  CounterSums bare{.drafted = 0, .accepted = 0};  // of lines without rates by position
  TimedLines timed;
  bool guessed = false, shares = false;
  int without = 0;
  while (lines.next()) {
    std::string_view const line = lines.line();
    if (line.find(vllm_log_sign) == line.npos) continue;
    at.number = lines.number();
    timed.take(at, line, vllm_log_sign);
    Window const window = window_of(at, line);
    require_rates(at, line, window);
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
    auto const counts = counts_of_shares(window.shares, window.rounds);
    sums.by_position.resize(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i) sums.by_position[i] += counts[i];
  }
  if (!shares) {
    sums = bare;
    counters.notes.emplace_back("No line has rates by position: rounds are not counted.");
    return;
  }
  if (without > 0) counters.notes.push_back(fmt::format("{} lines without rates by position are left out.", without));
  counters.rounding = share_shown_to;
  counters.notes.emplace_back(
      guessed ? "Rounds are accepted tokens over the sum of the rates by position, as drafts differ in length: to "
                "the three digits that are printed."
              : "Rounds are drafted tokens over the draft's length, which fits the rates by position.");
}

}  // namespace

CounterFormat vllm_log() {
  return {.name = "vLLM log",
          .engine = "vllm",
          .summary = "the server's lines \"SpecDecoding metrics: …\", added up",
          .versions = "vLLM 0.8 and later, in both orders of their parts",
          .is_text = [](std::string_view text) { return text.find(vllm_log_sign) != text.npos; },
          .read = read_vllm_log,
          .words = {{Rate::accepted_per_drafted, "Avg Draft acceptance rate"},
                    {Rate::cumulative, "Per-position acceptance rate"}}};
}

}  // namespace draftgauge::formats
