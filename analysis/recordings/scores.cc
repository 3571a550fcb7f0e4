#include "analysis/recordings/scores.h"

namespace draftgauge {

std::size_t Scores::tokens() const {
  std::size_t sum = 0;
  for (TextScores const& text : texts) sum += text.size();
  return sum;
}

}  // namespace draftgauge
