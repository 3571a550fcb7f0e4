#include "analysis/report/results.h"

#include <algorithm>
#include <iterator>

#include "analysis/report/gamma_document.h"
#include "analysis/report/measured.h"
#include "analysis/report/python_classes.h"
#include "analysis/report/schedules.h"
#include "analysis/report/schema.h"
#include "analysis/report/tally.h"
#include "analysis/report/theory.h"
#include "analysis/report/why.h"

namespace draftgauge {
namespace {

template <class Result>
Description description() {
  return describe(static_cast<Result const*>(nullptr));
}

}  // namespace

std::string results_schema() {
  std::vector<Description> results = gamma_documents();
  std::ranges::move(theory_documents(), std::back_inserter(results));
  std::ranges::move(measure_documents(), std::back_inserter(results));
  results.push_back(description<SchedulesReport>());
  results.push_back(description<TallyReport>());
  results.push_back(description<WhyReport>());
  return laid_out(schema_of(results));
}

std::string results_in_python() {
  return python_classes({description<ChosenGamma>(), description<TheoryRow>(), description<RecordingReport>()});
}

}  // namespace draftgauge
