#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace draftgauge {

inline constexpr double ms_per_second = 1e3;

/// A number that was measured, or lies between such; or a guess from them.
struct GridValue {
  double value;
  bool guess;
};

/// What was measured at several lengths, each in batches of several sizes: T(n, B), the time of one step in which
/// each of B sequences has n tokens, or the tokens of a round of γ drafts.
class BatchGrid {
 public:
  /// False, and nothing is added, where that pair is there.
  bool add(std::int64_t length, std::int64_t batch, double value);

  /// Every length, and every batch size of one, in order.
  std::vector<std::int64_t> lengths() const;
  std::vector<std::int64_t> batches(std::int64_t length) const;

  /// Of a length that was measured in some batch: the value there, else on the line between the neighbouring batch
  /// sizes, as vLLM's dynamic speculation reads its own table (vllm-project/vllm#32374). A guess beyond the last, at
  /// the slope of the last two, or flat where that is negative; and below the first, whose value it is. None of any
  /// other length.
  std::optional<GridValue> at(std::int64_t length, std::int64_t batch) const;

 private:
  std::map<std::int64_t, std::map<std::int64_t, double>> rows_;  ///< [length][B]
};

}  // namespace draftgauge
