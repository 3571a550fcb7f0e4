#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/field.h"
#include "apps/output/rule_rows.h"
#include "apps/verify/verify_play.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// A check beside what it was made on.
struct CheckRow {
  PlayedCheck const& played;
  Task const& task;
  Source const& source;
};
FieldCards check_cards();
/// "top:slots=4, 2 requests".
std::string batch_text(std::string const& schedule, int requests);

/// What `verify` found so far, for programs and for people: a table of checks for each source, a summary with a line
/// for each task, how many checks hold, and the exit status of all together.
class VerifyReport {
 public:
  /// format: for a terminal each task has a table of its own; the other formats have one for each source.
  /// batches: what is verified are schedules over batches.
  VerifyReport(std::string_view backend, Format format, bool batches = false);

  /// What is added from here on is of this source, which the summary calls by that name.
  void begin(Source const& source, std::string name);
  /// A note below the last table.
  void note(std::string text) { result_.sections.back().notes.push_back(std::move(text)); }
  void add(Verification const& seen, Source const& source);
  bool empty() const { return rows_.empty(); }

  /// All of it, when `simulations` were asked for and so many of them were not played; `failure` ended it. Called once.
  Result finish(Invocation const& args, std::size_t simulations, std::size_t not_played,
                std::optional<InputError> failure);

 private:
  /// Where a task's checks are shown, and the description of its source.
  struct Subject {
    std::size_t source, section;
    Status status;
    std::vector<std::string> rules;  ///< of one law, whose checks are equal as shown
    std::string law, behind;         ///< of the rules; what follows their names in the heading
  };

  /// Whether the last section says what one says already of a rule of the same law; it is then left to that one.
  bool joins(Subject const& last, std::vector<std::string> const& notes);
  Table checks_shown(std::span<CheckRow const> rows) const;
  void add_check(PlayedCheck const& played, Task const& task, Source const& source);
  void leave_out_what_holds();
  /// The answer in a sentence: that all checks hold, or which do not, and how far the output of lossy rules is from p.
  std::string answer() const;
  std::vector<std::string> summary_notes(Invocation const& args, std::size_t simulations,
                                         std::size_t not_played) const;

  bool page_;
  bool leads_;  ///< the summary, but where programs read the first table
  Result result_;
  Json checks_ = Json::array();
  std::string name_;
  std::size_t source_ = 0;
  std::vector<Subject> subjects_;
  Section summary_;
  RuleRows rows_;                   ///< of the summary
  std::uint64_t tables_bytes_ = 0;  ///< of the largest source
  std::size_t holds_ = 0, results_ = 0;
  std::optional<double> least_tv_, most_tv_;  ///< of lossy rules, exact or certified
  std::vector<std::string> failed_, unsure_;  ///< the checks that fail, and those that are inconclusive
  Ending ending_ = Ending::rounds;
};

}  // namespace draftgauge
