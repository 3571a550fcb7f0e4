#include "analysis/scheduling/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analysis/counters/json_fields.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"

namespace draftgauge {
namespace {

constexpr std::size_t groups = 10;
constexpr double least_chance = 1e-6;  // a logarithm's, of which no sample of rounds knows more
constexpr double least_temperature = .02, most_temperature = 50;

/// A non-decreasing map, made of steps.
class Steps {
 public:
  /// Pool adjacent violators of pairs (estimate, truth), in order of the estimate.
  explicit Steps(std::vector<std::pair<double, double>> const& pairs) {
    struct Pool {
      double from, sum, count;
      double mean() const { return sum / count; }
    };
    std::vector<Pool> pools;
    for (auto const& [estimate, truth] : pairs) {
      if (!pools.empty() && pools.back().from == estimate) {
        pools.back().sum += truth;
        ++pools.back().count;
      } else {
        pools.push_back({estimate, truth, 1});
      }
      while (pools.size() > 1 && pools.end()[-2].mean() >= pools.back().mean()) {
        pools.end()[-2].sum += pools.back().sum;
        pools.end()[-2].count += pools.back().count;
        pools.pop_back();
      }
    }
    for (Pool const& pool : pools) {
      from_.push_back(pool.from);
      value_.push_back(pool.mean());
    }
  }
  double at(double estimate) const {
    auto const behind = std::ranges::upper_bound(from_, estimate) - from_.begin();
    return value_[static_cast<std::size_t>(std::max<std::ptrdiff_t>(behind - 1, 0))];
  }

 private:
  std::vector<double> from_, value_;
};

double held(double chance) { return std::clamp(chance, least_chance, 1 - least_chance); }

double scaled(double confidence, double temperature) {
  double const c = held(confidence);
  return 1 / (1 + std::exp(-std::log(c / (1 - c)) / temperature));
}

/// Rounds that begin at every token which has so many behind it: by how much each has been scaled so far.
struct RoundsFromTokens {
  std::vector<double> confidence;        ///< of the next place
  std::vector<double> before, accepted;  ///< products up to the place before: scaled confidences, and acceptance
};

/// −log likelihood of what is accepted up to this place, at that temperature.
double loss(RoundsFromTokens const& rounds, std::vector<double> const& accepted, double temperature) {
  double sum = 0;
  for (std::size_t i = 0; i < rounds.confidence.size(); ++i) {
    double const chance = held(rounds.before[i] * scaled(rounds.confidence[i], temperature));
    sum -= accepted[i] * std::log(chance) + (1 - accepted[i]) * std::log1p(-chance);
  }
  return sum;
}

/// The least loss, which has one valley, by golden section in log T.
double best_temperature(RoundsFromTokens const& rounds, std::vector<double> const& accepted) {
  double const ratio = (std::sqrt(5.) - 1) / 2;
  double low = std::log(least_temperature), high = std::log(most_temperature);
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double loss_a = loss(rounds, accepted, std::exp(a)), loss_b = loss(rounds, accepted, std::exp(b));
  while (high - low > 1e-4) {
    if (loss_a < loss_b) {
      high = b;
      b = a;
      loss_b = loss_a;
      a = high - ratio * (high - low);
      loss_a = loss(rounds, accepted, std::exp(a));
    } else {
      low = a;
      a = b;
      loss_a = loss_b;
      b = low + ratio * (high - low);
      loss_b = loss(rounds, accepted, std::exp(b));
    }
  }
  return std::exp((low + high) / 2);
}

}  // namespace

double calibration_error(std::vector<double> const& estimates, std::vector<double> const& truths) {
  std::vector<double> difference(groups);
  for (std::size_t i = 0; i < estimates.size(); ++i)
    difference[std::min(static_cast<std::size_t>(estimates[i] * groups), groups - 1)] += estimates[i] - truths[i];
  double sum = 0;
  for (double const one : difference) sum += std::abs(one);
  return estimates.empty() ? 0 : sum / static_cast<double>(estimates.size());
}

std::vector<ScheduledText> calibrated(std::vector<ScheduledText> texts) {
  std::vector<std::pair<std::size_t, std::size_t>> order;  // text and token, by estimate
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t t = 0; t < texts[i].accepted.size(); ++t) order.emplace_back(i, t);
  std::ranges::sort(order, {}, [&](auto const& at) { return texts[at.first].estimate[at.second]; });
  std::size_t const folds = std::min(groups, texts.size());
  std::vector<std::vector<double>> mended;
  for (ScheduledText const& text : texts) mended.emplace_back(text.accepted.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<std::pair<double, double>> pairs;
    for (auto const& [i, t] : order)
      if (folds == 1 || i % folds != fold) pairs.emplace_back(texts[i].estimate[t], texts[i].accepted[t]);
    if (pairs.empty()) continue;
    Steps const steps(pairs);
    for (std::size_t i = fold; i < texts.size(); i += folds)
      for (std::size_t t = 0; t < mended[i].size(); ++t) mended[i][t] = steps.at(texts[i].estimate[t]);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].estimate = std::move(mended[i]);
  return texts;
}

