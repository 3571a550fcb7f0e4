#pragma once
#include <vector>

#include "analysis/report/field.h"
#include "analysis/texts/study.h"

namespace draftgauge {

/// One token of a recording, with what is known of it.
struct TokenReport {
  TextTrace const& text;
  TextAcceptance const& says;
  std::size_t position;  ///< in its text, from 0
};
Described<TokenReport> const& describe(TokenReport const* token);
/// Of all texts, in order. The study must outlive them.
std::vector<TokenReport> token_reports(Study const& study);

}  // namespace draftgauge
