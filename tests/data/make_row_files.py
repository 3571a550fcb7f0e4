"""Writes the files of tests/data/rows with NumPy's and safetensors' own writers:  make_row_files.py

Needs numpy, safetensors; the files here were written with numpy 2.4.6 and safetensors 0.8.0. The numbers are a
formula that tests/sim/recordings/row_files.h has, too, and exact in all the types.
"""
import pathlib
import pickle
import zipfile

import numpy as np
from safetensors.numpy import save_file

ROWS, VOCAB = 5, 7
FOLDER = pathlib.Path(__file__).parent / "rows"


def logits(a, b):
    i, j = np.indices((ROWS, VOCAB))
    return ((a * i + b * j) % 11 - 5) / 4


TARGET, DRAFT = logits(7, 3), logits(2, 5)
LABELS = {"tokens": np.array([6, 0, 3, 3, 1]), "sequence": np.array([4, 4, 4, 9, 9], np.int32),
          "position": np.array([10, 11, 12, 0, 1], np.uint16)}


def bfloat16(x):
    """The upper halves of float32, saved as ml_dtypes.bfloat16 is: two bytes without meaning ('<V2')."""
    return (x.astype("<f4").view("<u4") >> 16).astype("<u2").view("V2")


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, array in {
        "target_f2": TARGET.astype("<f2"), "target_f4": TARGET.astype("<f4"), "target_f8": TARGET.astype("<f8"),
        "target_bf16": bfloat16(TARGET), "draft_f4": DRAFT.astype("<f4"), "batch_f4": TARGET.astype("<f4")[None],
        "fortran": np.asfortranarray(TARGET), "big_endian": TARGET.astype(">f4"), "text": np.array(["a", "b"]),
        "complex": TARGET.astype("<c8"), "record": np.zeros(2, [("a", "<f4"), ("b", "<i2", (2, 3))]),
        "integers": np.arange(6, dtype="<i8").reshape(2, 3), "empty": np.zeros((0, 3), "<f4"),
    }.items():
        np.save(FOLDER / f"{name}.npy", array)
    np.save(FOLDER / "objects.npy", np.array([{}, None], object))
    for version in (2, 3):
        with open(FOLDER / f"target_v{version}.npy", "wb") as file:
            np.lib.format.write_array(file, TARGET.astype("<f4"), version=(version, 0))

    pair = {"target_logits": TARGET.astype("<f4"), "draft_logits": DRAFT.astype("<f2")}
    np.savez(FOLDER / "pair.npz", **pair, **LABELS, temperature=np.array(0.5))
    np.savez_compressed(FOLDER / "packed.npz", **pair, **LABELS, temperature=np.float32(0.5))
    np.savez(FOLDER / "alone.npz", my_array=DRAFT.astype("<f4")[None], seq=LABELS["sequence"],
             pos=LABELS["position"])
    np.savez(FOLDER / "mixed.npz", **pair, notes=np.array(["text is no number"]))
    # Written as to a pipe: sizes come after the bytes, and the directory has them.
    with open(FOLDER / "piped.npz", "wb") as out, zipfile.ZipFile(Pipe(out), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in pair.items():
            with archive.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, array)
    with zipfile.ZipFile(FOLDER / "bzip2.npz", "w", zipfile.ZIP_BZIP2) as archive:
        with archive.open("logits.npy", "w") as member:
            np.lib.format.write_array(member, pair["target_logits"])

    save_file({"logits": pair["target_logits"], **LABELS}, FOLDER / "target.safetensors", {"temperature": "0.5"})
    save_file({"whatever": pair["draft_logits"][None], "tokens": LABELS["tokens"][None]},
              FOLDER / "draft.safetensors")

    for protocol in (2, 5):
        (FOLDER / f"protocol{protocol}.pkl").write_bytes(pickle.dumps({"logits": [1.5]}, protocol))
    with zipfile.ZipFile(FOLDER / "torch.npz", "w") as archive:  # as torch.save lays it out
        archive.writestr("archive/data.pkl", pickle.dumps({}))


class Pipe:
    """A file that cannot seek."""

    def __init__(self, file):
        self.file = file

    def write(self, data):
        return self.file.write(data)

    def flush(self):
        self.file.flush()


main()
