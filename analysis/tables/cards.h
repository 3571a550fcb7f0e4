#pragma once
#include "analysis/tables/paper_table.h"

namespace draftgauge {

#define TABLE(name) extern TableCard const name;
#include "analysis/tables/list.inc"
#undef TABLE

}  // namespace draftgauge
