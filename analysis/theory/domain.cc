#include "analysis/theory/domain.h"

#include <cmath>

#include <fmt/format.h>

#include "sim/base/error.h"

namespace draftgauge {

void require_domain(bool holds, std::string_view name, double value, std::string_view why, std::string_view advice) {
  if (!holds) throw UsageError(fmt::format("{} is {} ({})", name, value, why), advice);
}

void require_alpha(double alpha) {
  require_domain(alpha >= 0 && alpha <= 1, "`alpha`", alpha, "an acceptance rate is a probability",
                 "give a number from 0 to 1");
}

void require_cost(double cost, std::string_view name, std::string_view why) {
  require_domain(cost >= 0 && std::isfinite(cost), name, cost, why, "give a finite number, 0 or more");
}

void require_drafted(int gamma) {
  require_domain(gamma >= 1, "`gamma`", gamma, "a round drafts a token at least", "give 1 or more");
}

void require_batch(std::int64_t batch) {
  if (batch < 1)
    throw UsageError(fmt::format("`batch` is {} (it is a number of sequences)", batch), "give 1 or more");
}

void require_confidence(double confidence) {
  require_domain(confidence > 0 && confidence < 1, "`confidence`", confidence,
                 "it is the probability that an interval covers the truth",
                 "give a number between 0 and 1, such as 0.95");
}

void require_false_alarm(double false_alarm) {
  require_domain(false_alarm > 0 && false_alarm < 1, "`false-alarm`", false_alarm,
                 "it is the probability of an alarm although all is well",
                 "give a number between 0 and 1, such as 1e-6");
}

void require_power(double power) {
  require_domain(power > 0 && power < 1, "`power`", power, "it is the probability of finding an effect that is there",
                 "give a number between 0 and 1, such as 0.9");
}

void require_tv(double tv) {
  require_domain(tv > 0 && tv < 1, "`tv`", tv, "it is a total variation distance", "give a number between 0 and 1");
}

void require_law(std::span<double const> law, std::string_view name) {
  constexpr double slack = 1e-6;
  long double sum = 0;
  for (double const entry : law) {
    if (!(entry >= 0) || !std::isfinite(entry))
      refuse_entry(name, fmt::format("{}", entry), "give finite numbers, 0 or more");
    sum += entry;
  }
  if (std::fabs(sum - 1) > slack) refuse_sum(name, fmt::format("{}", static_cast<double>(sum)));
}

void refuse_entry(std::string_view law, std::string_view value, std::string_view advice) {
  throw UsageError(fmt::format("an entry of {} is {} (a distribution's entries are probabilities)", law, value),
                   advice);
}

void refuse_sum(std::string_view law, std::string_view value) {
  throw UsageError(fmt::format("the sum of {} is {} (a distribution sums to 1)", law, value),
                   "divide its entries by their sum");
}

void refuse_counts(std::size_t counts, std::size_t outcomes, std::string_view advice) {
  throw UsageError(
      fmt::format("{} counts against a distribution of {} outcomes (each outcome has one count)", counts, outcomes),
      advice);
}

void require_one_vocabulary(std::size_t p, std::size_t q) {
  if (p != q) {
    throw UsageError(fmt::format("`p` has {} entries and `q` {} (both are distributions over one vocabulary)", p, q),
                     "give as many");
  }
}

}  // namespace draftgauge
