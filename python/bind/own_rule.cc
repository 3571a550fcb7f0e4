#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <numeric>
#include <type_traits>

#include "analysis/exact/enumerate_round.h"
#include "analysis/exact/exact_starts.h"
#include "analysis/stats/interval.h"
#include "python/bind/exact_dict.h"
#include "sim/base/error.h"
#include "sim/chance/layout.h"
#include "sim/draft/drafting.h"

namespace draftgauge::python {
namespace {

/// Numbers cross as texts "1/3" where they are fractions, else as doubles.
std::string crossing(Rational const& number) { return number.str(); }
double crossing(double number) { return number; }

/// The two questions, as a rule in Python asks them while it is called.
template <class Crossing>
struct Asked {
  std::function<bool(Crossing, Crossing)> flip;
  std::function<Token(std::vector<Crossing>)> pick;
};

/// What a rule was asked for and answered in one call, to be played again.
template <class Crossing>
class Transcript {
 public:
  /// The answer to a question, given by answer() the first time and by what it was then when it is played again.
  template <class Answer>
  std::uint64_t answer(std::vector<Crossing> const& question, Answer const& answer) {
    if (played_ == questions_.size()) {
      if (again_) differ();
      if (questions_.size() == most)
        throw UsageError(
            fmt::format("the rule has asked {} questions at one node and has not answered (a loop may have no end)",
                        most),
            "let each call return after some questions");
      questions_.push_back(question);
      answers_.push_back(answer());
    } else if (questions_[played_] != question) {
      differ();
    }
    return answers_[played_++];
  }
  void rewind() {
    played_ = 0;
    again_ = true;
  }
  bool done() const { return played_ == questions_.size(); }
  [[noreturn]] static void differ() {
    throw UsageError("the rule does not do the same on the same coins (it has randomness or a memory of its own)",
                     "take every chance from chance.flip and chance.pick");
  }

 private:
  static constexpr std::size_t most = 10'000;
  std::vector<std::vector<Crossing>> questions_;
  std::vector<std::uint64_t> answers_;
  std::size_t played_ = 0;
  bool again_ = false;
};

/// What a rule in Python says when it is called with its questions, whom `chance` answers. In enumeration it is
/// called twice with the same answers, since a rule with chances of its own has no exact law.
template <class Number, class Chance, class Call>
std::int64_t said_by(Chance& chance, Call const& call) {
  using Crossing = decltype(crossing(Number()));
  auto const number = [](Crossing const& crossed) { return Number(crossed); };
  Transcript<Crossing> transcript;
  nb::object const held = nb::cast(Asked<Crossing>{
      [&](Crossing const& num, Crossing const& den) {
        return transcript.answer({num, den}, [&] { return chance.flip(number(num), number(den)); }) != 0;
      },
      [&](std::vector<Crossing> const& crossed) {
        std::vector<Number> weights;
        for (Crossing const& weight : crossed) weights.push_back(number(weight));
        return static_cast<Token>(transcript.answer(crossed, [&] {
          return chance.pick(
              Weights{static_cast<std::uint32_t>(weights.size()), [&](Token x) { return weights[x]; }});
        }));
      }});
  struct Closing {  // whoever kept it has nobody to ask any more, also where the rule raises
    nb::object const& held;
    ~Closing() { *nb::inst_ptr<Asked<Crossing>>(held) = {}; }
  } const closing{held};
  auto const said = nb::cast<std::int64_t>(call(held));
  if constexpr (std::is_same_v<Number, Rational>) {
    transcript.rewind();
    if (nb::cast<std::int64_t>(call(held)) != said || !transcript.done()) transcript.differ();
  }
  return said;
}

/// p and q of a node, as they cross.
template <class Number, class Node>
std::pair<nb::list, nb::list> rows_at(Node const& node) {
  nb::list p, q;
  for (Token x = 0; x < node.vocab(); ++x) {
    p.append(crossing(Number(node.p(x))));
    q.append(crossing(Number(node.q(x))));
  }
  return {p, q};
}

inline constexpr RuleCard own_card{.name = "own",
                                   .summary = "a rule written in Python",
                                   .source = "docs/adding-a-rule.md",
                                   .drafter = "sample",
                                   .lossless = false,
                                   .many_children = true};

/// A node rule written in Python: called with (asked, p, q, drafts), it returns the child to go on below, or −1 − the
/// token to emit.
struct OwnRule {
  static constexpr RuleCard card = own_card;
  static constexpr Shape shape = Shape::node;

