#!/bin/bash
# What `make demo` shows:  apps/demo.sh [PROGRAM]
set -eu
cd "$(dirname "$0")/.."
draftgauge=${1:-build/draftgauge}

run() {
  echo
  echo "\$ $draftgauge $*"
  echo
  "$draftgauge" "$@"
}

echo "A cheap draft law q proposes γ tokens, one pass of the target law p verifies them. Is the text still drawn from p,"
echo "and how many tokens does a round give? First one small case exactly, then five kinds of laws by simulation; the"
echo "last is a recording of a real model (SmolLM2-135M and a pruned draft of it)."
run exact --rule block --p 1/3,2/3 --q 2/3,1/3 --gamma 2
run verify exact-alpha:vocab=32,alpha=0.8 zipf:vocab=1000 noisy-softmax:vocab=64,contexts=16 markov:vocab=6 \
  safetensors:file=data/smollm2_prune2_24.safetensors,contexts=path --gamma 4 --rounds 10M
echo
echo
echo "And would a faulty rule be found? Each on the smallest table that shows it:"
run verify --faulty
echo
echo "And real models: what would a draft of SmolLM2-135M give, by two log-probabilities for each token of a text?"
run measure data/smollm2/prune2_T1.tsv --gamma 1..8 --cost .1
echo
echo
echo "And a tree of drafts in place of a chain, for the recording above: at a cost of .1 a draft step and of .02 each further"
echo "token of a pass, the best tree of 32 nodes at most, with the best chain beside it:"
run tree data/smollm2_prune2_24.safetensors --cost .1 --verify-cost 1:1,2:1.02 --nodes 32
echo
echo
echo "What that means for a reader, for a paper, for a slide:"
mkdir -p out
run report data/smollm2/prune2_T1.tsv data/smollm2/q2k_T1.tsv --cost .1 -o out/report.html
run figure all -o out/figures/
run table all -o out/tables/
echo
echo "Written: out/report.html (open it in a browser), out/figures/, out/tables/."
echo
echo "Every check held, and every faulty rule was caught. Try next: $draftgauge verify --rule all exact-alpha:vocab=8,alpha=0.6 --gamma 2"
