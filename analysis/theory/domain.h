#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace draftgauge {

/// Throws UsageError "NAME is VALUE (WHY) ADVICE" unless `holds`. NAME is what the user typed.
void require_domain(bool holds, std::string_view name, double value, std::string_view why, std::string_view advice);

/// α in [0, 1], else UsageError.
void require_alpha(double alpha);

/// c, or what else `name` is `why`, finite and ≥ 0, else UsageError.
void require_cost(double cost, std::string_view name = "`cost`",
                  std::string_view why = "it is the time of a draft step over that of a target step");

/// A draft length of 1 or more, else UsageError.
void require_drafted(int gamma);

/// A number of sequences, else UsageError.
void require_batch(std::int64_t batch);

/// `confidence` in (0, 1), else UsageError naming `confidence`.
void require_confidence(double confidence);

/// A false-alarm probability in (0, 1), else UsageError naming `false-alarm`.
void require_false_alarm(double false_alarm);

/// A power in (0, 1), else UsageError naming `power`.
void require_power(double power);

/// A total variation distance in (0, 1), else UsageError naming `tv`.
void require_tv(double tv);

/// Entries finite and ≥ 0 with sum 1 to 1e-6 (what a law made from single precision may miss), else UsageError.
void require_law(std::span<double const> law, std::string_view name);

/// The UsageError of an entry that is `value`, or of entries whose sum that is.
[[noreturn]] void refuse_entry(std::string_view law, std::string_view value, std::string_view advice);
[[noreturn]] void refuse_sum(std::string_view law, std::string_view value);

/// The UsageError of counts that are not one for each outcome of a law.
[[noreturn]] void refuse_counts(std::size_t counts, std::size_t outcomes, std::string_view advice);

/// p and q have as many entries, else UsageError.
void require_one_vocabulary(std::size_t p, std::size_t q);

}  // namespace draftgauge
