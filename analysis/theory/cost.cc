#include "analysis/theory/cost.h"

#include <algorithm>
#include <iterator>

#include "analysis/theory/domain.h"
#include "sim/base/error.h"
#include "sim/base/fraction.h"
#include "sim/base/written_number.h"

namespace draftgauge {
namespace {

constexpr std::int64_t most_tokens = std::int64_t{1} << 53;  // whole numbers up to there are doubles
constexpr std::int64_t most_sequences = std::int64_t{1} << 32;

/// A curve of T(n)/T(1) at n, as Costs::verify_pass says.
double pass(std::map<std::int64_t, double> const& curve, std::int64_t n) {
  if (n < 1)
    throw UsageError("a pass of " + std::to_string(n) + " tokens has no cost (it has at least one)", "give n ≥ 1");
  if (n == 1 || curve.empty()) return 1;
  using Point = std::pair<double, double>;
  auto const point = [](auto const& entry) { return Point(static_cast<double>(entry.first), entry.second); };
  auto const above = curve.lower_bound(n);
  if (above != curve.end() && above->first == n) return above->second;
  Point low{1, 1}, high{};
  if (above != curve.begin()) low = point(*std::prev(above));
  auto const x = static_cast<double>(n);
  if (above != curve.end()) {
    high = point(*above);
    return low.second + (high.second - low.second) * (x - low.first) / (high.first - low.first);
  }
  // Above the largest: the two last points, of which T(1) is one where only one was measured.
  high = low;
  low = curve.size() > 1 ? point(*std::prev(curve.end(), 2)) : Point{1, 1};
  double const slope = high.first > low.first ? (high.second - low.second) / (high.first - low.first) : 0;
  return high.second + std::max(slope, 0.0) * (x - high.first);
}

/// The curve of `batch` sequences in units of their own step. A curve is a line between the n that were measured, so
/// that this one is a line between the whole n/batch around these; two points beyond the last keep its slope.
std::map<std::int64_t, double> of_sequences(std::map<std::int64_t, double> const& curve, std::int64_t batch) {
  std::map<std::int64_t, double> together;
  if (curve.empty()) return together;
  double const step = pass(curve, batch);
  auto const add = [&](std::int64_t n) { together[n] = pass(curve, batch * n) / step; };
  add(1);
  for (auto const& [n, ignored] : curve)
    for (std::int64_t const around : {n / batch, n / batch + (n % batch == 0 ? 0 : 1)})
      if (around > 0) add(around);
  add(together.rbegin()->first + 1);
  return together;
}

[[noreturn]] void refuse(std::string_view part, std::string const& why) {
  throw UsageError("'" + std::string(part) + "' is not a cost of verification (" + why + ")",
                   "write n:v(n) with growing n, like 1:1,2:1.8,5:3.35");
}

}  // namespace

double Costs::verify_pass(std::int64_t n) const { return pass(verify, n); }

double Costs::draft_pass(std::int64_t n) const { return pass(draft_curve, n); }

double Costs::draft_steps(std::int64_t steps, std::int64_t n) const {
  return static_cast<double>(steps) + extra_draft_passes * draft_pass(n);
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
  return draft_steps(gamma, gamma + 1) * draft + verify_pass(gamma + 1) + overhead;
}

double Costs::of_tree(int levels, std::int64_t nodes) const {
  return draft_steps(levels, nodes) * draft + verify_pass(nodes) + overhead;
}

Costs in_batch(Costs const& costs, std::int64_t batch) {
  require_batch(batch);
  if (batch > most_sequences)
    throw UsageError("`batch` " + std::to_string(batch) + " is out of range (at most " +
                     std::to_string(most_sequences) + ")");
  Costs together = costs;
  if (!costs.draft_curve.empty()) together.draft *= costs.draft_pass(batch) / costs.verify_pass(batch);
  together.draft_curve = of_sequences(costs.draft_curve, batch);
  together.verify = of_sequences(costs.verify, batch);
  if (!costs.verify.empty()) together.measured = costs.last_measured() / batch;
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
