#pragma once
#include "sim/model/node.h"
#include "sim/model/pair_tables.h"

namespace draftgauge {

/// The model that simulation plays rounds on: contexts and their integer rows, in a view that must outlive it.
class SimulatedModel {
 public:
  using Node = draftgauge::Node;

  DRAFTGAUGE_HD explicit SimulatedModel(PairTablesView const& tables) : tables_(&tables) {}
  DRAFTGAUGE_HD Contexts const& contexts() const { return tables_->contexts; }
  DRAFTGAUGE_HD Node node(std::uint32_t row, Children const& drafted) const { return {*tables_, row, &drafted}; }

 private:
  PairTablesView const* tables_;
};

}  // namespace draftgauge
