#pragma once
#include "analysis/report/field.h"
#include "python/bind/bind.h"

namespace draftgauge::python {

/// A result's document as the object of its class in the package; None for a member that is left out. confidence: of
/// an estimate whose interval is not known.
nb::object object_of(Description const& result, Json const& json, double confidence);

/// Its members by name, of a class that has others beside them.
nb::dict members_of(Description const& result, Json const& json, double confidence);

template <HasFields Result>
nb::any to_python(Result const& result, double confidence = 1) {
  return nb::borrow<nb::any>(object_of(describe(&result), document_of(result), confidence));
}

}  // namespace draftgauge::python
