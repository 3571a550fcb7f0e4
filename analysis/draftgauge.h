#pragma once

/// The front door: what docs/library.md shows, by one include.

// Distributions, tasks, Monte Carlo.
#include "sim/fast/engine.h"
#include "sim/sources/source.h"
#include "sim/task/task.h"
// Theory, exact enumeration, intervals.
#include "analysis/exact/enumerate_round.h"
#include "analysis/exact/exact.h"
#include "analysis/stats/tally_ratio.h"
#include "analysis/theory/closed_form.h"
// Real models: recordings, engines, which γ to set, and how.
#include "analysis/audit/audit.h"
#include "analysis/choose/alarms.h"
#include "analysis/choose/draft_choice.h"
#include "analysis/choose/gamma_choice.h"
#include "analysis/counters/counter_alarms.h"
#include "analysis/counters/difference.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/rates.h"
#include "analysis/counters/read_counters.h"
#include "analysis/counters/read_engine_log.h"
#include "analysis/engines/settings.h"
#include "analysis/greedy/greedy_text.h"
#include "analysis/load/batch_choice.h"
#include "analysis/load/request_rate.h"
#include "analysis/load/text_rounds.h"
#include "analysis/open/read_recording.h"
#include "analysis/texts/study.h"
#include "analysis/theory/optimum.h"
#include "analysis/why/counted_tokens.h"
#include "analysis/why/lost_drafts.h"
#include "analysis/why/recording_tokens.h"
#include "analysis/why/waterfall.h"
