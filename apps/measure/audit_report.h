#pragma once
#include "analysis/audit/audit.h"
#include "apps/output/result.h"

namespace draftgauge {

/// Its verdict in words, with the program's options named.
std::string verdict_text(Audit const& audited);
/// What the odds against an engine speak for, beside its verdict; empty where it is none of "not the rule", or they
/// name nothing.
std::string accusation_text(Audit const& audited);
/// What an audit found, as a section for readers.
Section audit_section(Audit const& audited);

}  // namespace draftgauge
