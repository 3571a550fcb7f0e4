#include "analysis/texts/text_sample.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "sim/chance/layout.h"

namespace draftgauge {

TextSample::TextSample(std::vector<double> lengths, std::size_t resamples, std::uint64_t seed)
    : lengths_(std::move(lengths)), tokens_(std::accumulate(lengths_.begin(), lengths_.end(), 0.0)), seed_(seed) {
  if (resamples > 0 && lengths_.size() > most_resampled / resamples)
    throw UsageError("`resamples` " + std::to_string(resamples) + " of " + std::to_string(lengths_.size()) +
                         " texts are too many (at most " + std::to_string(most_resampled) +
                         " texts of resamples are held)",
                     "give `resamples` 0, or fewer texts");
  times_.resize(lengths_.size() * resamples);
  if (lengths_.empty()) throw std::logic_error("a sample of no text");
  for (std::size_t b = 0; b < resamples; ++b) {
    Philox::Words words{};
    for (std::uint32_t i = 0; i < size(); ++i) {  // text ⌊U·n⌋ by a digit of 32 bits: off by n/2^32 at most
      if (i % 4 == 0) words = layout::Address::of(seed, b, i / 4).words(layout::resampled, 0);
      ++times_[b * size() + static_cast<std::size_t>(std::uint64_t{words.word[i % 4]} * size() >> 32)];
    }
  }
}

double TextSample::degrees() const {
  double squares = 0, fourths = 0;
  for (double const length : lengths_) {
    double const square = (length / tokens_) * (length / tokens_);
    squares += square;
    fourths += square * square;
  }
  return std::max(1.0, squares * squares / fourths - 1);
}

}  // namespace draftgauge
