"""Takes single files out of a wheel or a source archive:  unpack.py ARCHIVE FOLDER FILE…"""

import pathlib
import sys
import tarfile
import zipfile


def main(archive: str, folder: str, *files: str) -> None:
    if archive.endswith(".whl"):
        with zipfile.ZipFile(archive) as opened:
            found = {name: opened.read(name) for name in files}
    else:
        with tarfile.open(archive) as opened:
            root = opened.getnames()[0].split("/")[0]
            found = {name: opened.extractfile(f"{root}/{name}").read() for name in files}
    for name, content in found.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


main(*sys.argv[1:])
