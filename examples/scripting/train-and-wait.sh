#!/bin/sh
# Trains the project in this folder and prints the loss of every step as a table, with the command line and jq.
set -eu
svc=${SVC:-npx svc}

$svc start --json |
  jq --unbuffered --raw-output 'select(.type == "training.log" and .loss != null) | [.step, .loss] | @tsv'

job=$($svc jobs list --json | jq --raw-output '.jobs[0].id')
$svc jobs show "$job" --json | jq --raw-output '.job | "\(.name) is \(.status), and has \(.artifactCount) adapters"'
