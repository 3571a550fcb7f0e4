#include <fmt/format.h>

#include <cmath>
#include <set>
#include <tuple>

#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/log_fields.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/kaplan_meier.h"

namespace draftgauge::formats {
namespace {

constexpr std::string_view llama_log_sign = "draft acceptance";

/// Rounds of a request, which are not printed: its first token comes of the prompt's pass, each round gives those that it
/// keeps and one more. False where there would be fewer than none.
bool rounds_of_llama_request(CounterSums& sums) {
  if (!sums.emitted || !sums.accepted) return true;
  if (*sums.accepted == 0 && (*sums.emitted == 0 || sums.drafted == 0)) {  // no round had a draft
    sums.rounds = 0;
    return true;
  }
  sums.rounds = *sums.emitted - 1 - *sums.accepted;
  return *sums.rounds >= 0;
}

class LlamaLogReader {
 public:
  LlamaLogReader(std::string const& file, EngineCounters& counters) : at_{file}, counters_(counters) {}

  void read(std::string_view text) {
    Lines lines(text);
    while (lines.next()) {
      at_.number = lines.number();
      std::string_view const line = lines.line();
      add_draft_kind(counters_, line);
      if (line.find(llama_log_sign) != line.npos)
        take_slot(line);
      else if (line.find("acc per pos") != line.npos)
        take_positions(values_of(line, "acc per pos"));
      else if (auto const times = values_of(line, "dur(b,g,a)"); times.size() == 3)
        take_drafting(line, times[1]);
      else if (line.find("eval time") != line.npos && line.find("prompt eval time") == line.npos)
        take_eval(line);
    }
    // A round has a draft of one kind, which is not counted of kinds together: time by round is of none.
    if (timed_.size() > 1) {
      counters_.draft_seconds.reset();
      counters_.draft_calls.reset();
    }
    counters_.rounds_by_tokens = true;
    counters_.emitted_by = EmittedBy::rounds_and_more;
    if (unknown_ > 0)
      counters_.notes.emplace_back("some requests have no line with their eval time: tokens are not known");
  }

 private:
  struct Eval {
    std::optional<double> task;
    std::int64_t tokens;
    double ms = 0;
  };

  /// "… | task 58 | …": a server's lines of one request. Older ones name it on the line before.
  void note_task(std::string_view line) {
    constexpr std::string_view key = "| task ";
    std::size_t const begin = line.find(key);
    if (begin == line.npos) return;
    std::string_view rest = line.substr(begin + key.size());
    if (auto const task = take_real(rest)) task_ = *task;
  }

  /// "#gen drafts = 200, … dur(b,g,a) = 0.1, 902.4, 0.3 ms": since the server's start, the draft model's time second.
  void take_drafting(std::string_view line, double ms) {
    auto const drafts = value_of(line, "#gen drafts");
    if (!drafts || !(*drafts >= 1) || !(ms > 0)) return;
    timed_.emplace(draft_kind_of(line));
    counters_.draft_seconds = ms / 1000;
    counters_.draft_calls = at_.count("#gen drafts", drafts);
  }

  /// "eval time = 5302.09 ms / 136 tokens"
  void take_eval(std::string_view line) {
    std::size_t const slash = line.find('/');
    if (slash == line.npos) return;
    note_task(line);
    std::string_view rest = line.substr(slash + 1);
    auto const tokens = take_real(rest);
    if (!tokens || !trimmed(rest).starts_with("tokens")) return;
    eval_ = {task_, at_.count("eval time's tokens", tokens)};
    if (auto const ms = value_of(line, "eval time"); ms && *ms >= 0) eval_->ms = *ms;
  }

