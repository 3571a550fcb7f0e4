#pragma once
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/fraction.h"
#include "sim/task/task.h"

namespace draftgauge {

// The grammar of what stands behind an option. Everything is read exactly or refused: each function throws Error with
// "problem (why it matters) suggestion" that quotes the text; the caller adds the option's name.

/// A list of counts: `1,2,4`, `1..16` (both ends included), or both, `1..4,8`. At most 100 000 entries.
std::vector<std::int64_t> parse_counts(std::string_view text);

/// A number ≥ 0: `0.25`, `1/3`.
Fraction parse_number(std::string_view text);

/// A list of numbers ≥ 0: `.3,.4,.3`, `1/3,2/3`.
std::vector<Fraction> parse_numbers(std::string_view text);

/// `a..b`, the trials a to b − 1, so that `0..1M` and `1M..2M` are two halves without overlap. Counts as above.
Range parse_range(std::string_view text);

/// A time > 0: `500ms`, `30s`, `5m`, `2h`; without a unit in seconds.
std::chrono::duration<double> parse_duration(std::string_view text);

/// An amount of memory > 0 in bytes: `512M`, `4G`, `1.5GiB`; units are powers of 1024.
std::uint64_t parse_bytes(std::string_view text);

}  // namespace draftgauge
