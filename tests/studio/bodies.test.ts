// Invalid bodies sent to the loopback API: every route that changes something refuses them with the error envelope, and
// the cloud is not called.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { errorEnvelope, fillPath, type Route, studioRoutes } from '../../lib/contract/index.js';
import { JOB_ID, openStudio, type TestStudio } from './open-studio.js';

let started: number;
let test: TestStudio;
beforeAll(async () => {
  const startTrain = () => {
    started++;
    return Promise.reject(new Error('nothing is started here'));
  };
  test = await openStudio({}, { startTrain });
  await test.beKnown();
  await test.writeState();
});
beforeEach(() => {
  started = 0;
  for (const noted of [test.logged, test.cloud.calls]) noted.splice(0);
});
afterAll(() => test.close());

const ROUTES = Object.entries<Route>(studioRoutes).filter(([, { method }]) => method !== 'GET');
const WRONG = [
  ['truncated JSON', '{"name":', 'invalid_json'],
  ['plain text', 'train', 'invalid_json'],
  ['a list', '[]', 'invalid_value'],
  ['a number', '5', 'invalid_value'],
  ['null', 'null', 'invalid_value'],
  ['an unknown field', '{"surely":"unknown"}', /^(unknown_field|invalid_value|slug_invalid)$/],
] as const;

const CASES = ROUTES.flatMap(([name, route]) =>
  WRONG.map(([what, ...wrong]) => [name, what, route, ...wrong] as const),
);

it.each(CASES)('%s refuses %s', async (_name, _what, { method, path }, body, code) => {
  const at = fillPath(path, { id: JOB_ID, keyId: 'key-1', requestId: 'request-1' });
  const response = await test.call(at, { method, headers: { 'content-type': 'application/json' }, body });
  const { error } = errorEnvelope.parse(await response.json());
  expect({ status: response.status, type: error.type }).toEqual({
    status: 400,
    type: 'invalid_request_error',
  });
  expect(error.code).toMatch(code);
  expect({ calls: test.cloud.calls, started, logged: test.logged }).toEqual({
    calls: [],
    started: 0,
    logged: [],
  });
});

it.each(['', ' ', '{}'])('a route without a body accepts %j', async body => {
  await test.call('/api/train', { method: 'POST', body });
  expect(started).toBe(1);
});
