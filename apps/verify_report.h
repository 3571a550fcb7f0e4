#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/result.h"
#include "apps/verify_play.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// What `verify` found so far, for programs and for people: a table of checks for each source, a summary with a line
/// for each task, how many checks hold, and the exit status of all together.
class VerifyReport {
 public:
  /// format: for a terminal each task has a table of its own; the other formats have one for each source.
  VerifyReport(std::string_view backend, Format format);

  /// What is added from here on is of this source, which the summary calls by that name.
  void begin(Source const& source, std::string name);
  /// A note below the last table.
  void note(std::string text) { result_.sections.back().notes.push_back(std::move(text)); }
  void add(Verification const& seen, Source const& source);

  /// All of it, when `simulations` were asked for and so many of them were not played. Called once.
  Result finish(Invocation const& args, std::size_t simulations, std::size_t not_played);

 private:
  void add_check(PlayedCheck const& played, Task const& task, Source const& source);
  /// The answer in a sentence: that all checks hold, or which do not, and how far the output of lossy rules is from p.
  std::string answer() const;
  std::vector<std::string> summary_notes(Invocation const& args, std::size_t simulations,
                                         std::size_t not_played) const;

  bool page_;
  Result result_;
  Json checks_ = Json::array();
  std::string name_;
  Section summary_;
  std::uint64_t tables_bytes_ = 0;  ///< of the largest source
  std::size_t holds_ = 0, results_ = 0;
  std::optional<double> least_tv_, most_tv_;  ///< of lossy rules, exact or certified
  std::vector<std::string> failed_, unsure_;  ///< the checks that fail, and those that are inconclusive
  Ending ending_ = Ending::rounds;
};

}  // namespace draftgauge
