#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "analysis/draftgauge.h"
#include "python/bind/bind.h"
#include "sim/base/written_number.h"
#include "sim/recordings/numbers.h"
#include "sim/sources/by_hand.h"

namespace draftgauge::python {
namespace {

/// One row, or a row for each context, as it lies: float64, float32, float16 or bfloat16, with any strides.
using Rows = nb::ndarray<nb::ro, nb::device::cpu>;
using Texts = std::vector<std::vector<std::string>>;

/// The decimal that Python prints of a double: .3 is 3/10, as it was meant.
WrittenNumber written(double value) {
  if (!std::isfinite(value)) return {value};
  char text[32];
  char const* const end = std::to_chars(text, text + sizeof text, value).ptr;
  return parse_written({text, static_cast<std::size_t>(end - text)});
}

bool is_bfloat16(nb::dlpack::dtype const& type) {
  return type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bfloat) && type.bits == 16;
}

/// number(row, token, value) of each, read where it lies.
template <class Number>
void each_number(Rows const& array, Number const& number) {
  std::size_t const rows = array.ndim() == 1 ? 1 : array.shape(0), tokens = array.shape(array.ndim() - 1);
  std::int64_t const down = array.ndim() == 1 ? 0 : array.stride(0), along = array.stride(array.ndim() - 1);
  auto const read = [&]<class Stored>(Stored const* data, auto const& value) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t x = 0; x < tokens; ++x)
        number(i, x, value(data[static_cast<std::int64_t>(i) * down + static_cast<std::int64_t>(x) * along]));
  };
  auto const as_it_is = [](auto value) { return static_cast<double>(value); };
  if (array.dtype() == nb::dtype<double>()) return read(static_cast<double const*>(array.data()), as_it_is);
  if (array.dtype() == nb::dtype<float>()) return read(static_cast<float const*>(array.data()), as_it_is);
  auto const* const halves = static_cast<std::uint16_t const*>(array.data());
  if (is_bfloat16(array.dtype())) return read(halves, from_bfloat16);
  read(halves, from_half);
}

std::vector<std::vector<WrittenNumber>> numbers(Rows const& rows) {
  std::vector<std::vector<WrittenNumber>> all(rows.ndim() == 1 ? 1 : rows.shape(0));
  for (std::vector<WrittenNumber>& row : all) row.reserve(rows.shape(rows.ndim() - 1));
  each_number(rows, [&](std::size_t i, std::size_t, double value) { all[i].push_back(written(value)); });
  return all;
}

/// None of anything else.
std::optional<std::vector<std::size_t>> bfloat16_shape(nb::object const& array) {
  Rows found;
  if (!nb::try_cast(array, found) || !is_bfloat16(found.dtype())) return std::nullopt;
  std::vector<std::size_t> shape;
  for (std::size_t i = 0; i < found.ndim(); ++i) shape.push_back(found.shape(i));
  return shape;
}

nb::object row_sums(Rows const& rows) {
  std::vector<double> sums(rows.ndim() == 1 ? 1 : rows.shape(0));
  each_number(rows, [&](std::size_t i, std::size_t, double value) { sums[i] += value; });
  return real_array(sums, {sums.size()});
}

std::vector<std::vector<WrittenNumber>> numbers(Texts const& rows, char const* name) {
  std::vector<std::vector<WrittenNumber>> all;
  for (Texts::value_type const& row : rows) {
    all.emplace_back();
    for (std::string const& text : row) {
      try {
        all.back().push_back(parse_written(text));
      } catch (Error const& e) {
        throw InputError(std::string(name) + ", row " + std::to_string(all.size() - 1) + ", token " +
                             std::to_string(all.back().size()),
                         e);
      }
    }
  }
  return all;
}

