#pragma once
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "sim/chance/chance.h"

namespace draftgauge {

/// Answers from a written list, for unit tests: a bool for each flip, a Token for each pick, in the order asked.
/// Counts the questions. Throws std::logic_error when the list runs out, when a question is of the other kind, and
/// when the answer is impossible (an outcome of probability 0).
class ScriptedChance {
 public:
  using Answer = std::variant<bool, Token>;

  explicit ScriptedChance(std::vector<Answer> script) : script_(std::move(script)) {}

  template <class Number>
  bool flip(Number const& num, Number const& den) {
    ++flips_;
    bool const answer = next<bool>("flip");
    if (answer ? !(num > Number(0)) && den > Number(0) : !(num < den))
      throw std::logic_error("question " + std::to_string(asked()) + ": a flip cannot be " +
                             (answer ? "true with probability 0" : "false with probability 1"));
    return answer;
  }

  template <Law L>
  Token pick(L const& law) {
    ++picks_;
    Token const answer = next<Token>("pick");
    if (answer >= law.size() || !(law.weight(answer) > decltype(law.weight(answer))(0)))
      throw std::logic_error("question " + std::to_string(asked()) + ": token " + std::to_string(answer) +
                             " has probability 0");
    return answer;
  }

  /// The context of a position is answered like a pick.
  std::uint32_t context(std::uint32_t rows, std::uint32_t) {
    return rows == 1 ? 0 : pick(Weights{rows, [](Token) { return 1; }});
  }

  int flips() const { return flips_; }
  int picks() const { return picks_; }
  bool finished() const { return static_cast<std::size_t>(asked()) == script_.size(); }

 private:
  int asked() const { return flips_ + picks_; }

  template <class Kind>
  Kind next(char const* kind) {
    if (static_cast<std::size_t>(asked()) > script_.size())
      throw std::logic_error("question " + std::to_string(asked()) + ", a " + kind + ": the script has run out");
    Answer const& answer = script_[static_cast<std::size_t>(asked()) - 1];
    if (!std::holds_alternative<Kind>(answer))
      throw std::logic_error("question " + std::to_string(asked()) + " is a " + kind +
                             ", the script has the other kind of answer");
    return std::get<Kind>(answer);
  }

  std::vector<Answer> script_;
  int flips_ = 0, picks_ = 0;
};

}  // namespace draftgauge
