#pragma once
#include "analysis/engine_settings/settings.h"

namespace draftgauge::engine_settings {

#define ENGINE(name) SettingsCard name();
#include "analysis/engine_settings/list.inc"
#undef ENGINE

}  // namespace draftgauge::engine_settings
