#pragma once
#include <vector>

#include "analysis/report/schedules.h"
#include "apps/gamma/schedule_texts.h"
#include "apps/options/load_options.h"
#include "apps/output/result.h"

namespace draftgauge {

/// A table that --write-table names.
struct TableToWrite {
  std::string kind, path;
};
/// Those of --write-table, for help.
std::string table_kinds();
/// Throws UsageError for an unknown kind, and InputError for a path that cannot be written, before anything is played.
std::vector<TableToWrite> tables_to_write(Invocation const& args);
/// Whether one of them is of times, by which an engine finds its budget.
bool any_of_times(std::vector<TableToWrite> const& tables);

/// Throws UsageError and InputError where nothing tells what one of them says.
void require_for_tables(Invocation const& args, std::vector<TableToWrite> const& tables, KnownTexts const& known);
/// Writes them, and adds what each is, how near it comes to the times, and what it is predicted to gain.
void write_tables(Result& result, SchedulesReport& report, std::vector<TableToWrite> const& tables, Load const& load,
                  KnownTexts const& known);

}  // namespace draftgauge