Temperatures fit_temperatures(std::vector<ScheduledText> const& texts, int places, std::string dataset) {
  Temperatures found{.by_place = {}, .dataset = std::move(dataset)};
  struct Start {
    std::size_t text, token;
    double raw = 1, before = 1, accepted = 1;
  };
  std::vector<Start> starts;
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t t = 0; t < texts[i].accepted.size(); ++t) starts.push_back({i, t});
  found.samples = static_cast<std::int64_t>(starts.size());
  for (int place = 0; place < places; ++place) {
    auto const at = [&](Start const& start) { return start.token + static_cast<std::size_t>(place); };
    std::erase_if(starts, [&](Start const& start) { return at(start) >= texts[start.text].accepted.size(); });
    if (starts.empty()) break;
    RoundsFromTokens rounds;
    std::vector<double> raw, accepted;
    for (Start& start : starts) {
      ScheduledText const& text = texts[start.text];
      rounds.confidence.push_back(text.estimate[at(start)]);
      rounds.before.push_back(start.before);
      raw.push_back(start.raw *= text.estimate[at(start)]);
      accepted.push_back(start.accepted *= text.accepted[at(start)]);
    }
    double const temperature = best_temperature(rounds, accepted);
    std::vector<double> after;
    for (Start& start : starts)
      after.push_back(start.before *= scaled(texts[start.text].estimate[at(start)], temperature));
    found.by_place.push_back(temperature);
    found.error_before.push_back(calibration_error(raw, accepted));
    found.error_after.push_back(calibration_error(after, accepted));
  }
  return found;
}

std::string temperatures_text(Temperatures const& temperatures) {
  return nlohmann::ordered_json{{"temperatures", temperatures.by_place},
                                {"dataset", temperatures.dataset},
                                {"num_samples", temperatures.samples},
                                {"ece_before", temperatures.error_before},
                                {"ece_after", temperatures.error_after}}
             .dump() +
         "\n";
}

Temperatures read_temperatures(std::string const& file, std::string_view text) {
  nlohmann::json const object = [&] {
    try {
      return parse_json(text);
    } catch (Error const& error) {
      throw InputError(file, error);
    }
  }();
  Temperatures read;
  if (object.is_object()) read.by_place = optional_reals(file, object, {"temperatures"});
  if (read.by_place.empty())
    throw InputError(file + " has no list of temperatures (SGLang's file of sequential temperature scaling has one)",
                     "write one with `write-table`");
  for (double const one : read.by_place)
    if (!(one > 0 && std::isfinite(one)))
      throw InputError(fmt::format("{}: temperatures has {:g} (each is above 0)", file, one), "correct it");
  if (auto const dataset = object.find("dataset"); dataset != object.end() && dataset->is_string())
    read.dataset = dataset->get<std::string>();
  read.samples = optional_count(file, object, {"num_samples"}).value_or(0);
  read.error_before = optional_reals(file, object, {"ece_before"});
  read.error_after = optional_reals(file, object, {"ece_after"});
  return read;
}

std::vector<ScheduledText> with_temperatures(std::vector<ScheduledText> texts, Temperatures const& temperatures) {
  for (ScheduledText& text : texts) {
    text.by_place.clear();
    for (double const temperature : temperatures.by_place) {
      std::vector<double>& place = text.by_place.emplace_back();
      for (double const confidence : text.estimate) place.push_back(scaled(confidence, temperature));
    }
  }
  return texts;
}

}  // namespace draftgauge
