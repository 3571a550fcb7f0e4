#pragma once

namespace draftgauge {

class Invocation;

/// --confidence, of intervals. Throws UsageError unless it is between 0 and 1.
double confidence_from(Invocation const& args);

}  // namespace draftgauge
