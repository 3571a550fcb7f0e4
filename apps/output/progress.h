#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace draftgauge {

/// Where no terminal shows how far a command is, in a log or a job's output, it says so in lines of its own: after five
/// seconds, and then seldom, however many pieces its work has.
class ProgressLog {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// who: what stands before each line, "draftgauge verify". The seconds count from here.
  ProgressLog(std::ostream& stream, std::string who, Clock clock = std::chrono::steady_clock::now);

  /// Whether a line is to be said now; from any thread.
  bool due();
  void say(std::string_view line);

 private:
  std::ostream* stream_;
  std::string who_;
  Clock clock_;
  std::chrono::steady_clock::time_point start_, next_;
  std::mutex mutex_;
};

/// One line on a terminal that says how far a long piece of work is, at what rate, and for how long it will still
/// run; rewritten at most ten times a second and gone in the end. It moves with carriage returns and spaces alone, so
/// it is as plain as NO_COLOR asks for.
class Progress {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// `terminal` is null where none is looked at; `log` is told then, unless it is null, too. `total` 0: unknown. `unit`
  /// names what is counted: "rounds". `limit`: the work ends after so long, even where not all is done.
  Progress(std::ostream* terminal, std::string label, std::uint64_t total, std::string unit,
           Clock clock = std::chrono::steady_clock::now, std::optional<std::chrono::duration<double>> limit = {},
           ProgressLog* log = nullptr);
  ~Progress();
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  /// So much is done now. May be called from any thread, as often as is convenient.
  void at(std::uint64_t done);
  /// The total is expected to be another. Not while at() is called.
  void expect(std::uint64_t total) { total_ = total; }

 private:
  /// "token: 25 % of 1G rounds, 250M/s, 3s left"
  std::string line_at(std::uint64_t done, std::chrono::steady_clock::time_point now) const;

  std::ostream* terminal_;
  std::string label_;
  std::uint64_t total_;
  std::string unit_;
  Clock clock_;
  std::optional<std::chrono::duration<double>> limit_;
  ProgressLog* log_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point shown_;
  std::size_t width_ = 0;
  std::mutex mutex_;
};

/// 950, 1.25k, 310M, 2.5G: three digits and a power of 1000.
std::string short_count(double value);

}  // namespace draftgauge
