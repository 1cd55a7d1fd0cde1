#!/bin/sh
# Asks the Studio that `svc dev` runs in this folder: `svc api` finds it, and sends its token along.
set -eu
svc=${SVC:-npx svc}

identity=$($svc api GET /api/credentials)
echo "$identity" | jq --raw-output '"\(.mode) on \(.cloudHost)"'
$svc api GET /api/jobs | jq --raw-output '.jobs[] | [.status, .name, .id] | @tsv'

model=$(echo "$identity" | jq .baseModel)
$svc api POST /api/inference/chat --data "{ \"baseModel\": $model, \"messages\": [{ \"role\": \"user\", \"content\": \"What are you?\" }] }" |
  jq --raw-output '.choices[0].message.content'
