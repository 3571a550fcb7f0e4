#pragma once
#include <string>
#include <vector>

#include "analysis/report/field.h"
#include "bench/growth.h"
#include "bench/machine.h"
#include "bench/row.h"

namespace draftgauge {

/// A row of `bench`; unit: of its rates. Readers see a table for each unit that has rows.
Fields<bench::Row> bench_fields(std::string const& unit = {});
std::vector<Section> bench_sections(std::vector<bench::Row> const& rows);

/// The same of `bench --growth`. A figure is one flat object, so that plotting programs take the list as it is.
Fields<bench::GrowthFigure> growth_fields();
Section growth_section(std::vector<bench::GrowthFigure> const& figures, bench::Machine const& machine);

/// What the rates depend on: processor, cores, caches, compiler, instruction set.
Json machine_document(bench::Machine const& machine);
std::string machine_text(bench::Machine const& machine);

}  // namespace draftgauge