  nb::object function;

  template <class Chance, class Node>
  Step operator()(Chance& chance, Node const& node) const {
    using Number = typename Node::Real;
    auto const [p, q] = rows_at<Number>(node);
    nb::list drafts;
    for (int i = 0; i < node.children(); ++i) drafts.append(node.child(i));
    auto const said = said_by<Number>(chance, [&](nb::object const& held) { return function(held, p, q, drafts); });
    return said >= 0 ? descend(static_cast<int>(said)) : emit(static_cast<Token>(-1 - said));
  }
};

/// A rule of a whole chain of drafts, written in Python: called with (asked, p, q, drafts), rows of every place and
/// the token at each, it returns how many drafts it keeps times the vocabulary, plus the token after them.
struct OwnPathRule {
  static constexpr RuleCard card = own_card;
  static constexpr Shape shape = Shape::tree;

  nb::object function;

  template <class Chance, class Draft>
  Stop operator()(Chance& chance, Draft& draft) const {
    using Number = typename Draft::Real;
    nb::list p, q, drafts;
    std::uint32_t node = 0;
    for (;; node = draft.child(node)) {
      auto const [p_here, q_here] = rows_at<Number>(draft.at(node));
      p.append(p_here);
      if (!draft.child(node)) break;
      q.append(q_here);
      drafts.append(draft.token_after(node));
    }
    std::int64_t const vocab = draft.at(0).vocab();
    auto const said = said_by<Number>(chance, [&](nb::object const& held) { return function(held, p, q, drafts); });
    return {static_cast<std::uint32_t>(said / vocab), static_cast<Token>(said % vocab)};
  }
};

/// call(rule), by what the function looks at.
template <class Call>
auto with_rule(nb::object const& function, bool of_path, Call const& call) {
  return of_path ? call(OwnPathRule{function}) : call(OwnRule{function});
}

/// Answers by random bits of a stream of its own, in order.
class DrawnChance {
 public:
  DrawnChance(std::uint64_t seed, std::uint64_t round) : seed_(seed), round_(round) {}

  bool flip(double num, double den) { return uniform() * den < num; }
  template <class L>
  Token pick(L const& law) {
    std::vector<double> sums;
    double sum = 0;
    for (Token x = 0; x < law.size(); ++x) sums.push_back(sum += static_cast<double>(law.weight(x)));
    double const at = uniform() * sum;
    return static_cast<Token>(std::ranges::upper_bound(sums, at) - sums.begin());
  }
  std::uint32_t context(std::uint32_t rows, std::uint32_t) { return rows == 1 ? 0 : pick(Uniform{rows}); }

 private:
  double uniform() {
    return unit_number(layout::Address::of(seed_, round_, asked_++).words(layout::asked_rule, 0).pair(0));
  }

