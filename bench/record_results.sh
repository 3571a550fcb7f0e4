#!/bin/sh
# Writes what `draftgauge bench` finds on this machine into a folder, for a machine that has nothing else to do:
#     bench/record_results.sh [PROGRAM [FOLDER]]        build/draftgauge and bench/results where not given
# The machine and the compiler are in each file, the day is not: name it in the commit.
set -eu
here=$(dirname "$0")
program=${1:-build/draftgauge}
folder=${2:-$here/results}
mkdir -p "$folder"
"$program" bench --format md --json "$folder/goals.json" -o "$folder/goals.md"
"$program" bench --growth --format md --json "$folder/growth.json" -o "$folder/growth.md"
"$here/growth_svg.py" "$folder/growth.json" > "$folder/growth.svg"
if command -v valgrind > /dev/null; then
  "$here/instructions.py" "$program" > "$folder/instructions.md"
else
  echo "valgrind is not there: $folder/instructions.md is not written" >&2
fi
