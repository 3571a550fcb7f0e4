#pragma once
#include "analysis/counters/counters.h"

namespace draftgauge {

/// What happened between two scrapes of one server. Throws InputError where the two are not of counters since a
/// server's start, of two formats, or a counter has fallen (the server was started anew between them).
EngineCounters difference(EngineCounters const& before, EngineCounters const& after);

/// Whether both say that a counter of one name was made at one time, and none that it was made at two.
bool same_server(EngineCounters const& one, EngineCounters const& other);

}  // namespace draftgauge
