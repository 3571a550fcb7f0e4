#pragma once
#include "sim/model/laws.h"
#include "sim/model/node.h"

namespace draftgauge {

/// The model that simulation plays rounds on: contexts and their integer rows, in a view that must outlive it.
class SimulatedModel {
 public:
  using Node = draftgauge::Node;

  DRAFTGAUGE_HD explicit SimulatedModel(LawsView const& laws) : laws_(&laws) {}
  DRAFTGAUGE_HD Contexts const& contexts() const { return laws_->contexts; }
  DRAFTGAUGE_HD Node node(std::uint32_t row, Candidates const& drafted) const { return {*laws_, row, &drafted}; }

 private:
  LawsView const* laws_;
};

}  // namespace draftgauge
