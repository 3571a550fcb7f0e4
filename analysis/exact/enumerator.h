#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sim/chance/chance.h"

namespace draftgauge {

/// Answers every question in every possible way, one path of answers after another, each with its exact probability.
/// A program that asks is run once per path, from its beginning:
///
///     Enumerator<Rational> chance;
///     do {
///       auto outcome = program(chance);
///       law[outcome] += chance.probability();
///     } while (chance.next_path());
///
/// Answers of probability 0 are not tried. Number is an exact type: with doubles the sums would not close.
template <class Number>
class Enumerator {
 public:
  bool flip(Number const& num, Number const& den) {
    if (!replaying()) {
      std::vector<Option> options;
      if (!(num < den)) {  // also 0/0, a question of probability 0, which may be answered anyhow
        options.push_back({1, Number(1)});
      } else {
        Number const yes = num / den;
        if (yes > Number(0)) options.push_back({1, yes});
        options.push_back({0, Number(1) - yes});
      }
      branch(std::move(options));
    }
    return step() == 1;
  }

  template <Law L>
  Token pick(L const& law) {
    if (!replaying()) {
      std::vector<Option> options;
      Number total(0);
      for (Token x = 0; x < law.size(); ++x) {
        Number weight(law.weight(x));
        if (!(weight > Number(0))) continue;
        total += weight;
        options.push_back({x, std::move(weight)});
      }
      if (options.empty()) throw std::logic_error("a rule picked from a law without weight");
      for (Option& option : options) option.probability /= total;
      branch(std::move(options));
    }
    return step();
  }

  std::uint32_t context(std::uint32_t rows, std::uint32_t) {
    return rows == 1 ? 0 : pick(Weights{rows, [](Token) { return Number(1); }});
  }

  /// Of the path of answers given since the last start.
  Number probability() const { return path_.empty() ? Number(1) : path_.back().reached; }

  /// Goes back to the start, with the next path of answers ahead. False when all have been given.
  bool next_path() {
    while (!path_.empty() && path_.back().at + 1 == path_.back().options.size()) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().at;
    reach(path_.size() - 1);
    asked_ = 0;
    return true;
  }

 private:
  struct Option {
    Token answer;
    Number probability;
  };
  struct Fork {
    std::vector<Option> options;
    std::size_t at = 0;
    Number reached = Number(1);  // probability of all answers up to this one
  };

  bool replaying() const { return asked_ < path_.size(); }
  void branch(std::vector<Option> options) {
    path_.push_back({std::move(options)});
    reach(path_.size() - 1);
  }
  void reach(std::size_t i) {
    Fork& fork = path_[i];
    fork.reached = fork.options[fork.at].probability;
    if (i > 0) fork.reached *= path_[i - 1].reached;
  }
  Token step() {
    Fork const& fork = path_[asked_++];
    return fork.options[fork.at].answer;
  }

  std::vector<Fork> path_;
  std::size_t asked_ = 0;
};

}  // namespace draftgauge
