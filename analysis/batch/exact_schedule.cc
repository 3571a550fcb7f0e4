#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "analysis/batch/exact_batch.h"
#include "analysis/stats/counted.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// A round's arrays, as schedules read them.
class DraftArrays {
 public:
  DraftArrays(std::vector<BatchRequest> const& requests, SlotEstimate const& estimate, DraftedBatch const& batch,
              std::vector<Rational> const& times) {
    int const stride = std::ranges::max(requests, {}, &BatchRequest::gamma).gamma;
    std::size_t const slots = requests.size() * static_cast<std::size_t>(stride);
    token_.resize(slots);
    own_.resize(slots);
    estimate_.resize(slots);
    for (BatchRequest const& request : requests) gamma_.push_back(request.gamma);
    drafts_ = {static_cast<int>(requests.size()),
               stride,
               gamma_.data(),
               token_.data(),
               own_.data(),
               estimate_.data(),
               times.data()};
    for (std::size_t r = 0; r < batch.drafts.size(); ++r) {
      std::uint32_t row = batch.rows[r];
      std::vector<Token> before;
      for (Token const x : batch.drafts[r]) {
        std::size_t const at = r * static_cast<std::size_t>(stride) + before.size();
        token_[at] = x;
        own_[at] = requests[r].model->row(row).q[x];
        estimate_[at] = estimate(static_cast<int>(r), row, before);
        before.push_back(x);
        row = requests[r].model->contexts().after(row, x);
      }
    }
  }
  DraftArrays(DraftArrays const&) = delete;
  DraftArrays& operator=(DraftArrays const&) = delete;

  BatchDrafts<Rational> const& drafts() const { return drafts_; }

 private:
  std::vector<int> gamma_;
  std::vector<Token> token_;
  std::vector<Rational> own_, estimate_;
  BatchDrafts<Rational> drafts_;
};

}  // namespace

SlotEstimate right_estimates(std::vector<BatchRequest> const& requests) {
  return [requests](int request, std::uint32_t row, std::vector<Token> const&) {
    auto const& [p, q] = requests[static_cast<std::size_t>(request)].model->row(row);
    Rational sum = 0;
    for (std::size_t x = 0; x < p.size(); ++x) sum += std::min(p[x], q[x]);
    return sum;
  };
}

SlotEstimate largest_q(std::vector<BatchRequest> const& requests) {
  return [requests](int request, std::uint32_t row, std::vector<Token> const&) {
    return std::ranges::max(requests[static_cast<std::size_t>(request)].model->row(row).q);
  };
}

SlotEstimate estimates_by_place(std::vector<Rational> estimates) {
  return [estimates = std::move(estimates)](int, std::uint32_t, std::vector<Token> const& before) {
    return estimates.at(std::min(before.size(), estimates.size() - 1));
  };
}

SlotEstimate slot_estimates(EstimateText const& text, std::vector<BatchRequest> const& requests) {
  switch (text.kind) {
    case EstimateText::Kind::right: return right_estimates(requests);
    case EstimateText::Kind::largest_q: return largest_q(requests);
    case EstimateText::Kind::by_place: break;
  }
  std::vector<Rational> places;
  for (WrittenNumber const& number : text.places)
    places.push_back(number.exact ? Rational(number.exact->num(), number.exact->den()) : Rational(number.value));
  return estimates_by_place(std::move(places));
}

ExactSchedule exact_schedule(ScheduleCall const& schedule, std::vector<BatchRequest> const& requests, SlotEstimate estimate,
                             std::vector<Rational> times) {
  std::size_t slots = 0;
  for (BatchRequest const& request : requests) slots += static_cast<std::size_t>(request.gamma);
  if (requests.size() > max_requests)
    throw UsageError(
        fmt::format("{} are more than a batch holds ({})", counted(requests.size(), "request"), max_requests),
        fmt::format("give at most {}", max_requests));
  if (times.empty()) times.assign(slots + 1, Rational(1));
  if (times.size() != slots + 1)
    throw UsageError(
        fmt::format("{} for passes that verify 0 to {} slots (each has one)", counted(times.size(), "time"), slots),
        fmt::format("give {}", slots + 1));
  struct Called {
    AnySchedule schedule;
    std::vector<BatchRequest> requests;
    SlotEstimate estimate;
    std::vector<Rational> times;
  };
  auto const called =
      std::make_shared<Called const>(Called{AnySchedule(schedule), requests, std::move(estimate), std::move(times)});
  auto const lengths = [called](DraftedBatch const& batch) {
    DraftArrays const arrays(called->requests, called->estimate, batch, called->times);
    std::vector<int> decided(called->requests.size());
    called->schedule.decide(arrays.drafts(), batch.memory.data(), decided.data());
    return decided;
  };
  std::vector<Rational> memory(requests.size());
  std::vector<int> gamma;
  for (BatchRequest const& request : requests) gamma.push_back(request.gamma);
  BatchDrafts<Rational> const none{.requests = static_cast<int>(requests.size()), .gamma = gamma.data()};
  called->schedule.begin(none, memory.data());
  return {lengths, memory, [called, lengths](DraftedBatch const& batch, std::vector<int> const& accepted) {
            DraftArrays const arrays(called->requests, called->estimate, batch, called->times);
            std::vector<Rational> after = batch.memory;
            called->schedule.after(arrays.drafts(), lengths(batch).data(), accepted.data(), after.data());
            return after;
          }};
}

}  // namespace draftgauge
