#pragma once
#include "analysis/audit.h"
#include "apps/result.h"

namespace draftgauge {

/// What an audit found, as a section for readers.
Section audit_section(Audit const& audited);
/// The same as the field "audit".
Json audit_document(Audit const& audited);

}  // namespace draftgauge
