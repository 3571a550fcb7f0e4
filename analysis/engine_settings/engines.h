#pragma once
#include "analysis/engine_settings/settings.h"

/// The engines, each in the file of its name.
namespace draftgauge::engine_settings {

SettingsCard vllm();
SettingsCard sglang();
SettingsCard trtllm();
SettingsCard llama_cpp();
SettingsCard hf();

}  // namespace draftgauge::engine_settings
