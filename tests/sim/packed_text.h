#pragma once
#include <string>

namespace draftgauge::testing {

inline std::string const plain_text = "seq,logp,logq\n0,-1,-2\n0,-.5,-.25\n";
/// The same, as Python's gzip.compress(…, mtime=0) packs it.
inline std::string const packed_text(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x4e\x2d\xd4\xc9\xc9\x4f\x2f\x00\x11\x85\x5c\x06\x3a\xba\x86\x3a\xba"
    "\x46\x20\x5a\xcf\x14\x88\x8d\x4c\xb9\x00\xea\x00\xb6\x83\x21\x00\x00\x00",
    46);

}  // namespace draftgauge::testing
