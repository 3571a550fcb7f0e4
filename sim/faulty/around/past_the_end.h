#pragma once
#include "sim/faulty/around/state.h"

namespace draftgauge::faulty {

/// Goes on behind an accepted draft that ends the text, and emits one more token as if the text had not ended.
struct PastTheEnd : KeptState<PastTheEnd> {
  static constexpr Counterexample counterexample{
      .shows = {.p = "1/2,1/2", .q = "0,1", .tokens = 2, .memory = "min-length:end=1,tokens=0"},
      .distance = "1/4",
      .rounds = 1000,
      .hides = {.p = "1/2,1/2", .q = "1,0", .tokens = 2, .memory = "min-length:end=1,tokens=0"},
      .why = "the end is never drafted"};
  static constexpr RuleCard card{.name = "faulty/past-the-end",
                                 .summary = "a token follows an accepted draft that ends the text",
                                 .source = "github.com/openvinotoolkit/openvino.genai, issue 4081",
                                 .drafter = "sample",
                                 .counterexample = counterexample};

  /// The text has ended where nothing can follow but what led there, and it leads there again.
  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t view(Draft& draft, std::uint32_t node, bool) {
    std::uint32_t const row = draft.row(node);
    if (node == 0) return row;
    auto const here = draft.at(node);
    Token const x = draft.token(node);
    bool const ended = here.p(x) == here.total() && draft.model().contexts().after(row, x) == row;
    return ended ? draft.row(draft.parent(node)) : row;
  }
};

}  // namespace draftgauge::faulty
