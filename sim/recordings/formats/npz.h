#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "sim/recordings/tensor.h"

namespace draftgauge {

/// The arrays of NumPy's .npz: a zip archive with a member NAME.npy for each, stored (numpy.savez) or deflated
/// (numpy.savez_compressed). Members of other names are left out. Of deflated members no more than the header is
/// unpacked here.
/// Throws InputError that begins with `file`, and for what torch.save writes, an archive with pickles.
TensorList read_npz(std::string const& file, std::span<std::uint8_t const> bytes);

}  // namespace draftgauge