Source source_of(TablesByHand const& tables, std::string const& contexts, bool normalise) {
  SourceOptions const options{.normalise = normalise};
  RowList rows = rows_by_hand(tables, {"p", "q"}, options);
  std::string const description =
      "arrays p, q of " + std::to_string(tables.p.size()) + " x " + std::to_string(tables.p.front().size());
  PairTables made = tables_by_hand("p, q", tables, contexts, rows, options.threads);
  return {.description = description,
          .tables = std::move(made),
          .rounding = rows.rounding(),
          .written = written_rows(tables, rows)};
}

/// Numbers of bfloat16, which NumPy has not: the upper half of a float32.
nb::object widened(nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu> const& array) {
  if (!is_bfloat16(array.dtype())) throw nb::type_error("not an array of bfloat16");
  auto const* const from = static_cast<std::uint16_t const*>(array.data());
  std::vector<float> values;
  for (std::size_t i = 0; i < array.size(); ++i) values.push_back(std::bit_cast<float>(std::uint32_t{from[i]} << 16));
  std::vector<std::size_t> shape;
  for (std::size_t i = 0; i < array.ndim(); ++i) shape.push_back(array.shape(i));
  return single_array(std::move(values), shape);
}

nb::object weights(PairTables const& tables, bool of_target) {
  std::vector<double> all;
  for (std::uint32_t row = 0; row < tables.rows(); ++row)
    for (Token x = 0; x < tables.vocab(); ++x)
      all.push_back(of_target ? tables.target_probability(row, x) : tables.draft_probability(row, x));
  return real_array(std::move(all), {tables.rows(), tables.vocab()});
}

}  // namespace

void bind_tables(nb::module_& module) {
  module.def("widened", widened, nb::arg("array"));
  module.def("row_sums", row_sums, nb::arg("rows"));
  module.def("bfloat16_shape", bfloat16_shape, nb::arg("array"));
  nb::class_<Source>(module, "PairTables", "The distributions p and q of a model pair, one row a context.")
      .def_prop_ro("description", [](Source const& self) { return self.description; })
      .def_prop_ro("contexts", [](Source const& self) { return contexts_text(self.tables.contexts()); })
      .def_prop_ro("vocab", [](Source const& self) { return self.tables.vocab(); })
      .def_prop_ro("rows", [](Source const& self) { return self.tables.rows(); })
      .def_prop_ro(
          "p", [](Source const& self) { return weights(self.tables, true); },
          nb::for_getter(nb::sig("def p(self, /) -> numpy.typing.NDArray[numpy.float64]")),
          "[rows, vocab] the target's distributions")
      .def_prop_ro(
          "q", [](Source const& self) { return weights(self.tables, false); },
          nb::for_getter(nb::sig("def q(self, /) -> numpy.typing.NDArray[numpy.float64]")),
          "[rows, vocab] the draft model's distributions")
      .def_prop_ro(
          "rounding", [](Source const& self) { return self.rounding.max_tv; },
          "The largest TV between a row and the integers that stand for it; 0 where they are exact.")
      .def("__repr__", [](Source const& self) {
        return "<draftgauge.PairTables " + self.description + ": " + contexts_text(self.tables.contexts()) +
               ", vocabulary of " + std::to_string(self.tables.vocab()) + ">";
      });
  module.def(
      "laws_of_source",
      [](std::string const& text, std::string const& contexts, bool normalise) {
        return open_source(text, {.contexts = contexts, .normalise = normalise});
      },
      nb::arg("text"), nb::arg("contexts"), nb::arg("normalise"));
  module.def(
      "laws_of_arrays",
      [](Rows const& p, Rows const& q, std::string const& contexts, bool normalise) {
        return source_of({numbers(p), numbers(q), {}}, contexts, normalise);
      },
      nb::arg("p"), nb::arg("q"), nb::arg("contexts"), nb::arg("normalise"));
  module.def(
      "laws_of_texts",
      [](Texts const& p, Texts const& q, std::string const& contexts, bool normalise) {
        return source_of({numbers(p, "p"), numbers(q, "q"), {}}, contexts, normalise);
      },
      nb::arg("p"), nb::arg("q"), nb::arg("contexts"), nb::arg("normalise"));
}

}  // namespace draftgauge::python
