#pragma once
#include <vector>

#include "apps/output/result.h"
#include "bench/growth.h"
#include "bench/machine.h"
#include "bench/row.h"

namespace draftgauge {

/// How the rows of `bench` look: for programs, and as tables for readers, one for each unit that has rows.
Json bench_rows(std::vector<bench::Row> const& rows);
std::vector<Section> bench_sections(std::vector<bench::Row> const& rows);

/// The same of `bench --growth`. A figure is one flat object, so that plotting programs take the list as it is.
Json growth_rows(std::vector<bench::GrowthFigure> const& figures);
Section growth_section(std::vector<bench::GrowthFigure> const& figures, bench::Machine const& machine);

/// What the rates depend on: processor, cores, caches, compiler, instruction set.
Json machine_document(bench::Machine const& machine);
std::string machine_text(bench::Machine const& machine);

}  // namespace draftgauge
