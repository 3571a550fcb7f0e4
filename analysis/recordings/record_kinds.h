#pragma once
#include <nlohmann/json_fwd.hpp>

/// Of what kind of file a JSON record is a line, for those that look into one. Each is defined beside the reader of
/// its kind.
namespace draftgauge {

bool is_engine_record(nlohmann::json const& record);   ///< read_engine_log: a round, or counters
bool is_counter_record(nlohmann::json const& record);  ///< read_counters
/// A response that a file of counters may hold among others, and that counts no drafts.
bool is_bare_record(nlohmann::json const& record);
bool is_cost_record(nlohmann::json const& record);  ///< read_costs
bool is_load_record(nlohmann::json const& record);  ///< read_load: of other than passes of one sequence

}  // namespace draftgauge
