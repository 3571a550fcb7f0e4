#include "analysis/theory/cost.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/base/error.h"
#include "sim/base/fraction.h"
#include "sim/base/written_number.h"

namespace draftgauge {
namespace {

constexpr std::int64_t most_tokens = std::int64_t{1} << 53;  // whole numbers up to there are doubles
constexpr std::int64_t most_sequences = std::int64_t{1} << 32;

[[noreturn]] void refuse(std::string_view part, std::string const& why) {
  throw UsageError("'" + std::string(part) + "' is not a cost of verification (" + why + ")",
                   "write n:v(n) with growing n, like 1:1,2:1.8,5:3.35");
}

}  // namespace

double Costs::verify_pass(std::int64_t n) const {
  if (n < 1)
    throw UsageError("a pass of " + std::to_string(n) + " tokens has no cost (it has at least one)", "give n ≥ 1");
  if (n == 1 || verify.empty()) return 1;
  using Point = std::pair<double, double>;
  auto const point = [](auto const& entry) { return Point(static_cast<double>(entry.first), entry.second); };
  auto const above = verify.lower_bound(n);
  if (above != verify.end() && above->first == n) return above->second;
  Point low{1, 1}, high{};
  if (above != verify.begin()) low = point(*std::prev(above));
  auto const x = static_cast<double>(n);
  if (above != verify.end()) {
    high = point(*above);
    return low.second + (high.second - low.second) * (x - low.first) / (high.first - low.first);
  }
  // Above the largest: the two last points, of which v(1) = 1 is one where only one was measured.
  high = low;
  if (verify.size() > 1) {
    low = point(*std::prev(verify.end(), 2));
  } else {
    low = {1, 1};
  }
  double const slope = high.first > low.first ? (high.second - low.second) / (high.first - low.first) : 0;
  return high.second + std::max(slope, 0.0) * (x - high.first);
}

std::int64_t Costs::last_measured() const {
  return measured ? *measured : verify.empty() ? 1 : verify.rbegin()->first;
}

bool Costs::extrapolates(std::int64_t n) const {
  return !verify.empty() && verify.rbegin()->first > 1 && n > last_measured();
}

double Costs::of_round(std::int64_t gamma) const {
  if (gamma < 0)
    throw UsageError("a draft of " + std::to_string(gamma) + " tokens has no cost (γ ≥ 0)", "give γ ≥ 0");
  return static_cast<double>(gamma + extra_draft_passes) * draft + verify_pass(gamma + 1) + overhead;
}

double Costs::of_tree(int levels, std::int64_t nodes) const {
  return (levels + extra_draft_passes) * draft + verify_pass(nodes) + overhead;
}

Costs in_batch(Costs const& costs, std::map<std::int64_t, double> const& draft_curve, std::int64_t batch) {
  if (batch < 1)
    throw UsageError("--batch is " + std::to_string(batch) + " (it is a number of sequences)", "give 1 or more");
  if (batch > most_sequences)
    throw UsageError("--batch " + std::to_string(batch) + " is out of range (at most " +
                     std::to_string(most_sequences) + ")");
  Costs together = costs;
  double const step = costs.verify_pass(batch);
  if (!draft_curve.empty()) together.draft *= Costs{.verify = draft_curve}.verify_pass(batch) / step;
  together.verify.clear();
  if (costs.verify.empty()) return together;
  // v is a line between the n that were measured, so that v_b is one between the whole n/b around these.
  auto const add = [&](std::int64_t n) { together.verify[n] = costs.verify_pass(batch * n) / step; };
  add(1);
  for (auto const& [n, ignored] : costs.verify)
    for (std::int64_t const around : {n / batch, n / batch + (n % batch == 0 ? 0 : 1)})
      if (around > 0) add(around);
  together.measured = costs.last_measured() / batch;
  // Two points beyond the last keep its slope.
  std::int64_t const last = together.verify.rbegin()->first;
  add(last + 1);
  return together;
}

std::vector<std::int64_t> falls(std::map<std::int64_t, double> const& verify) {
  std::vector<std::int64_t> at;
  double before = 0;
  for (auto const& [n, time] : verify) {
    if (time < before) at.push_back(n);
    before = time;
  }
  return at;
}

std::map<std::int64_t, double> parse_verify_cost(std::string_view text) {
  std::map<std::int64_t, double> costs;
  std::int64_t last = 0;
  for (bool more = true; more;) {
    std::size_t const comma = text.find(',');
    std::string_view const part = text.substr(0, comma);
    more = comma != text.npos;
    text.remove_prefix(more ? comma + 1 : text.size());
    std::size_t const colon = part.find(':');
    if (colon == part.npos) refuse(part, "there is no colon");
    std::int64_t n = 0;
    double cost = 0;
    try {
      n = parse_count(part.substr(0, colon));
      cost = parse_written(part.substr(colon + 1)).value;
    } catch (UsageError const&) {
      throw;
    } catch (Error const& error) {
      refuse(part, error.what());
    }
    if (n < 1) refuse(part, "a pass has at least one token");
    if (n > most_tokens) refuse(part, "a pass of more than 2^53 tokens is none that was measured");
    if (n <= last) refuse(part, n == last ? "n stands twice" : "n is smaller than the one before");
    if (!(cost > 0)) refuse(part, "a pass takes time");
    if (n == 1 && cost != 1) refuse(part, "v(1) is 1, since the unit is a plain step of the target");
    last = n;
    costs[n] = cost;
  }
  costs.emplace(1, 1);
  return costs;
}

}  // namespace draftgauge