  std::uint64_t seed_, round_;
  std::uint32_t asked_ = 0;
};

void check(PairTables const& tables) {
  Follow const follow = tables.contexts().follow;
  if (follow != Follow::independent && follow != Follow::token)
    throw UsageError(
        "the contexts of the distributions follow a text (a rule of one's own is tried on i.i.d. contexts or a "
        "Markov pair)",
        "give p and q as rows");
}

Task own_task(int gamma, int branching, bool bonus) {
  Task task{.rule = "token"};  // for its drafter; the rule itself is given
  task.shape = {gamma, branching, bonus};
  return task;
}

nb::dict exact_own(nb::object const& function, Source const& source, bool of_path, int gamma, int branching,
                   bool bonus, std::uint64_t max_paths) {
  check(source.tables);
  Task task = own_task(gamma, branching, bonus);
  ExactModel const model = exact_model(source);
  std::vector<std::uint32_t> starts;
  if (model.contexts().follow == Follow::token) {
    starts.resize(model.contexts().rows);
    std::iota(starts.begin(), starts.end(), 0);
  }
  Drafting const drafting = drafting_of(task);
  ExactText const text = exact_starts(
      [&](std::uint32_t start, std::uint64_t most) {
        return with_rule(function, of_path, [&](auto const& rule) {
          return enumerate_round(rule, drafting, task.shape, model, start, most);
        });
      },
      model, starts, gamma, telling_length(task), max_paths);
  task.rule = own_card.name;
  task.drafter = "sample";
  task.policy = "fixed";
  return exact_dict(text, source, task, exact_bounds(task, Reference::target, starts, model));
}

nb::dict simulate_own(nb::object const& function, Source const& source, bool of_path, int gamma, int branching,
                      bool bonus, std::uint64_t seed, std::uint64_t rounds, double confidence,
                      nb::object const& progress) {
  check(source.tables);
  Task const task = own_task(gamma, branching, bonus);
  ExactModel const exact = exact_model(source);
  std::vector<TableModel<double>::Row> rows(exact.contexts().rows);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    for (Rational const& one : exact.row(i).p) rows[i].p.push_back(static_cast<double>(one));
    for (Rational const& one : exact.row(i).q) rows[i].q.push_back(static_cast<double>(one));
  }
  TableModel<double> const model(exact.contexts().follow, std::move(rows));
  Drafting const drafting = drafting_of(task);
  std::vector<std::uint64_t> accepted(static_cast<std::size_t>(gamma) + 1), first(source.tables.vocab());
  RatioSums tokens{}, kept{}, started{};
  for (std::uint64_t round = 0; round < rounds; ++round) {
    DrawnChance chance(seed, round);
    Contexts const contexts = model.contexts();
    RoundPath path;
    std::uint32_t const start = chance.context(contexts.rows, 0);
    auto const tau = static_cast<std::uint64_t>(with_rule(function, of_path, [&](auto const& rule) {
      return play_round(rule, drafting, model, task.shape, chance, start, path);
    }));
    ++accepted[tau];
    if (!path.tokens.empty()) ++first[path.tokens.front()];
    tokens.add(path.tokens.size(), 1);
    kept.add(tau, 1);
    started.add(tau > 0, 1);
    if (round % 1024 == 1023) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none() && progress(round + 1).is(nb::bool_(false))) break;
    }
  }
  nb::dict out;
  out["source"] = source.description;
  out["rounds"] = tokens.rounds;
  out["tokens"] = tokens.tokens;
  out["accepted_histogram"] = count_array(accepted);
  out["first_tokens"] = count_array(first);
  out["acceptance"] = to_python(ratio_interval(started, confidence));
  out["mean_accepted"] = to_python(ratio_interval(kept, confidence));
  out["mean_tokens"] = to_python(ratio_interval(tokens, confidence));
  return out;
}

template <class Crossing>
void bind_asked(nb::module_& module, char const* name) {
  nb::class_<Asked<Crossing>>(module, name, "The questions that a rule in Python may ask while it is called.")
      .def_prop_ro("open", [](Asked<Crossing> const& self) { return static_cast<bool>(self.flip); })
      .def("flip",
           [](Asked<Crossing> const& self, Crossing const& num, Crossing const& den) { return self.flip(num, den); })
      .def("pick",
           [](Asked<Crossing> const& self, std::vector<Crossing> const& weights) { return self.pick(weights); });
}

}  // namespace

void bind_own_rule(nb::module_& module) {
  bind_asked<std::string>(module, "AskedExactly");
  bind_asked<double>(module, "AskedDrawn");
  module.def("exact_own", exact_own, nb::arg("rule"), nb::arg("laws"), nb::kw_only(), nb::arg("of_path"),
             nb::arg("gamma"), nb::arg("candidates"), nb::arg("bonus"), nb::arg("max_paths"));
  module.def("simulate_own", simulate_own, nb::arg("rule"), nb::arg("laws"), nb::kw_only(), nb::arg("of_path"),
             nb::arg("gamma"), nb::arg("candidates"), nb::arg("bonus"), nb::arg("seed"), nb::arg("rounds"),
             nb::arg("confidence"), nb::arg("progress").none());
}

}  // namespace draftgauge::python
