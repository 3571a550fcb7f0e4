#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/stats/token_trace.h"
#include "analysis/texts/estimator.h"
#include "analysis/texts/text_ratio.h"

namespace draftgauge {

/// 1, 2, … up to a longest draft.
std::vector<int> gammas_to(int longest);

struct EstimateOptions {
  std::vector<int> gammas = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  bool bonus = true;
  std::size_t resamples = 1000;  ///< of the bootstrap
  std::size_t coin_runs = 32;    ///< of `simulated`, per text
  std::uint64_t seed = 1;        ///< of both

  /// What is computed alone, with nothing drawn.
  static EstimateOptions of_these(std::vector<int> gammas, bool bonus, std::uint64_t seed = 1) {
    return {.gammas = std::move(gammas), .bonus = bonus, .resamples = 0, .coin_runs = 0, .seed = seed};
  }
};

/// Draws and resamples of which the ends of an interval are made: of fewer they are chance.
inline constexpr std::size_t fewest_resamples = 200;
/// Throws UsageError for fewer, but 0; made: what would be made of them, "intervals".
void require_resamples(std::size_t resamples, std::string_view made);

/// What each token of a text says about acceptance.
struct TextAcceptance {
  std::vector<double> a;          ///< P(the token was an accepted draft | text), where one was made; empty: unknown
  std::vector<double> beta;       ///< P(a draft here is accepted), before the token is known; empty: unknown
  std::vector<double> log_ratio;  ///< ln q − ln p; empty: unknown
};

/// What a recording says of tokens per round, every figure with what each text does to it.
///
/// a = min(1, q/p) from log p and log q, β where the recording has it for every text. At temperature 0 both laws are
/// one-hot, a = β says whether argmax q is the text's token, and the block rule is the token rule. A token that p
/// excludes was not written by that p (a law folded after the fact, on another's text): what follows the text is then
/// unknown, while α stays the mean over the text's contexts.
///
/// `survival` averages s_i over all starts t whose window t … t+i−1 lies in the text: texts shorter than i say
/// nothing about it, and where all are, the estimator is unknown at that γ. With β unknown, a stands for it: E[a |
/// context] = β. The estimators that replay rounds are unknown where texts as long as a round can be hold less than
/// half of the tokens (`has_room`): most rounds would end with their text, and the figure would be of where texts end.
class TextEstimates {
 public:
  /// At least one text, none of them empty; γ ≥ 1. UsageError and InputError say what is wrong with which.
  TextEstimates(TokenTrace const& trace, EstimateOptions const& options);

  std::string const& name() const { return name_; }
  EstimateOptions const& options() const { return options_; }
  std::size_t texts() const { return sample_->size(); }
  std::size_t tokens() const;
  /// Whether half of the tokens are in texts as long as a round of γ drafts can be: γ + 1 tokens, γ without the bonus
  /// token.
  bool has_room(int gamma) const;
  std::vector<TextAcceptance> const& acceptance() const { return acceptance_; }
  /// Whether each token is argmax q, 1 or 0; empty: unknown.
  std::vector<std::vector<double>> const& argmax_matches() const { return argmax_matches_; }

  /// α̂, the mean over tokens of β, or of a where β is unknown: `alpha_from_beta` says which. None where
  /// neither is known.
  std::optional<TextEstimate> const& alpha() const { return alpha_; }
  bool alpha_from_beta() const { return alpha_from_beta_; }
  std::optional<TextEstimate> const& mean_a() const { return mean_a_; }
  /// Bounds of α where β is not known but bounded; α may be anywhere between, so that their intervals make one that
  /// reaches from the low end of the first to the high end of the second (bounded_interval).
  struct Bounds {
    TextEstimate low, high;
  };
  std::optional<Bounds> const& alpha_bounds() const { return alpha_bounds_; }
  /// The same through Eq. (1), which grows with α.
  std::optional<Bounds> iid_bounds(int gamma) const;

  /// Tokens per round; null where the recording does not say (`why_not`). gamma: one of the options'.
  TextEstimate const* tokens_per_round(Estimator estimator, int gamma) const;
  /// In words, "needs log p and log q", where tokens_per_round is null at every γ; else empty.
  std::string why_not(Estimator estimator) const { return estimator.card->why_not(*this); }
  /// The same of `a`, and so of what is replayed by it.
  std::string const& why_no_a() const { return why_no_a_; }
  /// Why no γ of the options' is known for the texts' lengths, where a round's accepted drafts and so many tokens
  /// beyond them must fit into a text; else empty.
  std::string why_short(int beyond) const;

  /// s_i of `survival`, i = 1 … the largest γ; none elsewhere, where no text has i tokens, or where a is unknown.
  std::optional<TextEstimate> survival(int i) const;
  /// The mean over tokens of a number a token.
  TextEstimate mean_over_tokens(std::span<std::vector<double> const> per_token) const;
  std::shared_ptr<TextSample const> const& sample() const { return sample_; }

 private:
  void read_acceptance(TokenTrace const& trace);
  void estimate_alpha(TokenTrace const& trace);
  void estimate_survival();

  std::string name_;
  EstimateOptions options_;
  std::shared_ptr<TextSample const> sample_;
  std::vector<TextAcceptance> acceptance_;
  std::vector<std::vector<double>> argmax_matches_;
  std::string why_no_a_;
  std::optional<TextEstimate> alpha_, mean_a_;
  bool alpha_from_beta_ = true;
  std::optional<Bounds> alpha_bounds_;
  std::vector<TextEstimate> survival_;
  std::map<std::pair<Estimator, int>, TextEstimate> tokens_per_round_;
};

/// From the low end of the interval of `low` to the high end of that of `high`: no value, as the truth may be
/// anywhere between. Each end is exceeded with at most half the false alarm; one that all texts agree on, which has no
/// spread, stays where it is. None below two texts.
struct BoundedInterval {
  double low, high, confidence;
};
std::optional<BoundedInterval> bounded_interval(TextEstimates::Bounds const& bounds, double confidence);

/// The texts of several recordings of one kind as one recording, in their order; temperature where all agree.
TokenTrace pooled(std::span<TokenTrace const> recordings, std::string name);

}  // namespace draftgauge
