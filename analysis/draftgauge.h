#pragma once

/// The front door: what docs/library.md shows, by one include.

// Distributions, tasks, Monte Carlo.
#include "sim/engine.h"
#include "sim/sources/source.h"
#include "sim/task.h"
// Theory, exact enumeration, intervals.
#include "analysis/closed_form.h"
#include "analysis/enumerate_round.h"
#include "analysis/exact.h"
#include "analysis/tally_ratio.h"
// Real models: recordings, engines, which γ to set, and how.
#include "analysis/audit.h"
#include "analysis/counters/difference.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/rates.h"
#include "analysis/draft_choice.h"
#include "analysis/engine_settings/settings.h"
#include "analysis/gamma_choice.h"
#include "analysis/load/batch_choice.h"
#include "analysis/load/request_rate.h"
#include "analysis/greedy/greedy_text.h"
#include "analysis/optimum.h"
#include "analysis/recordings/engine_log.h"
#include "analysis/recordings/recorded.h"
#include "analysis/study.h"
#include "analysis/why/counted_tokens.h"
#include "analysis/why/lost_drafts.h"
#include "analysis/why/recording_tokens.h"
#include "analysis/why/waterfall.h"
