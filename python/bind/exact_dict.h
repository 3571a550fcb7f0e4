#pragma once
#include "analysis/stats/exact_bounds.h"
#include "python/bind/bind.h"
#include "sim/sources/source.h"

namespace draftgauge::python {

/// The fields of the package's Exact, but claims_lossless. bounds: of drafts like these.
nb::dict exact_dict(ExactText const& text, Source const& source, Task const& task, ExactBounds const& bounds);

}  // namespace draftgauge::python
