#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/choose/alarm.h"
#include "analysis/exact/rational.h"
#include "analysis/stats/interval.h"
#include "analysis/texts/text_limits.h"
#include "sim/fast/engine.h"

/// What `draftgauge._core` is made of. Each file binds the functions of one subject: plain data in, dicts of plain data
/// out, which the package's dataclasses take by name.
namespace draftgauge::python {

namespace nb = nanobind;

/// Errors of the library become those of the package.
void translate_errors();
void bind_tables(nb::module_& module);
void bind_simulation(nb::module_& module);
void bind_exact(nb::module_& module);
void bind_theory(nb::module_& module);
void bind_recording(nb::module_& module);
void bind_audit(nb::module_& module);
void bind_audit_log(nb::module_& module);
void bind_own_rule(nb::module_& module);
void bind_tree(nb::module_& module);
void bind_counters(nb::module_& module);
void bind_memory(nb::module_& module);

/// (value, low, high, confidence), or None.
nb::object to_python(std::optional<Interval> const& interval);
/// The interval of an estimate over texts, or the value alone where they do not say how far it may be off.
nb::object to_python(TextEstimate const& estimate, double confidence, Limits const& limits = {});
/// A number, or None.
nb::object to_python(std::optional<double> value);
std::vector<std::string> words_of(std::span<Alarm const> alarms);
/// "139/140", for fractions.Fraction.
inline nb::str to_python(Rational const& value) { return nb::str(value.str().c_str()); }
nb::object to_python(std::optional<Rational> const& value);
nb::list to_python(std::vector<Rational> const& values);

/// NumPy arrays that own their numbers. Counts, of int64, are below 2^63 (Simulation::check).
nb::object count_array(std::span<std::uint64_t const> counts);
nb::object whole_array(std::vector<std::int64_t> values, std::vector<std::size_t> const& shape);
nb::object real_array(std::vector<double> values, std::vector<std::size_t> const& shape);
nb::object single_array(std::vector<float> values, std::vector<std::size_t> const& shape);

/// Asks Python from a thread that does not hold the GIL whether to go on: raises what a signal raised (Ctrl-C), and
/// calls progress(done) unless it is None, whose False means stop.
class Listener {
 public:
  explicit Listener(nb::object progress) : progress_(std::move(progress)) {}
  bool operator()(std::uint64_t done) const;

 private:
  nb::object progress_;
};

}  // namespace draftgauge::python