  /// "draft acceptance rate = 0.56556 ( 1376 accepted /  2433 generated)", with or without " rate", and what follows.
  void take_slot(std::string_view line) {
    note_task(line);
    constexpr std::string_view expected = "( A accepted / B generated)";
    std::size_t const open = line.find('(', line.find(llama_log_sign));
    if (open == line.npos) at_.refuse(llama_log_sign, std::string(expected));
    std::string_view rest = line.substr(open + 1);
    CounterSums sums;
    sums.accepted = at_.count("the number accepted", take_real(rest));
    std::size_t const slash = rest.find('/');
    if (slash == rest.npos) at_.refuse(llama_log_sign, std::string(expected));
    rest.remove_prefix(slash + 1);
    sums.drafted = at_.count("the number generated", take_real(rest));
    std::vector<EngineNumber> rates;
    auto rate = printed_rate(line, "draft acceptance rate", Rate::accepted_per_drafted);
    if (!rate) rate = printed_rate(line, llama_log_sign, Rate::accepted_per_drafted);
    if (rate) rates.push_back(*rate);
    bool const timed = eval_ && eval_->task == task_;
    require_once(sums, timed ? eval_ : std::nullopt);
    if (timed) {
      sums.emitted = eval_->tokens;
      counters_.seconds = counters_.seconds.value_or(0) + eval_->ms / 1000;
    }
    eval_.reset();
    if (!rounds_of_llama_request(sums)) at_.refuse(llama_log_sign, "fewer accepted tokens than the request's tokens");
    if (auto const mean = settle_rounds(line, sums)) rates.push_back(*mean);
    unknown_ += !sums.rounds;
    take_request(counters_, task_ ? fmt::format("task {}", *task_) : std::string(), std::move(sums),
                 std::move(rates));
    if (auto shares = values_of(line, "acceptance rate per position"); !shares.empty())
      take_positions(std::move(shares));
  }

  /// A task's number is its own while the server runs: with the same counts and time it is the same request again.
  void require_once(CounterSums const& sums, std::optional<Eval> const& eval) {
    if (!task_) return;
    std::tuple const now{*task_, *sums.accepted, *sums.drafted, eval ? eval->tokens : -1, eval ? eval->ms : -1.};
    if (!seen_.insert(now).second) refuse_twice(at_.text(), fmt::format("request 'task {}'", *task_));
  }

  /// The mean over rounds that had a draft is printed, to two digits. Where the text was cut behind an accepted
  /// token, or rounds had no room for a draft, the request's tokens give another number of rounds.
  static std::optional<EngineNumber> settle_rounds(std::string_view line, CounterSums& sums) {
    auto mean = printed_rate(line, "mean acceptance length", Rate::tokens_per_round);
    if (!mean) mean = printed_rate(line, "mean len", Rate::tokens_per_round);
    auto const accepted = static_cast<double>(*sums.accepted);
    if (!mean || !(mean->value > 1 && mean->value < 1e6) || accepted == 0) return std::nullopt;
    auto const own = one_and_share_of_counts(sums.accepted, sums.rounds);
    if (own && agrees(mean->value, mean->within, *own)) return mean;
    double const rounds = std::round(accepted / (mean->value - 1));
    if (rounds <= static_cast<double>(most_rounds)) sums.rounds = static_cast<std::int64_t>(rounds);
    return mean;
  }

  /// Shares of the request's rounds.
  void take_positions(std::vector<double> shares) {
    if (counters_.requests.empty()) return;
    shares = at_.shares("acceptance rate per position", std::move(shares));
    CounterSums& sums = counters_.requests.back().sums;
    if (!sums.rounds || !sums.by_position.empty()) return;
    sums.by_position = counts_of_shares(shares, *sums.rounds);
    counters_.rounding = .0005;
    complete(sums);
  }

  LogPlace at_;
  EngineCounters& counters_;
  std::optional<double> task_;
  std::optional<Eval> eval_;  ///< a request's tokens, before its other lines
  std::size_t unknown_ = 0;
  std::set<std::tuple<double, std::int64_t, std::int64_t, std::int64_t, double>> seen_;  ///< requests
  std::set<std::string_view> timed_;  ///< kinds of draft that took time
};

}  // namespace

CounterFormat llama_log() {
  return {
      .name = "llama-server log",
      .engine = "llama.cpp",
      .summary = "llama-server's lines \"draft acceptance …\", a request each, with those of eval time",
      .versions = "llama.cpp of 2025 and 2026, all four generations",
      // TensorRT-LLM's evaluation has "(corpus draft acceptance)".
      .is_text =
          [](std::string_view text) {
            return text.find(llama_log_sign) != text.npos && text.find("corpus draft acceptance") == text.npos;
          },
      .read = [](std::string const& file, std::string_view text,
                 EngineCounters& counters) { LlamaLogReader(file, counters).read(text); },
      .words = {{Rate::accepted_per_drafted, "draft acceptance"}, {Rate::cumulative, "acceptance rate per position"}},
      .times_sequences = true,
      .holds = {"llama.cpp statistics"}};
}

}  // namespace draftgauge::formats
