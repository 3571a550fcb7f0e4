#include "analysis/recordings/log_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/letters.h"

namespace draftgauge {

InputError of_base(std::string const& subject, LogBase const& base, std::string const& why) {
  return InputError(
      fmt::format("{} logarithms to base {} ({})", subject, base.name, why),
      fmt::format("give measure `log-base` {}, or multiply them by ln {} = {:.6g}", base.name, base.name, base.ln));
}

std::optional<BasedName> based_name(std::string_view column) {
  std::string name(column);
  std::erase_if(name, [](char c) { return c == '(' || c == ')'; });
  for (LogBase const& base : std::span(log_bases).subspan(1)) {
    std::string const number(base.name);
    // log2p is named after logp, logp_base2 and logp_log2 have the base beside the name.
    for (auto const& [mark, instead] :
         {std::pair("_base" + number, ""), std::pair("_base_" + number, ""), std::pair("_log" + number, ""),
          std::pair("log" + number, "log"), std::pair(std::string(number == "2" ? "_bits" : "_bans"), "")}) {
      std::size_t const at = name.find(mark), end = at + mark.size();
      if (at == name.npos || (end < name.size() && is_digit(name[end]))) continue;
      return BasedName{base, name.replace(at, mark.size(), instead)};
    }
  }
  return {};
}

void BaseFit::count(bool const (&fits)[3]) {
  if (std::ranges::all_of(fits, std::identity())) return;  // of a probability near 1
  ++looked_at_;
  for (std::size_t i = 0; i < std::size(log_bases); ++i) fitting_[i] += fits[i];
}

void BaseFit::take_distribution(std::span<double const> logarithms) {
  constexpr double near = 2e-3;  // single precision, and few digits
  // Of a token that is all but certain the others add little to any base: logits less their largest look so, too.
  constexpr double certain = -.05;
  if (logarithms.empty() || std::ranges::max(logarithms) > certain) return;
  bool fits[std::size(log_bases)];
  for (std::size_t i = 0; i < std::size(log_bases); ++i) {
    double sum = 0;
    for (double const each : logarithms) sum += std::exp(each * log_bases[i].ln);
    fits[i] = std::abs(sum - 1) < near;
  }
  count(fits);
}

void BaseFit::take_probability(double logarithm, double probability) {
  constexpr double near = .02;  // ln 2 is farther than that from 1
  double const wanted = std::log(probability);
  if (!std::isfinite(logarithm) || !std::isfinite(wanted) || wanted > -.1) return;
  bool fits[std::size(log_bases)];
  for (std::size_t i = 0; i < std::size(log_bases); ++i)
    fits[i] = std::abs(logarithm * log_bases[i].ln / wanted - 1) < near;
  count(fits);
}

void BaseFit::take_last(TextTrace const& text) {
  auto const holds = [](auto const& values) { return !values.empty() && values.back() == 1; };
  double const p = text.log_p.back(), q = text.log_q.back();
  if (holds(text.top) && !text.max_p.empty()) take_probability(p, text.max_p.back());
  if (!holds(text.argmax_match)) return;
  if (!text.max_q.empty()) take_probability(q, text.max_q.back());
  if (!text.p_of_argmax_q.empty()) take_probability(p, text.p_of_argmax_q.back());
}

std::optional<LogBase> BaseFit::other() const {
  constexpr std::size_t fewest = 4;
  if (looked_at_ < fewest || 2 * fitting_[0] >= looked_at_) return {};
  for (std::size_t i = 1; i < std::size(log_bases); ++i)
    if (fitting_[i] == looked_at_) return log_bases[i];
  return {};
}

}  // namespace draftgauge
