#include "sim/task_text.h"

#include <nlohmann/json.hpp>

#include "sim/layout.h"
#include "sim/sha256.h"

namespace draftgauge {

std::string canonical_text(Simulation const& simulation, Source const& source) {
  Task const& task = simulation.task();
  nlohmann::json form{{"layout", layout::version},          {"source", source.identity()},
                      {"rule", task.rule},                  {"drafter", task.drafter},
                      {"gamma", task.shape.gamma},          {"candidates", task.shape.candidates},
                      {"bonus", task.shape.bonus},          {"rounds_per_trial", task.rounds_per_trial},
                      {"positions", task.positions},        {"gram", task.gram},
                      {"firsts", task.firsts}};
  if (task.start) form["start"] = *task.start;
  return form.dump();
}

std::string task_id(std::string_view canonical) { return sha256_hex(canonical).substr(0, 16); }

}  // namespace draftgauge
