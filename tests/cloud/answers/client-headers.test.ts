// What clients read beside an answer.
import { expect, it } from 'vitest';
import { toClientResponse, toDuration } from '../../../lib/cloud/answers/client-headers.js';
import { ApiError } from '../../../lib/contract/index.js';
import { errorResponse } from '../../../lib/http/index.js';

const state = { places: 40, free: 12, resetMs: 2750 };
const clock = { now: () => Date.UTC(2026, 0, 1), elapsed: () => 1250 };
const about = { operation: 'completeChat', isAnthropic: false, startedAt: 1000, queue: { state }, clock };

async function headersOf(changed: Partial<typeof about> = {}, response = new Response('')) {
  response.headers.set('x-request-id', 'id');
  const told = await toClientResponse(response, { ...about, ...changed });
  const { 'content-type': _, ...headers } = Object.fromEntries(told.headers);
  return headers;
}

const openai = { 'x-request-id': 'id', 'openai-version': '2020-10-01', 'openai-processing-ms': '250' };

it("OpenAI's clients are told the request's ID, how long it took, and how full the queue is", async () => {
  expect(await headersOf()).toEqual({
    ...openai,
    'x-ratelimit-limit-requests': '40',
    'x-ratelimit-remaining-requests': '12',
    'x-ratelimit-reset-requests': '2.8s',
  });
  const refused = errorResponse(new ApiError('invalid_value', 'No.'));
  expect(await headersOf({}, refused)).toMatchObject(openai);
});

it("Anthropic's clients are told the same under other names", async () => {
  expect(await headersOf({ isAnthropic: true, operation: 'createMessage' })).toEqual({
    'x-request-id': 'id',
    'request-id': 'id',
    'anthropic-ratelimit-requests-limit': '40',
    'anthropic-ratelimit-requests-remaining': '12',
    'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:02.750Z',
  });
});

it.each(['listModels', ''])('the queue is not mentioned where it does not matter: %j', async operation => {
  expect(await headersOf({ operation })).toEqual(openai);
});

it.each([
  [0, '0ms'],
  [12.2, '13ms'],
  [1000, '1s'],
  [59_960, '1m0s'],
  [90_050, '1m30.1s'],
])('%d ms are %s', (ms, text) => {
  expect(toDuration(ms)).toBe(text);
});
