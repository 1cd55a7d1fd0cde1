#!/bin/sh
# Trains the project in this folder and prints the loss of every step as a table, with the command line and jq.
set -eu
svc=${SVC:-npx svc}
events=$(mktemp)
trap 'rm -f "$events"' EXIT

# A pipe would hide how the training ended.
$svc start --json > "$events" || status=$?

jq --raw-output 'select(.type == "training.log" and .loss != null) | [.step, .loss] | @tsv' "$events"
job=$(jq --raw-output '.jobId' "$events" | head -n 1)
[ -z "$job" ] || $svc jobs show "$job" --json | jq --raw-output '.job | "\(.name): \(.status), adapters: \(.artifactCount)"'
exit "${status:-0}"
