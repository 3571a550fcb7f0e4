#include "apps/output/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/texts/text_width.h"
#include "sim/base/printable.h"

namespace draftgauge {
namespace {

constexpr std::chrono::milliseconds between_lines(100);
constexpr std::chrono::seconds before_first_line(5), between_log_lines(30);

std::string short_time(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f}s", std::ceil(seconds));
  if (seconds < 3600) return fmt::format("{:.0f}m", std::ceil(seconds / 60));
  return fmt::format("{:.1f}h", seconds / 3600);
}

}  // namespace

std::string short_count(double value) {
  constexpr std::string_view units[] = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  // 999.5 and more would be shown as 1000 of its unit, or as 1e+03.
  while (std::abs(value) >= 999.5 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g}{}", value, units[unit]);
}

ProgressLog::ProgressLog(std::ostream& stream, std::string who, Clock clock)
    : stream_(&stream), who_(std::move(who)), clock_(std::move(clock)) {
  start_ = clock_();
  next_ = start_ + before_first_line;
}

bool ProgressLog::due() {
  std::unique_lock const lock(mutex_, std::try_to_lock);
  if (!lock) return false;  // another thread is asking
  auto const now = clock_();
  if (now < next_) return false;
  next_ = now + std::max<std::chrono::steady_clock::duration>(between_log_lines, now - start_);
  return true;
}

void ProgressLog::say(std::string_view line) {
  std::lock_guard const lock(mutex_);
  *stream_ << who_ << ": " << line << std::endl;
}

Progress::Progress(std::ostream* terminal, std::string label, std::uint64_t total, std::string unit, Clock clock,
                   std::optional<std::chrono::duration<double>> limit, ProgressLog* log)
    : terminal_(terminal),
      label_(printable(label)),
      total_(total),
      unit_(std::move(unit)),
      clock_(std::move(clock)),
      limit_(limit),
      log_(terminal ? nullptr : log) {
  start_ = shown_ = clock_();
  if (log_ && log_->due()) log_->say(label_);
}

Progress::~Progress() {
  if (width_ > 0) *terminal_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
}

void Progress::at(std::uint64_t done) {
  if (log_ && log_->due()) log_->say(line_at(done, clock_()));
  if (!terminal_) return;
  std::unique_lock const lock(mutex_, std::try_to_lock);
  if (!lock) return;  // another thread is writing a line that is as good
  auto const now = clock_();
  if (now - shown_ < between_lines) return;
  shown_ = now;
  std::string const line = line_at(done, now);
  std::size_t const width = display_width(line);
  *terminal_ << '\r' << line << std::string(width_ - std::min(width_, width), ' ') << std::flush;
  width_ = width;
}

std::string Progress::line_at(std::uint64_t done, std::chrono::steady_clock::time_point now) const {
  double const passed = std::chrono::duration<double>(now - start_).count();
  double const rate = static_cast<double>(done) / passed;
  std::string line = label_ + ": ";
  if (total_ > 0)
    line += fmt::format("{:.0f} % of ", std::floor(100.0 * static_cast<double>(done) / static_cast<double>(total_)));
  line += fmt::format("{} {}, {}/s", short_count(static_cast<double>(total_ > 0 ? total_ : done)), unit_,
                      short_count(rate));
  std::optional<double> left;
  if (total_ >= done && total_ > 0 && rate > 0) left = static_cast<double>(total_ - done) / rate;
  if (limit_) left = std::min(left.value_or(limit_->count()), std::max(0.0, limit_->count() - passed));
  if (left) line += fmt::format(", {} left", short_time(*left));
  return line;
}

}  // namespace draftgauge
