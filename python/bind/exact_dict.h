#pragma once
#include "analysis/exact.h"
#include "python/bind/bind.h"
#include "sim/sources/source.h"

namespace draftgauge::python {

/// The fields of the package's Exact, but claims_lossless.
nb::dict exact_dict(ExactText const& text, Source const& source, Task const& task);

}  // namespace draftgauge::python
