#pragma once
#include <cstddef>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/stats/token_trace.h"
#include "sim/base/error.h"

namespace draftgauge {

/// A base to which logarithms of probabilities are written. What is read are natural ones.
struct LogBase {
  std::string_view name;
  double ln;  ///< of the base: what its logarithms are multiplied by
};
inline constexpr LogBase natural{"e", 1},
    log_bases[] = {natural, {"2", std::numbers::ln2}, {"10", std::numbers::ln10}};

/// What such logarithms are refused with, as `subject` has them: "x.csv: its log-probabilities are".
InputError of_base(std::string const& subject, LogBase const& base, std::string const& why);

/// A column's name that says a base, and the name without it: log2p is logp, target_logprob_base10 target_logprob.
/// None where it says no base.
struct BasedName {
  LogBase base;
  std::string name;
};
std::optional<BasedName> based_name(std::string_view column);

/// To which base logarithms are, by what they have to be: the logarithms of a whole distribution, whose probabilities
/// sum to 1, or of a probability that the file has, too. Of natural logarithms another base fits by chance: at a
/// position whose list is cut off with a probability of about 1 %, and here all must fit.
class BaseFit {
 public:
  void take_distribution(std::span<double const> logarithms);
  void take_probability(double logarithm, double probability);
  /// The last token of a text that is being read: the probabilities beside its log p and log q.
  void take_last(TextTrace const& text);
  /// The other base that all fit, where most do not fit e; none of fewer than four.
  std::optional<LogBase> other() const;
  std::size_t looked_at() const { return looked_at_; }

 private:
  void count(bool const (&fits)[3]);

  std::size_t looked_at_ = 0, fitting_[3] = {};
};

}  // namespace draftgauge
