#pragma once
#include <optional>
#include <string>

#include "analysis/counters/counters.h"
#include "analysis/counters/documents.h"
#include "analysis/report/field.h"

namespace draftgauge {

/// What an engine counted, as a part of a result.
struct CountedReport {
  std::optional<std::string> engine;
  std::string format;
  Json counts, rates;
};
inline CountedReport report_of(EngineCounters const& counters) {
  return {given(!counters.engine.empty(), counters.engine), counters.format, counts_document(counters),
          rates_document(counters)};
}

/// Its fields, of a result that has it; get: of a row. sometimes: the result may lack it.
template <class Row>
Fields<Row> fields_of_counts(CountedReport const& (*get)(Row const&), bool sometimes = false) {
  auto const of = [get](auto member) { return [=](Row const& row) { return std::invoke(member, get(row)); }; };
  return {{"engine",
           of(&CountedReport::engine),
           {.says = "Whose counters; null where the file does not say.", .sometimes = sometimes}},
          {"format", of(&CountedReport::format), {.sometimes = sometimes}},
          {"counts",
           of(&CountedReport::counts),
           {.sometimes = sometimes, .schema = "envelope.json#/definitions/engine_counts"}},
          {"rates",
           of(&CountedReport::rates),
           {.sometimes = sometimes, .schema = "envelope.json#/definitions/engine_rates"}}};
}

}  // namespace draftgauge
