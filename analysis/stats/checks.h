#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/stats/certificate.h"
#include "analysis/stats/interval.h"
#include "sim/fast/engine.h"

namespace draftgauge {

/// One claim of the theory beside what was enumerated and simulated. Fields that do not apply are empty.
struct Check {
  std::string name;       ///< what is claimed
  std::string statement;  ///< the paper's statement behind it: "Eq. (1)", "Theorem 3.8"
  std::string rule;
  std::string policy;  ///< of draft lengths
  int gamma = 0;
  std::string schedule = {};  ///< of a batch of so many requests; or empty
  int requests = 1;
  std::optional<double> closed_form;
  std::optional<double> exact;        ///< by following every path of answers
  std::optional<Interval> simulated;  ///< at confidence 1 − false_alarm; of laws: TV to the claimed one, as certified
  std::optional<double> detectable;   ///< the deviation that would have been found with probability stated_power
  double false_alarm = 0;             ///< the probability of "fails" although the claim is true
  std::optional<double> p_value;      ///< of tests of laws; of several places the least, adjusted for their number
  std::optional<Certificate> certificate;
  std::vector<double> law;  ///< of a lossy rule's first token, by enumeration
  bool is_result = false;   ///< nothing is claimed: what a lossy rule does, which holds by itself
  bool asymptotic = false;  ///< the test's false alarm is that of a limit law (G, Student's t)
  Verdict verdict = Verdict::inconclusive;
};

struct CheckOptions {
  double false_alarm;     ///< of each check: a share of suite_false_alarm
  double resolve = 0.05;  ///< a check that could not have found a deviation so large says nothing: of means relative
      ///< to the expected value, of a variance to the largest possible, of laws in total variation
  double cost = 0;           ///< c
  double ops_cost = 0;       ///< ĉ
  double confidence = 0.95;  ///< of certificates
};

/// What a simulation needs to count for check_simulation: as many rounds in a row as a round can have tokens, so that
/// the first γ+1 tokens of every trial are complete and the token after γ acceptances is among them; two tokens
/// jointly where their table is small, the first two or, where contexts form a chain, two or three that come several
/// rounds later; the first token of every round where rounds are independent. A number of rounds per trial that the
/// task states is kept.
Task counted_for_checks(Task task, PairTables const& tables);

/// Where rounds are independent of each other, and the task does not say how many make a trial: what a simulation of
/// trials of one round counts for the claims on a round, which are quickly played. The claims on texts need what
/// counted_for_checks counts, but fewer rounds. None otherwise.
std::optional<Task> counted_for_single_rounds(Task task, PairTables const& tables);

/// Claims on a round: its tokens, their price, its first token. Claims on texts: the tokens of a trial by their
/// place, and several of them jointly.
enum class Claims { all, of_rounds, of_texts };

/// At most so many checks come of one simulation: what false alarms are shared among.
inline constexpr std::size_t checks_per_simulation = 10;

/// What a lossless rule claims of its output.
char const* claim_on_output(Reference reference);
/// A claim that several counts are of one law: all of them together, so that each has its share of the false alarm and
/// of the certificate's doubt, and the least sure one is shown.
Check judge_laws(Check const& claim, std::vector<std::span<std::uint64_t const>> const& counts,
                 std::span<double const> law, CheckOptions const& options);

/// Every claim of that kind that applies to a simulation, judged by its tally.
std::vector<Check> check_simulation(Simulation const& simulation, Tally const& tally, CheckOptions const& options,
                                    Claims claims = Claims::all);

/// Losslessness of the task on these laws by exact enumeration: TV(law of the first γ+1 tokens, target's) is 0. Of a
/// rule that does not claim that, this TV and KL(output ‖ target) as results, which always hold. Empty where it takes
/// more than `max_paths` paths of answers.
std::vector<Check> check_exact_law(Simulation const& simulation, std::uint64_t max_paths = 20'000);

}  // namespace draftgauge
