#pragma once
#include "apps/gamma/gamma_report.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// S of each γ that a recording's estimator knows, and which is best, how surely.
struct GammaOfRecording : GammaAnswer {
  std::optional<GammaChoice> choice = {};  ///< none where the recording does not say
};
/// A study of γ = 1 … `longest`.
StudyOptions study_options(GammaAsked const& asked, int longest);

/// The recording's γ are those of the options' estimates.
GammaOfRecording gamma_of_recording(MeasuredRecording const& of, StudyOptions const& options,
                                    GammaAsked const& asked);

/// Each γ by replay along the texts of every recording that FILE… names. Throws UsageError and InputError.
GammaAnswer gamma_of_recordings(Invocation const& args, GammaAsked const& asked);

}  // namespace draftgauge
