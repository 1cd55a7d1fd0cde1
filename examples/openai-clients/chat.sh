#!/bin/sh
# Calls an endpoint with cURL.
set -eu
curl --silent --fail-with-body "$BASE_URL/chat/completions" \
  -H "Authorization: Bearer ${API_KEY:-not-required}" \
  -H 'Content-Type: application/json' \
  -d '{ "model": "svc/tiny-instruct", "temperature": 0, "messages": [{ "role": "user", "content": "What are you?" }] }'
