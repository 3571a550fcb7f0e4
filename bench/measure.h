#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench/cases.h"
#include "bench/row.h"
#include "bench/setup.h"

namespace draftgauge::bench {

/// Random words a second beside plain Philox.
std::vector<Row> measure_philox(Setup const& setup);

/// Rounds a second: the engine on each instruction set and the serial reference beside the baselines, and several
/// threads beside one in a race of their own, by wall clock.
std::vector<Row> measure_rounds(RoundsCase const& c, Setup const& setup);

/// Rounds a second of every lossless rule on one thread, by the reference path where it has no lanes, beside the dense
/// verifier and the textbook's token rule.
std::vector<Row> measure_rules(RulesCase const& c, Setup const& setup);

/// Rounds a second of the case's trees on one thread by the rules of trees, beside the dense verifier of the same tree.
std::vector<Row> measure_trees(TreesCase const& c, Setup const& setup);
/// The same of trees that grow where rounds rarely come, beside the smallest of them.
std::vector<Row> measure_grown_trees(Setup const& setup);

/// "V=32, histograms": what its rows' names begin with.
std::string title_of(RoundsCase const& c);
std::string title_of(RulesCase const& c);
std::string title_of(TreesCase const& c);

/// Pairs of rows a second, from bytes to figures, beside plain figures and the reading of the bytes.
std::vector<Row> measure_ingest(IngestCase const& c, Setup const& setup);

/// Rounds a second on the setup's device, by wall clock, beside the cpu backend on all threads. Bound: the least of
/// what bound_of() has for its pipes and memories.
std::vector<Row> measure_gpu(GpuCase const& c, Setup const& setup);
/// The same kernel's rounds a second with rounds left open beside without, and what one of those takes to settle.
std::vector<Row> measure_settling(SettlingCase const& c, Setup const& setup);
/// Operations a second of the setup's device that its bounds are made of, beside what they are taken to be.
std::vector<Row> measure_probes(Setup const& setup);

/// One of the above under the name that selects it.
struct Measurement {
  std::string name;  ///< "Philox", "V=32, histograms", "fp16"
  std::function<std::vector<Row>(Setup const&)> run;
};

/// All of them, one for each case, in the order in which they are shown; those of a device where there is one.
std::vector<Measurement> measurements(bool device);

}  // namespace draftgauge::bench
