#pragma once
#include <string>

#include "apps/recording/measured_recording.h"

/// What a reader must know of the texts behind an interval.
namespace draftgauge {

/// Of one text: what its intervals are over, or why there are none.
std::string one_text_text(MeasuredRecording const& of);
std::string one_text_text(std::size_t parts);  ///< of which intervals are; 1: there are none
/// Below, a kind of text that is one in ten is missing with .12 or more.
inline constexpr std::size_t few_texts = 20;
/// "a kind of text that is one in ten is missing from 5 texts with probability 59 %, and no interval knows of it."
std::string few_texts_text(std::size_t texts);
/// Of 5 texts or more, that one of them holds more than a third of all tokens, and how few texts the intervals are as
/// wide as; else empty.
std::string dominating_text(MeasuredRecording const& of);
/// An answer that something must be said before: "CAVEAT As measured: ANSWER"; the answer alone where nothing must.
std::string led(std::string const& caveat, std::string const& answer, std::string_view how = "As measured");
inline constexpr char no_gain_words[] = "No gain is shown: the interval of the speed-up reaches 1 or less.";
/// Which text moves α most, and whether it is unlike the others; empty where that is not known.
std::string influence_text(MeasuredRecording const& of);

}  // namespace draftgauge
