#include <nanobind/stl/string.h>
#include "python/bind/bind.h"

namespace draftgauge::python {

nb::object to_python(std::optional<Interval> const& interval) {
  if (!interval) return nb::none();
  return nb::make_tuple(interval->value, interval->low, interval->high, interval->confidence);
}

nb::object to_python(std::optional<double> value) { return value ? nb::cast(*value) : nb::none(); }

nb::object to_python(std::optional<Rational> const& value) {
  return value ? nb::object(to_python(*value)) : nb::none();
}

nb::object to_python(TextEstimate const& estimate, double confidence, Limits const& limits) {
  if (auto const within = interval_within(estimate, confidence, limits)) return to_python(std::optional(*within));
  return nb::make_tuple(estimate.value, nb::none(), nb::none(), confidence);
}

std::vector<std::string> words_of(std::span<Alarm const> alarms) {
  std::vector<std::string> words;
  for (Alarm const& alarm : alarms) words.push_back(alarm.words);
  return words;
}

nb::list to_python(std::vector<Rational> const& values) {
  nb::list list;
  for (Rational const& value : values) list.append(to_python(value));
  return list;
}

namespace {

/// An array over a vector that a capsule owns.
template <class Number>
nb::object owning(std::vector<Number> values, std::vector<std::size_t> const& shape) {
  auto* const owned = new std::vector<Number>(std::move(values));
  nb::capsule const owner(owned, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Number, nb::c_contig>(owned->data(), shape.size(), shape.data(), owner));
}

}  // namespace

nb::object count_array(std::span<std::uint64_t const> counts) {
  return owning(std::vector<std::int64_t>(counts.begin(), counts.end()), {counts.size()});
}

nb::object whole_array(std::vector<std::int64_t> values, std::vector<std::size_t> const& shape) {
  return owning(std::move(values), shape);
}

nb::object real_array(std::vector<double> values, std::vector<std::size_t> const& shape) {
  return owning(std::move(values), shape);
}

nb::object single_array(std::vector<float> values, std::vector<std::size_t> const& shape) {
  return owning(std::move(values), shape);
}

bool Listener::operator()(std::uint64_t done) const {
  nb::gil_scoped_acquire const held;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return progress_.is_none() || !progress_(done).is(nb::bool_(false));
}

}  // namespace draftgauge::python

NB_MODULE(_core, module) {
  module.doc() = "What draftgauge's C++ library answers, as plain data. Use the package draftgauge.";
  draftgauge::python::translate_errors();
  draftgauge::python::bind_tables(module);
  draftgauge::python::bind_simulation(module);
  draftgauge::python::bind_exact(module);
  draftgauge::python::bind_theory(module);
  draftgauge::python::bind_recording(module);
  draftgauge::python::bind_audit(module);
  draftgauge::python::bind_audit_log(module);
  draftgauge::python::bind_own_rule(module);
  draftgauge::python::bind_tree(module);
  draftgauge::python::bind_counters(module);
  draftgauge::python::bind_memory(module);
}
